#ifndef LIAISON_UNILATERAL_IMPACT_HPP
#define LIAISON_UNILATERAL_IMPACT_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// Impulses of contacts that close: what velocities are after an impact, by each law, and all of them.
namespace liaison {

enum class ImpactLaw {
  energetic,  ///< the work of the normal impulse on its way out is -e^2 times that on its way in
  newton,     ///< v_n+ >= -e v_n-, complementary to the normal impulse
  poisson,    ///< the normal impulse of the expansion is e times that of the compression
};
std::string_view word_for(ImpactLaw law);

/// A velocity that a contact resists: one row, or two of one length in space.
struct ImpactResistance {
  std::vector<std::size_t> rows;
  double slipping = 0, sticking = 0;  ///< coefficients; of rolling and pivoting: lengths
};
struct ImpactContact {
  std::size_t normal = 0;  ///< the row of the rate of its gap
  std::vector<ImpactResistance> resisted;
  double restitution = 0;
  std::string name = {};  ///< for `how`
};

/// Rows are velocities of the closed contacts, with an impulse each; constraints that cannot open are
/// eliminated:  v_k+ = v_k- + sum_h p_h r[h * n + k].
struct ImpactProblem {
  std::vector<double> r, velocity;
  std::vector<ImpactContact> contacts;
  ImpactLaw law = ImpactLaw::energetic;
};

struct Impact {
  std::vector<double> impulses, velocities;  ///< one a row; after
  double energy = 0;                         ///< change of T: sum of p (v- + v+)/2, where r is symmetric
  std::string how;  ///< its phases: "`floor` slips, sticks at p = 0.3, ..."; in a sequence the order
};

struct Impacts {
  std::vector<Impact> all;  ///< none: the law has no solution here, `remark` says why
  bool complete = true;     ///< nothing else solves the law; else `remark` says what was covered
  std::string remark;
};

/// All contacts at once, as one problem of the law. Contacts that no entry of r couples are told apart first.
///
/// Newton: one problem, Coulomb's law on the velocities after. Poisson and energetic with one contact follow
/// the path of its normal impulse p: friction opposes the slip of each moment, which may stop, stick or turn
/// back on the way. Poisson with several contacts: a problem of compression (v_n >= 0, complementary to p)
/// and one of expansion (what is beyond e p is complementary to v_n+ >= 0), Coulomb's law on the velocities
/// at the end of each.
///
/// Energetic with several contacts follows a common path: contacts that close, or have work to give back,
/// are pressed at equal rates; contacts at rest carry what keeps them from closing, without work. Each has an
/// account of its own and is pressed until it has given back e^2 of what it took, so for e <= 1 no energy is
/// made: normal impulses return at most what they took, and friction opposes slip all along.
///
/// Where impulses of redundant contacts are open and the velocities are not, those with the least sum of
/// squares are given.
Impacts simultaneous_impacts(const ImpactProblem& problem);
/// One contact after the other while one closes, in every order that can happen; equal ends are one.
Impacts sequential_impacts(const ImpactProblem& problem);
/// The tangential impact of contact `jammed`, which does not close (v_n = 0) but has no motion without an
/// impulse: the path of the normal impulse begins at rest of the normal (the rod that has no motion). No
/// impact where slip does not press it.
Impacts tangential_impact(const ImpactProblem& problem, std::size_t jammed);

}  // namespace liaison

#endif  // LIAISON_UNILATERAL_IMPACT_HPP
