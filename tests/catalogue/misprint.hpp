#pragma once

#include <string>
#include <vector>

#include "row.hpp"

/// What is printed wrongly in a source and refuted by a test. A refutation is recorded for docs/errata.md:
/// one line of JSON in the file that the environment variable LIAISON_ERRATA names. The page runs only the
/// tests whose name contains "misprint"; no other may record.
namespace liaison::test {

struct Misprint {
  std::string row;      ///< of the catalogue
  std::string title;    ///< "Rolling speed of a contact"
  std::string printed;  ///< the formula or the claim as it stands in the source
  std::string right;    ///< what is right
  std::string refuted;  ///< the statement "left == right" that fails; `right` is the printed side
};

/// Both sides of a refuted statement at one place: "at p1 = 0.5, p2 = 1", or "for a cone on its apex".
struct Sides {
  std::string place;
  double left = 0;
  double right = 0;
};

/// The values of both sides, and of the symbols that stand in them.
Sides sides_at(const Point& point, Expr left, Expr right);

/// Expects that the verdict is a refutation, and records its witness.
void refute(const Misprint& misprint, const Verdict& verdict);
/// Expects that the two sides differ, and records them.
void refute(const Misprint& misprint, const Sides& sides);
/// Records a refutation without two numbers: the assertions stand in the test.
void record(const Misprint& misprint, const std::string& why);

}  // namespace liaison::test
