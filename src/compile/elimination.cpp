#include "liaison/compile/elimination.hpp"

#include <algorithm>
#include <cmath>
#include <queue>

#include "code_builder.hpp"

namespace liaison {
namespace {

/// The graph of what is left, and the unknown with the fewest neighbours in it.
class LeastDegree {
 public:
  LeastDegree(std::size_t size, std::span<const EliminationPlace> places, std::size_t first_late)
      : first_late_(first_late), neighbours_(size), waits_for_(size, 0), gone_(size, false) {
    for (const EliminationPlace& place : places) {
      if (place.row == place.column) continue;
      neighbours_[place.row].push_back(place.column);
      neighbours_[place.column].push_back(place.row);
    }
    for (std::size_t i = 0; i < size; ++i) {
      std::vector<std::size_t>& list = neighbours_[i];
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
      if (i >= first_late) {
        waits_for_[i] = static_cast<std::size_t>(
            std::count_if(list.begin(), list.end(), [&](std::size_t j) { return j < first_late; }));
      }
    }
    followers_.resize(first_late);
    for (std::size_t i = first_late; i < size; ++i) {
      for (std::size_t j : neighbours_[i])
        if (j < first_late) followers_[j].push_back(i);
    }
    for (std::size_t i = 0; i < size; ++i) offer(i);
  }

  /// The unknown and what it is coupled with at its turn.
  std::size_t take(std::vector<std::size_t>& coupled) {
    while (true) {
      const auto [degree, i] = queue_.top();
      queue_.pop();
      if (gone_[i] || degree != neighbours_[i].size()) continue;
      gone_[i] = true;
      coupled = std::move(neighbours_[i]);
      neighbours_[i].clear();
      join(i, coupled);
      if (i < first_late_) {
        for (std::size_t late : followers_[i]) {
          if (--waits_for_[late] == 0) offer(late);
        }
      }
      return i;
    }
  }

 private:
  void offer(std::size_t i) {
    if (!gone_[i] && waits_for_[i] == 0) queue_.emplace(neighbours_[i].size(), i);
  }

  /// The neighbours of what went know each other now.
  void join(std::size_t i, const std::vector<std::size_t>& coupled) {
    for (std::size_t j : coupled) {
      merged_.clear();
      std::set_union(neighbours_[j].begin(), neighbours_[j].end(), coupled.begin(), coupled.end(),
                     std::back_inserter(merged_));
      std::erase_if(merged_, [&](std::size_t k) { return k == i || k == j; });
      const bool changed = merged_.size() != neighbours_[j].size();
      neighbours_[j].assign(merged_.begin(), merged_.end());
      if (changed) offer(j);
    }
  }

  using Candidate = std::pair<std::size_t, std::size_t>;  ///< neighbours, unknown
  std::size_t first_late_;
  std::vector<std::vector<std::size_t>> neighbours_;
  std::vector<std::vector<std::size_t>> followers_;  ///< late unknowns that wait for an early one
  std::vector<std::size_t> waits_for_;
  std::vector<bool> gone_;
  std::vector<std::size_t> merged_;
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue_;
};

/// Elimination over instructions.
class InstructionArithmetic {
 public:
  using Value = Operand;
  struct Check {
    Operand pivot, size;
  };
  explicit InstructionArithmetic(CodeBuilder& code) : code_(&code) {}

  Operand zero() { return code_->constant(0); }
  Operand plus(Operand a, Operand b) { return code_->add(a, b); }
  Operand times(Operand a, Operand b) { return is_zero(a) || is_zero(b) ? zero() : code_->mul(a, b); }
  Operand less_product(Operand a, Operand b, Operand c) { return code_->sub(a, times(b, c)); }
  Operand plus_size(Operand a, Operand b, Operand c) { return code_->add(a, size(times(b, c))); }
  Operand size(Operand a) { return code_->unary(Operation::abs, a); }
  Operand pivot(std::size_t, Operand d, Operand size_of_terms) {
    checks.push_back({d, size_of_terms});
    return code_->div(code_->constant(1), d);
  }

  std::vector<Check> checks;

