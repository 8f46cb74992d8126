#include "text_formula.hpp"

#include <algorithm>

#include "text_units.hpp"

namespace liaison::report {

namespace {

constexpr std::size_t after_relation = 2;  // columns of "= "
constexpr std::size_t each_level = 2;      // further in, for a line that begins inside brackets

class Layout {
 public:
  Layout(const Math& formula, std::size_t width) : units_(text_units(formula, width)) {
    place_relations(width);
    if (line_width(units_) > static_cast<double>(width)) start_lines_at_relations(units_);
    const auto columns = static_cast<double>(width);
    starts_ = line_starts(
        units_, {columns, columns - static_cast<double>(relation_column_ + after_relation), each_level});
  }

  FormulaLines lines() const {
    FormulaLines result;
    for (std::size_t i = 0; i < starts_.size(); ++i) {
      const std::size_t end = i + 1 < starts_.size() ? starts_[i + 1] : units_.size();
      const std::vector<std::string> texts = written(std::span(units_).subspan(starts_[i], end - starts_[i]));
      if (i == 0) result.middle = (texts.size() - 1) / 2;
      for (const std::string& text : texts) result.lines.push_back(std::string(indent(i), ' ') + text);
    }
    return result;
  }

 private:
  /// Under the first relation; behind a long left side, near the margin.
  void place_relations(std::size_t width) {
    const auto found =
        std::find_if(units_.begin(), units_.end(), [](const Unit& unit) { return unit.relation; });
    if (found == units_.end()) return;
    const auto first = static_cast<std::size_t>(found - units_.begin());
    relation_column_ =
        static_cast<std::size_t>(line_width(std::span(units_).first(first))) + (first > 0 ? 1 : 0);
    const bool short_left = relation_column_ <= width / 3;
    if (!short_left) {
      relation_column_ = after_relation;
    } else if (first > 0) {
      units_[first].penalty = never;
    }
  }

  std::size_t indent(std::size_t line) const {
    if (line == 0) return 0;
    const Unit& first = units_[starts_[line]];
    if (first.relation) return relation_column_;
    return relation_column_ + after_relation +
           each_level * static_cast<std::size_t>(std::min(first.depth, max_levels));
  }

  std::vector<Unit> units_;
  std::vector<std::size_t> starts_;
  std::size_t relation_column_ = 0;
};

}  // namespace

FormulaLines formula_lines(const Math& formula, std::size_t width) {
  return Layout(formula, width).lines();
}

}  // namespace liaison::report
