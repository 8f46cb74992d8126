#pragma once

#include <map>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "critical.hpp"
#include "prepared.hpp"
#include "short_values.hpp"

namespace liaison {

/// Places points on wanted sides of critical functions by moving one symbol at a time: along a line, the
/// zeros of all functions bound cells in which no sign changes. It works in doubles and promises nothing;
/// what it finds is certified elsewhere.
class SideSearch {
 public:
  SideSearch(std::span<const Expr> symbols, std::vector<Critical> critical);

  struct Place {
    std::vector<Rational> exact;
    std::vector<double> values;  ///< the same in doubles
    void set(std::size_t i, const Rational& value) {
      exact[i] = value;
      values[i] = value.to_double();
    }
  };
  /// The side that each function should be on: 1, -1, or 0 for no wish.
  struct Wish {
    std::vector<int> sides;
    std::size_t target = none;  ///< the one that counts most
    double reach = 1;           ///< how far beyond a zero a point is put where there is room
  };
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  std::size_t size() const { return critical_.size(); }
  const Critical& operator[](std::size_t i) const { return critical_[i]; }
  /// The place of e among the functions; added if it is new.
  std::size_t index_of(Expr e);
  /// The sign of each; 2 where it has no value.
  std::vector<int> signs(std::span<const double> values) const;
  bool is_in_domain(std::span<const int> signs) const;
  bool is_reached(std::span<const int> signs, const Wish& wish) const;

  /// Moves the place until it is in the domain and on the wanted sides, as far as that is found.
  void move(Random& random, Place& place, const Wish& wish);

 private:
  struct Score {
    long satisfied = 0;
    double violation = 0;
    bool operator<(const Score& other) const {
      return satisfied != other.satisfied ? satisfied < other.satisfied : violation > other.violation;
    }
  };
  struct Line {  ///< one function along one symbol
    Prepared function;
    Prepared slope;
    bool linear = false;
    bool depends = false;
  };
  Score score(std::span<const double> values, const Wish& wish) const;
  const Line& line(std::size_t function, std::size_t symbol);
  void add_zeros(std::size_t function, std::size_t symbol, std::vector<double> values,
                 std::vector<double>& ends, std::vector<double>& extremes);
  std::vector<Rational> candidates(Random& random, const Place& place, std::size_t symbol, double reach);
  void move_symbol(Random& random, Place& place, std::size_t symbol, const Wish& wish);
  void prepare();

  std::vector<Expr> symbols_;
  std::vector<Critical> critical_;
  std::unordered_map<Expr, std::size_t> place_of_;
  Prepared all_;
  std::map<std::pair<std::size_t, std::size_t>, Line> lines_;
  mutable std::vector<double> scratch_;
};

}  // namespace liaison
