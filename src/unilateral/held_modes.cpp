#include "held_modes.hpp"

#include <Eigen/SparseCore>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>

namespace liaison {

namespace {

/// Fewer unknowns, or more of their couplings, are eliminated densely.
constexpr std::size_t fewest_sparse = 60;
constexpr double fullest_sparse = 0.2;

/// An unknown impulse with what follows it, and the row whose velocity it sets.
struct Unknown {
  std::size_t row = 0;
  double velocity = 0;                                       ///< that the row gets
  std::vector<std::pair<std::size_t, double>> follows = {};  ///< rows of slip, by unit of this impulse
};

class HeldModes {
 public:
  HeldModes(const ManyContacts& problem, const std::vector<double>& impulses,
            const std::vector<ContactStep>& steps)
      : problem_(problem), impulses_(impulses) {
    for (std::size_t c = 0; c < problem.contacts.size(); ++c) {
      if (steps[c] != ContactStep::open) add(problem.contacts[c], steps[c] == ContactStep::slips);
    }
  }

  std::size_t size() const { return unknowns_.size(); }

  /// Whether elimination of what is not zero pays.
  bool is_sparse() {
    if (size() < fewest_sparse) return false;
    entries_ = sparse_entries();
    return static_cast<double>(entries_.size()) < fullest_sparse * static_cast<double>(size() * size());
  }

  /// By sparse elimination, beside a little of the impulses that there are: those of contacts that repeat
  /// others stay near them. Empty where that fails.
  std::vector<double> find_sparse() {
    constexpr double near = 1e-9;
    constexpr int refinements = 4;
    const auto n = static_cast<Eigen::Index>(unknowns_.size());
    const std::vector<Eigen::Triplet<double>>& entries = entries_;
    Eigen::SparseMatrix<double> matrix(n, n), nearer(n, n);
    matrix.setFromTriplets(entries.begin(), entries.end());
    std::vector<Eigen::Triplet<double>> with = entries;
    Eigen::VectorXd right(n), found(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      const Unknown& unknown = unknowns_[static_cast<std::size_t>(i)];
      const double own = std::abs(matrix.coeff(i, i));
      with.emplace_back(i, i, near * (own > 0 ? own : 1));
      const double bias = problem_.bias.empty() ? 0 : problem_.bias[unknown.row];
      right(i) = unknown.velocity - bias - problem_.rows.times(unknown.row, problem_.free);
      found(i) = impulses_[unknown.row];
    }
    nearer.setFromTriplets(with.begin(), with.end());
    nearer.makeCompressed();
    Eigen::SparseLU<Eigen::SparseMatrix<double>> factors;
    factors.compute(nearer);
    if (factors.info() != Eigen::Success) return {};
    for (int i = 0; i < refinements; ++i) {
      const Eigen::VectorXd rest = right - matrix * found;
      found += factors.solve(rest);
    }
    if (!found.allFinite()) return {};
    return spread_out([&](std::size_t j) { return found(static_cast<Eigen::Index>(j)); });
  }

  std::vector<double> find() {
    const std::size_t n = unknowns_.size();
    std::vector<double> u(problem_.free.size(), 0.0);
    matrix_.assign(n * (n + 1), 0.0);
    for (std::size_t j = 0; j < n; ++j) {
      spread(unknowns_[j], 1, u);
      for (std::size_t i = 0; i < n; ++i) entry(i, j) = problem_.rows.times(unknowns_[i].row, u);
      spread(unknowns_[j], 0, u);
    }
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t row = unknowns_[i].row;
      const double bias = problem_.bias.empty() ? 0 : problem_.bias[row];
      entry(i, n) = unknowns_[i].velocity - bias - problem_.rows.times(row, problem_.free);
    }
    const std::vector<double> found = eliminate();
    return spread_out([&](std::size_t j) { return found[j]; });
  }

 private:
  /// Impulses of all rows from the unknown ones.
  template <class Found>
  std::vector<double> spread_out(const Found& found) const {
    std::vector<double> result(impulses_.size(), 0.0);
    for (std::size_t j = 0; j < unknowns_.size(); ++j) {
      result[unknowns_[j].row] += found(j);
      for (const auto& [row, weight] : unknowns_[j].follows) result[row] += weight * found(j);
    }
    return result;
  }

