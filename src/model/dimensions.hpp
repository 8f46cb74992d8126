#pragma once

#include <string>
#include <vector>

#include "liaison/model/dimension_of.hpp"
#include "liaison/model/system.hpp"
#include "scope.hpp"

namespace liaison {

/// Something whose dimension is expected: like * factor, times an energy if `energy` is set.
struct Obligation {
  Expr value;
  Span span;
  std::string what;       ///< "the kinetic energy"; empty: only its own sums are checked
  Expr like;              ///< another expression, or empty
  std::string like_what;  ///< "the right side"
  Dimension factor;
  bool energy = false;
};

class Obligations {
 public:
  void consistent(Expr value, Span span) { list_.push_back({value, span, {}, {}, {}, {}, false}); }
  void is(Expr value, Span span, std::string what, Dimension dimension) {
    list_.push_back({value, span, std::move(what), {}, {}, std::move(dimension), false});
  }
  /// An energy, or an energy divided by something.
  void energy(Expr value, Span span, std::string what, Expr per = {}, Dimension factor = {}) {
    list_.push_back({value, span, std::move(what), per, {}, std::move(factor), true});
  }
  void same(Expr value, Span span, std::string what, Expr like, std::string like_what) {
    list_.push_back({value, span, std::move(what), like, std::move(like_what), {}, false});
  }
  const std::vector<Obligation>& list() const { return list_; }
  std::vector<Obligation>& list() { return list_; }

 private:
  std::vector<Obligation> list_;
};

Dimension base_dimension(int metre, int kilogram, int second);

/// What a factor moves: the X of its power, or what its relation keeps; a number that stood alone on a side
/// has the unit of the other. Empty where there is none.
Expr moved_by_factor(const Constraint& constraint);
/// Power over the rate of what is moved.
Dimension dimension_of_factor(const Constraint& constraint, const Dimension& moved);

/// Finds the dimensions that no unit gives, and reports where they cannot be found: sums of unlike terms,
/// functions of something with a unit, unlike sides. Where there is nothing to report, what is known of what
/// uses tables.
ToldDimensions check_dimensions(const System& system, const Obligations& obligations, Reports& reports);

}  // namespace liaison
