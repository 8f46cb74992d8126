#pragma once

#include <Eigen/Core>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "liaison/simulate/branch.hpp"
#include "return_map.hpp"

namespace liaison {

/// What is to vanish at a point of a branch, with its derivatives by the start, the period and the parameter.
struct Linear {
  Eigen::VectorXd residual;
  Eigen::MatrixXd by_start, basis;
  Eigen::VectorXd by_parameter, of_parameter, flow;
  std::vector<Multiplier> spectrum;
};

/// A place on a branch or a direction of it, in units of the state, the period and the parameter.
struct BranchPlace {
  Eigen::VectorXd y;
  double period = 0, parameter = 0;
};

/// Follows one branch after another.
class Follower {
 public:
  Follower(const AssembledEquations& equations, Evaluator& evaluator, PerturbationEquations& perturbation,
           const DoublePoint& values, const BranchRequest& request, Expr energy);

  Branches run();

 private:
  struct Crossing {
    BranchPlace at, along, across;
    std::size_t special = 0, branch = 0;  ///< of its branch, and which that is
  };

  bool is_interrupted() const { return request_.orbit.interrupted && request_.orbit.interrupted(); }
  bool fail(std::string message, bool by_newton = false) {
    message_ = std::move(message);
    newton_failed_ = by_newton;
    return false;
  }
  void set_parameter(double value);
  void restore() { set_parameter(request_.from); }
  static std::vector<double> state_of(const BranchPlace& place) {
    return {place.y.data(), place.y.data() + place.y.size()};
  }

  // Newton's method
  /// The period of the drive at a value of the parameter.
  std::optional<double> drive_at(double parameter);
  bool linearise(BranchPlace& place);
  /// The rates vanish.
  bool linearise_rest(const std::vector<double>& y);
  /// Rows for deviations of the start, of the period and of the parameter: what is to vanish, the phase of an
  /// orbit, and what is held. Columns are in units of the sizes.
  Eigen::MatrixXd rows(const Linear& linear) const;
  BranchPlace place_of(const Eigen::VectorXd& change, const Linear& linear) const;
  /// The product with a direction, on the same columns.
  Eigen::RowVectorXd border(const BranchPlace& direction, const Linear& linear) const;
  double product(const BranchPlace& a, const BranchPlace& b) const;
  /// By what entries of a state are measured, beside the size: no unit of length or time decides.
  const Eigen::VectorXd& units() const { return request_.rest ? rest_units_ : map_.sizes(); }
  Eigen::VectorXd in_units(const Eigen::VectorXd& y) const { return y.cwiseQuotient(units()); }
  /// What is to vanish, and its rows, beside the size.
  Eigen::VectorXd row_units() const { return units() * size_ * (request_.rest ? rest_rate_ : 1.0); }
  /// How fast deviations of a place of rest swing, or die out.
  void measure_rest(const Eigen::MatrixXd& by_state);
  static BranchPlace scaled(BranchPlace place, double by);
  static BranchPlace sum(BranchPlace a, const BranchPlace& b);
  /// Directions along which nothing changes, the most certain last.
  std::vector<BranchPlace> kernel(const Linear& linear, std::size_t count) const;
  std::optional<BranchPlace> tangent(const Linear& linear);
  /// Back onto the constraints, with what is held; a period that follows a drive, back to it.
  bool bring_back(BranchPlace& place);
  /// Newton's method with one more row: the distance along `direction` from `predicted` stays zero.
  bool correct(BranchPlace& place, const BranchPlace& predicted, const BranchPlace& direction);
  /// The first place of rest: Newton's method from farther away, each step as long as it makes rates less.
  bool come_to_rest(BranchPlace& place);
  /// At one value of the parameter.
  bool correct_at(BranchPlace& place, double parameter);
  /// Of a period that a person gave. At the place that was linearised last.
  bool closes_again(const BranchPlace& place);
  BranchPoint point_of(const BranchPlace& place);

