#include "channel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdio>

namespace liaison::lsp {

namespace {

constexpr std::size_t largest_message = 64U << 20U;  // bytes; a longer one is read over
constexpr std::size_t longest_header = 4096;

/// A line without its end; nothing at the end of the input.
std::optional<std::string> read_line() {
  std::string line;
  for (int c = std::getc(stdin); c != EOF; c = std::getc(stdin)) {
    if (c == '\n') {
      if (line.ends_with('\r')) line.pop_back();
      return line;
    }
    if (line.size() < longest_header) line += static_cast<char>(c);
  }
  return std::nullopt;
}

/// "Content-Length: 12", in any case.
std::optional<std::size_t> length_in(std::string line) {
  constexpr std::string_view name = "content-length:";
  for (char& c : line) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (!line.starts_with(name)) return std::nullopt;
  const std::size_t begin = std::min(line.find_first_not_of(' ', name.size()), line.size());
  std::size_t length = 0;
  const auto [end, problem] = std::from_chars(line.data() + begin, line.data() + line.size(), length);
  return problem == std::errc{} && end != line.data() + begin ? std::optional(length) : std::nullopt;
}

std::optional<std::string> read_body(std::size_t length) {
  std::string body(std::min(length, largest_message), '\0');
  if (std::fread(body.data(), 1, body.size(), stdin) != body.size()) return std::nullopt;
  for (std::size_t rest = length - body.size(); rest > 0; --rest) {
    if (std::getc(stdin) == EOF) return std::nullopt;
  }
  return body;
}

std::string uri_of(const Json& message) {
  const auto params = message.is_object() ? message.find("params") : message.end();
  if (params == message.end() || !params->is_object()) return {};
  const auto document = params->find("textDocument");
  if (document == params->end() || !document->is_object() || !document->contains("uri")) return {};
  const Json& uri = (*document)["uri"];
  return uri.is_string() ? uri.get<std::string>() : std::string();
}

}  // namespace

Channel::Channel() {
  std::thread([this] { read(); }).detach();
}

void Channel::read() {
  bool is_message = false;
  std::size_t length = 0;
  while (const auto line = read_line()) {
    if (!line->empty()) {
      const auto found = length_in(*line);
      is_message = is_message || found.has_value();
      length = found.value_or(length);
      continue;
    }
    if (!is_message) continue;  // an empty line between messages
    const auto body = read_body(length);
    is_message = false;
    if (!body) break;
    Json value = Json::parse(*body, nullptr, false);
    const std::lock_guard lock(mutex_);
    const bool is_cancel = value.is_object() && value.value("method", Json()) == Json("$/cancelRequest");
    if (is_cancel) {
      const Json params = value.value("params", Json());
      if (params.is_object() && params.contains("id")) cancelled_.insert(params["id"].dump());
      continue;
    }
    waiting_.push_back({std::move(value)});
    arrived_.notify_one();
  }
  const std::lock_guard lock(mutex_);
  is_ended_ = true;
  arrived_.notify_one();
}

std::optional<Incoming> Channel::next() {
  std::unique_lock lock(mutex_);
  arrived_.wait(lock, [this] { return !waiting_.empty() || is_ended_; });
  if (waiting_.empty()) return std::nullopt;
  Incoming first = std::move(waiting_.front());
  waiting_.pop_front();
  return first;
}

bool Channel::is_cancelled(const Json& id) const {
  const std::lock_guard lock(mutex_);
  return cancelled_.contains(id.dump());
}

void Channel::forget(const Json& id) {
  const std::lock_guard lock(mutex_);
  cancelled_.erase(id.dump());
}

bool Channel::has_newer(const std::string& uri) const {
  const std::lock_guard lock(mutex_);
  return std::any_of(waiting_.begin(), waiting_.end(), [&](const Incoming& each) {
    const Json& value = each.value;
    return value.is_object() && value.value("method", Json()) == Json("textDocument/didChange") &&
           uri_of(value) == uri;
  });
}

void Channel::write(const Json& message) {
  const std::string body = message.dump(-1, ' ', false, Json::error_handler_t::replace);
  fmt::print("Content-Length: {}\r\n\r\n{}", body.size(), body);
  std::fflush(stdout);
}

void Channel::answer(const Json& id, Json result) {
  write({{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}});
}

void Channel::refuse(const Json& id, int number, const std::string& message) {
  write({{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", number}, {"message", message}}}});
}

void Channel::notify(const std::string& method, Json params) {
  write({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
}

}  // namespace liaison::lsp
