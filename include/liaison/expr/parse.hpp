#ifndef LIAISON_EXPR_PARSE_HPP
#define LIAISON_EXPR_PARSE_HPP

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "liaison/expr/diagnostic.hpp"
#include "liaison/expr/domain.hpp"
#include "liaison/expr/expr.hpp"

namespace liaison {

/// What a language around the expressions says of a name or a call: a value, or diagnostics and no value.
struct ResolvedName {
  Expr value;
  std::vector<Diagnostic> diagnostics;
  std::size_t end = 0;  ///< the offset behind the closing bracket of a call, or behind a name that goes on
  Domain domain = {};   ///< of what the name stands for
};

struct ParseOptions {
  /// Unknown names become parameters; otherwise they are an error with the nearest known name as a hint.
  bool declare_unknown = false;
  std::size_t max_depth = 10'000;          ///< open brackets and prefix signs at once
  std::size_t max_number_digits = 10'000;  ///< of one literal, its exponent written out
  /// Asked first for every name that no bracket follows; nothing: the pool decides.
  std::function<std::optional<ResolvedName>(const std::string& name, Span span)> resolve_name = {};
  /// Asked first for every name in front of a bracket, which opens at `open`; nothing: an ordinary function.
  std::function<std::optional<ResolvedName>(const std::string& name, Span span, std::size_t open)>
      resolve_call = {};
  /// What an unknown function needs of its arguments, where the language around defines it later.
  std::function<Domain(const FunctionInfo& function, std::span<const Expr> args)> domain_of_call = {};
};

/// Where each parsed operand stood: `span` of the whole expression.
struct ParsedExpression {
  Expr value;  ///< empty if there are diagnostics
  std::vector<Diagnostic> diagnostics;
  Domain domain;  ///< where the text as written has a value
};

/// Infix text to an expression of the pool.
///   numbers    3  3/4  9.81  1.5e-3, exact
///   names      letters, digits, _ and trailing ' (time derivatives): x1, theta', Greek letters as names or
///   Unicode operators  + - * / ^ (also the signs · × − ² ³); ^ binds tightest and to the right; -x^2 is
///   -(x^2) functions  sin(x) ... max(x, y, ...), sqrt(x), unknown functions f(x, y), f'(x), D(f, 1, 2)(x, y)
///   constants  pi
/// Works on an explicit stack: no input can overflow the machine's.
ParsedExpression parse_expression(Pool& pool, const Source& source, const ParseOptions& options = {});
/// A part of a source, for languages that embed expressions.
ParsedExpression parse_expression(Pool& pool, const Source& source, Span part,
                                  const ParseOptions& options = {});

/// A name at `offset` of a text, as expressions read it: Greek letters spelled out, dots as primes.
struct ScannedName {
  std::string text;
  std::size_t end;
};
std::optional<ScannedName> scan_name(std::string_view text, std::size_t offset);

/// For tests and literals in code: throws Error with the rendered diagnostics; unknown names become
/// parameters.
Expr parse(Pool& pool, std::string_view text);

}  // namespace liaison

#endif  // LIAISON_EXPR_PARSE_HPP
