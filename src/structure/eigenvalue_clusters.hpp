#pragma once

#include <acb_mat.h>

namespace liaison {

/// Enclosures of all eigenvalues of a real matrix, also of defective ones, from approximations: those that
/// lie together are enclosed by one disc, which holds as many zeros of the characteristic polynomial as there
/// are (Pellet's theorem), and stands in `enclosed` as many times. The discs of two groups do not meet.
/// False: none were found.
bool enclose_clusters(acb_ptr enclosed, const acb_mat_t matrix, acb_srcptr near, long bits);

}  // namespace liaison
