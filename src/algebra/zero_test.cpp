#include "zero_test.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "liaison/algebra/algebra.hpp"
#include "liaison/algebra/pieces.hpp"
#include "liaison/algebra/region.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "memory.hpp"
#include "piece_forms.hpp"
#include "region_proof.hpp"
#include "saturation.hpp"
#include "special_points.hpp"

namespace liaison {

namespace {

constexpr long look_bits = 128;
constexpr long most_bits = 1 << 16;
constexpr int points_a_piece = 4;  // more of them where a function has pieces, so that each is met

/// Enough to see a perturbation of 10^-300; a check is reported to the digits of the options.
constexpr long check_bits = 1024;

/// Longer expressions are not taken apart to find more places to look at.
constexpr std::size_t short_form = 300;
constexpr std::size_t most_choices = 32;  // of factors

constexpr std::size_t most_parts_to_look_at = 8;  // on which there is no proof
constexpr int points_on_a_part = 4;

bool is_short(Expr e) {
  const std::array one{e};
  return postorder(one).size() <= short_form;
}

/// left == right at every point of a region.
class Decision {
 public:
  Decision(Algebra& algebra, Expr left, Expr right, const Region& region)
      : algebra_(algebra), left_(left), right_(right), region_(region), sides_{left, right} {}

  /// Where an assumption vanishes for special values of parameters, the printed condition says so.
  void forgive_parameters() { forgives_parameters_ = true; }

  Verdict run() {
    const CallScope scope(algebra_);
    shorten_pieces();
    std::vector<Expr> all(sides_.begin(), sides_.end());
    all.insert(all.end(), region_.equations.begin(), region_.equations.end());
    pieces_ = piece_arguments(all);
    const bool is_plain = region_.equations.empty() && region_.assumed.empty();
    if (left_ == right_ && is_plain && region_.domain.empty()) return Verdict::of(Grade::proved);
    if (auto refutation = look(1, look_bits)) return *refutation;
    if (!region_.equations.empty() && points_ + undecided_ == 0 && is_empty()) return nothing_to_speak_of();
    const RegionProof proof = prove();
    if (proof.empty) return nothing_to_speak_of();
    if (proof.proved && !has_points()) {
      if (auto refutation = look_near_borders()) return *refutation;
    }
    if (proof.proved) return proved();
    if (auto refutation = look_on_open_parts(proof.open)) return *refutation;
    if (auto refutation = look_everywhere()) return most_exact(std::move(*refutation));
    if (proof.nonzero) return find_witness();
    Verdict verdict = checked(proof.reason);
    verdict.divided = proof.divided;
    return verdict;
  }

 private:
  RegionProof prove() {
    if (forgives_parameters_) return prove_regular(algebra_, region_);
    const Expr difference = left_ - right_;
    if (const auto places = without_velocities(difference, region_)) {
      RegionProof proof = prove_zero(algebra_, difference, *places);
      if (proof.proved) return proof;
    }
    return prove_zero(algebra_, difference, region_, most_parts_to_look_at);
  }

  void shorten_pieces() {
    const std::vector<Expr> shorter = with_short_pieces(algebra_, sides_, region_.equations);
    left_ = sides_[0] = shorter[0];
    right_ = sides_[1] = shorter[1];
  }

  /// A row of the region follows from others of its rows.
  PointFinder::Follows follows_in(const Region& region) {
    return [this, &region](std::size_t row, std::span<const std::size_t> others) {
      Region rest{.equations = {}, .domain = region.domain, .assumed = {}};
      for (std::size_t k : others) rest.equations.push_back(region.equations[k]);
      if (const auto places = without_velocities(region.equations[row], rest)) {
        if (prove_zero(algebra_, region.equations[row], *places).proved)
          return PointFinder::Following{true, {}};
      }
      const RegionProof proof = prove_zero(algebra_, region.equations[row], rest, most_parts_to_exclude);
      PointFinder::Following following{proof.proved || proof.open_is_all, {}};
      for (const Region& part : proof.open) following.unless.push_back(part.equations);
      return following;
    };
  }

  PointFinder& finder() {
    if (!finder_) {
      Region points = region_;
      for (Expr e : region_.assumed) points.domain.push_back({e, Bound::nonzero});
      finder_.emplace(algebra_, points, sides_, PointOptions{.seed = algebra_.options().seed});
      finder_->set_follows(follows_in(region_));
    }
    return *finder_;
  }

