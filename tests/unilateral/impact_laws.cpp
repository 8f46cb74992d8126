#include "impact_laws.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <random>

namespace liaison {

namespace {

constexpr double rounding = 1e-12;

struct Collision {
  std::vector<std::vector<double>> rows;  ///< of velocities of masses that are all 1
  std::vector<double> before;             ///< of the masses
  ImpactProblem problem;
};

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

Collision random_collision(std::mt19937_64& random, ImpactLaw law, const ImpactKind& kind) {
  std::uniform_real_distribution uniform(-1.0, 1.0), part(0.0, 1.0);
  const std::size_t contacts = kind.fewest + random() % (kind.most - kind.fewest + 1);
  const std::size_t count = contacts * (1 + kind.components);
  const std::size_t freedoms = kind.redundant ? contacts - 1 : count + random() % 2;
  Collision collision;
  collision.rows.assign(count, std::vector<double>(freedoms));
  for (auto& row : collision.rows) {
    for (double& x : row) x = uniform(random);
  }
  const double restitution = random() % 8 == 0 ? 0 : random() % 8 == 0 ? 1 : part(random);
  ImpactProblem& problem = collision.problem;
  problem.law = law;
  for (std::size_t c = 0; c < contacts; ++c) {
    const std::size_t first = c * (1 + kind.components);
    ImpactContact& contact = problem.contacts.emplace_back();
    contact.normal = first;
    contact.restitution = restitution;
    if (kind.components == 0) continue;
    const double mu = random() % 8 == 0 ? 0 : 1.5 * part(random);
    ImpactResistance& resistance = contact.resisted.emplace_back();
    for (std::size_t k = 1; k <= kind.components; ++k) resistance.rows.push_back(first + k);
    resistance.slipping = resistance.sticking = mu;
  }
  // Something closes.
  do {
    collision.before.clear();
    for (std::size_t i = 0; i < freedoms; ++i) collision.before.push_back(uniform(random));
  } while (std::none_of(problem.contacts.begin(), problem.contacts.end(), [&](const ImpactContact& contact) {
    const std::vector<double>& row = collision.rows[contact.normal];
    return dot(row, collision.before) < -0.01 * std::sqrt(dot(row, row));
  }));
  for (const auto& row : collision.rows) {
    problem.velocity.push_back(dot(row, collision.before));
    for (const auto& other : collision.rows) problem.r.push_back(dot(row, other));
  }
  return collision;
}

class Judge {
 public:
  Judge(ImpactLaws& laws, const Collision& collision, bool promises, std::uint64_t seed)
      : laws_(laws), collision_(collision), promises_(promises), seed_(seed) {}

  void look_at(const Impact& impact) {
    ++laws_.solutions;
    see_momentum(impact);
    see_contacts(impact);
    see_energy(impact);
  }

 private:
  void tell(const std::string& what, double value, double most) {
    if (value <= most || laws_.broken.size() >= 5) return;
    std::array<char, 32> digits = {};
    std::snprintf(digits.data(), digits.size(), "%.3g", value);
    laws_.broken.push_back("seed " + std::to_string(seed_) + ": " + what + " " + digits.data());
  }

  void see_momentum(const Impact& impact) {
    const ImpactProblem& problem = collision_.problem;
    const std::size_t n = problem.velocity.size();
    double worst = 0;
    for (std::size_t k = 0; k < n; ++k) {
      double sum = problem.velocity[k], size = 1 + std::abs(sum);
      for (std::size_t h = 0; h < n; ++h) {
        sum += impact.impulses[h] * problem.r[h * n + k];
        size += std::abs(impact.impulses[h] * problem.r[h * n + k]);
      }
      worst = std::max(worst, std::abs(sum - impact.velocities[k]) / size);
      if (!std::isfinite(sum)) worst = INFINITY;
    }
    laws_.momentum = std::max(laws_.momentum, worst);
    tell("momentum is off by", worst, rounding);
  }

