#include "names.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "liaison/expr/operator_table.hpp"

namespace liaison::robot {

namespace {

/// Words of the language, also those that would be names at some places: a text with them is hard to read.
constexpr std::array words = std::to_array<std::string_view>(
    {"D",           "T",          "V",          "after",       "along",       "angle",       "angles",
     "at",          "axis",       "ball",       "body",        "by",          "centre",      "claim",
     "compatible",  "conserved",  "constraint", "contact",     "coord",       "cylindrical", "damper",
     "damping",     "det_r",      "dir",        "dissipation", "distance",    "drive",       "drive_force",
     "drive_power", "else",       "equations",  "event",       "falling",     "for",         "force",
     "frame",       "free",       "friction",   "from",        "function",    "gap",         "gravity",
     "ground",      "hinge",      "holonomic",  "if",          "import",      "in",          "independent",
     "inertia",     "input",      "intrinsic",  "joint",       "kinetic",     "lambda",      "length",
     "let",         "mass",       "misprint",   "moment",      "motor",       "normal",      "omega",
     "on",          "order",      "output",     "param",       "particle",    "pi",          "pitch",
     "planar",      "potential",  "power",      "reaction",    "restitution", "rheonomic",   "rising",
     "rotation",    "screw",      "slider",     "spring",      "sqrt",        "start",       "sticking",
     "stiffness",   "system",     "t",          "table",       "tension",     "then",        "to",
     "turned",      "unilateral", "universal",  "velocity",    "weld",        "within",      "piecewise",
     "rolling",     "step",       "and",        "or",          "bushing",     "law",         "rate",
     "integral"});

bool is_word_of_the_language(const std::string& name) {
  return std::find(words.begin(), words.end(), name) != words.end() || find_operator(name) != nullptr;
}

/// Other signs become one `_`; there is none at the end, so that a part can be put behind it.
std::string letters_of(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (letter) out += c;
    if (!letter && (out.empty() || out.back() != '_')) out += '_';
  }
  while (!out.empty() && out.back() == '_') out.pop_back();
  return out;
}

}  // namespace

std::string NameTable::unique(const std::string& name) {
  std::string out = name;
  for (int i = 2; !taken_.insert(out).second; ++i) out = name + "_" + std::to_string(i);
  return out;
}

std::string NameTable::take(const std::string& wanted, const std::string& kind) {
  std::string name = letters_of(wanted);
  if (name.empty()) {
    name = kind;
    if (is_word_of_the_language(name)) name = "the_" + kind;
  } else if ((name[0] >= '0' && name[0] <= '9') || name.starts_with("lambda_")) {
    name = kind + "_" + name;
  } else if (is_word_of_the_language(name) || taken_.contains(name)) {
    name += "_" + kind;
  }
  name = unique(name);
  if (name != wanted) renamed_.emplace_back(wanted, name);
  return name;
}

std::string NameTable::take_part(const std::string& name, const std::string& part) {
  return unique(name + "_" + part);
}

}  // namespace liaison::robot
