#include <gtest/gtest.h>

#include <sstream>

#include "liaison/expr/parse.hpp"
#include "liaison/expr/print_parts.hpp"
#include "liaison/report/document.hpp"
#include "sample.hpp"
#include "support/random_expression.hpp"

namespace liaison {
namespace {

std::string text_of(std::vector<Block> blocks, std::size_t width) {
  Document document{"T", {}, {{"", "S", std::move(blocks)}}};
  return render_text(document, width).substr(std::string("T\n═\n\nS\n─\n\n").size());
}

/// Lines longer than `width` that could have ended earlier: behind a blank beyond the indent.
std::vector<std::string> lines_too_long(const std::string& text, std::size_t width) {
  std::vector<std::string> found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (displayed_columns(line) > width) found.push_back(line);
  return found;
}

std::size_t longest_word(const std::string& text) {
  std::size_t most = 0;
  std::istringstream words(text);
  for (std::string word; words >> word;) most = std::max(most, displayed_columns(word));
  return most;
}

std::string without_blanks(const std::string& text) {
  std::string out;
  for (char c : text)
    if (c != ' ' && c != '\n') out += c;
  return out;
}

const Math f = symbol("f", "f", "f");

TEST(Layout, later_lines_stand_under_what_follows_the_relation) {
  Pool pool;
  const Math sum = math(parse(pool, "alpha*x + beta*y + gamma*z"));
  EXPECT_EQ(text_of({Display{"", relate(f, "=", sum), {}}}, 24), "  (1)  f = α x + β y\n           + γ z\n");
  EXPECT_EQ(text_of({Display{"", relate(relate(f, "=", sum), "=", math(pool.number(0))), {}}}, 25),
            "  (1)  f = α x + β y\n           + γ z\n         = 0\n");
}

TEST(Layout, a_line_that_begins_in_brackets_stands_further_in) {
  Pool pool;
  const Math product = math(parse(pool, "k*(alpha*x + beta*y + gamma*z)"));
  EXPECT_EQ(text_of({Display{"", relate(f, "=", product), {}}}, 26),
            "  (1)  f = k·(α x + β y\n             + γ z)\n");
}

TEST(Layout, dots_above_letters_take_no_column) {
  Pool pool;
  const Math sum = math(parse(pool, "x' + y' + z'"));
  EXPECT_EQ(text_of({Display{"", sum, {}}}, 16), "  (1)  x\u0307 + y\u0307 + z\u0307\n");
}

TEST(Layout, the_number_stands_in_the_middle_of_a_matrix) {
  Pool pool;
  const Expr x = parse(pool, "x");
  const Math column = math(Matrix(3, 1, {x, x, x}));
  EXPECT_EQ(text_of({Display{"", relate(f, "=", column), {}}}, 40),
            "           ⎡ x ⎤\n  (1)  f = ⎢ x ⎥\n           ⎣ x ⎦\n");
}

TEST(Layout, cells_are_broken_and_columns_stay_aligned) {
  Pool pool;
  const Inline sum(math(parse(pool, "alpha*x + beta*y")));
  EXPECT_EQ(text_of({Table{"", {"a", "value"}, {{"one two three", sum}, {"x", "y"}}}}, 22),
            R"(  a          value
  ─────────  ─────────
  one two    α x + β y
   three
  x          y
)");
}

TEST(Layout, a_table_too_wide_for_columns_becomes_a_list) {
  EXPECT_EQ(text_of({Table{"", {"first", "second"}, {{"abcdefghijk", "lmnopqrstuv"}}}}, 20),
            "  first: abcdefghijk\n  second:\n    lmnopqrstuv\n");
}

TEST(Layout, random_formulas_fit_and_lose_nothing) {
  std::size_t broken = 0;
  for (std::uint64_t seed : test::seeds(100)) {
    SCOPED_TRACE(test::seed_note(seed));
    test::RandomOptions options;
    options.symbols = {
        {"theta'", SymbolKind::velocity}, {"m_a", SymbolKind::parameter}, {"x2", SymbolKind::parameter}};
    options.depth = 6;
    test::RandomExpressions random(seed, options);
    Pool pool;
    const Math formula = relate(f, "=", math(random.expression(pool)));
    for (const std::size_t width : {100u, 60u}) {
      const std::string text = text_of({Display{"", formula, {}}}, width);
      broken += lines_too_long(unicode_of(formula), width).size();
      // What has no blank in it is not broken; beside it stand an indent and an operator.
      if (longest_word(text) + 24 <= width) {
        EXPECT_EQ(lines_too_long(text, width), std::vector<std::string>());
      }
      EXPECT_EQ(without_blanks(text), "(1)" + without_blanks(unicode_of(formula)));
    }
  }
  EXPECT_GT(broken, 20u);
}

TEST(Layout, documents_fit_their_width) {
  Pool pool;
  for (const std::size_t width : {70u, 80u, 100u, 140u}) {
    EXPECT_EQ(lines_too_long(render_text(test::wide_document(pool), width), width),
              std::vector<std::string>());
    EXPECT_EQ(lines_too_long(render_text(test::disc_document(pool), width), width),
              std::vector<std::string>());
  }
}

/// How often a text stands in another one.
std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size()))
    ++found;
  return found;
}

