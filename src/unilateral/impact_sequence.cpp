#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <utility>

#include "impact_path.hpp"

namespace liaison {

namespace {

constexpr std::size_t most_states = 1000, longest_order = 500, most_incomplete = 10;

/// One contact after the other: a tree of orders, in which equal velocities are one state.
class Orders {
 public:
  explicit Orders(const ImpactProblem& problem) : problem_(problem), noise_(impact_noise(problem)) {}

  Impacts all() {
    State start{problem_.velocity, std::vector<double>(noise_.size()), {}};
    std::vector<State> open = {std::move(start)};
    while (!open.empty()) {
      State state = std::move(open.back());
      open.pop_back();
      if (!seen_.insert(digits(state.velocity)).second) continue;
      if (incomplete_ > most_incomplete) {
        note(fmt::format("orders were left after {} impacts that are not known in full", most_incomplete));
        break;
      }
      if (seen_.size() > most_states) {
        note(fmt::format("orders were followed to {} states", most_states));
        break;
      }
      follow(state, open);
    }
    if (result_.all.empty() && result_.remark.empty())
      note("every order comes back to velocities that it had before");
    return std::move(result_);
  }

 private:
  struct State {
    std::vector<double> velocity, impulses;
    std::vector<std::size_t> order;
  };

  void note(const std::string& text) {
    result_.complete = false;
    if (result_.remark.find(text) == std::string::npos)
      result_.remark += (result_.remark.empty() ? "" : "; ") + text;
  }

  /// Velocities to the noise.
  std::vector<std::int64_t> digits(const std::vector<double>& velocity) const {
    std::vector<std::int64_t> digits;
    for (std::size_t k = 0; k < velocity.size(); ++k) digits.push_back(std::llround(velocity[k] / noise_[k]));
    return digits;
  }

  void follow(const State& state, std::vector<State>& open) {
    bool closes = false;
    for (std::size_t c = problem_.contacts.size(); c-- > 0;) {
      const std::size_t row = problem_.contacts[c].normal;
      if (!(state.velocity[row] < -10 * noise_[row])) continue;
      closes = true;
      if (state.order.size() >= longest_order) {
        note(fmt::format("an order of more than {} impacts was left", longest_order));
        continue;
      }
      strike(state, c, open);
    }
    if (closes) return;
    Impact impact = finish_impact(problem_, state.impulses, words(state.order));
    for (std::size_t k = 0; k < noise_.size(); ++k) {
      if (state.velocity[k] == 0 && std::abs(impact.velocities[k]) <= 1e3 * noise_[k])
        impact.velocities[k] = 0;
    }
    add_impact(problem_, std::move(impact), result_);
  }

  void strike(const State& state, std::size_t c, std::vector<State>& open) {
    ImpactProblem one{problem_.r, state.velocity, {problem_.contacts[c]}, problem_.law};
    const Impacts ends = simultaneous_impacts(one);
    if (!ends.complete || ends.all.empty()) note(ends.remark);
    incomplete_ += !ends.complete;
    for (const Impact& end : ends.all) {
      State next{end.velocities, state.impulses, state.order};
      for (std::size_t h = 0; h < next.impulses.size(); ++h) next.impulses[h] += end.impulses[h];
      next.order.push_back(c);
      open.push_back(std::move(next));
    }
  }

  std::string words(const std::vector<std::size_t>& order) const {
    if (order.empty()) return "nothing closes";
    std::string text;
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (i == 12 && order.size() > 14) return text + fmt::format(", ... ({} impacts)", order.size());
      text += (text.empty() ? "" : ", ") + impact_name(problem_, order[i]);
    }
    return text;
  }

  const ImpactProblem& problem_;
  std::vector<double> noise_;
  std::set<std::vector<std::int64_t>> seen_;
  std::size_t incomplete_ = 0;
  Impacts result_;
};

}  // namespace

Impacts sequential_impacts(const ImpactProblem& problem) {
  return Orders(problem).all();
}

}  // namespace liaison
