#ifndef LIAISON_UNILATERAL_POSSIBLE_MOTIONS_HPP
#define LIAISON_UNILATERAL_POSSIBLE_MOTIONS_HPP

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "liaison/algebra/algebra.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/model/system.hpp"
#include "liaison/unilateral/p_matrix.hpp"

/// Every motion that unilateral constraints allow at a state (chapters IV and V of the theory, rows G4.*,
/// G5.*).
namespace liaison {

/// Where a contact stands at a state.
enum class ContactCondition {
  open,        ///< gap > 0
  separating,  ///< closed, and the gap grows
  resting,     ///< closed, and the gap keeps its rate of zero: accelerations are asked for
  closing,     ///< closed, and the gap would become negative: an impact is due
  violated,    ///< gap < 0: no state
};
std::string_view word_for(ContactCondition condition);

struct ContactState {
  std::string name;
  ContactCondition condition = ContactCondition::open;
  double gap = 0, rate = 0;
};

/// What a resting contact does in a motion.
enum class ContactMode {
  opens,
  kept,     ///< without resistance at rest: it stays closed
  sticks,   ///< and nothing that it resists begins to move
  slips,    ///< and something that it resists begins to move
  touches,  ///< neither: no force and no separation at any order that was looked at
};
std::string_view word_for(ContactMode mode);

/// Numbers of one motion at the state, exact where the data are.
struct MotionNumbers {
  std::vector<Rational> factors;      ///< N, one a resting contact
  std::vector<Rational> separations;  ///< d2a/dt2 of a gap, da/dt of a speed; one a resting contact
  std::vector<std::vector<Rational>> resistances;  ///< force along each velocity that a contact resists
  std::vector<std::vector<Rational>> slip_rates;   ///< and the rate of that velocity
  std::vector<Rational> accelerations;             ///< du^a/dt
  std::vector<Rational> bilateral_factors;         ///< of the constraints that cannot open
};

struct PossibleMotion {
  std::vector<ContactMode> modes;  ///< one a resting contact
  /// One: the motion. Several, or rays beside them: a family, the hull of these plus the cone of those.
  std::vector<MotionNumbers> vertices, rays;
  /// Contacts that the accelerations left undecided, and how higher derivatives settled each: "d3a/dt3 = 24".
  std::vector<std::pair<std::size_t, std::string>> settled;
  /// Nothing moves or depends on the time, and no acceleration: rest goes on, whatever carries it.
  bool equilibrium = false;
  bool is_family() const { return vertices.size() != 1 || !rays.empty(); }
};

enum class MotionVerdict { unique, several, none };
std::string_view word_for(MotionVerdict verdict);

struct PossibleMotions {
  std::vector<ContactState> contacts;       ///< all of the model
  std::vector<std::size_t> resting;         ///< indices into contacts
  std::vector<std::string> relation_names;  ///< rows of r: contacts with known directions of their force
  std::vector<std::vector<Expr>> resisted;  ///< velocities that each resting contact resists
  RationalMatrix r;                         ///< r[h][k], bilateral constraints eliminated
  std::vector<Rational> drive;              ///< i(E)da^k
  std::optional<PMatrixAnswer> p_matrix;    ///< of r; nothing where a contact sticks or begins to slip
  std::vector<PossibleMotion> motions;
  MotionVerdict verdict = MotionVerdict::none;
  std::vector<Expr> acceleration_symbols;  ///< x'', one a velocity parameter
  std::vector<std::string> bilateral;      ///< names of the constraints that cannot open
  bool state_is_exact = true;
  bool exact = true;  ///< all numbers are exact; else to 60 digits of the state as it was given
  /// Closed contacts that have no normal at the state, and why; then nothing else is looked for.
  std::vector<std::pair<std::size_t, std::string>> no_normal;
  std::string undecided;  ///< not empty: why the list is not the last word
  std::string remark;     ///< what was assumed
};

/// The state as constants, one for each symbol; `exact` false: completed in doubles.
struct ContactStateValues {
  Substitution values;
  bool exact = true;
};

/// Throws Error: missing_value where something has no number, limit_reached.
PossibleMotions possible_motions(Algebra& algebra, const System& system, const ContactStateValues& state);

}  // namespace liaison

#endif  // LIAISON_UNILATERAL_POSSIBLE_MOTIONS_HPP
