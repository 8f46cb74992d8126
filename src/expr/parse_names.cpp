#include <fmt/format.h>

#include <array>

#include "parser.hpp"

namespace liaison {

namespace {

constexpr std::size_t max_quoted = 40;  // code points of a name in a message

/// Names that other books and programs use.
struct Alias {
  std::string_view foreign;
  std::string_view ours;
};
constexpr std::array aliases{
    Alias{"ln", "log"},        Alias{"arcsin", "asin"}, Alias{"arccos", "acos"}, Alias{"arctan", "atan"},
    Alias{"arctan2", "atan2"}, Alias{"sgn", "sign"},    Alias{"signum", "sign"}, Alias{"fabs", "abs"},
    Alias{"fmin", "min"},      Alias{"fmax", "max"},    Alias{"tg", "tan"},      Alias{"sh", "sinh"},
    Alias{"ch", "cosh"},       Alias{"th", "tanh"},     Alias{"Sqrt", "sqrt"},
};

std::string in_quotes(std::string_view name) {
  return fmt::format("`{}`", utf8::shorten(name, max_quoted));
}

std::string count(std::size_t n, std::string_view noun) {
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

std::vector<std::string> function_names(const Pool& pool) {
  std::vector<std::string> names{"sqrt"};
  for (const OperatorRow& row : operator_table()) names.emplace_back(row.name);
  for (const FunctionInfo& function : pool.functions()) names.push_back(function.name);
  return names;
}

std::vector<std::string> symbol_names(const Pool& pool) {
  std::vector<std::string> names{"pi"};
  for (const SymbolInfo& symbol : pool.symbols()) names.push_back(symbol.name);
  return names;
}

}  // namespace

std::string sample_call(const std::string& name, std::size_t arity) {
  if (name == "atan2") return "atan2(y, x)";
  constexpr std::array letters{"x", "y", "z"};
  std::string arguments;
  for (std::size_t i = 0; i < arity; ++i) {
    if (i > 0) arguments += ", ";
    arguments += arity <= letters.size() ? letters[i] : fmt::format("x{}", i + 1);
    if (i == 5 && i + 1 < arity) {
      arguments += ", ...";
      break;
    }
  }
  return utf8::shorten(name, max_quoted) + "(" + arguments + ")";
}

bool Parser::is_function_name() const {
  return find_operator(token_.stem) != nullptr || token_.stem == "sqrt" ||
         pool_.find_function(token_.stem) != nullptr;
}

/// The name before a bracket; `token_` is the name.
Callee Parser::find_callee() {
  Callee callee;
  callee.name = name_text();
  if (token_.primes == 0) {
    callee.row = find_operator(token_.stem);
    callee.square_root = token_.stem == "sqrt";
    if (callee.row != nullptr || callee.square_root) return callee;
  }
  if (const FunctionInfo* function = pool_.find_function(token_.stem)) return find_function(function);
  if (token_.stem == "pi" || !pool_.find_symbol(name_text()).empty()) {
    report_not_a_function();
  } else {
    report_unknown_function();
  }
  return callee;
}

/// f(x), or f'(x) for a function of one variable.
Callee Parser::find_function(const FunctionInfo* function) {
  Callee callee;
  callee.name = name_text();
  if (token_.primes > 0 && function->arity != 1) {
    Diagnostic& diagnostic =
        report("L0115", token_.span,
               fmt::format("{} is not clear: {} has {}", in_quotes(callee.name), in_quotes(function->name),
                           count(function->arity, "argument")));
    diagnostic.label = "a prime is the derivative of a function of one variable";
    diagnostic.hint =
        fmt::format("write `D({}, 1){}` for the derivative in the first slot",
                    utf8::shorten(function->name, max_quoted), sample_call("", function->arity));
    return callee;
  }
  callee.function = function;
  callee.orders.assign(function->arity, 0);
  callee.orders[0] = token_.primes;
  return callee;
}

/// D(f, 1, 2) before its arguments; ends at the bracket that closes the head, `token_` on it.
Callee Parser::read_derivative_head() {
  Callee callee;
  const Span start = token_.span;
  advance();
  advance();
  const auto fail = [&](Span span, std::string message, std::string hint) {
    Diagnostic& diagnostic = report("L0115", span, std::move(message));
    diagnostic.hint = std::move(hint);
    done_ = true;
    return Callee();
  };
  const std::string form =
      "write `D(f, 1, 2)(x, y)`: a function, the slots to differentiate in, the arguments";
  if (token_.kind != TokenKind::name || token_.primes > 0) {
    return fail(token_.span, "`D(` needs the name of a function first", form);
  }
  callee.function = pool_.find_function(token_.stem);
  callee.name = token_.stem;
  if (callee.function == nullptr) {
    if (is_function_name()) {
      return fail(token_.span,
                  fmt::format("`D` is for declared functions, and {} is built in", in_quotes(token_.stem)),
                  "write its derivative out");
    }
    return fail(
        token_.span, in_quotes(token_.stem) + " is not a declared function",
        fmt::format("declare {} as a function before its derivative is used", in_quotes(token_.stem)));
  }
  callee.orders.assign(callee.function->arity, 0);
  advance();
  if (!read_derivative_slots(callee)) return Callee();
  if (token_.kind != TokenKind::close)
    return fail(token_.span, "the slots of `D(...)` are not closed by `)`", form);
  if (!lexer_.next_is('(')) {
    return fail({start.begin, token_.span.end}, "`D(...)` is not followed by the arguments of the function",
                fmt::format("write `D({}, 1){}`", utf8::shorten(callee.name, max_quoted),
                            sample_call("", callee.function->arity)));
  }
  return callee;
}

/// ", 1, 2": at least one slot.
bool Parser::read_derivative_slots(Callee& callee) {
  const std::size_t arity = callee.function->arity;
  const auto fail = [&](std::string message) {
    Diagnostic& diagnostic = report("L0115", token_.span, std::move(message));
    diagnostic.hint = fmt::format("write `D({}, 1){}`: slots are counted from 1 to {}",
                                  utf8::shorten(callee.name, max_quoted), sample_call("", arity), arity);
    done_ = true;
    return false;
  };
  if (token_.kind != TokenKind::comma) return fail("`D(...)` needs the slots to differentiate in");
  while (token_.kind == TokenKind::comma) {
    advance();
    const bool number = token_.kind == TokenKind::number && !token_.broken;
    const auto slot = number ? token_.value.to_long() : std::nullopt;
    if (!slot) return fail("a slot of `D(...)` is a whole number");
    if (*slot < 1 || static_cast<std::size_t>(*slot) > arity) {
      return fail(fmt::format("{} has {}; there is no slot {}", in_quotes(callee.name),
                              count(arity, "argument"), *slot));
    }
    ++callee.orders[static_cast<std::size_t>(*slot) - 1];
    advance();
  }
  return true;
}

bool Parser::check_arity(const Callee& callee, std::size_t given, Span span) {
  const bool folds = callee.row != nullptr && (callee.row->op == Op::min || callee.row->op == Op::max);
  const std::size_t arity = callee.square_root      ? 1
                            : callee.row != nullptr ? callee.row->arity
                                                    : callee.function->arity;
  if (given == arity || (folds && given > arity)) return true;
  Diagnostic& diagnostic =
      report("L0004", span,
             fmt::format("{} takes {}{}, {} {} given", in_quotes(callee.name), folds ? "at least " : "",
                         count(arity, "argument"), given, given == 1 ? "is" : "are"));
  diagnostic.hint = fmt::format("write `{}`", sample_call(callee.name, arity));
  return false;
}

void Parser::report_unknown_name() {
  const std::string name = name_text();
  Diagnostic& diagnostic = report("L0110", token_.span, "unknown name " + in_quotes(name));
  if (token_.primes > 0 && !pool_.find_symbol(token_.stem).empty()) {
    diagnostic.hint = fmt::format("{} is known, its derivative is not: declare {} too",
                                  in_quotes(token_.stem), in_quotes(name));
  } else if (name == "Pi" || name == "PI") {
    diagnostic.hint = "the number is written `pi`";
  } else if (name == "e") {
    diagnostic.hint = "write `exp(1)` for the base of the natural logarithm";
  } else if (const auto near = nearest_name(name, symbol_names(pool_))) {
    diagnostic.hint = fmt::format("did you mean {}?", in_quotes(*near));
  } else {
    diagnostic.hint = fmt::format("declare {} before it is used", in_quotes(name));
  }
}

void Parser::report_unknown_function() {
  const std::string name = name_text();
  Diagnostic& diagnostic = report("L0111", token_.span, "unknown function " + in_quotes(name));
  for (const Alias& alias : aliases) {
    if (alias.foreign != name) continue;
    diagnostic.hint = fmt::format("it is called {} here", in_quotes(alias.ours));
    return;
  }
  if (token_.primes > 0 && is_function_name()) {
    diagnostic.hint = "primes are for declared functions; write the derivative out";
  } else if (const auto near = nearest_name(name, function_names(pool_))) {
    diagnostic.hint = fmt::format("did you mean {}?", in_quotes(*near));
  } else {
    diagnostic.hint = fmt::format("declare it as a function, or write `{}*(...)` for a product",
                                  utf8::shorten(name, max_quoted));
  }
}

void Parser::report_bare_function() {
  const std::string name = name_text();
  const FunctionInfo* function = pool_.find_function(token_.stem);
  const OperatorRow* row = find_operator(token_.stem);
  const std::size_t arity = row != nullptr ? row->arity : function != nullptr ? function->arity : 1;
  Diagnostic& diagnostic =
      report("L0112", token_.span, in_quotes(name) + " is a function without its arguments");
  diagnostic.label = "no bracket follows";
  diagnostic.hint =
      fmt::format("write `{}{}`", sample_call(name, arity), lexer_.exponent_follows() ? "^2" : "");
}

void Parser::report_not_a_function() {
  Diagnostic& diagnostic = report("L0116", token_.span, in_quotes(name_text()) + " is not a function");
  diagnostic.label = "followed by a bracket";
  diagnostic.hint = fmt::format("write `{}*(...)` for a product", utf8::shorten(name_text(), max_quoted));
}

}  // namespace liaison