  /// The verdict at a point where the two sides certainly differ; the bits are raised while they overlap.
  std::optional<Verdict> compare(const RegionPoint& point, long bits) {
    const auto values = finder().values(point, sides_, bits);
    if (!values) {
      ++undecided_;
      return std::nullopt;
    }
    ++points_;
    if (arb_overlaps((*values)[0].raw(), (*values)[1].raw()))
      return bits >= check_bits ? compare_without_saturation(point) : std::nullopt;
    Verdict verdict = Verdict::of(Grade::refuted);
    verdict.witness = {point.printed(), (*values)[0], (*values)[1]};
    return verdict;
  }

  /// The difference of the sides against 0, where it is smaller than any precision tells.
  std::optional<Verdict> compare_without_saturation(const RegionPoint& point) {
    if (!may_saturate(left_ - right_)) return std::nullopt;
    const auto values = [&](std::span<const Expr> es, long bits) { return finder().values(point, es, bits); };
    auto difference = value_without_saturation(algebra_, left_ - right_, values);
    if (!difference || difference->contains_zero()) return std::nullopt;
    Verdict verdict = Verdict::of(Grade::refuted);
    verdict.witness = {point.printed(), std::move(*difference), Ball(Rational(0))};
    return verdict;
  }

  bool has_points() const { return points_ + single_points_ > 0; }

  std::optional<Verdict> look(int wanted, long bits) {
    for (int i = 0; i < wanted; ++i) {
      const auto point = finder().next();
      if (!point) return std::nullopt;
      if (auto refutation = compare(*point, bits)) return plainest(*point, std::move(*refutation), bits);
    }
    return std::nullopt;
  }

  /// A witness where the equations are independent, if one of the next points is one: a person can move it.
  Verdict plainest(const RegionPoint& found, Verdict refutation, long bits) {
    constexpr int few = 6;
    if (region_.equations.empty() || found.rows.size() == region_.equations.size()) return refutation;
    std::size_t rank = found.rows.size();
    for (int i = 0; i < few; ++i) {
      const auto point = finder().next();
      if (!point) break;
      if (point->rows.size() <= rank) continue;
      auto other = compare(*point, bits);
      if (!other) continue;
      rank = point->rows.size();
      refutation = std::move(*other);
    }
    return refutation;
  }

  /// Where nothing is solved for, ordinary points have exact values: a witness among them is better than one
  /// that is known to be near a printed point.
  Verdict most_exact(Verdict refutation) {
    if (!region_.equations.empty()) return refutation;
    auto other = look(algebra_.options().check_points, check_bits);
    return other ? std::move(*other) : std::move(refutation);
  }

  std::optional<Verdict> look_on_sides(Expr u, std::initializer_list<int> sides) {
    for (int side : sides) {
      for (int i = 0; i < 2; ++i) {
        const auto point = finder().next_on_side(u, side);
        if (!point && i == 0 && side != 0) unreached_.push_back({u, side});
        if (!point) break;
        if (auto refutation = compare(*point, check_bits)) return refutation;
      }
      if (side == 0 || region_.equations.empty()) continue;
      for (const Rational& distance : {Rational(1), Rational(1000), Rational(1, 1000)}) {
        Region there = region_;  // at a distance from the surface, however far that is from zero
        there.equations.push_back(u - Rational(side) * distance);
        if (auto refutation = look_in(there)) return refutation;
      }
    }
    return std::nullopt;
  }

  /// On every jump of sign and atan2, on both sides of every kink, then at points that cycle through the
  /// pieces.
  std::optional<Verdict> look_everywhere() {
    if (!has_points()) {
      if (auto refutation = look_for_the_domain()) return refutation;
    }
    points_ = undecided_ = 0;
    if (auto refutation = look_on_components()) return refutation;
    if (auto refutation = look_near_borders()) return refutation;
    add_hidden_kinks();
    for (Expr u : pieces_.jumps) {
      for (Expr factor : zero_factors(u)) {
        if (auto refutation = look_on_sides(factor, {0, 1, -1})) return refutation;
        if (auto refutation = look_at_single_points(factor)) return refutation;
      }
    }
    for (Expr u : pieces_.kinks) {
      if (auto refutation = look_on_sides(u, {1, -1, 0})) return refutation;
      if (auto refutation = look_at_single_points(u)) return refutation;
    }
    for (const Cut& cut : cuts(sides_)) {
      if (auto refutation = look_at_cut(cut)) return refutation;
    }
    const std::size_t surfaces = pieces_.jumps.size() + pieces_.kinks.size();
    const int wanted =
        algebra_.options().check_points + points_a_piece * static_cast<int>(surfaces * surfaces);
    return look(wanted, check_bits);
  }

