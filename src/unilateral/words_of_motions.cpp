#include "liaison/unilateral/possible_motions.hpp"

namespace liaison {

std::string_view word_for(ContactCondition condition) {
  switch (condition) {
    case ContactCondition::open: return "open";
    case ContactCondition::separating: return "separating";
    case ContactCondition::resting: return "resting";
    case ContactCondition::closing: return "closing";
    case ContactCondition::violated: break;
  }
  return "violated";
}

std::string_view word_for(ContactMode mode) {
  switch (mode) {
    case ContactMode::opens: return "opens";
    case ContactMode::kept: return "kept";
    case ContactMode::sticks: return "sticks";
    case ContactMode::slips: return "slips";
    case ContactMode::touches: break;
  }
  return "touches";
}

std::string_view word_for(MotionVerdict verdict) {
  switch (verdict) {
    case MotionVerdict::unique: return "unique";
    case MotionVerdict::several: return "several";
    case MotionVerdict::none: break;
  }
  return "none";
}

}  // namespace liaison