/// The most lines between a begin and its end.
std::size_t most_lines_within(const std::string& latex, const std::string& what) {
  std::size_t most = 0;
  for (std::size_t at = latex.find("\\begin{" + what + "}"); at != std::string::npos;
       at = latex.find("\\begin{" + what + "}", at + 1)) {
    const std::string inside = latex.substr(at, latex.find("\\end{" + what + "}", at) - at);
    most = std::max(
        most, count(inside, "\\newline") + count(inside, "[0.3ex]") + count(inside, "\\tabularnewline"));
  }
  return most;
}

// A page has 36 lines of a table.
TEST(Layout, nothing_of_latex_is_higher_than_a_page) {
  Pool pool;
  std::string sum = "0";
  for (int i = 0; i < 400; ++i) sum += " + a" + std::to_string(i) + "*cos(b" + std::to_string(i) + ")";
  const Math fraction = math(parse(pool, "(" + sum + ")/(d + e)"));
  const Math below = math(parse(pool, "(d + e)/(" + sum + ")"));
  const auto latex = [](Block block) { return render_latex({"T", {}, {{"", "S", {std::move(block)}}}}); };
  for (const Math& formula : {fraction, below}) {
    const std::string page = latex(Display{"", relate(f, "=", formula), {}});
    EXPECT_LT(most_lines_within(page, "gathered"), 12u);
    EXPECT_GT(count(page, " \\notag"), 30u);  // the lines are those of `align`, which ends with its page
  }
  // short rows, a row of some lines, a row that is longer than a page
  const Math some = math(parse(pool, sum.substr(0, sum.find(" + a40*"))));
  Table table{"", {"name", "value"}, {}};
  for (int i = 0; i < 30; ++i) {
    table.rows.push_back({"short", "x"});
    table.rows.push_back({"some", Inline(some)});
  }
  table.rows.push_back({"long", Inline(math(parse(pool, sum)))});
  const std::string page = latex(table);
  EXPECT_LE(most_lines_within(page, "tabular"), 36u);
  EXPECT_GT(count(page, "\\begin{tabular}"), 3u);
  EXPECT_EQ(count(page, "\\begin{tabular}"), count(page, "\\end{tabular}"));
  EXPECT_EQ(count(page, "\\cell short"), 30u);
  EXPECT_EQ(count(page, "\\cell some"), 30u);
  EXPECT_EQ(count(page, "\\cell long"), 0u);  // it stands between tables, where pages may end
  EXPECT_EQ(count(page, "{\\itshape name} long"), 1u);
  EXPECT_EQ(count(page, "a_{399}"), 1u);
}

}  // namespace
}  // namespace liaison