  /// Where no point was found: what must be > 0 may be so around an extremum alone.
  std::optional<Verdict> look_for_the_domain() {
    for (const Requirement& requirement : region_.domain) {
      if (requirement.bound == Bound::nonzero) continue;
      if (auto refutation = look_at_single_points(requirement.e)) return refutation;
    }
    return std::nullopt;
  }

  /// Where the proof ended: on a component, or where a leading coefficient vanishes.
  std::optional<Verdict> look_on_open_parts(const std::vector<Region>& parts) {
    for (const Region& open : parts) {
      if (open.equations.empty() && open.domain.empty()) continue;
      Region part = region_;
      part.equations.insert(part.equations.end(), open.equations.begin(), open.equations.end());
      part.domain.insert(part.domain.end(), open.domain.begin(), open.domain.end());
      if (auto refutation = look_in(std::move(part), points_on_a_part)) return refutation;
    }
    return std::nullopt;
  }

  /// Where a factor of each equation that has several vanishes: every choice of factors, while they are few.
  std::optional<Verdict> look_on_components() {
    std::vector<std::vector<Expr>> factors;
    std::size_t choices = 1;
    for (Expr equation : region_.equations) {
      if (!is_short(equation)) continue;
      std::vector<Expr> list = zero_factors(equation.is(Op::mul) ? equation : algebra_.readable(equation));
      if (list.size() < 2 || choices * list.size() > most_choices) continue;
      choices *= list.size();
      factors.push_back(std::move(list));
    }
    if (factors.empty()) return std::nullopt;
    for (std::size_t choice = 0; choice < choices; ++choice) {
      Region part = region_;
      std::size_t digits = choice;
      for (const std::vector<Expr>& list : factors) {
        part.equations.push_back(list[digits % list.size()]);
        digits /= list.size();
      }
      if (auto refutation = look_in(std::move(part))) return refutation;
    }
    return std::nullopt;
  }

  /// Where u is stationary, and where a sum of squares vanishes: single points, which may be all that u = 0
  /// or u > 0 consists of.
  std::optional<Verdict> look_at_single_points(Expr u) {
    if (!is_short(u)) return std::nullopt;
    for (const ExactZero& zero : zeros_by_undoing(u)) {
      if (!zero.inner.is(Op::symbol)) {
        if (auto refutation = look_where(zero)) return refutation;
        continue;
      }
      for (const Rational& factor : {Rational(1), Rational(2), Rational(1, 2)}) {
        if (auto refutation = look_at_constant({{zero.inner, factor * zero.value}})) return refutation;
      }
    }
    if (const auto places = stationary_points(u, region_)) {
      Region part = region_;
      part.equations.insert(part.equations.end(), places->equations.begin(), places->equations.end());
      if (auto refutation = look_in(std::move(part), 3, places->multipliers)) return refutation;
      std::vector<Expr> equations = places->binding;
      equations.insert(equations.end(), places->equations.begin(), places->equations.end());
      if (auto refutation = look_at_constants(std::move(equations), places->symbols)) return refutation;
    }
    const std::vector<Expr> parts = parts_that_vanish_together(u);
    if (parts.empty()) return std::nullopt;
    Region part = region_;
    part.equations.insert(part.equations.end(), parts.begin(), parts.end());
    if (auto refutation = look_in(part)) return refutation;
    return look_at_constants(part.equations, symbols_in(parts));
  }

  /// Where an inner expression has a value that is known exactly: it is put into both sides.
  std::optional<Verdict> look_where(const ExactZero& zero) {
    Region part = region_;
    part.equations.push_back(zero.inner - zero.value);
    add_requirements(part.domain, natural_domain(sides_));
    try {
      const std::vector<Expr> there = substitute(sides_, Substitution{{zero.inner, zero.value}});
      return look_in(std::move(part), 1, {}, there);
    } catch (const Error&) {
      return std::nullopt;  // one has no value there
    }
  }

