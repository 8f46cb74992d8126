#include "bouncing.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "liaison/simulate/contact_run.hpp"
#include "simulate_support.hpp"

namespace liaison {

namespace {

constexpr double tolerance = 1e-9;
constexpr double box = 6;

/// What the judge knows of one contact at a place.
struct Touch {
  double gap = 0;
  Eigen::VectorXd normal;      ///< of the rate of the gap
  Eigen::MatrixXd tangential;  ///< of the slip, one column a component
};

/// A model, and the same by closed formulas.
struct Bodies {
  std::string text;
  Eigen::VectorXd masses, fall;  ///< of each coordinate: masses and free accelerations
  double radius = 1, e = 1, friction = 0;
  std::function<std::vector<Touch>(const Eigen::VectorXd&)> contacts;
  Eigen::VectorXd place, velocity;
};

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  double in(double from, double to) { return std::uniform_real_distribution<double>(from, to)(engine_); }
  std::size_t below(std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(engine_);
  }

 private:
  std::mt19937_64 engine_;
};

std::string number(double value) {
  return fmt::format("{:.17g}", value);
}

/// Of the walls of a box: along `axis` at its begin and end; `spin` is the coordinate of the angle, if there
/// is one.
void add_walls(std::vector<Touch>& all, const Eigen::VectorXd& q, Eigen::Index first, std::size_t axes,
               double radius) {
  for (std::size_t axis = 0; axis < axes; ++axis) {
    for (const double side : {1.0, -1.0}) {
      const auto along = first + static_cast<Eigen::Index>(axis);
      Touch touch;
      touch.gap = (side > 0 ? q[along] : box - q[along]) - radius;
      touch.normal = Eigen::VectorXd::Zero(q.size());
      touch.normal[along] = side;
      touch.tangential = Eigen::MatrixXd::Zero(q.size(), 1);
      touch.tangential(first + static_cast<Eigen::Index>(1 - axis), 0) = 1;
      // The point of a disc at a wall moves by its spin as well.
      touch.tangential(first + 2, 0) = (axis == 1 ? side : -side) * radius;
      all.push_back(std::move(touch));
    }
  }
}

/// Discs with spin; walls and each other.
Bodies discs(std::size_t count, bool friction, double gravity, std::uint64_t seed) {
  Random random(seed);
  Bodies bodies;
  bodies.e = gravity > 0 || random.below(2) == 0 ? 1 : 0.95;
  bodies.friction = friction ? random.in(0.05, 1) : 0;
  std::vector<double> radii;
  const auto size = static_cast<Eigen::Index>(3 * count);
  for (Eigen::VectorXd* vector : {&bodies.masses, &bodies.fall, &bodies.place, &bodies.velocity})
    *vector = Eigen::VectorXd::Zero(size);
  std::string text = fmt::format("param e = {}, mu = {}\n", number(bodies.e), number(bodies.friction));
  std::string start;
  std::vector<int> cells{0, 1, 2, 3, 4, 5, 6, 7, 8};
  for (std::size_t i = 0; i < count; ++i) {
    const double radius = radii.emplace_back(random.in(0.2, 0.45));
    const double mass = random.in(0.5, 2), inertia = mass * radius * radius * random.in(0.4, 1);
    const auto taken = cells.begin() + static_cast<int>(random.below(cells.size()));
    const int cell = *taken;
    cells.erase(taken);
    const auto first = static_cast<Eigen::Index>(3 * i);
    bodies.masses.segment(first, 3) << mass, mass, inertia;
    bodies.fall[first + 1] = -gravity;
    bodies.place.segment(first, 3) << 1 + 2 * (cell % 3) + random.in(-0.5, 0.5),
        1 + 2 * (cell / 3) + random.in(-0.5, 0.5), 0;
    bodies.velocity.segment(first, 3) << random.in(-4, 4), random.in(-4, 4), random.in(-8, 8);
    const std::size_t n = i + 1;
    const auto& [q, v] = std::pair(bodies.place.segment(first, 3), bodies.velocity.segment(first, 3));
    text += fmt::format("param r{0} = {1}\ncoord x{0}, y{0}, th{0}\n", n, number(radius));
    text += fmt::format("body disc{0} mass {1} inertia {2} at [x{0}, y{0}] angle th{0}\n", n, number(mass),
                        number(inertia));
    const auto rough = [&](const std::string& slip) { return friction ? " friction mu on " + slip : ""; };
    const auto wall = [&](const char* name, const std::string& gap, const std::string& slip) {
      text += fmt::format("unilateral {}{}: {} >= r{}  restitution e{}\n", name, n, gap, n, rough(slip));
    };
    wall("floor", fmt::format("y{}", n), fmt::format("x{0}' + r{0}*th{0}'", n));
    wall("roof", fmt::format("{} - y{}", box, n), fmt::format("x{0}' - r{0}*th{0}'", n));
    wall("left", fmt::format("x{}", n), fmt::format("y{0}' - r{0}*th{0}'", n));
    wall("right", fmt::format("{} - x{}", box, n), fmt::format("y{0}' + r{0}*th{0}'", n));
    for (std::size_t j = 1; j < n; ++j) {
      const std::string dx = fmt::format("(x{} - x{})", n, j), dy = fmt::format("(y{} - y{})", n, j),
                        distance = fmt::format("sqrt({0}^2 + {1}^2)", dx, dy);
      text += fmt::format("unilateral d{0}x{1}: {2} >= r{0} + r{1}  restitution e{3}\n", n, j, distance,
                          rough(fmt::format("({0}*(y{2}' - y{3}') - {1}*(x{2}' - x{3}'))/{4} - r{2}*th{2}' - "
                                            "r{3}*th{3}'",
                                            dx, dy, n, j, distance)));
    }
    start += fmt::format("start x{0} = {1}, y{0} = {2}, x{0}' = {3}, y{0}' = {4}, th{0}' = {5}\n", n,
                         number(q[0]), number(q[1]), number(v[0]), number(v[1]), number(v[2]));
  }
  bodies.text = text + fmt::format("gravity [0, -{}]\n", number(gravity)) + start;
  bodies.radius = *std::min_element(radii.begin(), radii.end());
  bodies.contacts = [radii](const Eigen::VectorXd& q) {
    std::vector<Touch> all;
    for (std::size_t i = 0; i < radii.size(); ++i) {
      const auto a = static_cast<Eigen::Index>(3 * i);
      add_walls(all, q, a, 2, radii[i]);
      for (std::size_t j = 0; j < i; ++j) {
        const auto b = static_cast<Eigen::Index>(3 * j);
        const Eigen::Vector2d apart = q.segment<2>(a) - q.segment<2>(b), n = apart.normalized(),
                              t(-n.y(), n.x());
        Touch touch;
        touch.gap = apart.norm() - radii[i] - radii[j];
        touch.normal = Eigen::VectorXd::Zero(q.size());
        touch.normal.segment<2>(a) = n;
        touch.normal.segment<2>(b) = -n;
        touch.tangential = Eigen::MatrixXd::Zero(q.size(), 1);
        touch.tangential.block<2, 1>(a, 0) = t;
        touch.tangential.block<2, 1>(b, 0) = -t;
        touch.tangential(a + 2, 0) = -radii[i];
        touch.tangential(b + 2, 0) = -radii[j];
        all.push_back(std::move(touch));
      }
    }
    return all;
  };
  return bodies;
}

/// A rod whose ends meet the walls of a box: gaps with sines, and slips that depend on the angle.
Bodies rod(bool friction, double gravity, std::uint64_t seed) {
  Random random(seed);
  Bodies bodies;
  bodies.e = 1;
  bodies.friction = friction ? random.in(0.05, 0.5) : 0;
  const double half = random.in(0.5, 1.2), mass = random.in(0.5, 2),
               inertia = mass * half * half * random.in(0.2, 1);
  bodies.radius = half;
  for (Eigen::VectorXd* vector : {&bodies.masses, &bodies.fall, &bodies.place, &bodies.velocity})
    *vector = Eigen::VectorXd::Zero(3);
  bodies.masses << mass, mass, inertia;
  bodies.fall[1] = -gravity;
  bodies.place << random.in(2, 4), random.in(2, 4), random.in(-3, 3);
  bodies.velocity << random.in(-3, 3), random.in(-3, 3), random.in(-4, 4);
  std::string& text = bodies.text;
  text = fmt::format("param e = {}, mu = {}, l = {}\ncoord x, y, th\ngravity [0, -{}]\n", number(bodies.e),
                     number(bodies.friction), number(half), number(gravity));
  text += fmt::format("body rod mass {} inertia {} at [x, y] angle th\n", number(mass), number(inertia));
  for (const char* end : {"+", "-"}) {
    const std::string name = *end == '+' ? "a" : "b";
    const std::string x = fmt::format("x {} l*cos(th)", end), y = fmt::format("y {} l*sin(th)", end);
    const std::string vx = fmt::format("x' - ({} l*sin(th))*th'", *end == '+' ? "" : "-"),
                      vy = fmt::format("y' {} l*cos(th)*th'", end);
    const auto wall = [&](const char* which, const std::string& gap, const std::string& slip) {
      text += fmt::format("unilateral {}{}: {} >= 0  restitution e{}\n", name, which, gap,
                          friction ? " friction mu on " + slip : "");
    };
    wall("left", x, vy);
    wall("right", fmt::format("{} - ({})", box, x), vy);
    wall("floor", y, vx);
    wall("roof", fmt::format("{} - ({})", box, y), vx);
  }
  text += fmt::format("start x = {}, y = {}, th = {}, x' = {}, y' = {}, th' = {}\n", number(bodies.place[0]),
                      number(bodies.place[1]), number(bodies.place[2]), number(bodies.velocity[0]),
                      number(bodies.velocity[1]), number(bodies.velocity[2]));
  bodies.contacts = [half](const Eigen::VectorXd& q) {
    std::vector<Touch> all;
    for (const double end : {half, -half}) {
      const Eigen::Vector2d at(q[0] + end * std::cos(q[2]), q[1] + end * std::sin(q[2]));
      const Eigen::Vector3d dx(1, 0, -end * std::sin(q[2])), dy(0, 1, end * std::cos(q[2]));
      all.push_back({at.x(), dx, dy});
      all.push_back({box - at.x(), -dx, dy});
      all.push_back({at.y(), dy, dx});
      all.push_back({box - at.y(), -dy, dx});
    }
    return all;
  };
  return bodies;
}

/// A ball without spin in a box in space, with friction in two directions.
Bodies particle_in_space(bool friction, double gravity, std::uint64_t seed) {
  Random random(seed);
  Bodies bodies;
  bodies.e = 1;
  bodies.friction = friction ? random.in(0.001, 0.02) : 0;  // more ends the motion along the walls soon
  bodies.radius = 1;
  const double mass = random.in(0.5, 2);
  bodies.masses = Eigen::VectorXd::Constant(3, mass);
  bodies.fall = Eigen::Vector3d(0, 0, -gravity);
  bodies.place = Eigen::Vector3d(random.in(1.5, 4.5), random.in(1.5, 4.5), random.in(1.5, 4.5));
  bodies.velocity = Eigen::Vector3d(random.in(-4, 4), random.in(-4, 4), random.in(-4, 4));
  std::string& text = bodies.text;
  text = fmt::format("param mu = {}\ncoord x, y, z\nkinetic {}/2*(x'^2 + y'^2 + z'^2)\npotential {}*z\n",
                     number(bodies.friction), number(mass), number(mass * gravity));
  const char* slips[] = {"[y', z']", "[x', z']", "[x', y']"};
  for (int axis = 0; axis < 3; ++axis) {
    const char name = "xyz"[axis];
    const std::string rough = friction ? fmt::format(" friction mu on {}", slips[axis]) : "";
    text += fmt::format(
        "unilateral low_{0}: {0} >= 1  restitution 1{1}\nunilateral high_{0}: {2} - {0} >= 1  restitution "
        "1{1}\n",
        name, rough, box);
  }
  text += fmt::format("start x = {}, y = {}, z = {}, x' = {}, y' = {}, z' = {}\n", number(bodies.place[0]),
                      number(bodies.place[1]), number(bodies.place[2]), number(bodies.velocity[0]),
                      number(bodies.velocity[1]), number(bodies.velocity[2]));
  bodies.contacts = [](const Eigen::VectorXd& q) {
    std::vector<Touch> all;
    for (int axis = 0; axis < 3; ++axis) {
      for (const double side : {1.0, -1.0}) {
        Touch touch{(side > 0 ? q[axis] : box - q[axis]) - 1, side * Eigen::Vector3d::Unit(axis),
                    Eigen::MatrixXd::Zero(3, 2)};
        touch.tangential.col(0) = Eigen::Vector3d::Unit((axis + 1) % 3);
        touch.tangential.col(1) = Eigen::Vector3d::Unit((axis + 2) % 3);
        all.push_back(std::move(touch));
      }
    }
    return all;
  };
  return bodies;
}

class Judge {
 public:
  Judge(const Bodies& bodies, Bouncing& result, std::uint64_t seed)
      : bodies_(bodies), result_(result), seed_(seed) {}

