#include "liaison/model/foreign_forms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "liaison/expr/parse.hpp"
#include "text.hpp"

namespace liaison {

namespace {

struct Alias {
  std::string_view foreign;
  std::string_view ours;
};
/// Words of other languages for our statements.
constexpr std::array statements{
    Alias{"parameter", "param"},     Alias{"parameters", "param"},    Alias{"const", "param"},
    Alias{"constant", "param"},      Alias{"params", "param"},        Alias{"coordinate", "coord"},
    Alias{"coordinates", "coord"},   Alias{"coords", "coord"},        Alias{"var", "coord"},
    Alias{"variable", "coord"},      Alias{"init", "start"},          Alias{"initial", "start"},
    Alias{"define", "let"},          Alias{"lagrange", "lagrangian"}, Alias{"energy", "kinetic"},
    Alias{"mass", "particle"},       Alias{"assert", "claim"},        Alias{"torque", "moment"},
    Alias{"damping", "dissipation"}, Alias{"model", "system"},        Alias{"dashpot", "damper"},
    Alias{"actuator", "motor"},      Alias{"include", "import"},      Alias{"use", "import"},
    Alias{"engine", "motor"},        Alias{"lookup", "table"},        Alias{"visual", "shape"},
    Alias{"draw", "shape"},          Alias{"geometry", "shape"},      Alias{"point", "frame"},
    Alias{"marker", "frame"},        Alias{"prove", "claim"},         Alias{"verify", "claim"},
};

/// Words of other languages for our clauses.
constexpr std::array clauses{
    Alias{"rest", "length"},        Alias{"rest_length", "length"}, Alias{"natural_length", "length"},
    Alias{"free_length", "length"}, Alias{"damper", "damping"},     Alias{"viscosity", "damping"},
    Alias{"dashpot", "damping"},
};

template <class Table>
std::optional<std::string_view> ours_for(const Table& table, std::string_view word) {
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const Alias& each) { return each.foreign == word; });
  return found == table.end() ? std::nullopt : std::optional(found->ours);
}

constexpr std::array derivatives{"der", "ddt", "diff", "derivative", "dt", "Derivative"};

/// The part between the brackets or commas around a place.
Span operand_around(std::string_view text, Span part, std::size_t place) {
  const auto walk = [&](std::size_t i, std::string_view opens, std::string_view closes, int step) {
    int depth = 0;
    for (; step > 0 ? i < part.end : i > part.begin; i += static_cast<std::size_t>(step)) {
      const char c = step > 0 ? text[i] : text[i - 1];
      if (opens.find(c) != std::string_view::npos) ++depth;
      if (closes.find(c) != std::string_view::npos && --depth < 0) break;
      if (c == ',' && depth == 0) break;
    }
    return i;
  };
  const Span around{walk(place, ")]}", "([{", -1), walk(place, "([{", ")]}", 1)};
  return trim(text, around);
}

/// C ? A : B
std::optional<Diagnostic> choice_at(std::string_view text, Span part, Span question) {
  const Span whole = operand_around(text, part, question.begin);
  const std::vector<Sign> signs = top_level_signs(text, {question.end, whole.end});
  const auto colon =
      std::find_if(signs.begin(), signs.end(), [](const Sign& sign) { return sign.kind == SignKind::colon; });
  if (colon == signs.end()) return std::nullopt;
  const auto shown = [&](std::size_t begin, std::size_t end) {
    return excerpt(text_at(text, trim(text, {begin, end})), 40);
  };
  return Diagnostic{"L0102",
                    "a choice between two values is written with `if`",
                    whole,
                    {},
                    {},
                    fmt::format("write `if {} then {} else {}`", shown(whole.begin, question.begin),
                                shown(question.end, colon->span.begin), shown(colon->span.end, whole.end))};
}

std::vector<Span> arguments_behind(std::string_view text, Span part, std::size_t end) {
  const std::size_t open = trim(text, {end, part.end}).begin;
  if (open >= part.end || text[open] != '(') return {};
  std::vector<Span> arguments;
  for (std::size_t place = open + 1;;) {
    const Span argument = operand_around(text, {open + 1, part.end}, place);
    arguments.push_back(argument);
    const std::size_t next = trim(text, {argument.end, part.end}).begin;
    if (next >= part.end || text[next] != ',') return arguments;
    place = next + 1;
    if (trim(text, {place, part.end}).begin >= part.end) return arguments;
  }
}

bool is_one_operand(std::string_view text) {
  const auto name = scan_name(text, 0);
  return (name && name->end == text.size()) ||
         text.find_first_not_of("0123456789.") == std::string_view::npos;
}

/// x'^2 of pow(x', 2), and x' of der(x).
std::string form_of_call(std::string_view name, std::string_view text, const std::vector<Span>& arguments) {
  const auto operand = [&](Span span) {
    const std::string_view shown = text_at(text, span);
    return is_one_operand(shown) ? std::string(shown) : fmt::format("({})", excerpt(shown, 40));
  };
  const bool complete = std::all_of(arguments.begin(), arguments.end(),
                                    [](Span argument) { return argument.begin < argument.end; });
  if (name == "pow" || name == "power")
    return complete && arguments.size() == 2
               ? fmt::format("write `{}^{}`", operand(arguments[0]), operand(arguments[1]))
               : "powers are written `x^2`";
  if (std::find(derivatives.begin(), derivatives.end(), name) == derivatives.end()) return {};
  const bool by_time = arguments.size() == 1 || (arguments.size() == 2 && text_at(text, arguments[1]) == "t");
  const std::string_view of = complete && by_time ? text_at(text, arguments[0]) : std::string_view();
  const auto scanned = scan_name(of, 0);
  return scanned && scanned->end == of.size()
             ? fmt::format("write `{}'`", of)
             : "a derivative by the time is written `x'`, of an expression too where a `let` names it";
}

}  // namespace

std::string statement_of_others(std::string_view word) {
  if (word == "friction")
    return "it is a clause of a contact: `unilateral floor: y >= 0 friction f`, or `contact floor: B on "
           "ground "
           "at [x, 0] normal [0, 1] friction f`";
  const auto ours = ours_for(statements, word);
  return ours ? fmt::format("it is called `{}` here", *ours) : std::string();
}

std::optional<std::string_view> clause_of_others(std::string_view word) {
  return ours_for(clauses, word);
}

void explain_foreign_forms(std::vector<Diagnostic>& reports, std::string_view text, Span part) {
  for (std::size_t i = 0; i < reports.size(); ++i) {
    if (reports[i].code == "L0102" && text_at(text, reports[i].span) == "?") {
      const auto choice = choice_at(text, part, reports[i].span);
      if (!choice) continue;
      std::erase_if(reports, [&](const Diagnostic& other) {
        return choice->span.begin <= other.span.begin && other.span.end <= choice->span.end;
      });
      reports.push_back(*choice);
      i = static_cast<std::size_t>(-1);  // from the begin: its own sign is no longer told
    } else if (reports[i].code == "L0111") {
      const std::string_view name = text_at(text, reports[i].span);
      std::string form = form_of_call(name, text, arguments_behind(text, part, reports[i].span.end));
      if (!form.empty()) reports[i].hint = std::move(form);
    }
  }
}

}  // namespace liaison