  // special points
  /// What changes at special points, told by numbers that jump there.
  struct Signs {
    bool forward = true;  ///< the parameter grows along the branch
    int real = 0;         ///< parity of real multipliers beyond 1, of positive exponents
    int doubled = 0;      ///< parity of those beyond -1
    int growing = 0;      ///< real or not: two real ones that meet and become a pair grow as before
  };
  /// By how much it grows: beyond the unit circle, or the imaginary axis.
  double excess(const Multiplier& one) const;
  Signs signs_of(const BranchPoint& point, const BranchPlace& direction) const;
  std::optional<SpecialKind> change(const Signs& a, const Signs& b) const;
  /// More happened between them than one kind explains.
  static bool are_several(const Signs& a, const Signs& b);
  /// Two that begin to grow at once are a pair, or two real ones, as a symmetry makes them.
  SpecialKind kind_at(SpecialKind kind, const BranchPoint& at) const;
  /// A number of a point that passes zero with the spectrum, without a margin. `rank` stand above it.
  struct Measure {
    enum Kind { none, growth, paired } kind = none;
    bool at_minus_one = false;
    std::size_t rank = 0;
  };
  /// The sorted parts by which all grow are continuous along a branch. Where the spectrum is in pairs and one
  /// that does not grow stays on the circle or the axis, what passes zero is (mu + 1/mu)/2 - 1, or the
  /// square.
  double value_of(const Measure& measure, const BranchPoint& point) const;
  Measure measure_of(SpecialKind kind, const BranchPoint& one, const Signs& before, const BranchPoint& two,
                     const Signs& after) const;
  /// The root of the measure by secants that keep a bracket (Illinois), for a fold that of the change of the
  /// parameter along the branch; halves the way by the signs where there is none. A branch that turns back
  /// where another crosses has a branching there. False where it was not found; it is told all the same.
  bool locate(const BranchPlace& from, const BranchPlace& direction, double length, const Signs& before,
              SpecialKind kind, FamilyBranch& branch, const BranchPoint& next, const Signs& after,
              const BranchPlace& turned);

  /// A place of a branch, by its distance along a direction, with a number that passes zero.
  struct Sample {
    double s = 0, value = 0;
    BranchPlace place;
  };
  /// Where branches cross Newton's method has no digits, while places and numbers stay smooth along a branch:
  /// the zero between samples by interpolation, and the place there. Nothing where fewer samples do not agree
  /// with all of them.
  std::optional<Sample> zero_between(std::vector<Sample> samples) const;
  /// Samples on both sides of a place of a branch, where Newton's method ends.
  void add_samples(const BranchPlace& from, const BranchPlace& direction, double s, double length,
                   const std::function<double(const BranchPlace&)>& value, std::vector<Sample>& samples);
  /// Two directions along which nothing changes, to a part of the largest change: branches cross here, or a
  /// family stands here.
  bool is_crossed(const Linear& linear, double within = 1e-7) const;
  /// So near to a crossing that a place may be one of the other branch. At the place that was linearised
  /// last.
  bool is_vague(const BranchPlace& direction) const {
    return is_crossed(linear_) || product(turned_from(direction), direction) < 0.9;
  }
  /// That of the branch at the place that was linearised last; where branches cross, the one before it.
  BranchPlace turned_from(const BranchPlace& direction) const;

  // where motions shrink to a place of rest
  /// The place of rest near y at one value of the parameter.
  bool rest_near(Eigen::VectorXd& y, double parameter);
  /// Periodic motions that shrink between two places end where a pair of exponents of a place of rest passes
  /// the imaginary axis; false where there is none near.
  bool ends_at_rest(FamilyBranch& branch, const BranchPlace& place, const Eigen::VectorXd& flow,
                    const BranchPlace& next);

  // branches that are known
  /// Two places that differ by rounding, beside the unit and beside themselves.
  bool is_one(const BranchPlace& one, const BranchPlace& two) const;
  /// Whether two points with one parameter are one motion, or have the same period and spectrum.
  Likeness likeness_of(const BranchPoint& one, const BranchPoint& two);
  /// What a point is to a branch, at the place of that with the same parameter.
  Likeness likeness_to(const BranchPoint& point, const FamilyBranch& branch);
  /// The branch comes back to its first point between two places.
  bool is_closed(const BranchPoint& first, const BranchPlace& first_direction, const BranchPlace& place,
                 const BranchPlace& next, const BranchPlace& turned);
  /// It stays at one value of the parameter.
  bool is_family(const FamilyBranch& branch) const;
  /// What a branch is to those that were followed before it.
  void compare(FamilyBranch& branch, const std::vector<FamilyBranch>& known);

