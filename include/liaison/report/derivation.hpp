#ifndef LIAISON_REPORT_DERIVATION_HPP
#define LIAISON_REPORT_DERIVATION_HPP

#include <vector>

#include "liaison/mechanics/formulation.hpp"
#include "liaison/mechanics/motion.hpp"
#include "liaison/model/drives.hpp"
#include "liaison/report/document.hpp"

namespace liaison {

struct DerivationOptions {
  std::vector<RoadTaken> roads;  ///< further roads to show; the equations of one that is alone
  bool lead = false;             ///< the equations of the road that was taken stand before the 2-form
  AskedDrives drives;            ///< what they add to the equations of the coordinates is shown
  std::size_t naming_threshold =
      60;                            ///< written operations of a section from which on shared parts are named
  std::size_t readable_limit = 400;  ///< written operations beyond which a closed form is not written out
};

/// The derivation of a system, step by step: the data, Omega, E, each e^h, r and its determinant, the
/// reactions, the reduced form, the equations, and under which conditions they hold.
Document derivation_of(Algebra& algebra, const Motion& motion, const DerivationOptions& options = {});

}  // namespace liaison

#endif  // LIAISON_REPORT_DERIVATION_HPP
