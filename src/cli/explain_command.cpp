#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "commands.hpp"
#include "error_page.hpp"
#include "liaison/expr/diagnostic.hpp"
#include "problems.hpp"
#include "terminal.hpp"

namespace liaison::cli {

namespace {

[[noreturn]] void refuse_code(const std::string& text) {
  const std::string code = code_in(text);
  if (code.empty())
    refuse(Status::bad_input, "", Problem::bad_usage, fmt::format("`{}` is no code of an error", text),
           "a code is L and four digits, as in `liaison explain L0412`; `liaison explain` lists them");
  // The nearest by number: a person mistypes a digit, or remembers one.
  std::vector<std::string> codes;
  for (const ErrorEntry& entry : error_entries()) codes.push_back(entry.code);
  const int number = std::atoi(code.c_str() + 1);
  std::stable_sort(codes.begin(), codes.end(), [&](const std::string& a, const std::string& b) {
    return std::abs(std::atoi(a.c_str() + 1) - number) < std::abs(std::atoi(b.c_str() + 1) - number);
  });
  codes.resize(std::min<std::size_t>(codes.size(), 3));
  std::sort(codes.begin(), codes.end());
  refuse(Status::bad_input, "", Problem::bad_usage, fmt::format("there is no error {}", code),
         fmt::format("near it are {}; `liaison explain` lists all", fmt::join(codes, ", ")));
}

std::string indented(const std::string& text) {
  std::string out;
  bool at_begin = true;
  for (const char c : text) {
    if (at_begin && c != '\n') out += "    ";
    at_begin = c == '\n';
    out += c;
  }
  return out;
}

void print(const ErrorEntry& entry) {
  const bool colours = has_colours(stdout);
  const std::size_t width = text_width(stdout);
  const auto part = [&](std::string_view title, const std::string& text) {
    fmt::print("\n{}\n  {}\n", in_ink(title, Ink::strong, colours), wrapped(text, width, 2, 2));
  };
  fmt::print("{}\n", wrapped(entry.code + ": " + entry.cause, width, 0, 0));
  part("Smallest example", entry.example);
  part("What mends it", entry.fix);
  if (!entry.exit_code.empty()) part("Exit code", entry.exit_code);
  for (const WrongModel& model : entry.models) {
    fmt::print("\n{}\n\n{}", in_ink(model.title, Ink::strong, colours), indented(model.model));
    fmt::print("\n  it says\n\n{}", indented(colours ? painted_messages(model.message) : model.message));
  }
}

Json to_json(const ErrorEntry& entry) {
  Json out{{"code", entry.code},
           {"about", entry.section},
           {"cause", entry.cause},
           {"example", entry.example},
           {"fix", entry.fix}};
  if (!entry.exit_code.empty()) out["exit_code"] = entry.exit_code;
  return out;
}

int list_all(bool json) {
  if (json) {
    Json out{{"schema", 1}, {"errors", Json::array()}};
    for (const ErrorEntry& entry : error_entries()) out["errors"].push_back(to_json(entry));
    print_json(std::move(out));
    return done;
  }
  std::string section;
  for (const ErrorEntry& entry : error_entries()) {
    if (entry.section != section)
      fmt::print("{}{}\n", section.empty() ? "" : "\n",
                 in_ink(entry.section, Ink::strong, has_colours(stdout)));
    section = entry.section;
    fmt::print("  {}  {}\n", entry.code, wrapped(entry.cause, text_width(stdout), 9, 9));
  }
  return done;
}

}  // namespace

int run_explain(const std::string& code, bool json) {
  if (code.empty()) return list_all(json);
  const auto entry = find_error(code);
  if (!entry) refuse_code(code);
  if (!json) {
    print(*entry);
    return done;
  }
  Json out{{"schema", 1}};
  out.update(to_json(*entry));
  out["wrong_models"] = Json::array();
  for (const WrongModel& model : entry->models)
    out["wrong_models"].push_back(
        {{"title", model.title}, {"model", model.model}, {"message", model.message}});
  print_json(std::move(out));
  return done;
}

}  // namespace liaison::cli
