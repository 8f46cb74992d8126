#pragma once

#include <span>
#include <vector>

#include "runner.hpp"

namespace liaison {

/// Rows of expressions that mostly are one expression with other symbols, as the rows of a chain of bodies
/// are: one program a shape, run over all its rows at once in vector registers. The time to make it grows
/// with the number of shapes, the time to run it with the number of rows.
class EntryProgram {
 public:
  EntryProgram() = default;
  EntryProgram(std::span<const Expr> inputs, const std::vector<std::vector<Expr>>& rows, Engine engine);
  /// The values of all rows, one after the other.
  const double* operator()(const double* in);
  std::span<const double> values() const {
    return shapes_.empty() ? rest_.values() : std::span<const double>(values_);
  }
  std::size_t operation_count() const;
  std::size_t shape_count() const { return shapes_.size(); }

 private:
  struct Shape {
    Runner kernel;
    std::size_t rows = 0;
    std::vector<std::size_t> sources;  ///< input i of row k from [i*rows + k]
    std::vector<std::size_t> targets;  ///< value o of row k to [o*rows + k]
  };
  std::vector<Shape> shapes_;
  Runner rest_;  ///< rows whose shape is rare
  std::vector<std::size_t> rest_targets_;
  std::vector<double> values_, gathered_, results_;
};

}  // namespace liaison
