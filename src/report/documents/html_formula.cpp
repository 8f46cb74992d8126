#include "html_formula.hpp"

#include <algorithm>

#include "tex_lines.hpp"
#include "tex_tree.hpp"

namespace liaison::report {

namespace {

using Kind = TexItem::Kind;

constexpr double small_screen = 14;  // em: what stands beside the left side and the number on 500 pixels
constexpr double inside_part = 2.5;  // em: what is lost in each fraction around
constexpr double narrowest = 7;      // em
constexpr const char* thin_space = "<mspace width=\"0.167em\"/>";
constexpr double least_part = 4;  // em: shorter factors of a broken product stay together

/// A bracket of a fixed height, as lines may end between it and its other half.
std::string bracket(const std::string& head, bool tall) {
  if (head == ".") return {};
  const std::string sign = to_mathml(parse_tex(head, TexStyle::text));
  const std::string size = tall ? "2.4em" : "1.25em";
  const std::string tag =
      "<mo stretchy=\"true\" symmetric=\"true\" minsize=\"" + size + "\" maxsize=\"" + size + "\">";
  return tag + sign.substr(sign.find('>') + 1);
}

std::string with_scripts(const std::string& sign, const TexItem& item) {
  const auto row = [](const TexRow& script) { return "<mrow>" + to_mathml(script) + "</mrow>"; };
  if (item.below.empty() && item.above.empty()) return sign;
  if (item.above.empty()) return "<msub>" + sign + row(item.below) + "</msub>";
  if (item.below.empty()) return "<msup>" + sign + row(item.above) + "</msup>";
  return "<msubsup>" + sign + row(item.below) + row(item.above) + "</msubsup>";
}

std::string bracket_box(bool tall) {
  return tall ? "<mspace height=\"1.4em\" depth=\".9em\"></mspace>"
              : "<mspace height=\".8em\" depth=\".3em\"></mspace>";
}

/// Scripts behind a bracket: at an empty box of its height, as a bracket with scripts is not stretched.
std::string scripts_behind(const TexItem& item, bool tall) {
  if (item.below.empty() && item.above.empty()) return {};
  return with_scripts(bracket_box(tall), item);
}

/// What belongs to the first and to the last leaf of a part: signs, brackets.
struct Ends {
  std::string before, after;
};

class HtmlFormula {
 public:
  explicit HtmlFormula(bool display, int fractions = 0)
      : display_(display),
        fractions_(fractions),
        limit_(std::max(narrowest, small_screen - inside_part * fractions)) {}

  std::string piece(const Math::Piece& piece, bool first) {
    TexRow row = parse_tex(piece.latex, display_ ? TexStyle::display : TexStyle::text);
    const bool is_sign = !row.empty() && (row[0].head == "+" || row[0].head == "-");
    if (!first && is_sign) row[0].kind = Kind::binary;
    return part(std::move(row), {});
  }

 private:
  std::string leaf_of(const std::string& mathml) const {
    return (display_ ? "<math displaystyle=\"true\"><mrow>" : "<math><mrow>") + mathml + "</mrow></math>";
  }

  /// The sign in front stands between two terms, though it begins its element.
  static Ends with_sign_in_front(TexRow& row, Ends ends) {
    if (row.empty() || (row[0].kind != Kind::binary && row[0].kind != Kind::relation)) return ends;
    std::string sign = to_mathml({row[0]});
    if (sign.starts_with("<mo>")) sign.insert(3, " form=\"infix\"");
    ends.before += sign;
    row.erase(row.begin());
    return ends;
  }

  std::string part(TexRow row, Ends ends) {
    ends = with_sign_in_front(row, std::move(ends));
    if (width_of(row) <= limit_) return leaf_of(ends.before + to_mathml(row) + ends.after);
    std::vector<TexRow> terms(1);
    for (TexItem& item : row) {
      const bool begins = (item.kind == Kind::binary && !is_wedge(item)) || item.kind == Kind::relation;
      if (begins && !terms.back().empty()) terms.emplace_back();
      terms.back().push_back(std::move(item));
    }
    if (terms.size() == 1) return "<span class=\"term\"><span>" + product(terms[0], ends) + "</span></span>";
    std::string out;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      if (i > 0) out += "<wbr>";
      out += part(std::move(terms[i]), {i == 0 ? ends.before : "", i + 1 == terms.size() ? ends.after : ""});
    }
    return out;
  }

  static bool is_wedge(const TexItem& item) { return item.kind == Kind::binary && item.head == "\\wedge"; }