  void see_contacts(const Impact& impact) {
    const ImpactProblem& problem = collision_.problem;
    double fastest = 0;
    for (const double v : problem.velocity) fastest = std::max(fastest, std::abs(v));
    double hardest = 0;
    for (const double p : impact.impulses) hardest = std::max(hardest, std::abs(p));
    for (const ImpactContact& contact : problem.contacts) {
      const double normal = impact.impulses[contact.normal];
      const double approach = -impact.velocities[contact.normal] / (fastest + hardest);
      laws_.approach = std::max(laws_.approach, approach);
      tell("a contact approaches by", approach, rounding);
      tell("a contact pulls by", -normal / (fastest + hardest), rounding);
      for (const ImpactResistance& resistance : contact.resisted) {
        double square = 0;
        for (const std::size_t row : resistance.rows) square += impact.impulses[row] * impact.impulses[row];
        const double beyond = (std::sqrt(square) - resistance.sticking * normal) / std::max(hardest, 1e-300);
        laws_.cone = std::max(laws_.cone, beyond);
        tell("friction is beyond its cone by", beyond, 1e-9);
      }
    }
  }

  /// Of the masses, and not by the formula that the impact has.
  void see_energy(const Impact& impact) {
    std::vector<double> after = collision_.before;
    std::vector<double> sizes(after.size());
    for (std::size_t i = 0; i < after.size(); ++i) sizes[i] = std::abs(after[i]);
    for (std::size_t h = 0; h < collision_.rows.size(); ++h) {
      for (std::size_t i = 0; i < after.size(); ++i) {
        after[i] += impact.impulses[h] * collision_.rows[h][i];
        sizes[i] += std::abs(impact.impulses[h] * collision_.rows[h][i]);
      }
    }
    const double before = dot(collision_.before, collision_.before),
                 gained = (dot(after, after) - before) / before;
    if (promises_) {
      laws_.gained = std::max(laws_.gained, gained);
      // Contacts that nearly repeat each other press a thousand times as much as anything moves.
      tell("energy grows by", gained * before / dot(sizes, sizes), rounding);
    } else if (gained > rounding) {
      ++laws_.creating;
      laws_.created = std::max(laws_.created, gained);
    }
  }

  ImpactLaws& laws_;
  const Collision& collision_;
  bool promises_;
  std::uint64_t seed_;
};

}  // namespace

const std::vector<ImpactKind>& impact_kinds() {
  static const std::vector<ImpactKind> kinds{
      {"one contact in the plane", 1, 1, 1},
      {"one contact in space", 1, 1, 2},
      {"2 to 5 at once, without friction", 2, 5, 0},
      {"3 to 5 at once on fewer freedoms, without friction", 3, 5, 0, true},
      {"2 or 3 at once in the plane", 2, 3, 1},
  };
  return kinds;
}

bool promises_energy(const ImpactProblem& problem) {
  if (problem.law == ImpactLaw::energetic) return true;
  return std::all_of(problem.contacts.begin(), problem.contacts.end(), [&](const ImpactContact& contact) {
    const bool separates = problem.velocity[contact.normal] > 0;
    return contact.resisted.empty() && contact.restitution == problem.contacts[0].restitution &&
           (problem.law == ImpactLaw::poisson || !separates);
  });
}

ImpactLaws random_impacts(ImpactLaw law, const ImpactKind& kind, std::uint64_t seed, std::size_t count) {
  ImpactLaws laws;
  for (std::size_t i = 0; i < count; ++i) {
    std::mt19937_64 random(seed + i);
    const Collision collision = random_collision(random, law, kind);
    const Impacts found = simultaneous_impacts(collision.problem);
    ++laws.impacts;
    laws.without += found.all.empty() ? 1 : 0;
    laws.incomplete += found.complete ? 0 : 1;
    const bool promises = promises_energy(collision.problem);
    laws.promised += promises ? 1 : 0;
    Judge judge(laws, collision, promises, seed + i);
    for (const Impact& impact : found.all) judge.look_at(impact);
  }
  return laws;
}

}  // namespace liaison