  /// At exact numbers that solutions of the equations are near to.
  std::optional<Verdict> look_at_constants(std::vector<Expr> equations, const std::vector<Expr>& symbols) {
    constexpr int few = 6;
    if (equations.empty()) return std::nullopt;
    const Region near{.equations = std::move(equations), .domain = {}, .assumed = {}};
    PointFinder places(algebra_, near, symbols, PointOptions{.seed = algebra_.options().seed, .tries = 8});
    std::set<std::vector<std::uint32_t>> seen;
    for (int i = 0; i < few; ++i) {
      const auto place = places.next();
      if (!place) break;
      Substitution constants;
      std::vector<std::uint32_t> key;
      for (const auto& [symbol, value] : place->printed()) {
        if (std::find(symbols.begin(), symbols.end(), symbol) == symbols.end()) continue;
        const auto constant = recognised(algebra_.pool(), value.to_double());
        if (!constant) break;
        constants.emplace(symbol, *constant);
        key.push_back(constant->index());
      }
      if (constants.size() < symbols.size() || !seen.insert(std::move(key)).second) continue;
      if (auto refutation = look_at_constant(constants)) return refutation;
    }
    return std::nullopt;
  }

  std::optional<Verdict> look_at_constant(const Substitution& constants) {
    const auto there = specialised(algebra_, region_, sides_, constants);
    if (!there) return std::nullopt;
    PointFinder rest(algebra_, there->region, there->sides,
                     PointOptions{.seed = algebra_.options().seed, .tries = 20});
    rest.set_follows(follows_in(there->region));
    const auto point = rest.next();
    if (!point) return std::nullopt;
    const auto values = rest.values(*point, there->sides, check_bits);
    if (!values) return std::nullopt;
    ++single_points_;
    if (arb_overlaps((*values)[0].raw(), (*values)[1].raw())) return std::nullopt;
    Verdict verdict = Verdict::of(Grade::refuted);
    verdict.witness = {point->printed(), (*values)[0], (*values)[1]};
    auto& witness = verdict.witness.point;
    for (const auto& [symbol, value] : constants) {
      const BallValues digits = evaluate_balls(std::span(&value, 1), {}, look_bits);
      if (digits.status != EvaluationStatus::ok) return std::nullopt;
      if (!std::isfinite(digits.values[0].mid()))
        return Verdict::of(Grade::unknown, "it fails where " + to_infix(symbol) + " = " + to_infix(value) +
                                               ", which is too large to be printed");
      witness.emplace_back(symbol, value.is_number() ? value.number() : printed_value(digits.values[0]));
    }
    std::sort(witness.begin(), witness.end(),
              [](const auto& a, const auto& b) { return StructuralLess()(a.first, b.first); });
    return verdict;
  }

  /// On the border of the domain, and near to it.
  std::optional<Verdict> look_near_borders() {
    for (const Requirement& requirement : natural_domain(sides_)) {
      if (requirement.bound == Bound::nonzero) continue;
      for (const Rational& distance : {Rational(0), Rational(1, 1000), Rational(1)}) {
        Region part = region_;
        part.equations.push_back(requirement.e - distance);
        if (auto refutation = look_in(std::move(part), distance.is_zero() ? 4 : 1)) return refutation;
      }
      if (!is_short(requirement.e) || finder().next_on_side(requirement.e, 1)) continue;
      std::vector<Expr> border = binding_equations(requirement.e, region_.equations);
      border.push_back(requirement.e);
      const std::vector<Expr> symbols = symbols_in(border);
      if (auto refutation = look_at_constants(std::move(border), symbols)) return refutation;
      if (auto refutation = look_at_single_points(requirement.e)) return refutation;
    }
    return std::nullopt;
  }

  /// sqrt(x^2 - 2*x*y + y^2) is |x - y|: what the canonical form shows is looked at from both sides.
  void add_hidden_kinks() {
    if (!is_short(left_ - right_)) return;
    const std::array canonical{algebra_.canonical(left_ - right_).value};
    for (Expr u : piece_arguments(canonical).kinks) {
      for (const auto* list : {&pieces_.jumps, &pieces_.kinks}) {
        if (std::find(list->begin(), list->end(), u) != list->end()) u = Expr();
      }
      if (!u.empty()) pieces_.kinks.push_back(u);
    }
  }

  /// At y = 0 with x < 0, where atan2(y, x) jumps.
  std::optional<Verdict> look_at_cut(const Cut& cut) {
    Region on_cut = region_;
    on_cut.equations.push_back(cut.y);
    on_cut.domain.push_back({-cut.x, Bound::positive});
    return look_in(std::move(on_cut));
  }

  /// At a few points of a part of the region; the witness is without the symbols that the part has added.
  std::optional<Verdict> look_in(Region part, int wanted = 1, std::span<const Expr> added = {}) {
    return look_in(std::move(part), wanted, added, sides_);
  }

