#ifndef LIAISON_EXPR_OPERATOR_TABLE_HPP
#define LIAISON_EXPR_OPERATOR_TABLE_HPP

#include <optional>
#include <span>
#include <string_view>

#include "liaison/expr/expr.hpp"

namespace liaison {

class Ball;

/// What is asked of one elementary function by name, value and derivative, in one row. What depends on its
/// identities stands elsewhere: exact values and symmetries where it is built (`elementary`, `shape`), where
/// it has a value (`domain`), its generators in `algebra`, its code in `compile`.
struct OperatorRow {
  Op op;
  std::string_view name;  ///< in the language
  unsigned arity;
  std::string_view latex;   ///< "\\sin"
  std::string_view c_call;  ///< "sin"
  std::string_view domain;  ///< what it needs, for messages: "a positive number"; empty: all reals
  bool (*in_domain)(const double* x);
  /// Every point of the balls is outside the domain; where it is not decided, no.
  bool (*outside)(const Ball* const* x);
  double (*value)(const double* x);
  /// Enclosure; a non-finite result means outside the domain or undecided.
  void (*ball)(Ball& y, const Ball* const* x, long bits);
  /// Partial derivative in the given slot.
  Expr (*derivative)(std::span<const Expr> x, unsigned slot);
};

/// The row of Op::sin .. Op::max; a failed lookup is a bug and ends the program.
const OperatorRow& operator_row(Op op);
std::span<const OperatorRow> operator_table();
/// By name in the language ("sqrt" is not here: it is a power).
const OperatorRow* find_operator(std::string_view name);
bool is_elementary(Op op);

}  // namespace liaison

#endif  // LIAISON_EXPR_OPERATOR_TABLE_HPP
