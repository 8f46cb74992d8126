#include "liaison/structure/standing.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/claims.hpp"
#include "liaison/mechanics/open_conditions.hpp"
#include "liaison/mechanics/states.hpp"
#include "liaison/model/motion_texts.hpp"
#include "polynomial_form.hpp"
#include "root_sheets.hpp"
#include "special_states.hpp"

namespace liaison {

namespace {

constexpr std::uint64_t operations_for_ranks = 100'000'000;
constexpr std::uint64_t operations_for_lost_ranks = 20'000'000;

constexpr const char* lost_on_a_part = "the relations may lose rank on a part of the states";
constexpr const char* lost_at_special_states = "the relations may lose rank at special states";

bool has_parameters_alone(Expr e) {
  const std::vector<Expr> symbols = symbols_in(e);
  return std::all_of(symbols.begin(), symbols.end(),
                     [](Expr symbol) { return symbol.symbol().kind == SymbolKind::parameter; });
}

bool has_several_pieces(Op op) {
  return op == Op::abs || op == Op::sign || op == Op::min || op == Op::max || op == Op::atan2 ||
         op == Op::asin || op == Op::acos;
}

/// sqrt(u) where u may vanish. 1/sqrt(u) has no value there.
bool may_have_a_corner(Expr node) {
  if (!node.is(Op::pow)) return false;
  const Rational& exponent = node.arg(1).number();
  return !exponent.is_integer() && exponent.sign() > 0 && !never_zero(node.arg(0));
}

/// atan(u) where u may have a pole: it jumps there, and atan(z) + atan(1/z) is one constant on each side.
bool may_jump_at_a_pole(Expr node) {
  if (!node.is(Op::atan)) return false;
  const std::vector<Expr> inner = postorder(node.arg(0));
  return std::any_of(inner.begin(), inner.end(), [](Expr e) {
    if (has_parameters_alone(e)) return false;
    if (e.is(Op::tan) || e.is(Op::log)) return true;
    return e.is(Op::pow) && (!e.arg(1).is_number() || e.arg(1).number().sign() < 0) && !never_zero(e.arg(0));
  });
}

void read_pieces(Algebra& algebra, const System& system, Standing& standing) {
  const std::vector<Expr> texts = motion_texts(system);
  for (Expr node : postorder(texts)) {
    if (has_parameters_alone(node)) continue;
    if (standing.pieces.empty() && has_several_pieces(node.op()))
      standing.pieces = fmt::format("`{}` is not a function of one piece", to_infix(node));
    if (standing.reason.empty() && may_have_a_corner(node))
      standing.reason = fmt::format("`{}` has no derivative where its root is zero", to_infix(node));
    if (standing.reason.empty() && may_jump_at_a_pole(node))
      standing.reason = fmt::format("`{}` may jump where its argument has a pole", to_infix(node));
  }
  const RootSheets sheets = sheets_of_roots(algebra, system, texts);
  if (standing.pieces.empty() && sheets.sheets == Sheets::several)
    standing.pieces = fmt::format("`{}` is not a function of one piece", to_infix(sheets.root));
  if (standing.reason.empty() && sheets.sheets == Sheets::open)
    standing.reason =
        fmt::format("`{}` may be another function behind the zeros of its root", to_infix(sheets.root));
  if (!standing.pieces.empty()) standing.reason = standing.pieces;
}

Matrix gradients_of(Algebra& algebra, const Motion& motion, const std::vector<std::size_t>& rows) {
  Matrix gradients(algebra.pool(), rows.size(), motion.space.size());
  for (std::size_t h = 0; h < rows.size(); ++h) {
    for (std::size_t a = 0; a < motion.space.size(); ++a)
      gradients(h, a) = motion.constraints[rows[h]].gradient[a];
  }
  return gradients;
}

/// No state at which these relations lose their rank (proved).
bool is_never_lost(Algebra& algebra, const Motion& motion, const Matrix& gradients) {
  const BudgetScope scope(algebra, operations_for_lost_ranks);
  const DeterminantResult gram = determinant(algebra, gradients * transpose(gradients));
  if (gram.grade != Grade::proved) return false;
  if (never_zero(algebra.readable(gram.value))) return true;
  Region lost = states_of(motion);
  lost.equations.push_back(gram.value);
  const Expr zero = algebra.pool().number(0);
  return algebra.are_equal(zero, zero, lost).grade == Grade::empty;
}

/// As many rows as the rank has at general points, on the states: there it is not larger.
void read_rank(Algebra& algebra, const Motion& motion, Standing& standing) {
  std::vector<std::size_t> all(motion.relation_count);
  for (std::size_t h = 0; h < all.size(); ++h) all[h] = h;
  const RankResult generic = rank(algebra, gradients_of(algebra, motion, all));
  if (generic.grade == Grade::proved) standing.rank = generic.rank;
  Claim claim;
  claim.kind = ClaimKind::independent;
  for (const std::size_t row : generic.rows) claim.constraints.push_back(motion.constraints[row].name);
  std::string why =
      generic.grade == Grade::proved ? lost_on_a_part : "the rank of the relations is not proved";
  if (generic.grade == Grade::proved && generic.rank > 0) {
    const Verdict verdict = ClaimChecker(algebra, motion).check(claim).verdict;
    if (verdict.is_proved() && !verdict.divided &&
        is_never_lost(algebra, motion, gradients_of(algebra, motion, generic.rows))) {
      standing.rank_grade = Grade::proved;
      return;
    }
    if (verdict.holds()) {
      for (Expr condition : verdict.conditions) {
        for (Expr one : conditions_on_values(algebra, *motion.space.system, condition))
          if (std::find(standing.for_values.begin(), standing.for_values.end(), one) ==
              standing.for_values.end())
            standing.for_values.push_back(one);
      }
      standing.rank_grade = Grade::checked;
      why = lost_at_special_states;
    }
  }
  if (standing.reason.empty()) standing.reason = why;
}

}  // namespace

bool is_certain_at_general_places(const Standing& standing) {
  return standing.pieces.empty() && standing.reason == lost_at_special_states;
}

Verdict Standing::limited(Verdict verdict) const {
  return reason.empty() ? verdict : at_general_states(std::move(verdict), {}, reason);
}

Verdict at_general_states(Verdict verdict, const Conditions& conditions, const std::string& reason) {
  for (Expr condition : factors_that_may_vanish(conditions)) {
    if (std::find(verdict.conditions.begin(), verdict.conditions.end(), condition) ==
        verdict.conditions.end())
      verdict.conditions.push_back(condition);
  }
  if (!verdict.is_proved()) return verdict;
  verdict.grade = Grade::checked;
  verdict.reason = reason;
  return verdict;
}

Standing standing_of(Algebra& algebra, const Motion& motion) {
  Standing standing;
  read_pieces(algebra, *motion.space.system, standing);
  if (standing.reason.empty() && motion.grade != Grade::proved)
    standing.reason = "on the way to the closed forms of the motion zeros were taken that are not proved";
  for (std::size_t h = 0; h < motion.relation_count; ++h)
    standing.has_levels = standing.has_levels || !motion.constraints[h].level.empty();
  standing.rank = std::min(motion.relation_count, motion.space.size());
  if (motion.relation_count > 0) standing.rank_grade = Grade::unknown;
  const Expr zero = algebra.pool().number(0);
  try {
    const BudgetScope scope(algebra, operations_for_ranks);
    standing.states = algebra.are_equal(zero, zero, states_of(motion));
    if (!standing.has_states()) return standing;
    if (motion.relation_count > 0) read_rank(algebra, motion, standing);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::limit_reached) throw;
    if (standing.reason.empty())
      standing.reason = "whether the relations keep their rank was not decided within the budget";
  }
  return standing;
}

}  // namespace liaison
