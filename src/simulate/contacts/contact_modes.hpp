#pragma once

#include <compare>
#include <optional>
#include <string>
#include <vector>

#include "liaison/expr/evaluate.hpp"
#include "liaison/model/system.hpp"
#include "liaison/unilateral/contact_law.hpp"

namespace liaison {

/// What a contact does between two events.
struct ContactHold {
  enum class Kind {
    open,
    touching,  ///< closed, and kept so by the others without a force of its own
    closed,
  };
  Kind kind = Kind::open;
  /// Where it is closed, one a resistance: 0, it sticks; else it slips, in this direction where it has one.
  std::vector<int> slips = {};

  auto operator<=>(const ContactHold&) const = default;
};
using ContactHolds = std::vector<ContactHold>;

/// What ends a mode of a contact: a function that falls to zero.
struct Guard {
  enum class Kind {
    closes,  ///< its gap
    opens,   ///< its factor
    stops,   ///< the speed of its slip
    slips,   ///< what is left of its resistance
    turns,   ///< a coefficient of its resistance, which would push from there on
  };
  Kind kind = Kind::closes;
  std::size_t contact = 0, resistance = 0;
  int direction = 0;  ///< of `slips`: in which it begins to; 0: along a surface in space
};

/// The unilateral constraints of a model, and the systems between whose motions they switch. Every system has
/// the same state.
class ContactModes {
 public:
  /// Throws Error where the model does not say what a closed contact needs.
  ContactModes(const System& system, const DoublePoint& parameters);

  const std::vector<ContactLaw>& laws() const { return laws_; }
  std::size_t size() const { return laws_.size(); }
  const std::string& name(std::size_t contact) const { return laws_[contact].held.name; }
  std::string names_of(const std::vector<std::size_t>& contacts) const;
  bool depends_on_speed(std::size_t contact) const;  ///< a coefficient of its resistance
  /// The same: on a factor, its own too.
  bool depends_on_factors(std::size_t contact) const { return under_factors_[contact]; }
  const Unilateral& unilateral(std::size_t contact) const { return unilaterals_[contact]; }
  std::size_t bilateral_count() const { return base_.constraints.size(); }

  /// A row of the closed system: the gap of a contact, then the velocities that it resists.
  struct Rows {
    std::size_t normal = 0;
    std::vector<std::vector<std::size_t>> resisted;  ///< one or two a resistance
  };
  const std::vector<Rows>& rows() const { return rows_; }
  /// Every contact kept, and nothing slips: the constraints of the model, then the rows.
  const System& closed() const { return closed_; }

  /// What a closed contact asks of its forces: its pressure is not negative, and what of its resistance
  /// sticks is within its limit.
  struct Cone {
    std::size_t contact = 0;
    std::optional<std::size_t> resistance = {};
    std::size_t normal = 0;                  ///< forces of the mode
    std::vector<std::size_t> resisted = {};  ///< by the resistance
  };
  struct Mode {
    System system;  ///< its last events are the guards
    std::vector<Guard> guards;
    std::vector<std::size_t> places;  ///< of its forces among those of the closed system
    std::vector<Cone> cones;
  };
  Mode mode(const ContactHolds& holds) const;

  /// "slips", "rolls", "sticks", "closed", "open", "touches".
  std::string word_for(std::size_t contact, const ContactHold& hold) const;

 private:
  void add_contact(const Unilateral& unilateral, const Substitution& values);
  std::string factor_in(const Resistance& resistance) const;
  Constraint held(std::size_t contact, const ContactHold& hold) const;
  void add_guards(std::size_t contact, const ContactHold& hold, Mode& mode) const;

  System base_;  ///< without the unilateral constraints and what stood for them
  System closed_;
  std::vector<Unilateral> unilaterals_;
  std::vector<ContactLaw> laws_;
  std::vector<Rows> rows_;
  std::vector<bool> under_factors_;
};

}  // namespace liaison
