#include "zero_test.hpp"

#include <algorithm>
#include <array>

#include "expr/raw.hpp"
#include "liaison/algebra/algebra.hpp"
#include "liaison/algebra/content.hpp"
#include "liaison/algebra/pieces.hpp"
#include "liaison/algebra/region.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "memory.hpp"
#include "natural_units.hpp"
#include "piece_forms.hpp"
#include "place_looks.hpp"
#include "region_proof.hpp"
#include "saturation.hpp"
#include "special_points.hpp"
#include "turns.hpp"

namespace liaison {

namespace {

constexpr long most_bits = 1 << 16;
constexpr int points_a_piece = 4;  // more of them where a function has pieces, so that each is met

constexpr int most_sheets = 8;                    // symbols that equations are not linear in
constexpr std::size_t most_to_turn = 4;           // points from which others are some turns away
constexpr std::size_t most_parts_to_look_at = 8;  // on which there is no proof

/// k*(y - 20) with k > 0 vanishes where y - 20 does.
Expr without_positive_factors(Expr e) {
  if (!e.is(Op::mul)) return e;
  std::vector<Expr> factors;
  std::copy_if(e.args().begin(), e.args().end(), std::back_inserter(factors), [](Expr factor) {
    const Expr base = split_power(factor).first;
    return !base.is(Op::symbol) || !base.symbol().positive;
  });
  const bool may_vanish =
      std::any_of(factors.begin(), factors.end(), [](Expr factor) { return !factor.is_constant(); });
  return may_vanish ? e.pool().mul(factors) : e;
}

/// left == right at every point of a region.
class Decision {
 public:
  Decision(Algebra& algebra, Expr left, Expr right, const Region& region)
      : algebra_(algebra), left_(left), right_(right), region_(region), sides_{left, right} {}

  /// Values are told in the units of the text.
  void measure_in(const NaturalUnits& units) { units_ = &units; }
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
    if (auto refutation = looks_.on_open_parts(proof.open)) return *refutation;
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
    Region plain = region_;
    for (Expr& e : plain.equations) e = without_positive_factors(e);
    if (const auto places = without_velocities(difference, plain)) {
      RegionProof proof = prove_zero(algebra_, difference, *places);
      if (proof.proved) return proof;
    }
    return prove_zero(algebra_, difference, plain, most_parts_to_look_at);
  }

  void shorten_pieces() {
    const std::vector<Expr> shorter = with_short_pieces(algebra_, sides_, region_.equations);
    left_ = sides_[0] = shorter[0];
    right_ = sides_[1] = shorter[1];
  }

