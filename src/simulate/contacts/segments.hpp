#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "contact_modes.hpp"
#include "liaison/simulate/methods.hpp"
#include "liaison/simulate/simulation.hpp"
#include "load_sharing.hpp"

namespace liaison {

/// A motion in one mode of all contacts, compiled.
struct Segment {
  ContactModes::Mode mode;
  ContactHolds holds;
  AssembledEquations equations;
  std::unique_ptr<LoadSharing> sharing;  ///< its evaluator asks it where factors are open
  std::unique_ptr<Evaluator> evaluator;
  std::unique_ptr<Integrator> integrator;
  std::unique_ptr<Integrator> starter;        ///< in its place at a start; null: it starts by itself
  std::unique_ptr<Integrator> stiff_starter;  ///< the same where a slip in space begins
  Observations observations;

  std::size_t first_guard() const { return mode.system.events.size() - mode.guards.size(); }
  /// The guards with the sizes of their terms, at a state; of contacts that share what they carry each is the
  /// margin of all. False where one has no value.
  bool guards(double t, const double* y, std::vector<double>& values, std::vector<double>& sizes);
  /// Where the mode ended: the events of the model that happened there, and the sides of zero on which the
  /// others are, but for what is zero or has no value.
  struct EventsThere {
    std::set<std::size_t> told;
    std::vector<std::pair<std::size_t, int>> sides;
    void tell(SimulationOptions& how) const;  ///< the next mode, which begins there
  };
  EventsThere events_at_end(const SimulationResult& end, const SimulationOptions& how, double begin);
  /// What keeps a contact pressed and sticking holds where the mode begins: what is at its limit there, or
  /// beyond it by less than can be told, ends the mode when it leaves to the wrong side.
  void hold_guards(SimulationOptions& how) const;
  /// The quantities that are watched, then the sizes of their terms; nothing where they have no values.
  std::vector<double> kept(double t, const double* y);
  /// The momentum that goes with the time where positions are moved; nothing where no work is watched.
  std::optional<double> momentum_of_time(double t, const double* y);
  /// At the last rates of the evaluator, factors are open.
  bool shares() const;

 private:
  std::vector<double> rates_, values_;
};

/// Segments by their modes, each made when it is first needed. Of many the one that was used the longest ago
/// is forgotten, but never the one with all contacts open, which others refer to.
class Segments {
 public:
  /// `moved`: contacts or constraints of the model are, so that they work.
  Segments(Algebra& algebra, const ContactModes& modes, const DoublePoint& parameters,
           const MethodRequest& method, const EvaluatorOptions& options, bool moved)
      : algebra_(algebra),
        modes_(modes),
        parameters_(parameters),
        method_(method),
        options_(options),
        moved_(moved) {}

  /// Slips in space of a mode, of which the methods for stiff equations ask.
  using SlipsOfMode =
      std::function<bool(const ContactHolds& holds, double t, const double* y, std::vector<double>& pairs)>;
  void tell_slips(SlipsOfMode slips) { slips_ = std::move(slips); }
  Segment& at(const ContactHolds& holds);
  /// The method of one step with which a mode starts, where a contact has just let go: a multistep method
  /// begins with steps in which its own error hides on which side of zero a gap is.
  Integrator& starter(Segment& segment);
  /// Where a slip along a surface in space begins, friction turns it into its direction within a time that is
  /// short beside all others: a method for stiff equations.
  Integrator& stiff_starter(Segment& segment);
  Segment& open() { return at(ContactHolds(modes_.size())); }  ///< all contacts are

 private:
  static constexpr std::size_t most_kept = 256;
  struct Known {
    std::unique_ptr<Segment> segment;
    std::size_t used = 0;  ///< when, counted
  };
  void forget_oldest();
  MethodRequest method_in(const ContactHolds& holds) const;
  Integrator& made(Segment& segment, std::unique_ptr<Integrator>& place, const std::string& name,
                   double absolute = 1, double relative = 1);

  Algebra& algebra_;
  const ContactModes& modes_;
  DoublePoint parameters_;
  MethodRequest method_;
  SlipsOfMode slips_;
  EvaluatorOptions options_;
  bool moved_;
  std::map<ContactHolds, Known> known_;
  std::size_t uses_ = 0;
};

}  // namespace liaison
