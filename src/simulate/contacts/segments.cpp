#include "segments.hpp"

namespace liaison {

Segment& Segments::at(const ContactHolds& holds) {
  const auto found = known_.find(holds);
  if (found != known_.end()) return *found->second;
  if (known_.size() >= most_kept) known_.clear();
  auto segment = std::make_unique<Segment>();
  segment->mode = modes_.mode(holds);
  segment->equations = assemble_equations(algebra_, segment->mode.system);
  segment->evaluator = std::make_unique<Evaluator>(segment->equations, parameters_, options_);
  segment->integrator =
      make_integrator(method_, algebra_, segment->mode.system, *segment->evaluator, parameters_);
  segment->observations = observe(algebra_, segment->equations, parameters_, options_.engine);
  return *known_.emplace(holds, std::move(segment)).first->second;
}

bool Segment::guards(double t, const double* y, std::vector<double>& values, std::vector<double>& sizes) {
  rates_.resize(evaluator->size());
  const std::size_t events = mode.system.events.size(), count = mode.guards.size();
  values_.resize(2 * events);
  if (!evaluator->rates(t, y, rates_.data())) return false;
  if (events > 0 && !observations.event_values.evaluate(t, y, rates_.data() + evaluator->position_count(),
                                                        evaluator->factors(), values_.data()))
    return false;
  const auto first = values_.begin() + static_cast<std::ptrdiff_t>(first_guard());
  values.assign(first, first + static_cast<std::ptrdiff_t>(count));
  const auto first_size = first + static_cast<std::ptrdiff_t>(events);
  sizes.assign(first_size, first_size + static_cast<std::ptrdiff_t>(count));
  return true;
}

}  // namespace liaison
