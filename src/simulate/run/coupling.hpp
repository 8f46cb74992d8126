#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "liaison/simulate/evaluator.hpp"

namespace liaison {

/// det r along a motion whose forces have directions of their own (servo, `along`, friction): where it comes
/// to zero the factors have a pole (row G3.II-compat) although no gradient vanishes. Where directions depend
/// on factors, the determinant of the derivative of r(lambda) lambda + drive by lambda: at its zeros the
/// factors that are followed come together with others and end. (Of ideal relations r is a Gram matrix, and
/// RankWatch looks at them.)
class Coupling {
 public:
  explicit Coupling(Evaluator& evaluator, const std::unordered_set<Expr>& moving);

  bool is_needed() const { return needed_; }
  /// Begins at a state; relations that repeat each other there are not watched.
  void begin(double t, const double* y);
  /// The determinant, each relation beside what it was at the beginning; NAN where there is none.
  double measure(double t, const double* y);
  std::string in_words() const;  ///< "r of `hold` vanishes: .."
  template <class Memory>
  void remember(Memory& memory) {
    memory(has_rank_, scale_);
  }

 private:
  bool fill(double t, const double* y);
  bool balance(double t, const double* y, const std::vector<double>& factors, std::vector<double>& left);

  Evaluator& evaluator_;
  bool needed_ = false, has_rank_ = false;
  Evaluator::Couplings couplings_;
  std::vector<double> matrix_;  ///< one row a relation
  std::vector<double> scale_;   ///< of each relation
};

}  // namespace liaison
