#pragma once

#include <Eigen/Core>
#include <cmath>
#include <span>
#include <vector>

#include "liaison/expr/differentiate.hpp"
#include "simulate/equations/runner.hpp"

namespace liaison {

/// Derivatives of expressions by symbols, compiled.
struct CompiledMatrix {
  std::vector<JacobianEntry> entries;
  Runner program;
  Eigen::MatrixXd values;

  CompiledMatrix() = default;
  CompiledMatrix(std::span<const Expr> rows, std::span<const Expr> by, std::span<const Expr> inputs,
                 Engine engine)
      : entries(jacobian(rows, by)) {
    std::vector<Expr> outputs;
    for (const JacobianEntry& entry : entries) outputs.push_back(entry.value);
    program = Runner(inputs, outputs, engine);
    values =
        Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(by.size()));
  }
  bool evaluate(const double* in) {
    if (entries.empty()) return true;
    const double* found = program(in);
    for (std::size_t k = 0; k < entries.size(); ++k) {
      if (!std::isfinite(found[k])) return false;
      values(static_cast<Eigen::Index>(entries[k].row), static_cast<Eigen::Index>(entries[k].column)) =
          found[k];
    }
    return true;
  }
};

}  // namespace liaison
