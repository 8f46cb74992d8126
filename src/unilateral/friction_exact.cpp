#include <algorithm>
#include <cmath>

#include "friction_problem.hpp"
#include "least_squares.hpp"
#include "liaison/unilateral/mode_problem.hpp"

namespace liaison {

namespace {

/// One force along one line: a row, or two rows in a direction that is known.
struct Line {
  std::vector<std::size_t> rows;
  std::array<double, 2> weights = {1, 0};
};

class ExactModes {
 public:
  explicit ExactModes(const FrictionProblem& problem) : problem_(problem) {}

  FrictionForces find() {
    for (const FrictionProblem::Contact& contact : problem_.contacts) add(contact);
    fill_numbers();
    EnumerationLimits limits;
    limits.nodes = 400;
    limits.generators = 1'000;
    FrictionForces result;
    for (const PossibleMotion& motion : ModeProblem(numbers_, contacts_).all(limits)) {
      if (!motion.is_family())
        add_new(result.all, forces_of(motion.vertices[0]));
      else
        add_family(motion, result);
    }
    return result;
  }

 private:
  std::size_t add_line(Line line) {
    lines_.push_back(std::move(line));
    return lines_.size() - 1;
  }

  void add(const FrictionProblem::Contact& contact) {
    ContactRows rows;
    rows.normal = add_line({{contact.normal}});
    rows.least = Rational::from_double(contact.least);
    rows.given = contact.given;
    for (const FrictionProblem::Resisted& resisted : contact.resisted) {
      ResistedRow row{.slipping = Rational::from_double(resisted.slipping),
                      .sticking = Rational::from_double(resisted.sticking)};
      Line line{resisted.rows};
      if (resisted.moving) {
        row.direction = 1;
        line.weights = resisted.direction;
      }
      row.row = add_line(std::move(line));
      rows.resisted.push_back(std::move(row));
    }
    contacts_.push_back(std::move(rows));
  }

  void fill_numbers() {
    numbers_.noise = power(Rational(10), -12);
    for (const Line& force : lines_) {
      std::vector<Rational>& row = numbers_.r.emplace_back();
      for (const Line& line : lines_) {
        double sum = 0;
        for (std::size_t i = 0; i < force.rows.size(); ++i) {
          for (std::size_t j = 0; j < line.rows.size(); ++j)
            sum += force.weights[i] * line.weights[j] * problem_.entry(force.rows[i], line.rows[j]);
        }
        row.push_back(Rational::from_double(sum));
      }
    }
    for (const Line& line : lines_) {
      double sum = 0;
      for (std::size_t j = 0; j < line.rows.size(); ++j)
        sum += line.weights[j] * problem_.drive[line.rows[j]];
      numbers_.drive.push_back(Rational::from_double(sum));
    }
  }

  std::vector<double> forces_of(const MotionNumbers& numbers) const {
    std::vector<double> forces(problem_.size());
    const auto put = [&](std::size_t line, const Rational& force) {
      for (std::size_t i = 0; i < lines_[line].rows.size(); ++i)
        forces[lines_[line].rows[i]] += lines_[line].weights[i] * force.to_double();
    };
    for (std::size_t c = 0; c < contacts_.size(); ++c) {
      put(contacts_[c].normal, numbers.factors[c]);
      for (std::size_t i = 0; i < contacts_[c].resisted.size(); ++i)
        put(contacts_[c].resisted[i].row, numbers.resistances[c][i]);
    }
    return forces;
  }

  static void add_new(std::vector<std::vector<double>>& all, std::vector<double> forces) {
    const bool known = std::any_of(all.begin(), all.end(), [&](const std::vector<double>& other) {
      double size = 0, difference = 0;
      for (std::size_t h = 0; h < forces.size(); ++h) {
        size = std::max(size, std::abs(forces[h]) + std::abs(other[h]));
        difference = std::max(difference, std::abs(forces[h] - other[h]));
      }
      return difference <= 1e-10 * size;
    });
    if (!known) all.push_back(std::move(forces));
  }

  /// Where its members move alike, the one of least squares; else its ends.
  void add_family(const PossibleMotion& motion, FrictionForces& result) const {
    std::vector<std::vector<double>> vertices, rays;
    for (const MotionNumbers& numbers : motion.vertices) vertices.push_back(forces_of(numbers));
    for (const MotionNumbers& numbers : motion.rays) rays.push_back(forces_of(numbers));
    const std::vector<double> first = problem_.velocities(vertices[0]);
    const std::vector<double> noise = problem_.noise();
    bool alike = true;
    const auto compare = [&](const std::vector<double>& forces) {
      const std::vector<double> v = problem_.velocities(forces);
      for (std::size_t k = 0; k < v.size(); ++k) alike = alike && std::abs(v[k] - first[k]) <= 1e3 * noise[k];
    };
    for (const std::vector<double>& forces : vertices) compare(forces);
    for (const std::vector<double>& ray : rays) {
      std::vector<double> forces = vertices[0];
      double size = 0, length = 0;
      for (const double force : forces) size = std::max(size, std::abs(force));
      for (const double force : ray) length = std::max(length, std::abs(force));
      for (std::size_t h = 0; h < forces.size(); ++h) forces[h] += ray[h] * (size > 0 ? size : 1) / length;
      compare(forces);
    }
    if (alike) {
      add_new(result.all, least_of_hull(vertices, rays));
      return;
    }
    for (std::vector<double>& forces : vertices) add_new(result.all, std::move(forces));
    result.complete = false;
    result.note("a family solves it: its ends are given");
  }

  const FrictionProblem& problem_;
  std::vector<Line> lines_;
  std::vector<ContactRows> contacts_;
  ContactNumbers numbers_;
};

}  // namespace

FrictionForces exact_modes(const FrictionProblem& problem) {
  return ExactModes(problem).find();
}

}  // namespace liaison
