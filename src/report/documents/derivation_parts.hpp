#pragma once

#include "derivation_letters.hpp"
#include "liaison/mechanics/dependence.hpp"
#include "liaison/report/derivation.hpp"

namespace liaison {

/// What the sections of a derivation share.
struct DerivationContext {
  Algebra& algebra;
  const Motion& motion;
  const Manifold& manifold;
  const DerivationOptions& options;
  std::vector<Dependence> dependences;
  Letters letters;
};

/// Which constraints depend on each other or contradict each other, by name.
void add_dependences(const DerivationContext& context, Section& section,
                     const std::vector<Dependence>& dependences);
/// "2 a_roll − a_slip".
Math combination(const Motion& motion, const std::vector<Expr>& weights, const std::string& infix,
                 const std::string& unicode, const std::string& latex);
std::string names_of(const Motion& motion, const std::vector<Expr>& weights);
std::string listed(const std::vector<std::string>& words);  ///< "a, b and c"

/// What the time moves, and how it is asked for; empty where it moves nothing.
std::string drives_in_words(const System& system);

/// The same value with fewer minus signs and brackets.
Expr tidy(Expr e);
std::vector<Expr> tidy(const std::vector<Expr>& es);
Matrix tidy(const Matrix& matrix);

Section system_section(const DerivationContext& context);
Section omega_section(const DerivationContext& context);
Section free_motion_section(const DerivationContext& context);
Section constraints_section(const DerivationContext& context);
Section reactions_section(const DerivationContext& context);
Section reduced_section(const DerivationContext& context);
Section equations_section(const DerivationContext& context);
Section no_motion_section(const DerivationContext& context);
Section drives_section(const DerivationContext& context);
Section agreement_section(const DerivationContext& context);

Math equation(Expr left, Expr right);
Math name(const std::string& infix, const std::string& unicode, const std::string& latex);
/// "E", "e(roll)", "λ(roll)" with the name as an index.
Math indexed(const std::string& infix, const std::string& unicode, const std::string& latex,
             const std::string& index);
Math dotted(Expr symbol);  ///< its time derivative: ẋ of x, ṗ of p
/// Formulas left = right, one display each; where they are long, what they share is named first. `lead` is a
/// sentence without its point, as "the factors are": it stands before the formulas, behind the abbreviations.
void add_equations(const DerivationContext& context, Section& section, const std::string& key,
                   const std::vector<Math>& left, const std::vector<Expr>& right,
                   const std::vector<std::string>& keys, const Inline& lead = {});
/// The same as a table of two columns where every right side is short.
void add_components(const DerivationContext& context, Section& section, const std::string& key,
                    const std::vector<Inline>& header, const std::vector<Math>& left,
                    const std::vector<Expr>& right, const std::vector<std::string>& keys);
/// Written operations of a list: what is beyond the options' limit is not for reading, and is said to be so.
bool is_readable(const DerivationContext& context, std::span<const Expr> es);
/// "where a ≠ 0 and b ≠ 0", or nothing.
void add_conditions(const DerivationContext& context, Section& section, const Conditions& conditions);

}  // namespace liaison
