#pragma once

#include <unordered_map>
#include <vector>

#include "liaison/expr/substitute.hpp"
#include "liaison/mechanism/moving_scene.hpp"

namespace liaison {

/// Expressions of a model as numbers of a scene: those that stay, and columns over the rows of a run.
class SceneValues {
 public:
  SceneValues(const System& system, const SceneRequest& request);

  SceneValue value(Expr e);
  ScenePoint point(const std::vector<Expr>& components);
  /// At the start; NaN where it has no value.
  double number(Expr e) const;
  Vector3 place(const std::vector<Expr>& components) const;
  bool is_constant(Expr e) const;
  std::string why_no_value(Expr e) const;  ///< at the start; empty where it has one
  bool knows(Expr e) const;                ///< whether the rows have all that it needs

  /// What has a column; `constant` has none.
  Expr expression(const SceneValue& value) const { return columns_[*value.column]; }

  /// The times and the columns, finer than the rows where these are far apart.
  void fill(MovingScene& scene, std::vector<std::string>& notes) const;

 private:
  struct States;
  States read_rows(std::vector<std::string>& notes) const;
  void refine(States& states) const;

  const System& system_;
  const SceneRequest& request_;
  std::vector<Expr> inputs_;  ///< time, positions, velocity parameters, factors
  std::vector<std::pair<Expr, double>> fixed_;
  Substitution chart_;
  std::vector<Expr> columns_;
  std::unordered_map<Expr, std::size_t> places_;
};

}  // namespace liaison
