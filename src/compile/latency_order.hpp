#pragma once

#include "value_flow.hpp"

namespace liaison {

/// Steps between calls in the order in which a processor could begin them: of those that wait for nothing the
/// first as given, but none far before one that waits. Results of a chain are then not waited for while there
/// is other work, and few more values live at a time. Linear in the number of steps.
void hide_latencies(ValueFlow& flow);

}  // namespace liaison