  void take(const Row& row) {
    const auto size = bodies_.masses.size();
    const Eigen::VectorXd q = Eigen::Map<const Eigen::VectorXd>(row.y.data(), size),
                          v = Eigen::Map<const Eigen::VectorXd>(row.y.data() + size, size);
    look(q, row.t);
    if (has_row_ && row.t == t_ && v != v_) impact(q, v);
    if (has_row_ && row.t > t_) fly(row.t, q);
    has_row_ = true;
    t_ = row.t;
    q_ = q;
    v_ = v;
  }

 private:
  void worst(double& known, double value, double allowed, const char* what) {
    if (value > allowed && result_.broken.size() < 8)
      result_.broken.push_back(fmt::format("seed {}, t = {:.17g}: {} {:.3g}", seed_, t_, what, value));
    known = std::max(known, value);
  }

  void look(const Eigen::VectorXd& q, double) {
    ++result_.looks;
    for (const Touch& touch : bodies_.contacts(q))
      worst(result_.depth, -touch.gap / bodies_.radius, tolerance, "penetrates by");
  }

  /// Between two states only gravity acts: what happens there is known without a run.
  void fly(double until, const Eigen::VectorXd& end) {
    constexpr int parts = 8;
    const double time = until - t_;
    const auto at = [&](double s) -> Eigen::VectorXd { return q_ + s * v_ + s * s / 2 * bodies_.fall; };
    worst(result_.flight, (at(time) - end).lpNorm<Eigen::Infinity>() / bodies_.radius, 1e-7,
          "is beside its flight by");
    for (int i = 1; i < parts; ++i) look(at(time * i / parts), t_);
  }

