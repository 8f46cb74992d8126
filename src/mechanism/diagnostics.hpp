#pragma once

#include <string>
#include <vector>

#include "liaison/expr/diagnostic.hpp"
#include "liaison/expr/error.hpp"
#include "liaison/mechanism/message.hpp"

namespace liaison {

/// What is wrong with a text, as messages.
std::vector<Message> messages_of(const std::vector<Diagnostic>& diagnostics, const Source& source);
/// What the library refused, under its own code.
Message message_of(const std::string& place, const Error& error);
/// What the mechanics refuses in a model that the language accepts.
Message message_of_model(const std::string& place, const Error& error);

}  // namespace liaison
