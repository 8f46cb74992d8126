#pragma once

#include <array>
#include <string>
#include <vector>

#include "liaison/report/scene.hpp"

/// How long arrows are drawn. The script of a page says the same.
namespace liaison::scene {

/// The arrows of one kind over a whole run: the longest is drawn as a fifth of the picture. Where one is many
/// times the others these would vanish beside it: then a root of the lengths is drawn, and said.
struct ArrowScale {
  double longest = 0;  ///< 0: there are none
  int root = 1;        ///< 2: lengths go by the square root, 3: by the cube root

  /// The part of the longest one.
  double part(double size) const;
  /// "longest 12 N, lengths by the square root"
  std::string in_words(const std::string& unit) const;
};
ArrowScale arrow_scale(const MovingScene& scene, bool reactions);

/// "3.25 m/s", as the page writes it.
std::string size_in_words(double size, const std::string& unit);
std::string unit_of_arrows(const MovingScene& scene, bool reactions);

}  // namespace liaison::scene