  void impact(const Eigen::VectorXd& q, const Eigen::VectorXd& after) {
    ++result_.impacts;
    std::vector<Touch> closed;
    for (Touch& touch : bodies_.contacts(q)) {
      if (touch.gap <= tolerance * bodies_.radius) closed.push_back(std::move(touch));
    }
    result_.several += closed.size() > 1;
    const double speed = std::max(v_.lpNorm<Eigen::Infinity>(), after.lpNorm<Eigen::Infinity>());
    const Eigen::VectorXd given = bodies_.masses.cwiseProduct(after - v_);
    Eigen::MatrixXd directions(q.size(), 0);
    for (const Touch& touch : closed) {
      worst(result_.closed, std::abs(touch.gap) / bodies_.radius, tolerance, "is an impact at a gap of");
      add(directions, touch.normal);
      if (bodies_.friction > 0) add(directions, touch.tangential);
    }
    if (closed.empty()) {
      worst(result_.momentum, 1, 1e-12, "has an impact without a contact, momentum");
      return;
    }
    const Eigen::VectorXd impulses = nearest(directions, given);
    const Eigen::VectorXd moved = bodies_.masses.cwiseProduct(v_);
    worst(result_.momentum, (given - directions.lazyProduct(impulses)).norm() / (given.norm() + moved.norm()),
          1e-12, "loses momentum");
    const auto energy = [&](const Eigen::VectorXd& v) { return v.dot(bodies_.masses.cwiseProduct(v)) / 2; };
    worst(result_.gained, (energy(after) - energy(v_)) / energy(v_), 1e-12, "gains energy");
    // Of several one may be in a low flight of its own, in which `fly` looks at it.
    if (closed.size() > 1) return;
    worst(result_.approach, -closed[0].normal.dot(after) / speed, 1e-12, "closes after an impact at");
    const double along = impulses.tail(impulses.size() - 1).norm();
    worst(result_.cone, (along - bodies_.friction * impulses[0]) / (given.norm() + moved.norm()), 1e-12,
          "has friction beyond its cone");
    if (bodies_.friction == 0)
      worst(result_.restitution, std::abs(closed[0].normal.dot(after + bodies_.e * v_)) / speed, 1e-12,
            "misses its restitution by");
  }

