#pragma once

#include "liaison/report/document.hpp"
#include "liaison/structure/analysis.hpp"

/// Sections of the page of an analysis that have a file of their own, and what they share.
namespace liaison {

/// " where x != 0, y != 0", or nothing.
Inline not_zero(const std::vector<Expr>& conditions);
/// " for all values of the parameters together", or nothing where there are none.
std::string for_all_values(const System& system);
/// "proved", or "checked where x != 0".
Inline with_conditions(const Verdict& verdict);

/// The parameter whose special values were asked for.
Section special_section(const System& system, const SpecialParameter& special);
/// The two parameters whose special pairs of values were asked for.
Section special_pair_section(const System& system, const SpecialPair& special);
Section integrability_section(const System& system, const Integrability& integrability);
Section measure_section(const System& system, const InvariantMeasure& measure);
Section principles_section(const TwoPrinciples& principles);
Section symmetries_section(const StateSpace& space, const Symmetries& symmetries);
/// The field that was given.
Section tested_field_section(const StateSpace& space, const TestedSymmetry& tested);
/// Fields along the symmetries that the constraints allow, and what becomes of their momenta.
Section momenta_section(const StateSpace& space, const MomentumEquations& momenta);

}  // namespace liaison
