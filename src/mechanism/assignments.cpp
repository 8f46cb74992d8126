#include "liaison/mechanism/assignments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>

#include "diagnostics.hpp"
#include "liaison/expr/error.hpp"
#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/parse.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/model/foreign_forms.hpp"
#include "liaison/model/quantity.hpp"
#include "liaison/model/turned_state.hpp"
#include "option_text.hpp"

namespace liaison {

namespace {

constexpr const char* numbers_hint = "a value may use numbers, pi, functions and parameters";

bool is_parameter(const System& system, Expr symbol) {
  return std::any_of(system.parameters.begin(), system.parameters.end(),
                     [&](const Parameter& parameter) { return parameter.symbol == symbol; });
}

/// What may be given a value.
std::vector<Expr> symbols_for(const System& system, Assignable assignable) {
  std::vector<Expr> result;
  if (assignable != Assignable::state) {
    for (const Parameter& parameter : system.parameters) result.push_back(parameter.symbol);
  }
  if (assignable == Assignable::parameters) return result;
  result.push_back(system.time);
  for (const Direction& direction : system.directions) {
    if (!direction.coordinate.empty()) result.push_back(direction.coordinate);
    result.push_back(direction.velocity);
  }
  for (const Rotation& rotation : system.rotations) {
    result.insert(result.end(), rotation.quaternion.begin(), rotation.quaternion.end());
  }
  result.insert(result.end(), system.chart.parameters.begin(), system.chart.parameters.end());
  result.insert(result.end(), system.intrinsic.parameters.begin(), system.intrinsic.parameters.end());
  return result;
}

class AssignmentReader {
 public:
  AssignmentReader(const System& system, const std::string& option, const std::string& text,
                   Assignable assignable, const Assignments& known)
      : system_(system),
        source_(option, text),
        symbols_(symbols_for(system, assignable)),
        assignable_(assignable) {
    for (const Assignment& one : known) {
      set_before_.insert(one.symbol);
      known_.emplace(one.symbol, one.exact);
    }
    for (const Parameter& parameter : system.parameters) {
      if (parameter.value) known_.emplace(parameter.symbol, parameter.exact());
    }
  }

  Assignments run() {
    Assignments result;
    for (const bool parameters : {true, false}) {  // values may use the parameters, wherever these stand
      for (const std::string_view text : parts_of(source_.text())) {
        if (trimmed(text).empty()) continue;
        const std::size_t begin = static_cast<std::size_t>(text.data() - source_.text().data());
        const Span part{begin, begin + text.size()};
        if (gives_parameter(part) != parameters) continue;
        if (assignable_ != Assignable::parameters && is_turned_state(source_.text(), part)) {
          read_turned(part, result);
          continue;
        }
        if (const auto one = read(part)) {
          result.push_back(*one);
          known_[one->symbol] = one->exact;
        }
      }
    }
    if (!problems_.empty()) throw Refused{Status::bad_input, messages_of(problems_, source_)};
    return result;
  }

 private:
  bool gives_parameter(Span part) const {
    const std::string_view text = source_.text().substr(part.begin, part.end - part.begin);
    const std::string_view name = trimmed(text.substr(0, text.find('=')));
    return std::any_of(system_.parameters.begin(), system_.parameters.end(),
                       [&](const Parameter& parameter) { return parameter.symbol.symbol().name == name; });
  }

  /// What stands in a witness, or is asked for, and cannot be given.
  bool is_no_state(std::string_view written, Span span) {
    if (written.ends_with(')')) {
      problem("L0424", span, fmt::format("the value `{}` of a function cannot be given", written),
              "a function has a formula in the model: `function f(s) = ...`");
    } else if (written.ends_with("''")) {
      problem("L0424", span, fmt::format("`{}` is derived, not given", written),
              "a state is coordinates and velocities");
    } else {
      return false;
    }
    return true;
  }

