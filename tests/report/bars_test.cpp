#include <gtest/gtest.h>

#include <regex>

#include "liaison/report/plot.hpp"
#include "report/plots/plot_bars.hpp"
#include "xml_check.hpp"

namespace liaison {
namespace {

Figure bouncing() {
  Figure figure{.title = "Bouncing", .x = {0, 1, 4}, .panels = {{"", "", "", {{"y", "", {1, 0, 1}}}}}};
  figure.bars = {{"floor", {{0, 1, "open"}, {1, 3, "slips"}, {3, 4, "sticks"}}, {1}},
                 {"wall", {{0, 4, "open"}}, {}}};
  return figure;
}

/// The areas of an SVG with this note: left, right.
std::vector<std::pair<double, double>> areas(const std::string& svg, const std::string& note) {
  std::vector<std::pair<double, double>> result;
  const std::regex shape("<title>" + note + R"(</title>\n<path d="M([0-9.]+),[0-9.]+ ([0-9.]+),)");
  for (std::sregex_iterator each(svg.begin(), svg.end(), shape), end; each != end; ++each)
    result.emplace_back(std::stod((*each)[1]), std::stod((*each)[2]));
  return result;
}

TEST(ModeBars, SpansStandOverTheirTimes) {
  const std::string svg = to_svg(bouncing());
  EXPECT_EQ(test::xml_fault(svg), "");
  const auto open = areas(svg, "floor open, t = 0 to 1"), slips = areas(svg, "floor slips, t = 1 to 3"),
             sticks = areas(svg, "floor sticks, t = 3 to 4");
  ASSERT_EQ(open.size(), 1U);
  ASSERT_EQ(slips.size(), 1U);
  ASSERT_EQ(sticks.size(), 1U);
  EXPECT_NEAR(slips[0].second - slips[0].first, 2 * (open[0].second - open[0].first), 0.03);
  EXPECT_EQ(open[0].second, slips[0].first);
  EXPECT_NEAR(sticks[0].second - open[0].first, 560, 0.03);  // the width of a panel
}

TEST(ModeBars, ModesAreInALegendAndImpactsAreTicks) {
  const std::string svg = to_svg(bouncing());
  for (const char* word : {"Contacts", "open", "slips", "sticks", "floor", "wall", "impact"})
    EXPECT_NE(svg.find(std::string(">") + word + "</text>"), std::string::npos) << word;
  EXPECT_EQ(svg.find(">closed</text>"), std::string::npos);
  EXPECT_NE(svg.find("<title>floor, t = 1</title>"), std::string::npos);
  EXPECT_EQ(to_png(bouncing()).substr(1, 3), "PNG");
}

TEST(ModeBars, WithoutBarsThereIsNoStrip) {
  Figure figure = bouncing();
  figure.bars.clear();
  EXPECT_EQ(to_svg(figure).find("Contacts"), std::string::npos);
}

TEST(ModeBars, OfManyContactsThoseAreDrawnThatChange) {
  Figure figure = bouncing();
  figure.bars.clear();
  for (int i = 0; i < 40; ++i) figure.bars.push_back({"c" + std::to_string(i), {{0, 4, "open"}}, {}});
  figure.bars[35].spans = {{0, 2, "open"}, {2, 4, "sticks"}};
  const plot::BarStrip strip = plot::choose_bars(figure);
  ASSERT_EQ(strip.bars.size(), 1U);
  EXPECT_EQ(strip.bars[0]->name, "c35");
  EXPECT_EQ(strip.left_out, 39U);
  EXPECT_NE(to_svg(figure).find(">39 more</text>"), std::string::npos);
}

TEST(ModeBars, ThousandsOfShortSpansAreNotAllDrawn) {
  Figure figure = bouncing();
  std::vector<ModeSpan>& spans = figure.bars[0].spans;
  spans.clear();
  for (int i = 0; i < 100000; ++i)
    spans.push_back({i * 4e-5, (i + 1) * 4e-5, i % 2 == 0 ? "sticks" : "slips"});
  EXPECT_LT(to_svg(figure).size(), 1'500'000U);
}

}  // namespace
}  // namespace liaison
