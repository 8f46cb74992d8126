#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "time_roots.hpp"

namespace liaison {

/// A zero of one of several functions of time.
struct Crossing {
  double t = 0;
  std::size_t function = 0;
  int before = 0, after = 0;  ///< the signs around it; 0 where it stays at zero for a while
  bool jumps = false;         ///< it changes its sign without being zero
  bool pole = false;          ///< it does so by growing without bound
  bool near = false;          ///< since the last zero it was no farther from zero than a touch may be
  bool several = false;       ///< zeros that are nearer to each other than doubles
  bool isolated = false;      ///< by balls: this double is told from those of the other zeros
  bool touches() const { return before == after; }
};

/// All zeros of functions along a step. Each function is followed by polynomials in Chebyshev's form on parts
/// of the step that are halved until the polynomial meets the function at further points; between the extrema
/// of a polynomial it is monotone, so that signs there tell every zero, which is then refined on the function
/// itself. What a function shows between the samples without showing at any of them is not seen: who knows of
/// such places gives breaks around them.
class CrossingSearch {
 public:
  /// The values of all functions at a time of the step, and to what size the terms of each add up, which is
  /// what rounding is measured by; false where there is no value.
  using Values = std::function<bool(double t, double* values, double* sizes)>;

  /// An extremum within `touch` of zero, relative to the terms of the function, is a zero at which it keeps
  /// its sign; so is one beyond zero, of a function that was far from it; else relative to its largest value
  /// in the step.
  CrossingSearch(std::size_t functions, double touch);
  /// For a function whose zeros decide how the motion goes on: one that is beyond zero by more than rounding
  /// has crossed it.
  void take_shallow(std::size_t function) { shallow_[function] = true; }
  /// Such a function may grow without bound, and change its sign so, which is no zero.
  void has_poles(std::size_t function) { poles_[function] = true; }

  /// A function of the time alone, which is known to rounding: so are its touches.
  void is_exact(std::size_t function) { exact_[function] = true; }

  /// Where such a function has an extremum next to zero, as a double tells it, at a time between two others,
  /// and a sign around it: its zeros there, none or two. Nothing: it touches, as far as can be told.
  using NextToZero = std::function<std::optional<std::vector<double>>(std::size_t function, double t,
                                                                      double low, double high, int side)>;
  void knows_zeros(NextToZero zeros) { zeros_ = std::move(zeros); }

  /// All zeros of such a function between two times, isolated by balls; nothing where these do not tell: then
  /// it is followed as the others.
  using AllZeros =
      std::function<std::optional<TimeRoots::Roots>(std::size_t function, double from, double to)>;
  void isolates(AllZeros zeros) { all_zeros_ = std::move(zeros); }
  /// Its zeros up to a time are known.
  void is_told_up_to(std::size_t function, double t);

  /// What the errors of the motion may do to a function at a time of the step: an extremum within `touch`
  /// that is farther from zero than that is none. Where it is not given, all within `touch` are.
  using Errors = std::function<double(std::size_t function, double t)>;
  void knows_errors(Errors errors) { errors_ = std::move(errors); }
  /// It was not farther from zero, in all searches, than what counts as a touch.
  bool was_never_away(std::size_t function) const;

  bool empty() const { return sides_.empty(); }
  /// The signs at which a run or a new piece of it begins. A function that is zero there crosses zero there,
  /// in the direction in which it leaves, unless `at_zero` says that this has been told.
  void begin(std::span<const double> values, std::span<const double> sizes);
  /// `heading`: the side to which it is on its way; 0: not known.
  void at_zero(std::size_t function, int heading = 0);
  /// At zero with a value that is an error of the motion, on its way to a side, though it may turn.
  void passes_zero(std::size_t function, int heading, double value);
  /// Until it has left zero, rounding of its rate may change it by this in a unit of time.
  void strays(std::size_t function, double rate) { sides_[function].strays = rate; }
  /// It is on a side, whatever its value at the beginning is.
  void on_side(std::size_t function, int side) { sides_[function].sign = side; }
  /// It was on a side, and a jump of the motion may have carried it to the other one: then it crosses zero at
  /// the beginning.
  void comes_from(std::size_t function, int side) {
    sides_[function].sign = side;
    sides_[function].carried = true;
  }

  struct Found {
    std::vector<Crossing> crossings;  ///< by time, then by function
    bool known = true;                ///< false: a function has no value at some time
    double unknown_at = 0;
    /// A part of the step, and the function that was not resolved on it.
    struct Unresolved {
      double begin, end;
      std::size_t function;
    };
    std::optional<Unresolved> unresolved;
    /// A function that was heading to one side of zero and is seen on the other alone: it came back sooner
    /// than numbers can tell.
    std::optional<std::size_t> again;
  };
  /// How a search ends. What is zero at its end, as far as the time is known, is told at once, as a crossing
  /// or a touch by the power of the time with which it comes to zero; or, where the motion goes on, by the
  /// next search, which sees on which side it leaves. At a kink the time of the end is known less exactly.
  enum class End { last, goes_on, kink };
  /// The zeros in (from, to], and at `from` where a function begins at zero; the search goes on from `to`.
  /// Times in `breaks` end parts: there functions may have kinks.
  Found between(double from, double to, const Values& values, std::span<const double> breaks = {},
                End end = End::last);
  /// What came to zero at the end of the last search and is left to one that does not come.
  std::vector<Crossing> left_open();

