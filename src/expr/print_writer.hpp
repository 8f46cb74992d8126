#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "liaison/expr/expr.hpp"
#include "print_order.hpp"

namespace liaison {

/// What stands around an expression, from loose to tight: what binds looser than its surroundings needs
/// brackets.
enum class Tightness { open, factor, base };

/// The pieces of one node in the order of print: text, and arguments that are expanded later.
class Pieces {
 public:
  void text(std::string_view text) { pieces_.push_back({std::string(text), Expr(), Tightness::open}); }
  void expr(Expr e, Tightness around) { pieces_.push_back({{}, e, around}); }
  /// The arguments with separators between them.
  void list(std::span<const Expr> args, std::string_view separator = ", ");

  struct Piece {
    std::string text;
    Expr e;
    Tightness around;
  };
  std::vector<Piece>& all() { return pieces_; }

 private:
  std::vector<Piece> pieces_;
};

using ExpandNode = void (*)(Pieces& out, Expr e, Tightness around);

/// Writes the tree below `root` with a stack in place of recursion. A shared node is written at each of its
/// places; beyond 10 MB of text this throws limit_reached.
std::string write_expression(Expr root, ExpandNode expand);

/// Whether a name, as LaTeX writes it, is a word of several letters, with dots or without: mc beside rc would
/// be read as one name mcrc.
bool is_spelt_out(std::string_view latex_name);

/// The text of a function's partial derivative by slots: {1, 1, 2} for orders (2, 1).
std::vector<std::uint32_t> derivative_slots(const Application& application);
std::uint32_t total_order(const Application& application);

}  // namespace liaison
