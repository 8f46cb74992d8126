#include "evaluator_parts.hpp"
#include "program_values.hpp"

namespace liaison {

namespace {

// Measured on a busy machine of two cores: processor time of one call of the rates, and of making the code.
//   chains of n links in angles, full mass matrix:   n = 10    20    50
//     unrolled                                     0.49   3.1    30 us   (0.06, 0.40, 0.26 s)
//     dense factors                                 1.2   3.7    33 us   (0.06, 0.15, 0.09 s)
//   chains of n bars in absolute coordinates:        n = 10    30   100  1000  10,000
//     unrolled                                     0.41   1.3   4.9   100    6300 us   (0.34 s at 100, 6.3 s
//     at 10,000) sparse                                        1.2   4.2    16   170    2200 us   (below 0.08
//     s at any length)

/// Multiplications of the elimination: some 70 links, 1000 bars. Forced both ways, in one run: 17 us instead
/// of 43 for 300 bars, 97 instead of 171 for 1000, 25 instead of 28 for 50 links, for 0.1 to 0.4 s more to
/// begin.
constexpr std::size_t unrolled_limit = 60000;
/// The same where it is solved once a step and not at each stage: code is made for less.
constexpr std::size_t unrolled_projection_limit = 1500;
constexpr std::size_t sparse_gain = 8;  ///< dense products for one sparse product that pay for it

class ClosedSolver : public SaddleSolver {
 public:
  ClosedSolver(const Motion& motion, const SaddleEquations& equations, Switches& switches, Engine engine)
      : further_(equations.further.size()), n_(equations.a.rows), forces_(equations.l.rows) {
    std::vector<Expr> outputs = equations.further;
    outputs.insert(outputs.end(), motion.acceleration.begin(), motion.acceleration.end());
    outputs.insert(outputs.end(), motion.factors.begin(), motion.factors.end());
    switches.hold(outputs);
    program_ = Runner(make_program(equations.inputs, outputs, {.fixed = equations.fixed}), engine);
  }

  SaddleOutcome solve(const double* in, double* further, double* x, double* z) override {
    const double* values = program_(in);
    if (!are_finite(values, further_ + n_ + forces_)) return SaddleOutcome::no_value;
    copy_values(values, further_, further);
    copy_values(values + further_, n_, x);
    copy_values(values + further_ + n_, forces_, z);
    return SaddleOutcome::solved;
  }
  bool repeat(double* further, double* x) const override {
    const double* values = program_.values().data();
    copy_values(values, further_, further);
    copy_values(values + further_, n_, x);
    return true;
  }
  const Program* program() const override { return &program_.program(); }
  std::size_t operation_count() const override { return program_.program().instructions.size(); }

 private:
  std::size_t further_, n_, forces_;
  Runner program_;
};

}  // namespace

SolverChoice choose_solver(const SaddleEquations& equations, Assembly wanted, bool often) {
  const std::size_t n = equations.a.rows, size = n + equations.g.rows;
  SolverChoice choice;
  if (wanted == Assembly::factorised || equations.l.rows != equations.g.rows) return choice;
  if (!equations.vanishing.empty()) return choice;
  const bool full = n > 64 && equations.a.entries.size() > n * n / 4;  // a plan would show nothing new
  if (wanted == Assembly::automatic && full) return choice;
  choice.plan = plan_saddle(equations);
  choice.assembly = wanted;
  if (wanted != Assembly::automatic) return choice;
  const std::size_t products = choice.plan->products * (equations.ideal ? 1 : 2);
  if (products <= (often ? unrolled_limit : unrolled_projection_limit)) {
    choice.assembly = Assembly::unrolled;
  } else {
    const std::size_t dense = size * size * size / 6;
    choice.assembly = products * sparse_gain < dense ? Assembly::sparse : Assembly::factorised;
  }
  return choice;
}

std::unique_ptr<SaddleSolver> make_solver(SaddlePtr equations, SolverChoice choice, Engine engine) {
  switch (choice.assembly) {
    case Assembly::unrolled: return make_unrolled_solver(std::move(equations), *choice.plan, engine);
    case Assembly::sparse: return make_sparse_solver(std::move(equations), std::move(*choice.plan), engine);
    default: return make_dense_solver(std::move(equations), engine);
  }
}

std::unique_ptr<SaddleSolver> make_closed_solver(const Motion& motion, const SaddleEquations& equations,
                                                 Switches& switches, Engine engine) {
  return std::make_unique<ClosedSolver>(motion, equations, switches, engine);
}

}  // namespace liaison