  /// dx ∧ dy stays together, where it is no wider than a line.
  static double wedge_width(const TexRow& row) {
    const auto first = std::find_if(row.begin(), row.end(), is_wedge);
    if (first == row.end()) return 0;
    auto begin = first;
    while (begin != row.begin() && begin->head != "d") --begin;
    return width_of({begin, row.end()});
  }

  /// Whether the line may end between two factors.
  static bool may_end(const TexItem& left, const TexItem& right) {
    const bool bound = left.kind == Kind::binary || left.kind == Kind::relation ||
                       left.kind == Kind::function || right.kind == Kind::comma ||
                       right.kind == Kind::space || left.head == "-" || left.head == "+" || left.head == "d";
    return !bound;
  }

  static bool can_open(const TexItem& item) {
    return item.kind == Kind::fence || item.kind == Kind::fraction || item.kind == Kind::root ||
           (item.kind == Kind::group && item.scripts.empty());
  }

  std::string product(const TexRow& row, const Ends& ends) {
    const bool splits_wedge = wedge_width(row) > limit_;
    const auto may_end_before = [&](std::size_t i) {
      return is_wedge(row[i]) ? splits_wedge : may_end(row[i - 1], row[i]);
    };
    const auto bound_width = [&](std::size_t i) {  // of what no line may end in: a function with its argument
      double width = row[i].width;
      for (; i + 1 < row.size() && !may_end_before(i + 1); ++i) {
        if (row[i + 1].width > limit_ && can_open(row[i + 1])) break;
        width += row[i + 1].width;
      }
      return width;
    };
    std::string out;
    TexRow run;
    std::string before = ends.before;
    const auto flush = [&](const std::string& after) {
      if (!run.empty() || !before.empty() || !after.empty()) {
        out += (out.empty() ? "" : "<wbr>") + leaf_of(before + to_mathml(run) + after);
      }
      run.clear();
      before.clear();
    };
    const auto space_before = [&row](std::size_t i) {
      return i > 0 && i < row.size() && stands_apart(row[i - 1], row[i]) ? thin_space : "";
    };
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool last = i + 1 == row.size();
      const bool wide = row[i].width > limit_ && can_open(row[i]);
      const bool free = i == 0 || may_end_before(i);
      if (!run.empty() && free && width_of(run) + (wide ? 0 : bound_width(i)) > (wide ? least_part : limit_))
        flush(space_before(i));
      if (!wide) {
        run.push_back(row[i]);
        continue;
      }
      const std::string bound = before + to_mathml(run) + (run.empty() ? "" : space_before(i));
      run.clear();
      before = space_before(i + 1);
      out += (out.empty() ? "" : "<wbr>") + opened(row[i], {bound, last ? ends.after : ""});
      if (last) return out;
    }
    flush(ends.after);
    return out;
  }

  std::string opened(const TexItem& item, const Ends& ends) {
    const bool tall = item.kind != Kind::group && has_fraction(item.parts[0]);
    switch (item.kind) {
      case Kind::fence:
        return part(item.parts[0], {ends.before + bracket(item.head, tall),
                                    bracket(item.tail, tall) + scripts_behind(item, tall) + ends.after});
      case Kind::root:
        return part(item.parts[0], {ends.before + bracket("(", tall),
                                    bracket(")", tall) + "<msup>" + bracket_box(tall) +
                                        "<mrow><mn>1</mn><mo>/</mo><mn>2</mn></mrow></msup>" + ends.after});
      case Kind::fraction: return fraction(item, ends);
      default: return part(item.parts[0], ends);
    }
  }

  std::string fraction(const TexItem& item, const Ends& ends) {
    HtmlFormula inside(false, fractions_ + 1);
    std::string out = "<span class=\"fraction\"><span><span>" + inside.part(item.parts[0], {}) +
                      "</span></span><span><span>" + inside.part(item.parts[1], {}) + "</span></span></span>";
    const std::string after = with_scripts("<mrow></mrow>", item);
    const std::string behind = (item.scripts.empty() ? "" : after) + ends.after;
    if (ends.before.empty() && behind.empty()) return "<span class=\"beside\">" + out + "</span>";
    return "<span class=\"beside\">" + (ends.before.empty() ? "" : leaf_of(ends.before)) + out +
           (behind.empty() ? "" : leaf_of(behind)) + "</span>";
  }

  bool display_;
  int fractions_;  ///< around it
  double limit_;   ///< of what is set without a place where a line may end
};

}  // namespace

std::string html_formula(std::span<const Math::Piece> pieces, bool display) {
  HtmlFormula formula(display);
  std::string out;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (i > 0) out += "<wbr>";
    out += formula.piece(pieces[i], i == 0);
  }
  return out;
}

}  // namespace liaison::report
