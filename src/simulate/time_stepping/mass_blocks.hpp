#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "mechanics/dense.hpp"
#include "simulate/equations/entry_program.hpp"

namespace liaison {

/// The masses of a system and its constraints that cannot open, in blocks that have nothing to do with each
/// other, as bodies have that are not linked: a force moves the blocks that it acts on.
class MassBlocks {
 public:
  /// The equations outlive it. Throws Error(not_for_method) where a direction depends on a factor.
  MassBlocks(const AssembledEquations& equations, const DoublePoint& parameters, Engine engine);

  /// False where something has no value, or a mass is singular; failure() says what.
  bool take(double t, const double* y);
  const std::string& failure() const { return failure_; }

  using Row = std::vector<std::pair<std::size_t, double>>;  ///< by direction or by force
  /// Velocities that a force brings, by an impulse of one, and the impulses that it asks of the constraints.
  struct Response {
    Row velocities, factors;
  };
  /// False where a mass is singular.
  bool respond(const Row& force, Response& response);

 private:
  struct Block {
    std::vector<std::size_t> directions, relations;
    bool made = false;  ///< factors are those of the state
    bool independent = true;
    Eigen::MatrixXd gradients, kept, among;
    DenseLu mass, bilateral;
    double single = 0;  ///< 1/m of one direction without relations
  };
  bool make(Block& block);
  void solve(Block& block, const Eigen::VectorXd& force, Response& response);

  std::size_t direction_count_ = 0, state_size_ = 0;
  EntryProgram program_;
  std::vector<double> in_;
  const double* values_ = nullptr;
  bool is_constant_ = false;  ///< the entries are the same at all states
  using Places = std::vector<std::vector<std::pair<std::size_t, std::size_t>>>;  ///< column and place, by row
  Places mass_, directions_, gradients_;
  std::vector<Block> blocks_;
  std::vector<std::size_t> block_of_, within_;  ///< of each direction
  std::vector<std::size_t> touched_;
  std::vector<Eigen::VectorXd> forces_;
  std::string failure_;
};

}  // namespace liaison
