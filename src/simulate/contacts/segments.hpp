#pragma once

#include <map>
#include <memory>

#include "contact_modes.hpp"
#include "liaison/simulate/methods.hpp"
#include "liaison/simulate/observations.hpp"

namespace liaison {

/// A motion in one mode of all contacts, compiled.
struct Segment {
  ContactModes::Mode mode;
  AssembledEquations equations;
  std::unique_ptr<Evaluator> evaluator;
  std::unique_ptr<Integrator> integrator;
  Observations observations;

  std::size_t first_guard() const { return mode.system.events.size() - mode.guards.size(); }
  /// The guards with the sizes of their terms, at a state; false where one has no value.
  bool guards(double t, const double* y, std::vector<double>& values, std::vector<double>& sizes);

 private:
  std::vector<double> rates_, values_;
};

/// Segments by their modes, each made when it is first needed and kept.
class Segments {
 public:
  Segments(Algebra& algebra, const ContactModes& modes, const DoublePoint& parameters,
           const MethodRequest& method, const EvaluatorOptions& options)
      : algebra_(algebra), modes_(modes), parameters_(parameters), method_(method), options_(options) {}

  Segment& at(const ContactHolds& holds);

 private:
  static constexpr std::size_t most_kept = 256;

  Algebra& algebra_;
  const ContactModes& modes_;
  DoublePoint parameters_;
  MethodRequest method_;
  EvaluatorOptions options_;
  std::map<ContactHolds, std::unique_ptr<Segment>> known_;
};

}  // namespace liaison
