#include "segments.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "motion_family.hpp"

namespace liaison {

Segment& Segments::at(const ContactHolds& holds) {
  ++uses_;
  const auto found = known_.find(holds);
  if (found != known_.end()) {
    found->second.used = uses_;
    return *found->second.segment;
  }
  if (known_.size() >= most_kept) forget_oldest();
  auto segment = std::make_unique<Segment>();
  segment->mode = modes_.mode(holds);
  segment->holds = holds;
  segment->equations = assemble_equations(algebra_, segment->mode.system);
  // Rows that may repeat each other are told by pivots of the whole matrix.
  EvaluatorOptions options = options_;
  const auto closed = std::count_if(holds.begin(), holds.end(), [](const ContactHold& one) {
    return one.kind == ContactHold::Kind::closed;
  });
  const bool needs_program = method_.name == "taylor";
  if (closed > 2 && !needs_program && options.assembly == Assembly::automatic)
    options.assembly = Assembly::factorised;
  segment->evaluator = std::make_unique<Evaluator>(segment->equations, parameters_, options);
  bool under_factors = false;  // then limits say nothing before the forces are known
  for (std::size_t c = 0; c < holds.size(); ++c)
    under_factors =
        under_factors || (holds[c].kind == ContactHold::Kind::closed && modes_.depends_on_factors(c));
  if (!segment->mode.cones.empty() && !under_factors) {
    segment->sharing = std::make_unique<LoadSharing>(algebra_, modes_, segment->mode, segment->equations,
                                                     parameters_, options_.engine);
    segment->evaluator->choose_open_factors(
        [&own = *segment](double t, const double* y, const auto& directions, std::vector<double>& factors) {
          own.sharing->choose(*own.evaluator, t, y, directions, factors);
        });
  }
  segment->integrator =
      make_integrator(method_in(holds), algebra_, segment->mode.system, *segment->evaluator, parameters_);
  segment->observations = observe(algebra_, segment->equations, parameters_, options_.engine);
  segment->observations.frictions.clear();  // those of contacts, which do not pull
  if (moved_)
    observe_work(algebra_, segment->equations, parameters_, options_.engine, segment->observations, true);
  return *known_.emplace(holds, Known{std::move(segment), uses_}).first->second.segment;
}

/// The method of the run, beside the slips in space of a mode.
MethodRequest Segments::method_in(const ContactHolds& holds) const {
  MethodRequest request = method_;
  for (std::size_t c = 0; slips_ && c < holds.size(); ++c) {
    for (std::size_t k = 0; k < holds[c].slips.size(); ++k) {
      if (holds[c].slips[k] == 0 || modes_.rows()[c].resisted[k].size() != 2) continue;
      request.slips = [this, holds](double t, const double* y, std::vector<double>& pairs) {
        return slips_(holds, t, y, pairs);
      };
    }
  }
  return request;
}

Integrator& Segments::starter(Segment& segment) {
  return made(segment, segment.starter, "dop853");
}

Integrator& Segments::stiff_starter(Segment& segment) {
  // What begins is slow: its tolerance counts beside the slip, not beside the motion to come.
  constexpr double slow = 1e-5, finer = 0.03;
  return made(segment, segment.stiff_starter, "bdf", slow, finer);
}

Integrator& Segments::made(Segment& segment, std::unique_ptr<Integrator>& place, const std::string& name,
                           double absolute, double relative) {
  constexpr double finest = 1e-13;
  if (method_.name == name && absolute == 1) return *segment.integrator;
  if (!place) {
    MethodRequest request = method_in(segment.holds);
    request.name = name;
    request.step = 0;
    request.tolerance.absolute *= absolute;
    if (relative < 1) request.tolerance.relative = std::max(finest, relative * request.tolerance.relative);
    place = make_integrator(request, algebra_, segment.mode.system, *segment.evaluator, parameters_);
  }
  return *place;
}

void Segments::forget_oldest() {
  const ContactHolds all_open(modes_.size());
  auto oldest = known_.end();
  for (auto one = known_.begin(); one != known_.end(); ++one) {
    if (one->first == all_open) continue;
    if (oldest == known_.end() || one->second.used < oldest->second.used) oldest = one;
  }
  known_.erase(oldest);
}

std::vector<double> Segment::kept(double t, const double* y) {
  std::vector<double> values(2 * observations.kept.size());
  rates_.resize(evaluator->size());
  if (!evaluator->rates(t, y, rates_.data()) ||
      !observations.kept_values.evaluate(t, y, rates_.data() + evaluator->position_count(),
                                         evaluator->factors(), values.data()))
    return {};
  return values;
}

std::optional<double> Segment::momentum_of_time(double t, const double* y) {
  double values[5];
  rates_.resize(evaluator->size());
  if (observations.work_values.size() == 0 || !evaluator->rates(t, y, rates_.data()) ||
      !observations.work_values.evaluate(t, y, rates_.data() + evaluator->position_count(),
                                         evaluator->factors(), values))
    return {};
  return values[4];
}

bool Segment::shares() const {
  return sharing && !evaluator->open_factors().empty();
}

Segment::EventsThere Segment::events_at_end(const SimulationResult& end, const SimulationOptions& how,
                                            double begin) {
  constexpr double rounding = 64 * std::numeric_limits<double>::epsilon();
  const std::size_t events = mode.system.events.size();
  EventsThere result;
  if (first_guard() == 0) return result;
  rates_.resize(evaluator->size());
  values_.resize(2 * events);
  if (!evaluator->rates(end.t, end.y.data(), rates_.data()) ||
      !observations.event_values.evaluate(end.t, end.y.data(), rates_.data() + evaluator->position_count(),
                                          evaluator->factors(), values_.data()))
    return result;
  const std::vector<double> values = values_, rates = rates_;
  // What has been told at a time from which the motion has not led it away is told.
  const auto is_the_same_zero = [&](std::size_t f, double t) {
    if (t == end.t) return true;
    if (std::abs(values[f]) > rounding * values[events + f]) return false;
    std::vector<double> y = end.y;
    for (std::size_t i = 0; i < y.size(); ++i) y[i] -= (end.t - t) * rates[i];
    return evaluator->rates(t, y.data(), rates_.data()) &&
           observations.event_values.evaluate(t, y.data(), rates_.data() + evaluator->position_count(),
                                              evaluator->factors(), values_.data()) &&
           std::abs(values_[f]) <= 2 * rounding * values_[events + f];
  };
  for (const EventRecord& record : end.events)
    if (record.event < first_guard() && is_the_same_zero(record.event, record.t))
      result.told.insert(record.event);
  for (const auto& [f, heading] : how.at_zero)
    if (f < first_guard() && is_the_same_zero(f, begin)) result.told.insert(f);
  for (std::size_t f = 0; f < first_guard(); ++f) {
    if (!result.told.contains(f) && std::abs(values[f]) > rounding * values[events + f])
      result.sides.emplace_back(f, values[f] > 0 ? 1 : -1);
  }
  return result;
}

void Segment::EventsThere::tell(SimulationOptions& how) const {
  for (const std::size_t event : told) how.at_zero.emplace_back(event, 0);
  how.came_from = sides;
}

void Segment::hold_guards(SimulationOptions& how) const {
  std::erase_if(how.came_from, [&](const auto& one) { return one.first >= first_guard(); });
  for (std::size_t g = 0; g < mode.guards.size(); ++g) {
    const Guard& guard = mode.guards[g];
    if (guard.kind != Guard::Kind::opens && guard.kind != Guard::Kind::slips) continue;
    // Forces that are shared are chosen within their limits, while there are such.
    const bool is_within = shares() && sharing->decides(guard) && sharing->margin() > limit_beside;
    if (!is_within) how.came_from.emplace_back(first_guard() + g, 1);
  }
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
  if (!shares()) return true;
  for (std::size_t g = 0; g < count; ++g) {
    if (!sharing->decides(mode.guards[g])) continue;
    values[g] = sharing->margin();
    sizes[g] = 1;
  }
  return true;
}

}  // namespace liaison
