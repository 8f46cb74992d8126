#include "search_anew.hpp"

#include <algorithm>

#include "integral_search.hpp"
#include "liaison/algebra/algebra.hpp"
#include "liaison/expr/traverse.hpp"
#include "system_with_values.hpp"

namespace liaison {

namespace {

void search(Algebra& algebra, const StateFlow& general, const IntegralOptions& options,
            const Substitution& values, const FirstIntegrals& for_all, SearchedAnew& result) {
  const System system = system_with_values(*general.motion->space.system, values);
  const Motion motion = derive_motion(algebra, system);
  const Standing standing = standing_of(algebra, motion);
  const StateFlowResult derived = derive_state_flow(algebra, motion, standing);
  if (!derived.flow) {
    result.is_empty = !standing.has_states();
    result.reason = derived.reason;
    return;
  }
  IntegralOptions asked = options;
  asked.known.clear();
  for (const FirstIntegral& known : for_all.found) {
    if (const auto e = value_with(algebra, known.expression, values); e && known.origin == "search")
      asked.known.push_back(*e);
  }
  FirstIntegrals found = find_first_integrals(algebra, *derived.flow, asked);
  result.count = found.found.size();
  result.searched = std::move(found.generic);
  result.independence = found.independence;
  for (FirstIntegral& integral : found.found) {
    const bool is_named = std::any_of(for_all.found.begin(), for_all.found.end(), [&](const auto& known) {
      return known.origin == integral.origin && known.origin != "search";
    });
    if (!is_named && integral.origin != "found before") result.further.push_back(std::move(integral));
  }
  if (algebra.options().is_interrupted()) result.reason = "interrupted";
}

}  // namespace

SearchedAnew search_anew(Algebra& algebra, const StateFlow& flow, const IntegralOptions& options,
                         const Substitution& values, const FirstIntegrals& for_all) {
  SearchedAnew result;
  try {
    search(algebra, flow, options, values, for_all, result);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::limit_reached && algebra.options().is_interrupted()) {
      result.reason = "interrupted";
    } else {
      result.reason = error.what();
    }
  }
  return result;
}

}  // namespace liaison
