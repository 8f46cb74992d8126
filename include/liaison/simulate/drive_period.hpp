#ifndef LIAISON_SIMULATE_DRIVE_PERIOD_HPP
#define LIAISON_SIMULATE_DRIVE_PERIOD_HPP

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "liaison/algebra/algebra.hpp"
#include "liaison/mechanics/assembled_equations.hpp"

/// What the time does to the equations of motion.
namespace liaison {

/// Whether the time enters the equations of motion at these values of the parameters, whatever the values of
/// those that are `varied`; what is not decided is taken as written. `further`: other texts of the motion, as
/// those of events.
bool holds_time(Algebra& algebra, const AssembledEquations& equations, const DoublePoint& values,
                std::span<const Expr> varied = {}, std::span<const Expr> further = {});

/// A period of what the time does in sines and cosines, divided as far as that is proved. The rates are
/// compared as numbers, within 1e-9; that a part of their common period is already a period, as pi of
/// sin(t)^2, is proved of the texts.
class DrivePeriod {
 public:
  /// Both outlive this. Parameters that are zero and not `varied` are left out.
  DrivePeriod(Algebra& algebra, const AssembledEquations& equations, const DoublePoint& values,
              std::span<const Expr> varied = {}, std::span<const Expr> further = {});
  /// At these values; nothing where there is none, and reason() says why.
  std::optional<double> at(const DoublePoint& values);
  const std::string& reason() const { return reason_; }

 private:
  struct Phase {
    Expr node, rate;  ///< sin or cos, and the derivative of its argument by the time
  };
  void find_phases(const AssembledEquations& equations);
  /// How many times the period fits into that in which each phase goes round so many times.
  long parts_of(const std::vector<long>& turns);
  bool is_period(const std::vector<long>& turns, long parts);

  Algebra& algebra_;
  std::vector<Expr> texts_;  ///< that hold the time
  std::vector<Phase> phases_;
  std::string refusal_, reason_;
  std::map<std::vector<long>, long> known_;
};

}  // namespace liaison

#endif  // LIAISON_SIMULATE_DRIVE_PERIOD_HPP
