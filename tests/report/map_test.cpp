#include "liaison/report/map_plot.hpp"

#include <gtest/gtest.h>

#include "liaison/expr/error.hpp"
#include "report/plots/plot_regions.hpp"
#include "xml_check.hpp"

namespace liaison {
namespace {

/// Left of x + y = 1.25 is region 0, right of it 1, on a grid from 0 to 2; the crossings are exact.
RegionMap halves() {
  RegionMap map{
      .title = "Halves",
      .subtitle = {},
      .x = {"theta'", "rad/s", {0, 1, 2}},
      .y = {"f", "", {0, 1, 2}},
      .regions = {{"below", RegionTone::calm}, {"beyond <1 & more>", RegionTone::bad}},
      .at = {0, 0, 1, 0, 1, 1, 1, 1, 1},
      .crossings = {{0, 1, 0, 1.25, 1}, {1, 1, 0, 0.25, 1}, {0, 0, 1, 0.25, 1}, {1, 0, 1, 1.25, 1}}};
  return map;
}

double area(const std::vector<plot::Point>& points) {
  double sum = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const plot::Point &a = points[i], &b = points[(i + 1) % points.size()];
    sum += (a.x * b.y - b.x * a.y) / 2;
  }
  return sum;
}

double area_of(const plot::Regions& regions, std::size_t region) {
  double sum = 0;
  for (const plot::RegionPiece& piece : regions.pieces)
    if (piece.region == region) sum += area(piece.points);
  return sum;
}

TEST(RegionMap, PiecesFillTheGridAndEndAtTheCrossings) {
  const plot::Regions regions = plot::find_regions(halves());
  EXPECT_NEAR(area_of(regions, 0), 1.25 * 1.25 / 2, 1e-12);
  EXPECT_NEAR(area_of(regions, 1), 4 - 1.25 * 1.25 / 2, 1e-12);
}

TEST(RegionMap, ABoundaryIsOneCurve) {
  const plot::Regions regions = plot::find_regions(halves());
  ASSERT_EQ(regions.boundaries.size(), 1u);
  EXPECT_EQ(regions.boundaries[0].size(), 4u);
  for (const plot::Point& point : regions.boundaries[0]) EXPECT_NEAR(point.x + point.y, 1.25, 1e-12);
}

TEST(RegionMap, ThreeRegionsMeetInsideOfACell) {
  RegionMap map = halves();
  map.x.values = map.y.values = {0, 1};
  map.at = {0, 1, 2, 2};
  map.regions.push_back({"third", RegionTone::empty});
  map.crossings = {{0, 0, 0, 0.5, 1}, {1, 0, 0, 0.5, 2}, {1, 1, 0, 0.5, 2}};
  const plot::Regions regions = plot::find_regions(map);
  EXPECT_NEAR(area_of(regions, 0) + area_of(regions, 1) + area_of(regions, 2), 1, 1e-12);
  EXPECT_NEAR(area_of(regions, 0), area_of(regions, 1), 1e-12);
}

TEST(RegionMap, AStripEndsWhereItsRegionsDo) {
  RegionMap map = halves();
  map.y = {};
  map.at = {0, 0, 1};
  map.crossings = {{0, 1, 0, 1.25, 1}};
  const plot::Regions regions = plot::find_strip(map);
  ASSERT_EQ(regions.pieces.size(), 2u);
  EXPECT_NEAR(area_of(regions, 0), 1.25, 1e-12);
  EXPECT_NEAR(area_of(regions, 1), 0.75, 1e-12);
}

TEST(RegionMap, PicturesAreWellFormedAndHaveALegend) {
  const RegionMap map = halves();
  const std::string svg = render_map(map, PlotFormat::svg), html = render_map(map, PlotFormat::html);
  EXPECT_EQ(test::xml_fault(svg), "");
  EXPECT_EQ(test::xml_fault(html), "");
  EXPECT_NE(svg.find(">beyond &lt;1 &amp; more&gt;</text>"), std::string::npos);
  EXPECT_EQ(render_map(map, PlotFormat::svg), svg);
  EXPECT_EQ(render_map(map, PlotFormat::png).substr(1, 3), "PNG");
}

TEST(RegionMap, WhatCannotBeDrawnIsRefused) {
  RegionMap map = halves();
  map.at.pop_back();
  EXPECT_THROW(render_map(map, PlotFormat::svg), Error);
  map = halves();
  map.x.values = {1};
  EXPECT_THROW(render_map(map, PlotFormat::svg), Error);
}

}  // namespace
}  // namespace liaison