  /// It was on a side, and at the beginning it is at zero, or beyond it by less than can be told: how it
  /// leaves zero tells whether it crosses, where it can last not be told from zero.
  void comes_to_limit(std::size_t function, int side, double t);
  /// What its value there may be by rounding: until it is clearly beyond that it is at zero.
  void is_rounded_to(std::size_t function, double value) { sides_[function].rest = value; }

  /// The largest value of a function in the last searches.
  double scale(std::size_t function) const { return sides_[function].recent; }
  /// The sign of a function at the time up to which the search has come; 0: at zero.
  int side(std::size_t function) const { return sides_[function].sign; }

  std::vector<double> memory() const;
  void recall(std::span<const double> memory);

 private:
  struct Side {
    int sign = 0;
    bool told = false;     ///< at zero, and that has been told
    bool stays = false;    ///< at zero, for longer than rounding makes it
    int heading = 0;       ///< to which side it is on its way from there
    bool passes = false;   ///< because it came from the other
    double scale = 0;      ///< the largest value in the step
    double recent = 0;     ///< the largest value in the last steps, fading
    double ever = 0;       ///< the largest value in all searches
    double rest = -1;      ///< the size that it had at zero; negative: not yet known
    bool carried = false;  ///< on this side before a jump
    int came = 0;          ///< the side from which it came to zero, where that is not yet told
    double since = 0;      ///< when it did
    double approach = 0;   ///< how long before it was far from zero
    bool turns = false;    ///< it came with an even power of the time
    bool nears = false;    ///< at the end of the last search it came nearer to zero
    bool again = false;    ///< it came from a zero that was told, and was not away from it
    bool limit = false;    ///< it began there, and may leave slowly
    double strays = 0;     ///< while it is at zero: what rounding may change it by in a unit of time
    double strayed = 0;    ///< what it has changed it by before this step
    bool away = true;      ///< since the last zero it was farther from it than what counts as a touch
    double known_until = -std::numeric_limits<double>::max();  ///< where zeros are isolated
  };
  struct Point {
    double t, value;
  };
  struct Part {
    double low, high;
    std::vector<std::size_t> functions;
  };

  bool sample(double t);
  bool follow(const Part& part, std::vector<Part>& open, Found& found);
  bool add_extrema(const Part& part, std::size_t function, const class ChebyshevSeries& series,
                   double rounding);
  void jump_at_begin(std::size_t function, Found& found);
  void come_to_zero(std::size_t function, double t);
  bool is_zero_at_end(std::size_t function);
  void end_at_zero(std::size_t function);
  void end_next_to_zero(std::size_t function, Found& found);
  void touch_at_begin(std::size_t function, Found& found);
  bool take_isolated(std::size_t function, double from, double to, Found& found);
  void add_touch(std::size_t function, double t, double low, double high, Found& found) const;
  std::size_t pass_zeros(std::size_t function, std::size_t from, Found& found);
  int power_at_end(std::size_t function);
  bool is_left_open(std::size_t function) const;
  Crossing left_open_at(std::size_t function);
  bool leaves_far(std::size_t function, double from, double length);
  void scan(std::size_t function, Found& found);
  double farthest_towards(std::size_t function, int side) const;
  std::size_t leave_zero(std::size_t function, Found& found);
  bool is_more_than_rounding(std::size_t function, double t);
  std::size_t end_of_zeros(std::size_t function, std::size_t from) const;
  bool come_to_stay(std::size_t function, std::size_t from, Found& found);
  double largest_term(std::size_t function) const;
  enum class Beside { values, terms };
  bool is_near(std::size_t function, std::size_t point, Beside beside) const;
  bool goes_far(std::size_t function) const;
  double edge(std::size_t function, double zero, double other);
  double last_at_limit(std::size_t function, const Point& away);
  double refine(Point low, Point high, Crossing& crossing);
  bool is_pole(const Crossing& crossing);

  double touch_;
  std::vector<Side> sides_;
  std::vector<bool> shallow_, poles_, exact_;
  Errors errors_;
  NextToZero zeros_;
  AllZeros all_zeros_;
  const Values* values_ = nullptr;          ///< during a search
  std::vector<double> now_, sizes_;         ///< of the last sample
  std::vector<double> largest_size_;        ///< of the samples of a search
  std::vector<std::vector<Point>> points_;  ///< of each function: monotone in between
  std::size_t parts_ = 0;
  End end_ = End::last;  ///< of the present search
  double narrowest_ = 0;
};

}  // namespace liaison