  /// What each unknown does to the rows of all that share a velocity with it; parts of one entry one by one.
  std::vector<Eigen::Triplet<double>> sparse_entries() const {
    struct Part {
      std::size_t unknown;
      double value;
    };
    std::vector<std::vector<Part>> seen_by(problem_.free.size());
    for (std::size_t i = 0; i < unknowns_.size(); ++i) {
      const std::size_t row = unknowns_[i].row;
      for (std::size_t k = problem_.rows.begins[row]; k < problem_.rows.begins[row + 1]; ++k)
        seen_by[problem_.rows.columns[k]].push_back({i, problem_.rows.values[k]});
    }
    std::vector<Eigen::Triplet<double>> entries;
    const SparseRows& from = problem_.responses;
    for (std::size_t j = 0; j < unknowns_.size(); ++j) {
      const auto one = [&](std::size_t h, double weight) {
        for (std::size_t k = from.begins[h]; k < from.begins[h + 1]; ++k) {
          for (const Part& part : seen_by[from.columns[k]])
            entries.emplace_back(static_cast<int>(part.unknown), static_cast<int>(j),
                                 weight * from.values[k] * part.value);
        }
      };
      one(unknowns_[j].row, 1);
      for (const auto& [row, weight] : unknowns_[j].follows) one(row, weight);
    }
    return entries;
  }

  void add(const ManyContacts::Contact& contact, bool first_slips) {
    Unknown normal{contact.normal, -contact.restitution * contact.before};
    std::vector<Unknown> stuck;
    for (std::size_t i = 0; i < contact.resisted.size(); ++i) {
      const ManyContacts::Resistance& resisted = contact.resisted[i];
      double force = 0;
      for (std::size_t k = 0; k < resisted.components; ++k)
        force = std::hypot(force, impulses_[resisted.row + k]);
      const double limit = resisted.slipping * impulses_[contact.normal];
      const bool slips = i == 0 ? first_slips : force >= (1 - 1e-9) * limit;
      for (std::size_t k = 0; k < resisted.components; ++k) {
        const std::size_t row = resisted.row + k;
        if (!slips) {
          stuck.push_back({row});
        } else if (force > 0) {
          normal.follows.emplace_back(row, resisted.slipping * impulses_[row] / force);
        }
      }
    }
    unknowns_.push_back(std::move(normal));
    unknowns_.insert(unknowns_.end(), stuck.begin(), stuck.end());
  }

  /// Adds the response of an unknown, or with 0 clears what it touches.
  void spread(const Unknown& unknown, double factor, std::vector<double>& u) const {
    const SparseRows& from = problem_.responses;
    const auto one = [&](std::size_t h, double weight) {
      for (std::size_t i = from.begins[h]; i < from.begins[h + 1]; ++i) {
        double& at = u[from.columns[i]];
        at = factor == 0 ? 0 : at + factor * weight * from.values[i];
      }
    };
    one(unknown.row, 1);
    for (const auto& [row, weight] : unknown.follows) one(row, weight);
  }

  double& entry(std::size_t i, std::size_t j) { return matrix_[i * (unknowns_.size() + 1) + j]; }

  /// With pivots by rows; an unknown without a pivot is zero.
  std::vector<double> eliminate() {
    constexpr double small = 1e-11;
    const std::size_t n = unknowns_.size();
    std::vector<double> size(n, 0.0), found(n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) size[j] = std::max(size[j], std::abs(entry(i, j)));
    }
    std::vector<std::size_t> solved_by(n, n);
    std::size_t next = 0;
    for (std::size_t j = 0; j < n; ++j) {
      std::size_t pivot = next;
      for (std::size_t i = next; i < n; ++i) {
        if (std::abs(entry(i, j)) > std::abs(entry(pivot, j))) pivot = i;
      }
      if (next == n || !(std::abs(entry(pivot, j)) > small * size[j])) continue;
      for (std::size_t k = j; pivot != next && k <= n; ++k) std::swap(entry(pivot, k), entry(next, k));
      for (std::size_t i = next + 1; i < n; ++i) {
        const double factor = entry(i, j) / entry(next, j);
        if (factor == 0) continue;
        for (std::size_t k = j; k <= n; ++k) entry(i, k) -= factor * entry(next, k);
      }
      solved_by[j] = next++;
    }
    for (std::size_t j = n; j-- > 0;) {
      if (solved_by[j] == n) continue;
      double sum = entry(solved_by[j], n);
      for (std::size_t k = j + 1; k < n; ++k) sum -= entry(solved_by[j], k) * found[k];
      found[j] = sum / entry(solved_by[j], j);
    }
    return found;
  }

  const ManyContacts& problem_;
  const std::vector<double>& impulses_;
  std::vector<Unknown> unknowns_;
  std::vector<double> matrix_;
  std::vector<Eigen::Triplet<double>> entries_;
};

}  // namespace

std::vector<double> impulses_in_modes(const ManyContacts& problem, const std::vector<double>& impulses,
                                      const std::vector<ContactStep>& steps, std::size_t most) {
  HeldModes modes(problem, impulses, steps);
  if (modes.size() == 0 || modes.size() > most) return {};
  return modes.is_sparse() ? modes.find_sparse() : modes.find();
}

}  // namespace liaison
