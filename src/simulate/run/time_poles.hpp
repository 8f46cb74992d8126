#pragma once

#include <optional>
#include <string>
#include <vector>

#include "interval.hpp"
#include "liaison/simulate/evaluator.hpp"
#include "simulate/equations/runner.hpp"

namespace liaison {

/// Times at which a relation has a pole, as y = x*tan(2*t) at pi/4, whatever the state is. A motion may pass
/// such a time as if nothing was there, or come ever slower to it, by the method: it ends there.
class TimePoles {
 public:
  explicit TimePoles(const Evaluator& evaluator);

  bool empty() const { return divisors_.empty(); }
  struct Pole {
    double t;
    std::string what;
  };
  /// The first in (from, to], of the relations at a state.
  std::optional<Pole> first(double from, double to, const std::vector<double>& y);

 private:
  struct Divisor {
    Expr written;               ///< tan(2*t), 1 - t
    std::size_t relation;       ///< its name's place
    IntervalFunction function;  ///< zero at the pole
  };
  std::optional<double> first_zero(Divisor& divisor, double from, double to);
  bool grows(std::size_t relation, double t, double from, const std::vector<double>& y);

  const Evaluator& evaluator_;
  std::vector<Divisor> divisors_;
  Runner relations_;  ///< as they are written: of positions, or of velocities
  std::vector<double> inputs_;
};

}  // namespace liaison