  PointFinder& finder() {
    if (!finder_) {
      Region points = region_;
      for (Expr e : region_.assumed) points.domain.push_back({e, Bound::nonzero});
      PointOptions options;
      options.seed = algebra_.options().seed;
      options.units = units_;
      finder_.emplace(algebra_, points, sides_, options);
      finder_->set_follows(looks_.follows_in(region_));
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
    if (seen_.size() < most_to_turn) seen_.push_back(point);
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

  bool has_points() const { return points_ + looks_.points() > 0; }

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
        if (auto refutation = looks_.in(there)) return refutation;
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
    if (auto refutation = looks_.on_components()) return refutation;
    if (auto refutation = look_near_borders()) return refutation;
    add_hidden_kinks();
    for (Expr u : pieces_.jumps) {
      for (Expr factor : zero_factors(u)) {
        if (auto refutation = look_on_sides(factor, {0, 1, -1})) return refutation;
        if (auto refutation = looks_.at_single_points(factor)) return refutation;
      }
    }
    for (Expr u : pieces_.kinks) {
      if (auto refutation = look_on_sides(u, {1, -1, 0})) return refutation;
      if (auto refutation = looks_.at_single_points(u)) return refutation;
    }
    for (const Cut& cut : cuts(sides_)) {
      if (auto refutation = looks_.at_cut(cut)) return refutation;
      if (auto refutation = look_around_cut(cut)) return refutation;
    }
    if (auto refutation = looks_.at_further_turns()) return refutation;
    // two for a cut: all four quadrants are met
    const std::size_t surfaces = pieces_.jumps.size() + pieces_.kinks.size() + 2 * cuts(sides_).size();
    const int wanted =
        algebra_.options().check_points + points_a_piece * static_cast<int>(surfaces * surfaces);
    if (auto refutation = look(wanted, check_bits)) return refutation;
    if (auto refutation = look_on_other_sheets()) return refutation;
    return look_some_turns_further();
  }

  /// An equation may have several values of a symbol beside the same values of the others, some of them far
  /// away: between two of them its derivative by the symbol changes its sign.
  std::optional<Verdict> look_on_other_sheets() {
    int left = most_sheets;
    for (Expr equation : without_outright_symbols(region_.equations)) {
      if (!is_short(equation)) continue;
      for (Expr symbol : symbols_in(equation)) {
        const Expr slope = derivative(equation, symbol);
        if (!depends_on(slope, symbol)) continue;
        if (left-- == 0) return std::nullopt;
        for (int side : {1, -1}) {
          const auto point = finder().next_on_side(slope, side);
          if (!point) continue;
          if (auto refutation = compare(*point, check_bits)) return refutation;
        }
      }
    }
    return std::nullopt;
  }

  /// An angle in circular functions alone may be larger by whole turns.
  std::optional<Verdict> look_some_turns_further() {
    TurnLooks turns(algebra_, region_, sides_);
    for (std::size_t i = 0; turns.has_turns() && i < seen_.size(); ++i) {
      if (auto refutation = turns.from(finder(), seen_[i])) return refutation;
    }
    return std::nullopt;
  }

  /// On both sides of each argument, and where a factor that both may share is negative.
  std::optional<Verdict> look_around_cut(const Cut& cut) {
    for (Expr argument : {cut.y, cut.x}) {
      for (Expr factor : zero_factors(argument)) {
        for (int side : {1, -1}) {
          const auto point = finder().next_on_side(factor, side);
          if (!point) continue;
          if (auto refutation = compare(*point, check_bits)) return refutation;
        }
      }
    }
    return std::nullopt;
  }

  /// Where no point was found: what must be > 0 may be so around an extremum alone.
  std::optional<Verdict> look_for_the_domain() {
    for (const Requirement& requirement : region_.domain) {
      if (requirement.bound == Bound::nonzero) continue;
      if (auto refutation = looks_.at_single_points(requirement.e)) return refutation;
    }
    return std::nullopt;
  }

  /// On the border of the domain, and near to it.
  std::optional<Verdict> look_near_borders() {
    for (const Requirement& requirement : natural_domain(sides_)) {
      if (requirement.bound == Bound::nonzero) continue;
      for (const Rational& distance : {Rational(0), Rational(1, 1000), Rational(1)}) {
        Region part = region_;
        part.equations.push_back(requirement.e - distance);
        if (auto refutation = looks_.in(std::move(part), distance.is_zero() ? 4 : 1)) return refutation;
      }
      if (!is_short(requirement.e) || finder().next_on_side(requirement.e, 1)) continue;
      std::vector<Expr> border = binding_equations(requirement.e, region_.equations);
      border.push_back(requirement.e);
      const std::vector<Expr> symbols = symbols_in(border);
      if (auto refutation = looks_.at_constants(std::move(border), symbols)) return refutation;
      if (auto refutation = looks_.at_single_points(requirement.e)) return refutation;
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

  /// Points are on it that were not asked to be: y = 20 is the only place with y > 0, and not at the
  /// distances that are tried.
  bool was_seen_on(Expr u, int side) {
    return std::any_of(seen_.begin(), seen_.end(), [&](const RegionPoint& point) {
      const auto values = finder().values(point, std::span(&u, 1), check_bits);
      return values && (side > 0 ? (*values)[0].is_positive() : (*values)[0].is_negative());
    });
  }

  /// "; no point was found with x*y - 1 > 0", unless it is proved that there is none.
  std::string unreached_sides() {
    constexpr std::size_t longest = 30;  // operations
    std::string result;
    for (const auto& [u, side] : unreached_) {
      if (count_written_operations(u) > longest || was_seen_on(u, side)) continue;
      Region there = region_;
      there.domain.push_back({Rational(side) * u, Bound::positive});
      if (prove_zero(algebra_, algebra_.pool().number(1), there).proved) continue;
      const Expr written = units_ != nullptr ? units_->as_written(u) : u;
      result += "; no point was found with " + to_infix(written) + (side > 0 ? " > 0" : " < 0");
    }
    return result;
  }

  Verdict checked(const std::string& reason) {
    if (!has_points() && undecided_ == 0) return no_point();
    if (!has_points()) return Verdict::of(Grade::unknown, "the precision did not decide a point");
    Verdict verdict =
        Verdict::of(Grade::checked, (reason.empty() ? "there is no proof" : reason) + unreached_sides());
    verdict.points = points_ > 0 ? points_ : looks_.points();
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
  std::vector<Side> unreached_;    ///< of pieces: no point was found there
  std::vector<RegionPoint> seen_;  ///< the first points
  int points_ = 0, undecided_ = 0;
  PlaceLooks looks_{algebra_, region_, sides_};  ///< at parts of the region by themselves
  bool forgives_parameters_ = false;
  const NaturalUnits* units_ = nullptr;
};

/// No number in front of an equation decides where points are found.
Region without_contents(Region region) {
  for (Expr& e : region.equations) e = split_content(e).second;
  return region;
}

Verdict decide_as_written(Algebra& algebra, const std::array<Expr, 2>& sides, const Region& region,
                          bool forgives_parameters, const NaturalUnits* units = nullptr) {
  const Region plain = without_contents(region);
  Decision decision(algebra, sides[0], sides[1], plain);
  if (forgives_parameters) decision.forgive_parameters();
  if (units != nullptr) decision.measure_in(*units);
  return decision.run();
}

bool is_better(const Verdict& a, const Verdict& b) {
  const auto rank = [](const Verdict& verdict) {
    if (verdict.grade == Grade::unknown) return 0;
    if (verdict.grade != Grade::checked) return 3;
    return verdict.divided ? 1 : 2;
  };
  return rank(a) > rank(b);
}

/// What is not decided as it is written may be so in other units.
Verdict decide_in_any_units(Algebra& algebra, const std::array<Expr, 2>& sides, const Region& region,
                            bool forgives_parameters) {
  Verdict verdict = decide_as_written(algebra, sides, region, forgives_parameters);
  if (verdict.grade != Grade::unknown && verdict.grade != Grade::checked) return verdict;
  const NaturalUnits units(sides, region);
  if (units.empty()) return verdict;
  Verdict other = decide_as_written(algebra, {units.in_units(sides[0]), units.in_units(sides[1])},
                                    units.in_units(region), forgives_parameters, &units);
  if (!is_better(other, verdict)) return verdict;
  units.write_back(other.witness);
  if (!other.conditions.empty()) other.conditions = region.assumed;
  return other;
}

}  // namespace

Verdict decide(Algebra& algebra, Expr left, Expr right, const Region& region) {
  return decide_in_any_units(algebra, {left, right}, region, false);
}

Verdict decide_off_parameters(Algebra& algebra, const Region& region) {
  const Expr zero = algebra.pool().number(0);
  return decide_in_any_units(algebra, {zero, zero}, region, true);
}

}  // namespace liaison
