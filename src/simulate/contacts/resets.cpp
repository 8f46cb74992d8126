#include "resets.hpp"

#include <fmt/format.h>

namespace liaison {

std::string reset(Segment& segment, std::size_t event, Segment& open, SegmentResults& total, RunPlace& at) {
  const std::vector<std::size_t>& targets = segment.observations.reset_targets[event];
  std::vector<double> rates(at.y.size()), values(targets.size()), changed = at.y;
  std::vector<bool> given(at.y.size(), false);
  const std::string& name = segment.mode.system.events[event].name;
  if (!segment.evaluator->rates(at.t, at.y.data(), rates.data()) ||
      !segment.observations.reset_values[event].evaluate(at.t, at.y.data(),
                                                         rates.data() + segment.evaluator->position_count(),
                                                         segment.evaluator->factors(), values.data()))
    return fmt::format("the reset of the event `{}` has no value", name);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    changed[targets[i]] = values[i];
    given[targets[i]] = true;
  }
  if (const std::string why = open.evaluator->project_rest(at.t, changed.data(), given); !why.empty())
    return fmt::format("after the event `{}` {}", name, why);
  total.reset(open, event, at.t, at.y, changed);
  at.y = std::move(changed);
  return {};
}

}  // namespace liaison
