#pragma once

#include <string>
#include <vector>

#include "liaison/mechanism/message.hpp"
#include "problems.hpp"

/// With --json there is one object on the standard output, whatever happens: the results, and what was said
/// beside or instead of them.
namespace liaison::cli {

/// --json was asked for: before anything can go wrong.
void expect_json();
bool is_json_expected();
/// Messages that the object has to tell too.
void keep_for_json(const std::vector<Message>& messages);
/// As print_json, on one line: what is long and read by programs alone.
void print_json_on_one_line(Json value);
/// Writes what print_json was given, with "error" and "diagnostics" where something was said; writes these
/// alone where there are no results and the code is not 0. Nothing without --json.
void finish_json(int code);
/// Somebody else has written the object: the last words of a program that is ended.
void note_json_is_written();

}  // namespace liaison::cli
