#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "carried_over.hpp"
#include "compiled_event.hpp"
#include "liaison/simulate/contact_deviations.hpp"
#include "liaison/simulate/perturbation.hpp"
#include "liaison/simulate/runge_kutta.hpp"

namespace liaison {

/// One motion with its deviations.
class PerturbedRun {
 public:
  PerturbedRun(const AssembledEquations& equations, Evaluator& evaluator, PerturbationEquations& perturbation,
               const DoublePoint& values, const std::vector<EventRecord>& events, PerturbedState begin,
               const PerturbedRunOptions& options, const std::function<bool(const PerturbedState&)>& receive)
      : equations_(&equations),
        system_(equations.system),
        evaluator_(&evaluator),
        perturbation_(&perturbation),
        values_(values),
        options_(options),
        receive_(receive),
        n_(evaluator.size()),
        state_(std::move(begin)) {
    for (const EventRecord& record : events) {
      const auto change = options.contacts ? options.contacts->change_of(record.event) : std::nullopt;
      if (change && change->kind == ContactDeviations::Kind::held) {
        closed_.insert(change->contact);
        continue;
      }
      const bool resets = system_->events[record.event].action == EventAction::reset;
      if (resets && !record.touches && record.t > state_.t && record.t <= options.until)
        jumps_.push_back(record);
    }
    for (const EventRecord& record : jumps_) told_.push_back(record.t);
    switch_to(closed_);
  }

  PerturbedRunResult run();

 private:
  const std::string& failure() const { return message_.empty() ? perturbation_->failure() : message_; }
  bool fail(std::string message) {
    message_ = std::move(message);
    return false;
  }
  bool begin(DormandPrince& method);
  PerturbedRunResult end(SimulationOutcome outcome, const std::string& message);
  /// The motion, and each deviation by the matrix of the linearised equations along it.
  bool rates(double t, const double* z, double* dz);
  std::vector<double> packed() const;
  void unpack(double t, std::span<const double> z, PerturbedState& to) const;
  /// Back onto the constraints, and the deviations onto what these allow.
  bool settle(PerturbedState& state);
  /// False where one is not on the constraints, with a message, or where the receiver has enough.
  bool rows(DormandPrince& method);
  void unpack(double t, std::span<const double> z) { unpack(t, z, state_); }