  /// x with the least |a x - b|, by Gram and Schmidt; zero for columns that add nothing.
  static Eigen::VectorXd nearest(const Eigen::MatrixXd& a, const Eigen::VectorXd& b) {
    const Eigen::Index n = a.cols();
    Eigen::MatrixXd q = a, r = Eigen::MatrixXd::Zero(n, n);
    for (Eigen::Index k = 0; k < n; ++k) {
      for (int again = 0; again < 2; ++again) {
        for (Eigen::Index j = 0; j < k; ++j) {
          const double part = q.col(j).dot(q.col(k));
          r(j, k) += part;
          q.col(k) -= part * q.col(j);
        }
      }
      const double length = q.col(k).norm();
      if (length > 1e-12 * a.col(k).norm()) r(k, k) = length;
      q.col(k) *= r(k, k) > 0 ? 1 / length : 0;
    }
    Eigen::VectorXd x = Eigen::VectorXd::Zero(n);
    for (Eigen::Index k = n; k-- > 0;) {
      double left = q.col(k).dot(b);
      for (Eigen::Index j = k + 1; j < n; ++j) left -= r(k, j) * x(j);
      if (r(k, k) > 0) x(k) = left / r(k, k);
    }
    return x;
  }

  static void add(Eigen::MatrixXd& columns, const Eigen::MatrixXd& more) {
    columns.conservativeResize(more.rows(), columns.cols() + more.cols());
    columns.rightCols(more.cols()) = more;
  }

