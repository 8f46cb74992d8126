#include "mass_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

#include "liaison/expr/traverse.hpp"
#include "liaison/simulate/variational.hpp"

namespace liaison {

namespace {

/// Sets that are joined one by one.
class Joined {
 public:
  explicit Joined(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }
  std::size_t root(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::size_t i, std::size_t k) { parent_[root(i)] = root(k); }

 private:
  std::vector<std::size_t> parent_;
};

}  // namespace

MassBlocks::MassBlocks(const AssembledEquations& equations, const DoublePoint& parameters, Engine engine)
    : direction_count_(equations.parameters.size()) {
  if (equations.implicit || equations.factors.size() != equations.relation_count) {
    throw Error(not_for_method,
                "so many contacts are followed beside constraints whose forces do not depend on factors, and "
                "without mere reactions",
                "fewer contacts: up to 500 of one `for` are written out");
  }
  std::vector<Expr> inputs{equations.system->time};
  inputs.insert(inputs.end(), equations.positions.begin(), equations.positions.end());
  inputs.insert(inputs.end(), equations.parameters.begin(), equations.parameters.end());
  const std::size_t state = inputs.size();
  state_size_ = state - 1;
  in_.assign(state, 0.0);
  for (const Parameter& parameter : equations.system->parameters) {
    inputs.push_back(parameter.symbol);
    in_.push_back(parameters.at(parameter.symbol));
  }
  std::vector<std::vector<Expr>> rows;
  Joined joined(direction_count_ + equations.relation_count);
  const auto add = [&](const SparseMatrix& matrix, std::size_t first_row) {
    Places places(matrix.rows);
    for (const SparseEntry& entry : matrix.entries) {
      places[entry.row].emplace_back(entry.column, rows.size());
      rows.push_back({entry.value});
      joined.join(first_row + entry.row, entry.column);
    }
    return places;
  };
  mass_ = add(equations.mass, 0);
  directions_ = add(equations.directions, direction_count_);
  gradients_ = add(equations.gradients, direction_count_);
  program_ = EntryProgram(inputs, rows, engine);
  std::vector<Expr> entries;
  for (const auto& row : rows) entries.push_back(row.front());
  const std::unordered_set<Expr> changing(inputs.begin(),
                                          inputs.begin() + static_cast<std::ptrdiff_t>(state));
  const std::vector<Expr> used = symbols_in(entries);
  is_constant_ =
      std::none_of(used.begin(), used.end(), [&](Expr symbol) { return changing.contains(symbol); });
  std::unordered_map<std::size_t, std::size_t> block_of_root;
  block_of_.resize(direction_count_);
  within_.resize(direction_count_);
  for (std::size_t i = 0; i < direction_count_ + equations.relation_count; ++i) {
    const auto [found, is_new] = block_of_root.emplace(joined.root(i), blocks_.size());
    if (is_new) blocks_.emplace_back();
    Block& block = blocks_[found->second];
    if (i < direction_count_) {
      block_of_[i] = found->second;
      within_[i] = block.directions.size();
      block.directions.push_back(i);
    } else {
      block.relations.push_back(i - direction_count_);
    }
  }
  forces_.resize(blocks_.size());
}

bool MassBlocks::take(double t, const double* y) {
  if (is_constant_ && values_ != nullptr) return true;
  in_[0] = t;
  std::copy_n(y, state_size_, in_.begin() + 1);
  values_ = program_(in_.data());
  for (Block& block : blocks_) block.made = false;
  const bool finite = all_finite(program_.values());
  if (!finite) failure_ = "the equations of motion have no value";
  return finite;
}

bool MassBlocks::make(Block& block) {
  if (block.made) return true;
  const auto n = static_cast<Eigen::Index>(block.directions.size());
  const auto relations = static_cast<Eigen::Index>(block.relations.size());
  const auto fill = [&](const Places& places, const std::vector<std::size_t>& rows) {
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(rows.size()), n);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      for (const auto& [column, place] : places[rows[r]])
        matrix(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(within_[column])) += values_[place];
    }
    return matrix;
  };
  const Eigen::MatrixXd mass = fill(mass_, block.directions);
  const bool regular = n == 1 ? std::isnormal(mass(0, 0)) : is_regular(mass);
  if (!regular) {
    failure_ = "the mass matrix is singular";
    return false;
  }
  block.made = true;
  if (n == 1) block.single = 1 / mass(0, 0);
  block.mass.compute(mass);
  if (relations == 0) return true;
  const Eigen::MatrixXd directions = fill(directions_, block.relations);
  block.gradients = fill(gradients_, block.relations);
  block.kept.resize(n, relations);
  for (Eigen::Index b = 0; b < relations; ++b)
    block.kept.col(b) = block.mass.solve(Eigen::VectorXd(directions.row(b).transpose()));
  block.among = product(block.gradients, block.kept);
  block.independent = is_regular(block.among);
  if (block.independent) block.bilateral.compute(block.among);
  return true;
}

void MassBlocks::solve(Block& block, const Eigen::VectorXd& force, Response& response) {
  if (block.directions.size() == 1 && block.relations.empty()) {
    response.velocities.emplace_back(block.directions[0], block.single * force(0));
    return;
  }
  Eigen::VectorXd field = block.mass.solve(force);
  if (!block.relations.empty()) {
    const Eigen::VectorXd rest = -(block.gradients * field);
    const Eigen::VectorXd forces =
        block.independent ? block.bilateral.solve(rest) : least_squares(block.among, rest);
    field += block.kept * forces;
    for (std::size_t b = 0; b < block.relations.size(); ++b)
      response.factors.emplace_back(block.relations[b], forces(static_cast<Eigen::Index>(b)));
  }
  for (std::size_t a = 0; a < block.directions.size(); ++a)
    response.velocities.emplace_back(block.directions[a], field(static_cast<Eigen::Index>(a)));
}

bool MassBlocks::respond(const Row& force, Response& response) {
  response.velocities.clear();
  response.factors.clear();
  touched_.clear();
  for (const auto& [direction, value] : force) {
    const std::size_t b = block_of_[direction];
    if (std::find(touched_.begin(), touched_.end(), b) == touched_.end()) {
      touched_.push_back(b);
      forces_[b].setZero(static_cast<Eigen::Index>(blocks_[b].directions.size()));
    }
    forces_[b](static_cast<Eigen::Index>(within_[direction])) += value;
  }
  for (const std::size_t b : touched_) {
    if (!make(blocks_[b])) return false;
    solve(blocks_[b], forces_[b], response);
  }
  return true;
}

}  // namespace liaison
