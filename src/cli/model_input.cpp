#include "model_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/parse.hpp"
#include "liaison/model/quantity.hpp"
#include "problems.hpp"

namespace liaison::cli {

namespace {

std::optional<std::string> read_text(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    report(path, Problem::unreadable, "this is a folder, not a model", "name a file in it that ends in .lia");
    return std::nullopt;
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    report(path, Problem::unreadable, fmt::format("cannot be read: {}", std::strerror(errno)),
           "models are files that end in .lia; look under models/classics");
    return std::nullopt;
  }
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

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

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// The parts between commas outside of brackets.
std::vector<Span> split(std::string_view text) {
  std::vector<Span> parts;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (c == ',' && (depth <= 0 || i == text.size())) {
      parts.push_back({begin, i});
      begin = i + 1;
    }
  }
  return parts;
}

class AssignmentReader {
 public:
  AssignmentReader(const System& system, const std::string& option, const std::string& text,
                   Assignable assignable, const Assignments& known)
      : system_(system),
        source_(option, text),
        symbols_(symbols_for(system, assignable)),
        assignable_(assignable),
        set_before_(known.begin(), known.end()),
        known_(known.begin(), known.end()) {
    for (const Parameter& parameter : system.parameters) {
      if (parameter.value) known_.emplace(parameter.symbol, parameter.value->to_double());
    }
  }

  std::optional<Assignments> run() {
    Assignments result;
    for (const bool parameters : {true, false}) {  // values may use the parameters, wherever these stand
      for (const Span part : split(source_.text())) {
        if (trim(source_.text().substr(part.begin, part.end - part.begin)).empty()) continue;
        if (gives_parameter(part) != parameters) continue;
        if (const auto one = read(part)) {
          result.push_back(*one);
          known_[one->first] = one->second;
        }
      }
    }
    if (problems_.empty()) return result;
    fmt::print(stderr, "{}", render(problems_, source_));
    return std::nullopt;
  }

 private:
  bool gives_parameter(Span part) const {
    const std::string_view text = source_.text().substr(part.begin, part.end - part.begin);
    const std::string_view name = trim(text.substr(0, text.find('=')));
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

  std::optional<std::pair<Expr, double>> read(Span part) {
    const std::size_t equals = source_.text().find('=', part.begin);
    if (equals >= part.end) {
      problem("L0402", part, "a `=` is missing", "write NAME = VALUE, as in \"x = 1, x' = 2\"");
      return std::nullopt;
    }
    const std::string_view written = trim(source_.text().substr(part.begin, equals - part.begin));
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
    problem("L0424", name_span,
            fmt::format("`{}` is not a {} of the model", written,
                        assignable_ == Assignable::parameters ? "parameter" : "part of the state"),
            nearest ? fmt::format("did you mean `{}`?", *nearest)
                    : fmt::format("there are {}", fmt::join(names, ", ")));
    return std::nullopt;
  }

  std::optional<std::pair<Expr, double>> read_value(Expr symbol, Span span) {
    const QuantityText text = split_unit(source_.text(), span);
    const ParsedExpression parsed = parse_expression(*system_.pool, source_, text.value, {});
    if (!parsed.diagnostics.empty()) {
      problems_.insert(problems_.end(), parsed.diagnostics.begin(), parsed.diagnostics.end());
      return std::nullopt;
    }
    Quantity quantity = in_si_units(system_, symbol, parsed.value, source_, text);
    if (quantity.problem) {
      problems_.push_back(std::move(*quantity.problem));
      return std::nullopt;
    }
    const Expr one[] = {quantity.value};
    const DoubleValues value = evaluate(one, known_);
    if (value.status == EvaluationStatus::not_finite) {
      problem("L0425", span, "this is too large for a double", "choose units in which it is smaller");
      return std::nullopt;
    }
    if (value.status != EvaluationStatus::ok) {
      problem("L0425", span, "this is not a number: " + value.reason(),
              "a value may use numbers, pi, functions and parameters");
      return std::nullopt;
    }
    if (is_parameter(system_, symbol) && symbol.symbol().positive && value.values[0] <= 0) {
      problems_.push_back(not_positive(symbol, span));
      return std::nullopt;
    }
    return std::pair{symbol, value.values[0]};
  }

  void problem(std::string code, Span span, std::string message, std::string hint) {
    problems_.push_back({std::move(code), std::move(message), span, "", {}, std::move(hint)});
  }

  const System& system_;
  Source source_;
  std::vector<Expr> symbols_;
  Assignable assignable_;
  DoublePoint set_before_, known_;
  std::set<Expr, StructuralLess> given_;
  std::vector<Diagnostic> problems_;
};

/// Throws not_a_basis where the velocity parameters of the model do not determine its velocities: a covector
/// on the parameters is then no covector on the velocities.
void require_chart(const LoadedModel& model) {
  const StateSpace& space = model.motion->space;
  try {
    space.on_velocities(*model.algebra, std::vector<Expr>(space.size(), space.pool().number(0)));
  } catch (const Error& error) {
    if (error.code() != ErrorCode::limit_reached) throw;
  }
}

}  // namespace

std::string code_of_model(const Error& error) {
  switch (error.code()) {
    case ErrorCode::not_polynomial: return code_of(Problem::bad_power);
    case ErrorCode::not_a_basis: return code_of(Problem::bad_velocity_chart);
    default: return code_of(error.code());
  }
}

std::optional<LoadedModel> read_model(const std::string& path, const AlgebraOptions& options) {
  auto text = read_text(path);
  if (!text) return std::nullopt;
  LoadedModel model;
  model.path = path;
  model.source = std::make_unique<Source>(path, std::move(*text));
  ParsedModel parsed = parse_model(*model.source);
  if (!parsed.ok()) {
    fmt::print(stderr, "{}", render(parsed.diagnostics, *model.source));
    return std::nullopt;
  }
  model.system = std::make_unique<System>(std::move(parsed.system));
  model.algebra = std::make_unique<Algebra>(*model.system->pool, options);
  return model;
}

std::optional<LoadedModel> load_model(const std::string& path, const AlgebraOptions& options) {
  auto model = read_model(path, options);
  if (!model) return std::nullopt;
  try {
    model->motion = std::make_unique<Motion>(derive_motion(*model->algebra, *model->system));
    require_chart(*model);
  } catch (const Error& error) {
    report(path, code_of_model(error), error.what(), error.hint());
    return std::nullopt;
  }
  return model;
}

std::size_t count_claims(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  const Source source(path, std::move(text).str());
  const ParsedModel parsed = parse_model(source);
  return parsed.ok() ? parsed.system.claims.size() : 0;
}

std::optional<Assignments> read_assignments(const System& system, const std::string& option,
                                            const std::string& text, Assignable assignable,
                                            const Assignments& known) {
  return AssignmentReader(system, option, text, assignable, known).run();
}

Assignments take_parameters(const System& system, Assignments& from) {
  Assignments result;
  for (const auto& one : from) {
    if (is_parameter(system, one.first)) result.push_back(one);
  }
  std::erase_if(from, [&](const auto& one) { return is_parameter(system, one.first); });
  return result;
}

}  // namespace liaison::cli