  const Bodies& bodies_;
  Bouncing& result_;
  std::uint64_t seed_;
  bool has_row_ = false;
  double t_ = 0;
  Eigen::VectorXd q_, v_;
};

Bodies bodies_of(const BouncingKind& kind, std::uint64_t seed) {
  const auto begins = [&](const char* text) { return kind.name.starts_with(text); };
  const double gravity = seed % 2 == 0 ? 0 : 10;
  if (begins("two discs")) return discs(2, kind.friction, gravity, seed);
  if (begins("three discs")) return discs(3, kind.friction, gravity, seed);
  if (begins("a rod")) return rod(kind.friction, gravity, seed);
  return particle_in_space(kind.friction, gravity, seed);
}

}  // namespace

const std::vector<BouncingKind>& bouncing_kinds() {
  static const std::vector<BouncingKind> kinds = {
      {"two discs", false},       {"two discs with friction", true},
      {"three discs", false},     {"three discs with friction", true},
      {"a rod", false},           {"a rod with friction", true},
      {"a ball in space", false}, {"a ball in space with friction", true}};
  return kinds;
}

Bouncing random_bounces(const BouncingKind& kind, std::uint64_t seed, std::size_t count) {
  constexpr std::size_t most_of_a_run = 2000;
  Bouncing result;
  for (; result.impacts < count; ++seed) {
    const Bodies bodies = bodies_of(kind, seed);
    const test::RunnableModel model = test::read_runnable(bodies.text);
    ContactRun run(*model.algebra, *model.system, model.start,
                   MethodRequest{.name = "dop853", .tolerance = {tolerance, tolerance * 1e-3}},
                   EvaluatorOptions{}, {});
    SimulationOptions how;
    how.until = 400;
    Judge judge(bodies, result, seed);
    const std::size_t enough = std::min(count, result.impacts + most_of_a_run);
    const SimulationResult end = run.run(0, run.evaluator().pack(model.start), how,
                                         {[&](const Row& row) {
                                            judge.take(row);
                                            return result.impacts < enough;
                                          },
                                          {}});
    ++result.runs;
    if (end.outcome != SimulationOutcome::finished && end.outcome != SimulationOutcome::interrupted &&
        result.broken.size() < 8)
      result.broken.push_back(fmt::format("seed {}: {}", seed, end.message));
  }
  return result;
}

}  // namespace liaison
