#include "liaison/algebra/certainty.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "expr/raw.hpp"
#include "liaison/expr/print.hpp"

namespace liaison {

namespace {

std::string where(const std::vector<Expr>& conditions) {
  std::string text;
  for (Expr condition : conditions)
    text += fmt::format("{}{} != 0", text.empty() ? " where " : ", ", to_infix(condition));
  return text;
}

/// A long fraction is a rounded number: its digits say more.
std::string in_words(const Rational& value) {
  constexpr std::size_t short_enough = 12;
  std::string text = value.to_string();
  if (text.size() <= short_enough) return text;
  const double near = value.to_double();
  return std::isnormal(near) ? fmt::format("{:.17g}", near) : Ball(value).to_string(17);
}

}  // namespace

Verdict Verdict::of(Grade grade, std::string reason) {
  Verdict verdict;
  verdict.grade = grade;
  verdict.reason = std::move(reason);
  return verdict;
}

std::string word_for(Grade grade) {
  switch (grade) {
    case Grade::proved: return "proved";
    case Grade::checked: return "checked";
    case Grade::refuted: return "refuted";
    case Grade::empty: return "empty";
    case Grade::unknown: break;
  }
  return "unknown";
}

int weakness(Grade grade) {
  switch (grade) {
    case Grade::proved: return 0;
    case Grade::checked: return 1;
    case Grade::unknown: return 2;
    case Grade::empty: return 3;
    case Grade::refuted: return 4;
  }
  return 4;
}

Grade weaker(Grade a, Grade b) {
  return weakness(a) < weakness(b) ? b : a;
}

Verdict conjunction(Verdict a, Verdict b) {
  if (weakness(a.grade) < weakness(b.grade)) std::swap(a, b);
  for (Expr condition : b.conditions) {
    if (std::find(a.conditions.begin(), a.conditions.end(), condition) == a.conditions.end())
      a.conditions.push_back(condition);
  }
  a.divided = a.divided || b.divided;
  return a;
}

Verdict negation(Verdict verdict) {
  switch (verdict.grade) {
    case Grade::proved:
      verdict.grade = Grade::refuted;
      verdict.reason = "the opposite is proved";
      break;
    case Grade::refuted: verdict.grade = Grade::proved; break;
    case Grade::checked:
      verdict = Verdict::of(Grade::unknown, "the opposite was " + describe(verdict));
      break;
    case Grade::unknown:
    case Grade::empty: break;
  }
  return verdict;
}

namespace {

/// With as many digits as it takes to tell them apart.
std::string two_values(const Ball& left, const Ball& right) {
  constexpr int fewest = 10, most = 80;
  for (int digits = fewest;; digits *= 2) {
    const std::string one = left.to_string(digits), other = right.to_string(digits);
    if (one != other || digits >= most) return one + " is not " + other;
  }
}

}  // namespace

std::string describe(const Verdict& verdict) {
  switch (verdict.grade) {
    case Grade::proved: return "proved" + where(verdict.conditions);
    case Grade::checked: {
      if (verdict.points == 0 && !verdict.reason.empty()) return fmt::format("checked ({})", verdict.reason);
      const std::string over = verdict.region.empty() ? "" : " over " + verdict.region;
      return fmt::format("checked at {} point{} to {} digits{} ({})", verdict.points,
                         verdict.points == 1 ? "" : "s", verdict.digits, over, verdict.reason);
    }
    case Grade::refuted: {
      const Witness& witness = verdict.witness;
      const bool has_values = arb_overlaps(witness.left.raw(), witness.right.raw()) == 0;
      std::string place;
      for (const auto& [symbol, value] : witness.point) {
        place += fmt::format("{}{} = {}", place.empty() ? " at " : ", ", to_infix(symbol), in_words(value));
      }
      if (!has_values)
        return fmt::format("refuted{}{}{}", place, verdict.reason.empty() ? "" : ": ", verdict.reason);
      return fmt::format("refuted{}: {}", place, two_values(witness.left, witness.right));
    }
    case Grade::unknown: return "unknown: " + verdict.reason;
    case Grade::empty: return "empty: " + verdict.reason;
  }
  return {};
}

}  // namespace liaison
