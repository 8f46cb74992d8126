#include "liaison/algebra/text_forms.hpp"

#include <algorithm>

#include "implied_sign.hpp"
#include "keeping.hpp"
#include "liaison/algebra/pieces.hpp"
#include "liaison/expr/error.hpp"
#include "liaison/expr/traverse.hpp"
#include "readable.hpp"

namespace liaison {

namespace {

/// The side of u on which the domain lies; 0 where it is not seen to lie on one alone. A jump has a value of
/// its own at u = 0.
int known_side(Expr u, const Domain& domain, bool jumps) {
  const auto is_side = [&](Expr v) {
    return jumps ? is_implied_positive(v, domain) : is_implied_nonnegative(v, domain);
  };
  return is_side(u) ? 1 : is_side(-u) ? -1 : 0;
}

/// A jump of e holds another piece: sign(abs(x)) is 0 where x is, and sign(x) on the side x >= 0 is not 1.
bool has_pieces_in_jumps(Expr e) {
  const std::vector<Expr> nodes = postorder(e);
  return std::any_of(nodes.begin(), nodes.end(), [](Expr node) {
    return (node.is(Op::sign) || node.is(Op::atan2)) && !piece_arguments(node.args()).kinks.empty();
  });
}

/// With the first piece taken out whose side is known; e itself where there is none.
Expr with_one_piece_less(Expr e, const Domain& domain) {
  const PieceArguments pieces = piece_arguments(std::span(&e, 1));
  for (const auto* list : {&pieces.kinks, &pieces.jumps}) {
    for (Expr u : *list) {
      const bool jumps = list == &pieces.jumps;
      const int side = known_side(u, domain, jumps || has_pieces_in_jumps(e));
      const Expr found = side == 0 ? e : on_side(std::span(&e, 1), u, side).front();
      if (found != e) return found;
    }
  }
  return e;
}

}  // namespace

Expr on_domain(Expr e, const Domain& domain) {
  if (domain.empty()) return e;
  try {
    for (Expr next = with_one_piece_less(e, domain); next != e; next = with_one_piece_less(e, domain))
      e = next;
  } catch (const Error&) {  // it has no value anywhere on the domain: 1/(abs(x) - x) beside sqrt(x)
  }
  return e;
}

Expr readable(Algebra& algebra, Expr e, const Domain& domain) {
  const Expr plain = algebra.readable(e), on_it = on_domain(e, domain);
  if (on_it == e) return plain;
  const Expr shorter = algebra.readable(on_it);
  const bool is_better = reading_cost(shorter) < reading_cost(plain) && keeps_doubles(e, shorter, domain);
  return is_better ? shorter : plain;
}

WrittenText readable(Algebra& algebra, const WrittenText& text, const Domain& domain) {
  const WrittenText plain{readable(algebra, text.merged(), domain), {}, {}};
  if (text.sums.empty() || keeps_doubles(text, plain, domain)) return plain;
  const WrittenText kept{readable(algebra, text.value, text.domain), text.sums, text.domain};
  return keeps_doubles(text, kept, domain) ? kept : text;
}

}  // namespace liaison
