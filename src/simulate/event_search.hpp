#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "liaison/model/system.hpp"

namespace liaison {

/// The moments at which event functions change their sign along a motion.
class EventSearch {
 public:
  /// The values of all event functions at a time of the present step; false where they have none.
  using Values = std::function<bool(double t, double* values)>;

  explicit EventSearch(std::span<const Event> events);

  bool empty() const { return events_.empty(); }
  /// The values at which a run or a new piece of it begins.
  void begin(std::span<const double> values);
  /// After a jump of the state at an event: its function and those of events at the same time are at zero,
  /// whatever rounding says.
  void begin_after(std::size_t event, std::span<const double> values);

  struct Found {
    double t;
    std::size_t event;
    bool at_once = false;  ///< a reset that does not lead away from its own event
  };
  /// The first event in (begin, end], or nothing; the search goes on from there with the next call.
  std::optional<Found> next(double begin, double end, const Values& values);

  /// What has to be remembered between two steps.
  std::vector<double> memory() const;
  void recall(std::span<const double> memory);

 private:
  bool crosses(std::size_t event, double from, double to) const;
  double locate(std::size_t event, double low, double low_value, double high, double high_value,
                const Values& values);
  std::optional<Found> search(double from, double to, const Values& values);
  void gather(const Found& found);
  double find_departure(std::size_t event, double from, double to, const Values& values);

  std::span<const Event> events_;
  std::vector<double> last_;    ///< values at the time up to which the search has come; 0: just there
  std::vector<double> before_;  ///< the sign before the last event, where `last_` is 0 because of it
  std::vector<double> now_, trial_;
  std::vector<Found> pending_;  ///< at the same time as the last one
};

}  // namespace liaison
