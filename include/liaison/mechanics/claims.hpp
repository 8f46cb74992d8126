#ifndef LIAISON_MECHANICS_CLAIMS_HPP
#define LIAISON_MECHANICS_CLAIMS_HPP

#include <string>
#include <unordered_map>
#include <vector>

#include "liaison/mechanics/certified_state.hpp"
#include "liaison/mechanics/derived_quantities.hpp"
#include "liaison/mechanics/initial_state.hpp"

namespace liaison {

/// The decision of one claim. `verdict` speaks of the statement as it is written; a `misprint` passes where
/// that is refuted.
struct ClaimResult {
  const Claim* claim = nullptr;
  Verdict verdict;
  bool passed = false;
  std::string
      detail;  ///< both values at a state, which equation fails, what the obstruction is; may be empty
};

struct StateDoubt;

/// Decides claims of one system. Accelerations, factors and queries are replaced by what was derived;
/// equality is on the constraint manifold.
class ClaimChecker {
 public:
  ClaimChecker(Algebra& algebra, const Motion& motion);
  ClaimResult check(const Claim& claim);

 private:
  Verdict decide(const Claim& claim, std::string& detail);
  Verdict decide_everywhere(const Claim& claim, std::string& detail);
  Verdict equality(Expr left, Expr right, const Claim& claim);
  Verdict equality_of_motion(Expr left, Expr right, const Region& states);
  Verdict equality_of_every_motion(Expr left, Expr right, const Claim& claim);
  Verdict proved_of_every_motion(const Claim& claim, const Conditions& divisors = {});
  Verdict equality_on_motions(Expr left, Expr right, const Region& motions);
  bool certifies_motion(const Witness& witness, Expr difference, const Substitution& parameters = {},
                        const std::vector<Expr>& kept = {});
  Verdict on_part(Expr relation, Expr left, Expr right, const Region& motions);
  std::optional<Verdict> fails_where_singular(Expr regular, Expr left, Expr right, const Region& motions,
                                              Conditions& open);
  static constexpr const char* fails_where_rank_is_lost =
      "it fails at a state where the relations lose rank, from which no motion is known to start";
  std::optional<Verdict> refuted_with_parameters(Expr left, Expr right, const Region& motions,
                                                 const Witness& near);
  struct Kept {
    Region region;
    Substitution values;  ///< symbols that have one value at all points of the region
  };
  std::optional<Witness> point_of(const Region& region);
  std::optional<Witness> state_of(const Region& states);
  Kept with_rates_of_constants(Region region);
  bool moves_beside_what_rests();
  bool has_certain_motion();
  bool finds_motion();
  bool has_regular_rest();
  bool starts_motion_at(const Witness& witness, const Substitution& parameters = {});
  bool moves_in_doubles(const CertifiedState& state);
  Verdict unless_nothing_moves(Verdict verdict);
  void drop_what_never_vanishes(Conditions& conditions);
  Verdict no_motion();
  bool is_about_motion(const Claim& claim);
  Verdict beside_lost_places(const Claim& claim, Verdict verdict);
  bool holds_where_lost(const Claim& claim, Expr place);
  std::string open_part_of(const Claim& claim);
  std::optional<Expr> regularity();
  Region with_second_rates(Region motions);
  bool depends_on_open_factors(Expr e);
  Verdict unless_text_has_no_value(Verdict verdict, const Region& region);
  Verdict equality_within(const Claim& claim);
  Verdict checked_within(Expr left, Expr right, const Rational& tolerance, const Region& region);
  Region with_text(Region region, const Claim& claim);
  bool mentions_motion(const Claim& claim);
  bool asks_for_more(const Claim& claim);
  std::optional<Region> in_closed_forms(const Region& states);
  std::optional<Conditions> follows_from_equations_of_motion(Expr e);
  std::optional<std::vector<Expr>> combination_for(const std::vector<Expr>& c);
  bool is_never_crossed(Expr e);
  Verdict equality_at(const Claim& claim, Expr left, Expr right, std::string& detail);
  Verdict conserved(const Claim& claim, std::string& detail);
  bool stays_kept_on(Expr kept, Expr u);
  Verdict compatible(std::string& detail);
  Verdict holonomic(const Claim& claim, std::string& detail);
  Verdict holonomic_on_branches(const Claim& claim, std::string& detail);
  Verdict independent(const Claim& claim, std::string& detail);
  Verdict equations(const Claim& claim, std::string& detail);
  std::optional<Matrix> acceleration_rows(const std::vector<Expr>& written) const;
  Verdict determines_accelerations(const Matrix& rows, const Region& states);
  Verdict leaves_no_other_motion(const std::vector<Expr>& written, Region region, std::string& detail);
  Verdict decide_at(const Claim& claim, std::string& detail);
  StateDoubt choice_at(const Claim& claim, const CertifiedState& state) const;
  std::string fails_elsewhere(const Claim& claim, Expr left, Expr right, const StateDoubt& choice,
                              const CertifiedState& state);
  Verdict unless_chosen(const Claim& claim, const CertifiedState& state, Verdict verdict) const;
  Verdict conserved_at(const Claim& claim, std::string& detail);
  Verdict compatible_at(const Claim& claim, std::string& detail);
  Verdict independent_at(const Claim& claim, std::string& detail);
  Verdict equations_at(const Claim& claim, std::string& detail);
  Verdict equality_in_doubles(const Claim& claim, Expr left, Expr right, const CertifiedState& state,
                              const std::string& why, std::string& detail);
  std::vector<const ConstraintField*> named(const std::vector<std::string>& constraints) const;

  Algebra& algebra_;
  const Motion& motion_;
  DerivedQuantities quantities_;
  std::optional<bool> has_certain_motion_;
  std::unordered_map<Expr, bool> never_vanishes_;  ///< conditions that were asked about
  std::optional<Witness> regular_rest_;            ///< a state at rest from which one motion starts
};

/// The state that a claim speaks of: its own, or the start of the model if it names none.
StateRequest state_request(const System& system, const Claim& claim);

}  // namespace liaison

#endif  // LIAISON_MECHANICS_CLAIMS_HPP
