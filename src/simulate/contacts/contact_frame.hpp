#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "contact_modes.hpp"
#include "liaison/simulate/quantities.hpp"
#include "liaison/unilateral/impact.hpp"
#include "liaison/unilateral/many_contacts.hpp"
#include "liaison/unilateral/mode_problem.hpp"

namespace liaison {

/// A number with the sum of the sizes of its terms, by which zero is judged.
struct SizedNumber {
  double value = 0, size = 0;
  /// Not zero beside its terms; a number whose terms are all zero is zero.
  int sign() const;
};

/// The gaps, slips, coefficients and couplings of all contacts at a state, in doubles.
class ContactFrame {
 public:
  ContactFrame(Algebra& algebra, const ContactModes& modes, const DoublePoint& parameters, Engine engine,
               ParameterUse use = ParameterUse::folded);
  ~ContactFrame();
  /// Other values for the parameters, where they are inputs.
  void set_parameters(const DoublePoint& parameters);

  const AssembledEquations& equations() const { return equations_; }
  std::vector<double> pack(const DoublePoint& state) const { return evaluator_->pack(state); }
  /// False where something has no value; failure() says what. `factors`, of all rows: what coefficients
  /// depend on; without them those that do are not asked for.
  bool take(double t, const double* y, std::span<const double> factors = {});
  /// At some state at which responses were asked for the constraints that cannot open depend on each other,
  /// as far as doubles tell: their forces are then the least that keep them.
  bool has_met_dependent_constraints() const { return met_dependent_; }
  const std::string& failure() const { return failure_; }

  SizedNumber gap(std::size_t contact) const { return measured(at_[contact].gap); }
  SizedNumber rate(std::size_t contact) const { return measured(at_[contact].rate); }  ///< of the gap
  SizedNumber slip(std::size_t contact, std::size_t resistance, std::size_t component = 0) const;
  double speed(std::size_t contact, std::size_t resistance) const;  ///< of the slip
  bool moves(std::size_t contact, std::size_t resistance) const;    ///< some component of it is not zero
  double slipping(std::size_t contact, std::size_t resistance) const;
  double sticking(std::size_t contact, std::size_t resistance) const;
  double restitution(std::size_t contact) const { return values_[at_[contact].restitution]; }

  /// What a unit of a force does, in the metric of the mass: forces times these compare, in whatever units
  /// their relations are written. Of all relations, those that cannot open first; nothing where they have no
  /// value.
  const std::vector<double>& force_units();
  /// The same for rates: those over these compare.
  const std::vector<double>& rate_units();
  /// The largest of forces, one a relation, and of the load, in that measure.
  double force_of(std::span<const double> factors);

  /// The size of the terms of the rate of a row, which forces of that size give it: beside it rounding of the
  /// rate is judged.
  double rate_size(std::size_t row, double force);

  /// The same for the velocity of a row, by the whole motion: what the velocities are rounded to comes to it.
  double speed_size(std::size_t row);

  /// Of the gradient of a gap the length in the metric of the mass: zero where its force has no direction.
  std::optional<double> steepness(std::size_t contact);

  /// Whether the gap of a contact cannot change where the constraints that cannot open and some rows are
  /// kept: at this state, to the digits of its gradients.
  bool is_kept_by(std::size_t contact, const std::vector<std::size_t>& rows);
  bool are_kept_by(const std::vector<std::size_t>& own, const std::vector<std::size_t>& rows);

  /// A place where a gap bends, and the contact has no normal.
  struct Edge {
    Expr argument;     ///< zero there
    bool of_time;      ///< a wall that starts or stops
    int side;          ///< to which the motion goes; 0: it stays, or that is not known
    SizedNumber rate;  ///< of the gap on that side
    double time = 0;   ///< until the argument is zero, with its rate of now; negative: since then
  };
  /// The one that the state is on.
  std::optional<Edge> edge(std::size_t contact) const;
  /// The next one before or behind the state, along its velocities.
  std::optional<Edge> nearest_edge(std::size_t contact) const;

