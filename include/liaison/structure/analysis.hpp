#ifndef LIAISON_STRUCTURE_ANALYSIS_HPP
#define LIAISON_STRUCTURE_ANALYSIS_HPP

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "liaison/structure/abnormal_extremals.hpp"
#include "liaison/structure/constraint_flag.hpp"
#include "liaison/structure/equilibria.hpp"
#include "liaison/structure/facts.hpp"
#include "liaison/structure/first_integrals.hpp"
#include "liaison/structure/integrability.hpp"
#include "liaison/structure/invariant_measure.hpp"
#include "liaison/structure/momentum_equations.hpp"
#include "liaison/structure/special_pair.hpp"
#include "liaison/structure/special_parameter.hpp"
#include "liaison/structure/symmetries.hpp"
#include "liaison/structure/two_principles.hpp"

namespace liaison {

/// The questions of an analysis, in the order in which they are asked.
enum class AnalysisPart { constraints, vakonomic, symmetries, integrals, measure, integrability, equilibria };
std::string name_of(AnalysisPart part);                                    ///< "constraints"
std::optional<AnalysisPart> analysis_part_named(const std::string& name);  ///< nothing: there is none
const std::vector<AnalysisPart>& all_analysis_parts();

/// A field on the positions, by its components on the theta^i and on dt.
struct FieldOnPositions {
  std::vector<Expr> components;
  Expr time;
};

struct AnalysisOptions {
  std::vector<AnalysisPart> parts = all_analysis_parts();
  unsigned degree = 2;  ///< of first integrals in the velocities
  /// One or two parameters: for which of their values are there more of them? Empty: not asked.
  std::vector<Expr> vary;
  /// Of exact work for each part; the unknowns of a search grow with its third root.
  std::uint64_t budget = 1'000'000'000;
  std::vector<Expr> known;                ///< integrals of an earlier analysis
  std::optional<FieldOnPositions> field;  ///< is it a symmetry? Asked with the symmetries
  std::vector<AskedDrive> drives;         ///< what they must do at places of rest is told
};

/// What a system is: each part that was asked for, with how it is known.
struct Analysis {
  std::optional<ModelFacts> facts;  ///< nothing: they were not derived within the budget
  std::string no_flow;  ///< not empty: why the motion is no field in closed form, so that nothing is searched
  std::optional<ConstraintFlagResult> flag;
  std::optional<AbnormalExtremals> abnormal;
  std::optional<TwoPrinciples> principles;
  /// The flag and the principles are those of the parameters as given: what they say of general values is
  /// not so for these.
  bool flag_as_given = false, principles_as_given = false;
  std::optional<Symmetries> symmetries;
  std::optional<TestedSymmetry> tested;      ///< the field that was given
  std::optional<MomentumEquations> momenta;  ///< told with the symmetries, of relations between velocities
  std::optional<FirstIntegrals> integrals;
  std::optional<SpecialParameter> special;
  std::optional<SpecialPair> special_pair;  ///< where two parameters are asked about
  std::optional<InvariantMeasure> measure;
  std::optional<Integrability> integrability;  ///< told with the integrals
  std::optional<Equilibria> equilibria;
  std::vector<std::string> limits;  ///< parts that met the limits of the algebra, and what they say
  bool interrupted = false;         ///< what was found before is there
};

/// Told what is known before each part begins.
using AnalysisProgress = std::function<void(const Analysis& so_far)>;

Analysis analyze(Algebra& algebra, const Motion& motion, const AnalysisOptions& options,
                 const AnalysisProgress& progress = {});

}  // namespace liaison

#endif  // LIAISON_STRUCTURE_ANALYSIS_HPP