  std::optional<Assignment> read(Span part) {
    const std::size_t equals = source_.text().find('=', part.begin);
    if (equals >= part.end) {
      problem("L0402", part, "a `=` is missing", "write NAME = VALUE, as in \"x = 1, x' = 2\"");
      return std::nullopt;
    }
    const std::string_view written = trimmed(source_.text().substr(part.begin, equals - part.begin));
    const std::size_t begin = static_cast<std::size_t>(written.data() - source_.text().data());
    const Span name_span{begin, begin + written.size()};
    std::vector<std::string> names;
    for (Expr symbol : symbols_) {
      names.push_back(symbol.symbol().name);
      if (names.back() != written) continue;
      if (!given_.insert(symbol).second || set_before_.contains(symbol)) {
        problem("L0407", name_span, fmt::format("`{}` is given twice", written), "keep one");
        return std::nullopt;
      }
      return read_value(symbol, {equals + 1, part.end});
    }
    if (assignable_ != Assignable::parameters && is_no_state(written, name_span)) return std::nullopt;
    const auto nearest = nearest_name(written, names);
    const auto other = other_option(written);
    problem("L0424", name_span,
            fmt::format("`{}` is not a {} of the model", written,
                        assignable_ == Assignable::parameters ? "parameter" : "part of the state"),
            other           ? *other
            : nearest       ? fmt::format("did you mean `{}`?", *nearest)
            : names.empty() ? std::string("the model has none")
                            : fmt::format("there are {}", fmt::join(names, ", ")));
    return std::nullopt;
  }

  std::optional<Assignment> read_value(Expr symbol, Span span) {
    const Expr value = read_quantity(symbol, span);
    return value.empty() ? std::nullopt : evaluated(symbol, value, span);
  }

  /// R angles (a, b, c) order zxz, R axis [..] angle a
  void read_turned(Span part, Assignments& result) {
    const auto value = [&](Span span) { return read_quantity({}, span); };
    const auto turned = read_turned_state(system_, source_.text(), part, value, problems_);
    for (std::size_t k = 0; turned && k < 4; ++k) {
      const Expr symbol = turned->symbols[k];
      if (!given_.insert(symbol).second || set_before_.contains(symbol)) {
        problem("L0407", turned->name, fmt::format("`{}` is given twice", symbol.symbol().name), "keep one");
        return;
      }
      if (auto one = evaluated(symbol, turned->values[k], part)) result.push_back(std::move(*one));
    }
  }

  /// Empty where something was reported.
  Expr read_quantity(Expr symbol, Span span) {
    const QuantityText text = split_unit(source_.text(), span);
    ParsedExpression parsed = parse_expression(*system_.pool, source_, text.value, {});
    if (!parsed.diagnostics.empty()) {
      if (const auto comma = missing_comma(text.value)) {
        problem("L0402", *comma, "a comma is missing before this", "write \"x = 1, x' = 2\"");
        return {};
      }
      explain_bare_units(
          parsed.diagnostics, source_.text(), text.value, true, [this](const std::string& name) {
            return std::any_of(system_.parameters.begin(), system_.parameters.end(),
                               [&](const Parameter& one) { return one.symbol.symbol().name == name; });
          });
      explain_foreign_forms(parsed.diagnostics, source_.text(), text.value);
      problems_.insert(problems_.end(), parsed.diagnostics.begin(), parsed.diagnostics.end());
      return {};
    }
    Quantity quantity = in_si_units(system_, symbol, parsed.value, source_, text);
    if (quantity.problem) {
      problems_.push_back(std::move(*quantity.problem));
      return {};
    }
    return quantity.value;
  }

  /// "2 x = 3": the name before a second `=`.
  std::optional<Span> missing_comma(Span value) const {
    const std::string_view text = source_.text();
    const std::size_t equals = text.find('=', value.begin);
    if (equals >= value.end) return std::nullopt;
    const std::size_t end = value.begin + trimmed_end(text.substr(value.begin, equals - value.begin));
    const std::size_t blank = text.find_last_of(" \n", end - 1);
    if (end == value.begin || blank == std::string_view::npos || blank < value.begin) return std::nullopt;
    const Span name{blank + 1, end};
    const bool before = !trimmed(text.substr(value.begin, blank - value.begin)).empty();
    const bool letter = std::isalpha(static_cast<unsigned char>(text[name.begin])) != 0;
    return before && letter ? std::optional(name) : std::nullopt;
  }