  /// The rows of some contacts, bilateral constraints eliminated, as ModeProblem asks for them: r, drives,
  /// accelerations. What slips along a surface in space is one row, in the direction of its slip. Forces and
  /// rates are measured in the metric of the mass, row by row, so that one noise serves all.
  struct Problem {
    ContactNumbers numbers;
    std::vector<ContactRows> contacts;
  };
  /// `slips`: of each contact and resistance whether it moves, judged by who knows.
  using Moving = std::vector<std::vector<bool>>;
  std::optional<Problem> problem(const std::vector<std::size_t>& contacts, const Moving& moving);
  /// The same for an impact.
  std::optional<ImpactProblem> impact(const std::vector<std::size_t>& contacts);
  /// Rates of the rows of those contacts, without forces of contacts.
  std::optional<std::vector<double>> drives(const std::vector<std::size_t>& contacts);
  /// The same for a step of time that would end with these velocities; `before` of the contacts is left to
  /// who knows it.
  std::optional<ManyContacts> step(const std::vector<std::size_t>& contacts,
                                   std::span<const double> velocities);
  /// Of the rows of all contacts those of some, in the order of their problems.
  std::vector<std::size_t> rows_of(const std::vector<std::size_t>& contacts) const;
  /// Impulses of those contacts, and what they ask of the constraints that cannot open, to the factors of all
  /// rows.
  void add_factors(const std::vector<std::size_t>& contacts, const std::vector<double>& impulses,
                   double* factors);
  /// Impulses of the rows of those contacts, in the order of the impact's problem.
  void add_impulses(const std::vector<std::size_t>& contacts, const std::vector<double>& impulses, double* y);
  /// Where an impact has taken all velocities but for the rounding of what they were before, in the metric of
  /// the mass, there are none. The frame has taken the state before.
  void drop_rounding(double* y);
  /// What impulses of those contacts do at the state before them: relative to the surfaces, which is what the
  /// law of impact takes or gives; and with the reactions of the constraints that cannot open, on the
  /// velocities of the coordinates (NaN where a chart has others), which is that and the work of what moves.
  struct ImpulseWork {
    double by_law = 0, of_all = 0;
    double size = 0;  ///< of the terms
  };
  ImpulseWork work_of(const std::vector<std::size_t>& contacts, const std::vector<double>& impulses);

 private:
  struct Places {
    std::size_t gap, rate, restitution;
    std::vector<std::vector<std::size_t>> slips;
    std::vector<std::size_t> slipping, sticking;
    struct Corner {
      Expr argument;
      bool of_time;
      std::size_t value, rate, rate_above, rate_below;
      std::vector<std::size_t> bend;
    };
    std::vector<Corner> corners;
  };
  bool bends(const Places::Corner& corner) const;
  Edge edge_at(const Places::Corner& corner) const;
  SizedNumber measured(std::size_t place) const { return {values_[place], values_[sized_ + place]}; }
  struct Factors;
  bool factorise();
  bool have_sense(const std::vector<std::size_t>& contacts);  ///< no coefficient is negative

  const ContactModes& modes_;
  AssembledEquations equations_;
  std::unique_ptr<Evaluator> evaluator_;
  Quantities quantities_;
  std::vector<Places> at_;
  std::size_t sized_ = 0;  ///< of the values how many have sizes, which follow them
  std::vector<double> values_, none_;
  std::string failure_;
  bool met_dependent_ = false;
  double t_ = 0;
  std::vector<double> y_;
  bool solved_ = false;
  Evaluator::Pieces pieces_;
  /// Of a force, bilateral constraints eliminated.
  struct Response {
    std::vector<double> fields, rates, factors;  ///< du/dt, rates of the rows, bilateral factors
  };
  Response response_of(std::span<const double> force, const std::vector<double>* bias) const;
  const Response& response(std::size_t row);
  std::unique_ptr<Factors> factors_;
  std::vector<double> force_units_, rate_units_;  ///< of all relations; empty while they are not asked for
  bool measure();
  double square_of(const std::vector<double>& rows, std::size_t place) const;
  std::vector<std::optional<Response>> responses_;  ///< of a unit of each row's, made when it is asked for
  Response free_;                                   ///< of no force of a contact
};

}  // namespace liaison