  // where abs, sign, min and max change their side
  bool sides_at(double t, const double* y, std::vector<int>& sides);
  /// A motion that begins where a side changes goes to the side to which the argument moves, where the rates
  /// of both agree or all motions begin there: else deviations to the one and to the other side are not one.
  bool learn_sides();
  /// Whether a deviated motion begins where an argument is zero too.
  bool begins_on(std::span<const double> slope, const std::vector<double>& deviation) const;
  /// Where deviated motions leave the change with this one: the shortest moment behind it.
  bool leave_start();
  /// An argument that is zero and at rest at the start goes to the side of its acceleration. `time` is after
  /// which rounding leaves no doubt of that; zero: the side is not known.
  int side_from_rest(std::size_t argument, const std::vector<int>& sides, double& time);
  /// So long a moment on, by the midpoint, where all are on their sides.
  bool leave_rest(double step);
  /// Two rates at one state, to rounding.
  bool are_equal(std::span<const double> one, std::span<const double> two) const;
  /// A side that changes in the step that was just taken: the step shall end a little before. True where
  /// there is one; with a message where it is not passed, or where that is not known. One that changes where
  /// the step meets the next event is left to that.
  bool look_for_change(DormandPrince& method, double jump_time);
  /// Whether what is within an argument is just at its change: what the argument is there says nothing.
  bool holds_zero(std::size_t argument, const std::vector<int>& sides) const;
  /// Where steps fall to nothing before a change that is right ahead: it is passed from here.
  bool arrives_at_change();
  /// By which the time of a change may be wrong, as the motion is.
  double doubt_of_time() const;
  double doubt_beside(std::span<const double> one, std::span<const double> two) const;
  /// An argument of atan2 alone, where the other one is positive: only the half line beyond zero is a jump.
  bool is_smooth(std::size_t argument, double t, const double* y);
  std::string name_of_argument(std::size_t argument) const;
  /// One smooth argument of the state, of parameters and of the time.
  bool is_plain(std::size_t argument) const;
  bool may_pass(std::size_t argument);
  /// Across a change of form, by the rule of saltation without a reset. The last and the next moment are so
  /// short that their second order is below rounding; in between both sides are held.
  bool pass_change();
  double speed_of(std::span<const double> slope, std::span<const double> rates) const;
  /// The rates at the present state with these sides.
  bool rates_with(const std::vector<int>& sides, std::vector<double>& rates);
  /// Where arguments are zero together.
  struct Surface {
    std::vector<std::size_t> arguments;
    std::vector<double> slope;  ///< of the first one, by y, parameters and the time
    bool of_time;               ///< and no state: it comes at the same time to each
  };
  bool is_of_time(std::span<const double> slope) const;
  /// The other side of one of them, with those that arguments beside it have then.
  bool flip(const Surface& surface, const std::vector<Surface>& surfaces, std::vector<int>& sides);
  /// Arguments that jump where what is within them has changed its side have the side of where they come to.
  bool settle_nested(const std::vector<Surface>& surfaces, std::vector<int>& sides);
  /// The arguments at the present state with these sides within them, and the sizes of their terms.
  bool values_with(const std::vector<int>& sides, std::vector<double>& values, std::vector<double>& sizes);
  std::string name_of(const Surface& surface) const;
  /// One of its own, or one with another argument that is zero at the same places. False where an argument
  /// and one within it change together.
  bool add_surface(std::size_t argument, const std::vector<double>& slope, std::vector<Surface>& surfaces);
  /// All that change at the present state with an argument; the time until the next one that does not.
  bool meet_surfaces(std::size_t argument, std::span<const double> rates, std::vector<Surface>& surfaces,
                     double& next);
  /// Whether all that a motion carries over such a change is continuous, for the deviations too.
  bool carries_over(const Surface& surface, const std::vector<int>& before, const std::vector<int>& behind,
                    std::span<const double> rates, std::span<const std::vector<double>> deviations);
  /// The deviations behind all of them, and the rates there.
  bool pass_surfaces(const std::vector<Surface>& surfaces, const std::vector<double>& before,
                     std::vector<double>& after);
  /// By the rates and the matrix that were taken last.
  void advance(double step);
  void advance_deviations(double step);  ///< by the matrix that was taken last
  /// The derivatives of an argument by y, the parameters and the time; empty where there are none.
  std::vector<double> slope_of_argument(std::size_t argument);
  /// The inputs of what is compiled here, at the present state.
  std::vector<double> inputs_at(std::span<const double> rates) const;