  static std::size_t trimmed_end(std::string_view text) {
    const std::size_t last = text.find_last_not_of(" \n");
    return last == std::string_view::npos ? 0 : last + 1;
  }

  /// What the other option is for: parameters are set, the state is where a motion starts.
  std::optional<std::string> other_option(std::string_view name) const {
    const auto has = [&](Assignable what) {
      const std::vector<Expr> symbols = symbols_for(system_, what);
      return std::any_of(symbols.begin(), symbols.end(),
                         [&](Expr symbol) { return symbol.symbol().name == name; });
    };
    const auto& unknown = system_.unknown_functions;
    if (std::any_of(unknown.begin(), unknown.end(), [&](const FunctionInfo* f) { return f->name == name; }))
      return fmt::format(
          "it is an open input or function: the model gives it, `input {0} = 3*sin(t)`, or a table", name);
    if (assignable_ == Assignable::parameters && has(Assignable::state))
      return "it is a part of the state: give it with `--start` or `--at`";
    if (assignable_ == Assignable::state && has(Assignable::parameters))
      return "it is a parameter: give it with `--set`";
    return std::nullopt;
  }

  /// In exact numbers as long as they are rational.
  std::optional<Assignment> evaluated(Expr symbol, Expr given, Span span) {
    Expr exact;
    DoubleValues value;
    try {
      exact = substitute(given, known_);
      const Expr one[] = {exact};
      value = evaluate(one, {});
    } catch (const Error& error) {
      problem("L0425", span, fmt::format("this is not a number: {}", error.what()), numbers_hint);
      return std::nullopt;
    }
    if (value.status == EvaluationStatus::not_finite) {
      problem("L0425", span, "this is too large for a double", "choose units in which it is smaller");
      return std::nullopt;
    }
    if (value.status != EvaluationStatus::ok) {
      problem("L0425", span, "this is not a number: " + value.reason(), numbers_hint);
      return std::nullopt;
    }
    if (exact.is_number() && !exact.is_zero() && value.values[0] == 0) {
      problem("L0425", span, "this is too small for a double", "choose units in which it is larger");
      return std::nullopt;
    }
    if (is_parameter(system_, symbol) && symbol.symbol().positive && value.values[0] <= 0) {
      problems_.push_back(not_positive(symbol, span));
      return std::nullopt;
    }
    return Assignment{symbol, exact, value.values[0]};
  }

  void problem(std::string code, Span span, std::string message, std::string hint) {
    problems_.push_back({std::move(code), std::move(message), span, "", {}, std::move(hint)});
  }

  const System& system_;
  Source source_;
  std::vector<Expr> symbols_;
  Assignable assignable_;
  std::set<Expr, StructuralLess> set_before_, given_;
  Substitution known_;
  std::vector<Diagnostic> problems_;
};

}  // namespace

Assignments read_assignments(const System& system, const std::string& option, const std::string& text,
                             Assignable assignable, const Assignments& known) {
  return AssignmentReader(system, option, text, assignable, known).run();
}

Assignments take_parameters(const System& system, Assignments& from) {
  Assignments result;
  for (const Assignment& one : from) {
    if (is_parameter(system, one.symbol)) result.push_back(one);
  }
  std::erase_if(from, [&](const Assignment& one) { return is_parameter(system, one.symbol); });
  return result;
}

std::vector<std::pair<Expr, double>> in_doubles(const Assignments& assignments) {
  std::vector<std::pair<Expr, double>> result;
  for (const Assignment& one : assignments) result.emplace_back(one.symbol, one.value);
  return result;
}

}  // namespace liaison
