#include <algorithm>
#include <cmath>

#include "friction_problem.hpp"

namespace liaison {

namespace {

constexpr double doubtful_within = 100;  ///< units of the noise within which a double does not decide

/// Every assignment of modes by elimination, velocities of one component each: a contact without force, with
/// the least force, or closed; what it resists stuck, or moving one way or the other.
class Hypotheses {
 public:
  explicit Hypotheses(const FrictionProblem& problem)
      : problem_(problem), noise_(problem.noise()), constant_(problem.size()) {
    for (const auto& contact : problem.contacts) {
      Part& part = parts_.emplace_back();
      part.contact = &contact;
      for (const auto& resisted : contact.resisted) {
        if (!resisted.moving) part.asked.push_back(&resisted);
      }
      part.signs.assign(part.asked.size(), 0);
    }
  }

  FrictionModes find() {
    descend(0);
    return std::move(result_);
  }

 private:
  enum class Normal { without_force, least, closed };
  struct Part {
    const FrictionProblem::Contact* contact = nullptr;
    std::vector<const FrictionProblem::Resisted*> asked;
    Normal normal = Normal::closed;
    std::vector<int> signs;  ///< 0: stuck
  };
  /// A force that is not known: N of a closed contact with what goes with it, or that of something stuck.
  struct Unknown {
    std::size_t row;
    const Part* part;  ///< nothing: stuck
  };

  void descend(std::size_t index) {
    if (index == parts_.size()) return try_hypothesis();
    Part& part = parts_[index];
    if (!part.contact->given && part.contact->least == 0) {
      part.normal = Normal::without_force;
      descend(index + 1);
    } else {
      part.normal = Normal::least;
      descend_modes(index, 0);
    }
    if (part.contact->given) return;
    part.normal = Normal::closed;
    descend_modes(index, 0);
  }
  void descend_modes(std::size_t index, std::size_t resisted) {
    Part& part = parts_[index];
    if (resisted == part.asked.size()) return descend(index + 1);
    for (const int sign : {0, 1, -1}) {
      part.signs[resisted] = sign;
      descend_modes(index, resisted + 1);
    }
  }

  /// f += N (1 and what goes with it).
  void add_normal(const Part& part, double normal, std::vector<double>& forces) const {
    forces[part.contact->normal] += normal;
    for (const auto& resisted : part.contact->resisted) {
      for (std::size_t j = 0; resisted.moving && j < resisted.rows.size(); ++j)
        forces[resisted.rows[j]] -= resisted.slipping * resisted.direction[j] * normal;
    }
    for (std::size_t i = 0; i < part.asked.size(); ++i)
      forces[part.asked[i]->rows[0]] -= part.signs[i] * part.asked[i]->slipping * normal;
  }

  double effect(const Unknown& unknown, std::size_t row) const {
    double sum = problem_.entry(unknown.row, row);
    if (!unknown.part) return sum;
    for (const auto& resisted : unknown.part->contact->resisted) {
      for (std::size_t j = 0; resisted.moving && j < resisted.rows.size(); ++j)
        sum -= resisted.slipping * resisted.direction[j] * problem_.entry(resisted.rows[j], row);
    }
    for (std::size_t i = 0; i < unknown.part->asked.size(); ++i) {
      if (unknown.part->signs[i] != 0)
        sum -= unknown.part->signs[i] * unknown.part->asked[i]->slipping *
               problem_.entry(unknown.part->asked[i]->rows[0], row);
    }
    return sum;
  }

  double size_of(std::size_t row) const {
    const double diagonal = problem_.entry(row, row);
    return diagonal > 0 ? std::sqrt(diagonal) : 1;
  }

  /// What is left of the equations after elimination, beside the noise: a system without pivots that holds
  /// to the noise has a family of solutions, or none.
  enum class Solved { yes, contradicts, open };
  Solved solve() {
    const std::size_t n = unknowns_.size();
    matrix_.assign(n * (n + 1), 0);
    const std::vector<double> v = problem_.velocities(constant_);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) matrix_[i * (n + 1) + j] = effect(unknowns_[j], unknowns_[i].row);
      matrix_[i * (n + 1) + n] = -v[unknowns_[i].row];
    }
    rows_.assign(n, n);
    used_.assign(n, 0);
    bool weak = false;
    for (std::size_t column = 0; column < n; ++column) {
      std::size_t pivot = n;
      double best = 0;
      for (std::size_t i = 0; i < n; ++i) {
        const double entry = std::abs(matrix_[i * (n + 1) + column]) / size_of(unknowns_[i].row);
        if (!used_[i] && entry > best) {
          best = entry;
          pivot = i;
        }
      }
      if (pivot == n || best <= 1e-12 * size_of(unknowns_[column].row)) continue;
      weak = weak || best <= 1e-8 * size_of(unknowns_[column].row);
      used_[pivot] = 1;
      rows_[column] = pivot;
      for (std::size_t i = 0; i < n; ++i) {
        if (i == pivot || matrix_[i * (n + 1) + column] == 0) continue;
        const double factor = matrix_[i * (n + 1) + column] / matrix_[pivot * (n + 1) + column];
        for (std::size_t j = column; j <= n; ++j)
          matrix_[i * (n + 1) + j] -= factor * matrix_[pivot * (n + 1) + j];
      }
    }
    bool open = false;
    values_.assign(n, 0);
    for (std::size_t i = 0; i < n; ++i) {
      if (!used_[i] && std::abs(matrix_[i * (n + 1) + n]) > doubtful_within * noise_[unknowns_[i].row])
        return Solved::contradicts;
      open = open || !used_[i];
      if (rows_[i] < n) values_[i] = matrix_[rows_[i] * (n + 1) + n] / matrix_[rows_[i] * (n + 1) + i];
    }
    return open || weak ? Solved::open : Solved::yes;
  }

