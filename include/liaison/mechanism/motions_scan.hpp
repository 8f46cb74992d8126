#ifndef LIAISON_MECHANISM_MOTIONS_SCAN_HPP
#define LIAISON_MECHANISM_MOTIONS_SCAN_HPP

#include <string>
#include <vector>

#include "liaison/mechanism/evaluated_state.hpp"

/// What contacts allow over a range of states and parameters: where the motion is unique, where there are
/// several, and where there is none.
namespace liaison {

/// A state or parameter over a range: `count` values, the first and the last among them.
struct ScanRange {
  Expr symbol;
  Expr first, last;  ///< exactly as given
  std::size_t count = 0;
  double begin = 0, end = 0;

  const std::string& name() const { return symbol.symbol().name; }
  double value(std::size_t i) const;
};

/// "theta = 0:pi/2:91, f = 0:3:61", one or two. Throws Refused with bad_input.
std::vector<ScanRange> read_scan(const MechanismParts& parts, const GivenState& given,
                                 const std::string& text);

enum class ScanVerdict {
  unique,
  several,
  none,
  not_found,  ///< no motion was found, and not all were looked for
  impact,     ///< a contact closes: no accelerations are asked for before the impact
  no_state,   ///< a gap is negative, the constraints cannot be kept, or something has no value
};
std::string_view word_for(ScanVerdict verdict);

/// What is the same in a region: the verdict, and what the resting contacts do in each motion.
struct ScanKind {
  ScanVerdict verdict = ScanVerdict::unique;
  std::vector<std::string> motions;  ///< "floor slips, wall opens", one a motion
  std::string reason;                ///< of `impact` and `no_state`: "`floor` closes"

  bool operator==(const ScanKind&) const = default;
};
/// "several: floor opens | floor slips".
std::string text_of(const ScanKind& kind);

/// A change on the way from a grid point to the next one.
struct ScanBoundary {
  std::size_t axis = 0;               ///< the range along which it was looked for
  std::size_t i = 0, j = 0;           ///< the grid point before it
  double value = 0;                   ///< of that range
  std::size_t before = 0, after = 0;  ///< indices into `kinds`
};

struct MotionsScan {
  std::vector<ScanRange> ranges;  ///< one or two
  std::vector<ScanKind> kinds;    ///< all that were met
  std::vector<std::size_t> at;    ///< index into `kinds` at (i, j): i + j * ranges[0].count
  std::vector<ScanBoundary> boundaries;
  std::size_t evaluations = 0;  ///< of states, those of the boundaries among them
  std::size_t exact = 0;        ///< of these, where doubles did not decide
  std::size_t open = 0;         ///< of these, where the list of motions is not the last word

  std::size_t rows() const { return ranges.size() == 2 ? ranges[1].count : 1; }
  const ScanKind& kind(std::size_t i, std::size_t j) const { return kinds[at[i + j * ranges[0].count]]; }
};

/// Each state is completed from the constraints and from the contacts that touch, judged in doubles, and
/// exactly where these do not decide. Between neighbours of different kinds the change is found by bisection
/// down to the noise of the numbers. Throws Refused.
MotionsScan scan_motions(MechanismParts& parts, const GivenState& given,
                         const std::vector<std::string>& touching, const std::vector<ScanRange>& ranges);

}  // namespace liaison

#endif  // LIAISON_MECHANISM_MOTIONS_SCAN_HPP