  /// The same with the sides as they are on the part.
  std::optional<Verdict> look_in(Region part, int wanted, std::span<const Expr> added,
                                 std::span<const Expr> sides) {
    for (Expr e : region_.assumed) part.domain.push_back({e, Bound::nonzero});
    PointFinder there(algebra_, part, sides, PointOptions{.seed = algebra_.options().seed, .tries = 20});
    there.set_follows(follows_in(part));
    for (int i = 0; i < wanted; ++i) {
      const auto point = there.next();
      if (!point) return std::nullopt;
      const auto values = there.values(*point, sides, check_bits);
      if (!values) continue;
      ++single_points_;
      if (arb_overlaps((*values)[0].raw(), (*values)[1].raw())) continue;
      Verdict verdict = Verdict::of(Grade::refuted);
      verdict.witness = {point->printed(), (*values)[0], (*values)[1]};
      std::erase_if(verdict.witness.point, [&](const auto& value) {
        return std::find(added.begin(), added.end(), value.first) != added.end();
      });
      return verdict;
    }
    return std::nullopt;
  }

  /// Known not to vanish identically: a point that shows it, with as many bits as that takes.
  Verdict find_witness() {
    for (int i = 0; i < algebra_.options().check_points; ++i) {
      const auto point = finder().next();
      if (!point) break;
      for (long bits = 4 * check_bits; bits <= most_bits; bits *= 4) {
        if (auto refutation = compare(*point, bits)) return *refutation;
      }
    }
    const std::string why = finder().failure().empty() ? "" : " (" + finder().failure() + ")";
    return Verdict::of(Grade::unknown,
                       "it is not identically zero, but no point was found that shows it" + why);
  }

  /// A proof passes only about something: there must be a point.
  Verdict proved() {
    // a certified point outranks a proof: what is wrong is then the program, and nothing false is said
    const int wanted = region_.equations.empty() ? 1 : 4;
    if (points_ < wanted || !pieces_.jumps.empty() || !pieces_.kinks.empty()) {
      if (auto refutation = look(wanted, look_bits)) return *refutation;
    }
    if (!has_points()) return no_point();
    Verdict verdict = Verdict::of(Grade::proved);
    verdict.conditions = region_.assumed;
    return verdict;
  }

  bool is_empty() { return prove_zero(algebra_, algebra_.pool().number(1), region_).proved; }

  static Verdict nothing_to_speak_of() {
    return Verdict::of(Grade::empty, "there is no real point to speak of");
  }

  Verdict no_point() {
    if (is_empty()) return nothing_to_speak_of();
    return Verdict::of(Grade::unknown, "no point was found to speak of (" + finder().failure() + ")");
  }

  /// "; no point was found with x*y - 1 > 0", unless it is proved that there is none.
  std::string unreached_sides() {
    constexpr std::size_t longest = 30;  // operations
    std::string result;
    for (const auto& [u, side] : unreached_) {
      if (count_written_operations(u) > longest) continue;
      Region there = region_;
      there.domain.push_back({Rational(side) * u, Bound::positive});
      if (prove_zero(algebra_, algebra_.pool().number(1), there).proved) continue;
      result += "; no point was found with " + to_infix(u) + (side > 0 ? " > 0" : " < 0");
    }
    return result;
  }

  Verdict checked(const std::string& reason) {
    if (!has_points() && undecided_ == 0) return no_point();
    if (!has_points()) return Verdict::of(Grade::unknown, "the precision did not decide a point");
    Verdict verdict =
        Verdict::of(Grade::checked, (reason.empty() ? "there is no proof" : reason) + unreached_sides());
    verdict.points = points_ > 0 ? points_ : single_points_;
    verdict.digits = algebra_.options().check_digits;
    verdict.region = finder().covered();
    verdict.conditions = region_.assumed;
    return verdict;
  }

  Algebra& algebra_;
  Expr left_, right_;
  const Region& region_;
  std::array<Expr, 2> sides_;
  PieceArguments pieces_;
  std::optional<PointFinder> finder_;
  struct Side {
    Expr u;
    int side;
  };
  std::vector<Side> unreached_;  ///< of pieces: no point was found there
  int points_ = 0, undecided_ = 0;
  int single_points_ = 0;  ///< of parts of the region that were looked at by themselves
  bool forgives_parameters_ = false;
};

}  // namespace

Verdict decide(Algebra& algebra, Expr left, Expr right, const Region& region) {
  return Decision(algebra, left, right, region).run();
}

Verdict decide_off_parameters(Algebra& algebra, const Region& region) {
  const Expr zero = algebra.pool().number(0);
  Decision decision(algebra, zero, zero, region);
  decision.forgive_parameters();
  return decision.run();
}

}  // namespace liaison
