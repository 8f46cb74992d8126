#include "higher_orders.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "contact_numbers.hpp"
#include "liaison/expr/error.hpp"
#include "liaison/mechanics/motion.hpp"
#include "liaison/model/kinematics.hpp"

namespace liaison {

namespace {

constexpr int highest_order = 6;

System with_constraints(const System& system, const std::vector<Constraint>& constraints) {
  System result = system;
  result.unilaterals.clear();
  result.constraints.insert(result.constraints.end(), constraints.begin(), constraints.end());
  return result;
}

/// The rate of a relation on a motion in closed form.
Expr along(const System& system, const Motion& motion, Expr e) {
  Substitution accelerations;
  for (std::size_t a = 0; a < motion.acceleration.size(); ++a) {
    accelerations.emplace(acceleration_symbol(motion.space.parameters[a]), motion.acceleration[a]);
  }
  return substitute(time_derivative(system, e), accelerations);
}

class Settling {
 public:
  Settling(Algebra& algebra, const System& system, const std::vector<Constraint>& undecided,
           const ContactStateValues& state)
      : algebra_(algebra), system_(system), undecided_(undecided), state_(state) {}

  /// The relations in `left` have vanishing derivatives below `order` on the motion that keeps `kept`.
  void descend(const std::vector<Constraint>& kept, const std::vector<std::size_t>& left, int order,
               SettledContacts so_far) {
    System with = with_constraints(system_, kept);
    Motion motion = derive_motion(algebra_, with);
    if (!left.empty() && motion.acceleration.empty()) {
      with = with_constraints(system_, without_repeated(kept));
      motion = derive_motion(algebra_, with);
    }
    if (!left.empty() && motion.acceleration.empty()) {
      for (const std::size_t k : left) {
        so_far.modes[k] = ContactMode::touches;
        so_far.how[k] = "the motion of what is kept has no closed form, which higher derivatives need";
      }
      so_far.open = true;
      found_.push_back(std::move(so_far));
      return;
    }
    ExactNumbers at(algebra_, state_);
    std::vector<Expr> rates;  // of order `order` - 1 in the loop
    for (const std::size_t k : left) {
      const Constraint& constraint = undecided_[k];
      Expr rate = constraint.holonomic ? time_derivative(system_, constraint.relation) : constraint.relation;
      for (int i = 0; i < order; ++i) rate = along(with, motion, rate);
      rates.push_back(rate);
    }
    for (; order <= highest_order && !left.empty(); ++order) {
      Complementarity problem;
      for (Expr& rate : rates) {
        rate = along(with, motion, rate);
        problem.drive.push_back(at(rate));
      }
      if (std::all_of(problem.drive.begin(), problem.drive.end(),
                      [](const Rational& x) { return x.is_zero(); }))
        continue;
      problem.r = reduced(kept, left);
      branch(problem, kept, left, order, so_far);
      return;
    }
    for (std::size_t i = 0; i < left.size(); ++i) {
      const std::size_t k = left[i];
      so_far.modes[k] = ContactMode::touches;
      const bool for_ever = algebra_.is_zero(rates[i]).is_proved();
      so_far.open = so_far.open || !for_ever;
      so_far.how[k] = for_ever ? "it stays closed without force"
                               : fmt::format("no derivative up to the order {} moves it",
                                             highest_order + (undecided_[k].holonomic ? 2 : 1));
    }
    found_.push_back(std::move(so_far));
  }

  std::vector<SettledContacts> found_;

 private:
  /// Those that the ones before do not keep already, as a surface along which nothing can slip keeps what
  /// sticks to it: factors that are not determined, and a motion that is.
  std::vector<Constraint> without_repeated(const std::vector<Constraint>& kept) {
    std::vector<Constraint> result;
    for (const Constraint& constraint : kept) {
      const System with = with_constraints(system_, result);
      const Motion motion = derive_motion(algebra_, with);
      if (motion.acceleration.empty()) return kept;
      const Expr speed =
          constraint.holonomic ? time_derivative(system_, constraint.relation) : constraint.relation;
      if (!algebra_.is_zero(along(with, motion, speed)).is_proved()) result.push_back(constraint);
    }
    return result;
  }

  /// r of the undecided ones with the others kept.
  RationalMatrix reduced(const std::vector<Constraint>& kept, const std::vector<std::size_t>& left) {
    std::vector<Constraint> all = kept;
    for (const std::size_t k : left) all.push_back(undecided_[k]);
    const System with = with_constraints(system_, all);
    const AssembledEquations equations = assemble_equations(algebra_, with);
    ExactNumbers at(algebra_, state_);
    return contact_numbers(equations, system_.constraints.size() + kept.size(), at).r;
  }

  void branch(const Complementarity& problem, const std::vector<Constraint>& kept,
              const std::vector<std::size_t>& left, int order, const SettledContacts& so_far) {
    for (const ComplementarySet& set : all_solutions(problem)) {
      SettledContacts next = so_far;
      next.family = next.family || !set.is_point();
      std::vector<Constraint> more = kept;
      std::vector<std::size_t> still;
      for (std::size_t i = 0; i < left.size(); ++i) {
        const std::size_t k = left[i];
        const int derivative = order + (undecided_[k].holonomic ? 2 : 1);
        const Rational& factor = set.vertices[0].factors[i];
        const Rational& separation = set.vertices[0].separations[i];
        if (std::find(set.kept.begin(), set.kept.end(), i) != set.kept.end()) {
          next.modes[k] = ContactMode::kept;
          next.how[k] =
              fmt::format("the derivative of order {} of its factor is {}", order, factor.to_string());
          more.push_back(undecided_[k]);
        } else if (!separation.is_zero()) {
          next.modes[k] = ContactMode::opens;
          next.how[k] = fmt::format("the derivative of order {} of its {} is {}", derivative,
                                    undecided_[k].holonomic ? "gap" : "relation", separation.to_string());
        } else {
          still.push_back(k);
        }
      }
      if (still.empty()) {
        found_.push_back(std::move(next));
      } else {
        descend(more, still, order + 1, std::move(next));
      }
    }
  }

  Algebra& algebra_;
  const System& system_;
  const std::vector<Constraint>& undecided_;
  const ContactStateValues& state_;
};

}  // namespace

std::vector<SettledContacts> settle(Algebra& algebra, const System& system,
                                    const std::vector<Constraint>& kept,
                                    const std::vector<Constraint>& undecided,
                                    const ContactStateValues& state) {
  Settling settling(algebra, system, undecided, state);
  std::vector<std::size_t> left;
  for (std::size_t k = 0; k < undecided.size(); ++k) left.push_back(k);
  settling.descend(kept, left, 1,
                   {std::vector(undecided.size(), ContactMode::touches),
                    std::vector<std::string>(undecided.size()), false, false});
  return std::move(settling.found_);
}

}  // namespace liaison