  // branches
  /// At the place that was linearised last: a motion with other events than its neighbours is not the next
  /// one of their branch.
  bool has_events(const std::vector<std::size_t>& jumps) {
    return map_.jumps == jumps ||
           fail("other events happen in a period from here on: an impact or a reset begins or ends");
  }
  FamilyBranch follow(BranchPlace place, BranchPlace direction);

  // steps that stay on their branch
  /// The rows at one place on the columns of another.
  Eigen::MatrixXd rows_from(const Linear& linear, const Linear& base) const;
  /// How much the derivatives change between two places, beside what is solved for with those of the first:
  /// below 1 along a step the branch has one place at every distance (Newton and Kantorovich). Zero where
  /// errors of the derivatives are larger.
  double strain(const Linear& base, const BranchPlace& direction, const Linear& other) const;
  /// Where two folds lie within a step, as the cubic of the parameter with its slopes at both ends has them:
  /// the part of the step that is between them; zero where there are none.
  double turns_within(const BranchPlace& direction, double length, const BranchPlace& turned,
                      double change) const;
  /// Branches cross near a place: by Newton's method the state and the value of the
  /// parameter where derivatives vanish, with what is left open there (Lyapunov and Schmidt). Where that is
  /// not nothing branches only come near each other.
  bool crosses_near(BranchPlace place, double length);
  /// A step from a place to the one that was linearised last does not go over to another branch: the
  /// derivatives change little along it, or branches cross there. `crossed` is known after the first time.
  bool stays(const BranchPlace& place, const Linear& at, const BranchPlace& direction, double length,
             const BranchPlace& next, std::optional<bool>& crossed);

  /// Between two directions along the parameter the state changes quite otherwise: a step of this length may
  /// have gone over the end of a narrow branch to another one.
  bool bends(const BranchPlace& one, const BranchPlace& two, double length) const;
  /// What is small is so beside a state that has grown along a branch; the direction and the length are those
  /// of the new measure.
  void measure_again(const BranchPlace& place, BranchPlace& direction, double& length);
  /// How long the next step may be: the size of the motion may grow much along a branch.
  double longest_step(const BranchPlace& place, const BranchPlace& direction) const;
  void end_at(FamilyBranch& branch, const BranchPlace& place, const BranchPlace& next,
              const BranchPlace& direction, const Signs& before, double bound);
  /// The branch that crosses, on one side.
  FamilyBranch follow_crossing(const Crossing& crossing, double side);
  void follow_crossings(Branches& result);
  /// Where another branch crosses between two places: that is a point of this one, and no fold of its own.
  bool meets_crossing(FamilyBranch& branch, const BranchPlace& place, const BranchPlace& next);

  Evaluator& evaluator_;
  PerturbationEquations& perturbation_;
  DoublePoint values_;
  const BranchRequest& request_;
  ReturnMap map_;
  std::size_t n_;
  std::size_t positions_;
  double size_ = 1, first_size_ = 1, range_ = 1;
  Eigen::VectorXd rest_units_;
  double rest_rate_ = 1;
  bool has_period_ = false, newton_failed_ = false;
  bool is_measured_ = false;              ///< the first motion, or rest
  static constexpr double apart_ = 1e-5;  ///< no shorter steps are taken to tell special points apart
  int polish_ = 0;  ///< rounds of Newton's method after what is enough: exponents near 0 ask for the digits
  double digits_ = 1e-13;  ///< errors of what is to vanish and of its derivatives
  Linear linear_;
  Linear first_linear_;  ///< where the last correction began
  std::vector<Crossing> crossings_;
  struct Met {
    BranchPlace at;
    BranchPoint point;
    std::size_t branch = 0;
  };
  std::vector<Met> met_;  ///< branchings of the branches that are known
  std::string message_;
};

}  // namespace liaison
