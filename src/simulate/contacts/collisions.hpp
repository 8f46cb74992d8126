#pragma once

#include <optional>
#include <vector>

#include "branch_tree.hpp"
#include "impact_history.hpp"
#include "impact_sides.hpp"
#include "liaison/simulate/compliant_layer.hpp"
#include "liaison/simulate/contact_run.hpp"
#include "run_place.hpp"
#include "segment_results.hpp"
#include "segments.hpp"

namespace liaison {

/// The impacts of a run.
class Collisions {
 public:
  Collisions(ContactFrame& frame, Segments& segments, ImpactSides& sides, const ContactModes& modes,
             const ContactOptions& options, SegmentResults& total, BranchTree& tree, double tolerance);

  /// An open contact that approaches and is closed to the tolerance of the state: it closes at the time of
  /// the others as far as that is known.
  bool closes_with_others(const RunPlace& at, std::size_t contact);
  /// Closed contacts of which some approach. False where the run ends, which `total` says.
  bool collide(RunPlace& at, const std::vector<std::size_t>& closed);
  /// A tangential impact, where contacts at rest along their normals allow no motion.
  bool jam(RunPlace& at, const std::vector<std::size_t>& resting);
  /// Contacts that give way a little, through the short while in which they decide: velocities that
  /// jump then are changed. Nothing where they do not settle, which ends the run. `forces`: of all rows, as
  /// the motion came here; may be empty. `account`: what was assumed, and how much hangs on it.
  std::optional<CompliantEnd> give_way(RunPlace& at, const std::vector<std::size_t>& resting,
                                       const std::vector<double>& forces, double time_scale,
                                       std::string& account);
  /// A contact that comes back sooner than the time can tell: its impacts have come to an end, but for one
  /// without restitution where it approaches.
  void come_to_rest(std::size_t contact, double t, bool approaches);

 private:
  void say_order(double t, const ImpactProblem& problem, const Impacts& at_once,
                 const std::vector<std::size_t>& closed);
  Impacts results_of(const ImpactSides::Ways& ways) const;
  void add_accumulation(const Accumulation& one);
  void close(RunPlace& at, const std::vector<std::size_t>& closed);
  void apply(RunPlace& at, const Impact& impact, const ImpactProblem& problem,
             const std::vector<std::size_t>& closed, double speed);
  void split_energy(ImpactRecord& record, const ContactFrame::ImpulseWork& work,
                    const std::vector<double>& before, const std::vector<double>& after);
  static double gain_of(const Impact& impact, const ImpactProblem& problem);
  std::string in_words(const Impact& impact, const ImpactProblem& problem,
                       const std::vector<std::size_t>& closed) const;

  ContactFrame& frame_;
  Segments& segments_;
  ImpactSides& sides_;
  const ContactModes& modes_;
  const ContactOptions& options_;
  SegmentResults& total_;
  BranchTree& tree_;
  double tolerance_;
  ImpactHistory history_;
  std::vector<std::size_t> joined_;  ///< contacts that were taken to close with others at the next impact
  bool order_is_said_ = false;
  std::size_t orders_asked_ = 0;  ///< of contacts of which one closes
  std::set<std::size_t> spent_;   ///< contacts whose next impact has no restitution
};

}  // namespace liaison