  // resets
  /// What an event is to motions that come to it on one side of each argument of abs, sign, min and max in
  /// its own function, reset or impact that is zero there.
  struct Law {
    ChosenSides sides;
    std::vector<double> in;                   ///< the inputs of what is compiled, with sides
    std::vector<double> g;                    ///< by y, parameters and the time
    double when = 0, size = 0, speed = 0;     ///< its function, the size of that, along the motion
    bool passes = false;                      ///< its function does not only touch zero
    std::vector<std::vector<double>> slopes;  ///< of these arguments
    std::vector<int> forced;                  ///< sides that they have beside those within them; 0: either
  };
  /// How an event's function changes at the present state; with the rates and matrices of that state.
  struct Crossing {
    CompiledEvent* compiled = nullptr;
    std::string name = {};
    std::vector<double> before;        ///< the rates
    std::vector<double> g;             ///< by y, parameters and the time
    double speed = 0, left = 0;        ///< along the motion; the time to the event
    std::vector<Expr> zeros = {};      ///< arguments of its own that are zero there
    double near = 0;                   ///< how far in time their zeros are from it
    std::vector<Law> laws = {};        ///< with each set of their sides
    std::optional<Surface> side = {};  ///< that changes with it, and the rates beyond
    std::string side_name = {};
    std::vector<double> beyond = {};
  };
  bool cross(const EventRecord& record, Crossing& crossing);
  CompiledEvent& compiled_event(std::size_t event);
  /// The derivatives of a row of a function by y, the parameters and the time, with what these do to u' and
  /// the factors.
  std::vector<double> whole_slope(const CompiledMatrix& by_state, const CompiledMatrix& by_unknowns,
                                  Eigen::Index row) const;
  bool take_law(const Crossing& crossing, const std::vector<double>& plain, Law& law);
  /// All laws of an event at the present state: one where no argument of its own is zero there.
  bool take_laws(Crossing& crossing);
  /// Whether the event comes here by a law.
  bool is_at_event(const Crossing& crossing, const Law& law) const;
  /// What the event does with the state must be the same by all laws.
  struct LawValues {
    std::vector<double> value, size, rate;  ///< of the terms; along the motion
  };
  using ValuesOfLaw = std::function<bool(std::size_t law, LawValues& values)>;
  bool agree(const Crossing& crossing, const ValuesOfLaw& of);
  /// An argument of a motion at its own event, to first order; zero where it is zero there too.
  double value_at_event(std::span<const double> slope, const std::vector<double>& deviation,
                        std::span<const double> rates, double shift) const;
  /// How far in time a deviation takes the zeros of these arguments from its event.
  double way_to_sides(const Crossing& crossing, const std::vector<double>& deviation) const;
  /// Whether a small part of a deviation, or of its opposite, has the sides of a law at its own event.
  bool comes_to(const Law& law, const Crossing& crossing, const std::vector<double>& deviation,
                std::span<const double> rates, double shift, int direction) const;
  bool refuse_sides(const Crossing& crossing);
  /// An event that the plain motion has before the end may come a little behind it here.
  bool return_to_end();
  /// The motion beside its deviations takes other steps than the plain one, and comes to an event at a time
  /// of its own: a reset at the other's time would drop how errors move the event, and they would grow. True
  /// where the step was taken back or the event is ahead; with a message where it is not found.
  bool seek_own_time(EventRecord& record, double told, int& rounds, const PerturbedState& step_begin,
                     Crossing& crossing);
  bool jump(const EventRecord& record, Crossing& crossing);
  /// What changes its side at the event too.
  bool meet_event(Crossing& crossing);
  /// The sides and rates behind an event; with those on the other side of what is zero there.
  struct Behind {
    std::vector<double> rates, beyond;
    std::optional<Surface> side;  ///< where the rates differ
    bool is_on_change = false;    ///< an argument is zero, whatever the rates are
  };
  bool refuse_two(const Surface& one, const Surface& two);
  bool leave_event(const Crossing& crossing, Behind& behind);
  /// A short moment on, where an event ended on a change of form.
  bool leave_sides();
  /// The deviations behind an event: `next` is what a law makes of one that is at its own event.
  using Reset =
      std::function<std::vector<double>(std::size_t law, const std::vector<double>& moved, double shift)>;
  bool shift_deviations(const Crossing& crossing, const Reset& next);
  /// What a reset does not give follows the constraints. Where that is more than rounding the least change in
  /// the mass metric is no linear rule.
  bool project_rest(const Event& event, std::vector<double>& after, const std::vector<bool>& given);

  // contacts
  void switch_to(ContactDeviations::Closed closed);
  /// An impact, or the end of a contact, and the mode behind it.
  bool change_contacts(const ContactDeviations::Change& change, const Crossing& crossing);
  /// A gap that comes to zero in the step that was just taken and does not pass it.
  bool grazes(DormandPrince& method);

  const AssembledEquations* equations_;
  const System* system_;
  Evaluator* evaluator_;
  PerturbationEquations* perturbation_;
  const DoublePoint& values_;
  const PerturbedRunOptions& options_;
  const std::function<bool(const PerturbedState&)>& receive_;
  std::size_t n_;
  PerturbedState state_;
  double begin_ = 0, last_row_ = -INFINITY, last_jump_ = 0, length_ = 0;  ///< length_: of steps
  std::size_t next_row_ = 1;
  std::vector<EventRecord> jumps_;  ///< at the times of this motion, as they are found
  std::vector<double> told_;        ///< when they came in the plain one
  using InMode = std::pair<const System*, std::size_t>;
  std::map<InMode, CompiledEvent> compiled_;
  std::map<InMode, CompiledMatrix> argument_slopes_;
  struct Cuts {
    std::size_t count;
    Runner values;  ///< the second arguments of atan2; none where something else has the argument too
  };
  std::map<InMode, Cuts> cuts_;
  std::map<const System*, CarriedOver> carried_;
  ContactDeviations::Closed closed_;
  std::vector<double> widest_, opened_;  ///< of each gap; since contacts changed
  std::vector<int> sides_;
  std::vector<double> leaving_;  ///< rates behind an event that ended on a change of form
  struct Change {
    std::size_t argument;
    double target, room;  ///< where the step before it ends, and how far from it that is
    int rounds;           ///< for which it was sought
  };
  std::optional<Change> change_;  ///< of a side, ahead
  bool keeps_relations_ = false;
  std::string message_;
  PerturbedRunResult result_;
};

}  // namespace liaison