 private:
  bool is_zero(Operand a) const {
    return a.kind == Operand::Kind::constant && code_->constants()[a.index] == 0;
  }
  CodeBuilder* code_;
};

/// Not what rounding left of its terms either.
bool is_sound_constant(const CodeBuilder& code, Operand pivot, Operand size) {
  constexpr double clear_of_rounding = 1e-3;
  if (pivot.kind != Operand::Kind::constant || size.kind != Operand::Kind::constant) return false;
  return std::abs(code.constants()[pivot.index]) > clear_of_rounding * code.constants()[size.index];
}

std::vector<EliminationPlace> places_of(const EliminationEquations& equations) {
  std::vector<EliminationPlace> places;
  for (const EliminationEntry& entry : equations.entries) places.push_back({entry.row, entry.column});
  return places;
}

}  // namespace

EliminationPlan plan_elimination(std::size_t size, std::span<const EliminationPlace> places,
                                 std::size_t first_late) {
  EliminationPlan plan;
  plan.step.resize(size);
  std::vector<std::vector<std::size_t>> coupled(size);
  LeastDegree graph(size, places, first_late);
  for (std::size_t k = 0; k < size; ++k) {
    plan.order.push_back(graph.take(coupled[k]));
    plan.step[plan.order.back()] = k;
  }
  std::vector<std::size_t> count(size + 1, 0);
  plan.column_begin.push_back(0);
  for (std::size_t k = 0; k < size; ++k) {
    for (std::size_t& unknown : coupled[k]) {
      unknown = plan.step[unknown];
      ++count[unknown + 1];
    }
    std::sort(coupled[k].begin(), coupled[k].end());
    plan.rows.insert(plan.rows.end(), coupled[k].begin(), coupled[k].end());
    plan.column_begin.push_back(plan.rows.size());
    plan.products += coupled[k].size() * (coupled[k].size() + 5) / 2 + 1;
  }
  for (std::size_t k = 0; k < size; ++k) count[k + 1] += count[k];
  plan.row_begin = count;
  plan.columns.resize(plan.rows.size());
  for (std::size_t k = 0; k < size; ++k)
    for (std::size_t row : coupled[k]) plan.columns[count[row]++] = k;
  return plan;
}

EliminationScatter::EliminationScatter(const EliminationPlan& plan, std::span<const EliminationPlace> places,
                                       bool symmetric)
    : diagonal(plan.order.size(), none) {
  const std::size_t size = plan.order.size();
  std::vector<std::vector<Item>> below(size), beside(size);
  for (std::size_t e = 0; e < places.size(); ++e) {
    std::size_t row = plan.step[places[e].row], column = plan.step[places[e].column];
    if (row == column) diagonal[row] = e;
    if (symmetric) {
      if (places[e].row < places[e].column) continue;
      if (row < column) std::swap(row, column);
    }
    if (row > column) below[row].push_back({column, e});
    if (row < column) beside[column].push_back({row, e});
  }
  for (std::size_t k = 0; k < size; ++k) {
    lower_begin.push_back(lower.size());
    upper_begin.push_back(upper.size());
    lower.insert(lower.end(), below[k].begin(), below[k].end());
    upper.insert(upper.end(), beside[k].begin(), beside[k].end());
  }
  lower_begin.push_back(lower.size());
  upper_begin.push_back(upper.size());
}

EliminationProgram make_elimination_program(std::span<const Expr> inputs, std::span<const Expr> further,
                                            const EliminationEquations& equations,
                                            const EliminationPlan& plan, const ProgramOptions& options) {
  EliminationProgram result{.program = {}, .further = further.size(), .size = equations.size, .checks = 0};
  std::vector<Expr> outputs(further.begin(), further.end());
  for (const EliminationEntry& entry : equations.entries) outputs.push_back(entry.value);
  outputs.insert(outputs.end(), equations.right.begin(), equations.right.end());
  CodeBuilder code;
  const std::vector<Operand> values = emit_expressions(code, inputs, outputs, options);

  const EliminationScatter scatter(plan, places_of(equations), equations.symmetric);
  Elimination<InstructionArithmetic> elimination(plan, equations.symmetric, equations.first_late,
                                                 InstructionArithmetic(code));
  const std::size_t first_entry = further.size(), first_right = first_entry + equations.entries.size();
  elimination.factorise(
      scatter, [&](std::size_t e) { return values[first_entry + e]; },
      [&](std::size_t unknown) { return values[first_right + unknown]; });
  std::vector<Operand> stored(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(further.size()));
  stored.resize(further.size() + equations.size);
  elimination.back_substitute(
      [&](std::size_t unknown, Operand value) { stored[further.size() + unknown] = value; });
  for (const InstructionArithmetic::Check& check : elimination.arithmetic().checks) {
    if (is_sound_constant(code, check.pivot, check.size)) continue;
    stored.push_back(check.pivot);
    stored.push_back(check.size);
    ++result.checks;
  }
  for (std::uint32_t i = 0; i < stored.size(); ++i) code.store(i, stored[i]);
  std::vector<std::string> names(stored.size());
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = "y" + std::to_string(i);
  result.program = finish_program(code, name_inputs(inputs), std::move(names), options.order);
  return result;
}

}  // namespace liaison