  void try_hypothesis() {
    unknowns_.clear();
    std::fill(constant_.begin(), constant_.end(), 0.0);
    for (const Part& part : parts_) {
      if (part.normal == Normal::without_force) continue;
      if (part.normal == Normal::least) add_normal(part, part.contact->least, constant_);
      if (part.normal == Normal::closed) unknowns_.push_back({part.contact->normal, &part});
      for (std::size_t i = 0; i < part.asked.size(); ++i) {
        if (part.signs[i] == 0) unknowns_.push_back({part.asked[i]->rows[0], nullptr});
      }
    }
    const Solved solved = solve();
    if (solved == Solved::contradicts) return;
    std::vector<double> forces = constant_;
    for (std::size_t i = 0; i < unknowns_.size(); ++i) {
      if (!std::isfinite(values_[i])) return;
      if (unknowns_[i].part)
        add_normal(*unknowns_[i].part, values_[i], forces);
      else
        forces[unknowns_[i].row] += values_[i];
    }
    double margin = INFINITY;
    const std::vector<double> v = problem_.velocities(forces);
    for (const Part& part : parts_) margin = std::min(margin, margin_of(part, forces, v));
    if (solved == Solved::open) {
      result_.doubtful = true;  // another member of its family may hold
    } else if (margin < -doubtful_within) {
      return;
    } else if (margin <= doubtful_within) {
      result_.doubtful = true;
    }
    if (margin >= -doubtful_within) result_.found.push_back({std::move(forces), margin});
  }

  /// The least of what must not be negative, in units of the noise.
  double margin_of(const Part& part, const std::vector<double>& forces, const std::vector<double>& v) const {
    const auto unit = [&](std::size_t row) {
      const double r = problem_.entry(row, row);
      return r > 0 ? noise_[row] / r : noise_[row];
    };
    const std::size_t row = part.contact->normal;
    double margin = INFINITY;
    if (part.normal == Normal::closed)
      margin = (forces[row] - part.contact->least) / unit(row);
    else if (!part.contact->given)
      margin = v[row] / noise_[row];
    if (part.normal == Normal::without_force) return margin;
    for (std::size_t i = 0; i < part.asked.size(); ++i) {
      const std::size_t k = part.asked[i]->rows[0];
      const double left = part.signs[i] == 0
                              ? (part.asked[i]->sticking * forces[row] - std::abs(forces[k])) / unit(k)
                              : part.signs[i] * v[k] / noise_[k];
      margin = std::min(margin, left);
    }
    return margin;
  }

  const FrictionProblem& problem_;
  std::vector<double> noise_, constant_;
  std::vector<Part> parts_;
  std::vector<Unknown> unknowns_;
  std::vector<double> matrix_, values_;
  std::vector<std::size_t> rows_;
  std::vector<char> used_;
  FrictionModes result_;
};

}  // namespace

double count_of_hypotheses(const FrictionProblem& problem) {
  double count = 1;
  for (const auto& contact : problem.contacts) {
    double modes = 1;
    for (const auto& resisted : contact.resisted) modes *= resisted.moving ? 1 : 3;
    count *= contact.given ? modes : contact.least == 0 ? 1 + modes : 2 * modes;
  }
  return count;
}

FrictionModes modes_by_elimination(const FrictionProblem& problem) {
  return Hypotheses(problem).find();
}

std::vector<std::vector<double>> FrictionModes::distinct(const FrictionProblem& problem) const {
  const std::vector<double> noise = problem.noise();
  std::vector<const Mode*> kept;
  std::vector<std::vector<double>> velocities;
  for (const Mode& mode : found) {
    const std::vector<double> v = problem.velocities(mode.forces);
    const auto known =
        std::find_if(velocities.begin(), velocities.end(), [&](const std::vector<double>& other) {
          for (std::size_t k = 0; k < v.size(); ++k) {
            if (std::abs(v[k] - other[k]) > 10 * doubtful_within * noise[k]) return false;
          }
          return true;
        });
    if (known == velocities.end()) {
      kept.push_back(&mode);
      velocities.push_back(v);
    } else if (const Mode*& other = kept[static_cast<std::size_t>(known - velocities.begin())];
               other->margin < mode.margin) {
      other = &mode;  // the surer of two that agree
    }
  }
  std::vector<std::vector<double>> all;
  for (const Mode* mode : kept) all.push_back(mode->forces);
  return all;
}

}  // namespace liaison
