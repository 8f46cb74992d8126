#include "liaison/expr/diagnostic.hpp"

#include <gtest/gtest.h>

namespace liaison {
namespace {

Diagnostic make(Span span, std::string label = {}) {
  return {"L0999", "something is wrong", span, std::move(label), {}, {}};
}

TEST(Source, lines_and_columns_count_from_one) {
  const Source source("a.lia", "ab\ncd\n\nef");
  EXPECT_EQ(source.place(0).line, 1u);
  EXPECT_EQ(source.place(0).column, 1u);
  EXPECT_EQ(source.place(4).line, 2u);
  EXPECT_EQ(source.place(4).column, 2u);
  EXPECT_EQ(source.place(6).line, 3u);
  EXPECT_EQ(source.place(9).line, 4u);
  EXPECT_EQ(source.place(9).column, 3u);
  EXPECT_EQ(source.place(1000).column, 3u);
}

TEST(Source, columns_count_code_points) {
  const Source source("a.lia", "θ + ½x");
  EXPECT_EQ(source.place(2).column, 2u);
  EXPECT_EQ(source.place(7).column, 6u);
}

TEST(Source, a_line_is_given_without_its_end) {
  const Source source("a.lia", "one\r\ntwo\n");
  EXPECT_EQ(source.line(1), "one");
  EXPECT_EQ(source.line(2), "two");
  EXPECT_EQ(source.line(3), "");
  EXPECT_EQ(source.line(0), "");
  EXPECT_EQ(source.line(4), "");
}

TEST(Render, shows_the_line_the_caret_the_notes_and_the_hint) {
  const Source source("pendulum.lia", "first\n  constraint rod: (x^2 - l^2)^2 = 0\n");
  Diagnostic diagnostic = make({24, 37}, "d(rod) = 0 here");
  diagnostic.notes.push_back({Span{0, 5}, "`rod` is asked for"});
  diagnostic.notes.push_back({std::nullopt, "without a place"});
  diagnostic.hint = "x^2 - l^2 = 0";
  EXPECT_EQ(render(diagnostic, source),
            "pendulum.lia:2:19: error: something is wrong [L0999]\n"
            "    2 |   constraint rod: (x^2 - l^2)^2 = 0\n"
            "      |                   ^^^^^^^^^^^^^ d(rod) = 0 here\n"
            "   note: `rod` is asked for at 1:1\n"
            "   note: without a place\n"
            "   hint: x^2 - l^2 = 0\n");
}

TEST(Render, carets_stand_under_unicode_text) {
  const Source source("a", "θ̇ + ½ + 漢 + zz");
  const std::size_t zz = source.text().find("zz");
  EXPECT_EQ(render(make({zz, zz + 2}), source),
            "a:1:14: error: something is wrong [L0999]\n"
            "    1 | θ̇ + ½ + 漢 + zz\n"
            "      |              ^^\n");
}

TEST(Render, an_empty_span_shows_one_caret_even_behind_the_end) {
  const Source source("a", "x +");
  EXPECT_EQ(render(make({3, 3}), source),
            "a:1:4: error: something is wrong [L0999]\n"
            "    1 | x +\n"
            "      |    ^\n");
  EXPECT_EQ(render(make({100, 200}), source),
            "a:1:4: error: something is wrong [L0999]\n"
            "    1 | x +\n"
            "      |    ^\n");
}

TEST(Render, a_span_over_several_lines_ends_with_its_first) {
  const Source source("a", "x + (y\n+ z)");
  EXPECT_EQ(render(make({4, 11}), source),
            "a:1:5: error: something is wrong [L0999]\n"
            "    1 | x + (y\n"
            "      |     ^^\n");
}

TEST(Render, tabs_and_broken_bytes_take_one_column) {
  const Source source("a", "\tx \xff y");
  EXPECT_EQ(render(make({5, 6}), source),
            "a:1:6: error: something is wrong [L0999]\n"
            "    1 |  x \uFFFD y\n"
            "      |      ^\n");
}

TEST(Render, a_long_line_is_cut_around_the_place) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "0123456789";
  text.replace(500, 3, "bad");
  const std::string cut = render(make({500, 503}), Source("a", text));
  EXPECT_EQ(cut,
            "a:1:501: error: something is wrong [L0999]\n"
            "    1 | ... 0123456789012345678901234567890123456789bad3456789" +
                std::string("01234567890123456789012345678901234567890123456789 ...\n") +
                "      |                                             ^^^\n");
  EXPECT_LT(render(make({0, 1000}), Source("a", text)).size(), 400u);
}

TEST(Render, several_diagnostics_follow_each_other) {
  const Source source("a", "x");
  EXPECT_EQ(render(std::vector{make({0, 1}), make({0, 1})}, source),
            render(make({0, 1}), source) + render(make({0, 1}), source));
  EXPECT_EQ(render(std::vector<Diagnostic>{}, source), "");
}

TEST(NearestName, finds_a_typing_slip) {
  const std::vector<std::string> names{"theta", "phi", "omega", "x1", "length"};
  EXPECT_EQ(nearest_name("thta", names), "theta");
  EXPECT_EQ(nearest_name("tehta", names), "theta");
  EXPECT_EQ(nearest_name("Theta", names), "theta");
  EXPECT_EQ(nearest_name("lenght", names), "length");
  EXPECT_EQ(nearest_name("1x", names), "x1");
}

TEST(NearestName, is_silent_where_nothing_is_near) {
  const std::vector<std::string> names{"theta", "phi", "x1"};
  EXPECT_EQ(nearest_name("mass", names), std::nullopt);
  EXPECT_EQ(nearest_name("y", {"x", "z"}), std::nullopt);
  EXPECT_EQ(nearest_name("", names), std::nullopt);
  EXPECT_EQ(nearest_name(std::string(100'000, 'a'), names), std::nullopt);
}

TEST(NearestName, prefers_the_longer_common_start_then_the_alphabet) {
  EXPECT_EQ(nearest_name("sinn", {"sign", "sinh", "sin"}), "sin");
  EXPECT_EQ(nearest_name("abcd", {"abce", "abca"}), "abca");
}

}  // namespace
}  // namespace liaison
