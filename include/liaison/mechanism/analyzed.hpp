#ifndef LIAISON_MECHANISM_ANALYZED_HPP
#define LIAISON_MECHANISM_ANALYZED_HPP

#include <string>
#include <vector>

#include "liaison/mechanism/parts.hpp"
#include "liaison/structure/analysis.hpp"

namespace liaison {

/// The parts that names stand for; all of no names. Throws Refused, naming the nearest part.
std::vector<AnalysisPart> analysis_parts_named(const std::vector<std::string>& names);

/// The parameter of that name. Throws Refused, naming the nearest one.
Expr parameter_named(const System& system, const std::string& option, const std::string& name);

/// "x = -y, y = x": components by coordinates (of a rotation by its velocities) and `t`, zero where none is
/// given. Throws Refused.
FieldOnPositions field_on_positions(const System& system, const std::string& option, const std::string& text);

/// What the system is. What was found before an interrupt is kept; throws Refused.
Analysis analyze_parts(MechanismParts& parts, const AnalysisOptions& options,
                       const AnalysisProgress& progress = {});

}  // namespace liaison

#endif  // LIAISON_MECHANISM_ANALYZED_HPP
