#include "system_with_values.hpp"

#include "model/put_in.hpp"

namespace liaison {

System system_with_values(const System& system, const Substitution& values) {
  System result = system;
  result.claims.clear();
  result.outputs.clear();
  result.events.clear();
  result.start.clear();
  result.queries.clear();
  put_in(result, values);
  put_in(result.domain, values);
  std::erase_if(result.parameters,
                [&](const Parameter& parameter) { return values.contains(parameter.symbol); });
  for (Parameter& parameter : result.parameters) {
    parameter.value.reset();
    parameter.constant = {};
  }
  return result;
}

}  // namespace liaison
