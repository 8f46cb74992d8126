#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <sstream>

#include "liaison/expr/error.hpp"
#include "liaison/report/plane_plot.hpp"
#include "liaison/report/trajectory_plot.hpp"

namespace liaison {
namespace {

std::vector<double> grid(std::size_t count, double end) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i)
    values.push_back(end * static_cast<double>(i) / static_cast<double>(count - 1));
  return values;
}

template <class Function>
std::vector<double> over(const std::vector<double>& t, Function f) {
  std::vector<double> values;
  for (const double x : t) values.push_back(f(x));
  return values;
}

std::vector<std::string> names_of(const Panel& panel) {
  std::vector<std::string> names;
  for (const Series& series : panel.series) names.push_back(series.name);
  return names;
}

using Names = std::vector<std::string>;

TEST(TrajectoryFigure, one_unit_a_panel_and_few_curves_in_it) {
  TrajectoryTable table{"Chain", "", "s", {0, 1}, {}, {{0.5, "event"}}};
  for (int i = 1; i <= 13; ++i)
    table.columns.push_back({"phi_" + std::to_string(i), ColumnKind::coordinate, "rad", {0, 1}});
  table.columns.push_back({"x", ColumnKind::coordinate, "m", {0, 1}});
  table.columns.push_back({"x'", ColumnKind::velocity, "m/s", {0, 1}});
  table.columns.push_back({"lambda(rod)", ColumnKind::multiplier, "N", {0, 1}});
  const Figure figure = make_trajectory_figure(table);
  ASSERT_EQ(figure.panels.size(), 6U);
  std::vector<std::size_t> sizes;
  for (const Panel& panel : figure.panels) sizes.push_back(panel.series.size());
  EXPECT_EQ(sizes, (std::vector<std::size_t>{4, 4, 5, 1, 1, 1}));
  EXPECT_EQ(figure.panels[0].title, "Coordinates");
  EXPECT_EQ(figure.panels[0].unit, "rad");
  EXPECT_EQ(figure.panels[3].unit, "m");
  EXPECT_EQ(figure.panels[3].label, "x");
  EXPECT_EQ(figure.panels[4].title, "Velocities");
  EXPECT_EQ(figure.panels[5].title, "Reactions");
  EXPECT_EQ(figure.x_unit, "s");
  EXPECT_EQ(figure.marks.size(), 1U);
  EXPECT_EQ(make_trajectory_figure(table, {.velocities = false}).panels.size(), 5U);
  EXPECT_EQ(make_trajectory_figure(table, {.series_per_panel = 13}).panels.size(), 4U);
}

// A lean of 0.1 beside a spin of 1000 is a straight line; so is a ripple on a height of a kilometre.
TEST(TrajectoryFigure, no_curve_is_flat_beside_another) {
  const std::vector<double> t = grid(101, 10);
  const auto wave = [&](double size, double middle) {
    return over(t, [&](double x) { return middle + size * std::sin(x); });
  };
  TrajectoryTable table{"Top", "", "", t, {}, {}};
  table.columns = {{"lean", ColumnKind::coordinate, "", wave(0.1, 0)},
                   {"spin", ColumnKind::coordinate, "", wave(1000, 0)},
                   {"nod", ColumnKind::coordinate, "", wave(0.3, 0)},
                   {"high", ColumnKind::coordinate, "", wave(0.1, 1000)},
                   {"fixed", ColumnKind::coordinate, "", wave(0, 0.2)}};
  const Figure figure = make_trajectory_figure(table);
  ASSERT_EQ(figure.panels.size(), 3U);
  EXPECT_EQ(names_of(figure.panels[0]), (Names{"lean", "nod", "fixed"}));
  EXPECT_EQ(names_of(figure.panels[1]), (Names{"spin"}));
  EXPECT_EQ(names_of(figure.panels[2]), (Names{"high"}));
  EXPECT_EQ(figure.panels[0].title, "Coordinates");
  EXPECT_EQ(figure.panels[1].title, "");
}

TEST(TrajectoryFigure, drift_is_relative_to_the_energy_at_the_start) {
  TrajectoryTable table{"", "", "", {0, 1, 2}, {}, {}};
  table.columns = {{"T", ColumnKind::kinetic, "J", {0, 3, 1}}, {"V", ColumnKind::potential, "J", {5, 2, 1}}};
  const Figure lost = make_trajectory_figure(table);
  ASSERT_EQ(lost.panels.size(), 1U);
  ASSERT_EQ(lost.panels[0].series.size(), 3U);
  EXPECT_EQ(lost.panels[0].series[2].name, "T + V");
  EXPECT_EQ(lost.panels[0].series[2].values, (std::vector<double>{5, 5, 2}));
  table.columns[1].values = {5, 2, 4 + 1e-9};
  const Figure kept = make_trajectory_figure(table);
  ASSERT_EQ(kept.panels.size(), 2U);
  ASSERT_EQ(kept.panels[1].series.size(), 1U);
  EXPECT_EQ(kept.panels[1].series[0].name, "(E − E₀)/|E₀|");
  EXPECT_EQ(kept.panels[1].unit, "");
  EXPECT_NEAR(kept.panels[1].series[0].values[2], 1e-9 / 5, 1e-15);
  EXPECT_EQ(kept.panels[1].series[0].values[0], 0);
  // An energy of nothing at the start divides nothing.
  table.columns[1].values = {0, -3, -1 + 1e-9};
  const Figure balanced = make_trajectory_figure(table);
  ASSERT_EQ(balanced.panels.size(), 2U);
  EXPECT_EQ(balanced.panels[1].series[0].name, "(E − E₀)/max T");
  EXPECT_NEAR(balanced.panels[1].series[0].values[2], 1e-9 / 3, 1e-15);
}

TEST(TrajectoryFigure, columns_are_chosen_by_name_and_a_wrong_name_has_a_hint) {
  TrajectoryTable table{"", "", "", {0, 1}, {}, {}};
  table.columns = {{"theta", ColumnKind::coordinate, "rad", {0, 1}},
                   {"theta'", ColumnKind::velocity, "rad/s", {1, 3}},
                   {"e0", ColumnKind::quaternion, "", {1, 1}}};
  const Figure figure = make_trajectory_figure(table, {.columns = {"e0", "theta'"}});
  ASSERT_EQ(figure.panels.size(), 2U);
  EXPECT_EQ(names_of(figure.panels[0]), (Names{"e0"}));
  EXPECT_EQ(names_of(figure.panels[1]), (Names{"theta'"}));
  EXPECT_EQ(make_trajectory_figure(table).panels.size(), 2U)
      << "quaternions are drawn where they are asked for";
  try {
    make_trajectory_figure(table, {.columns = {"teta"}});
    FAIL() << "a column that is not there was drawn";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "the run has no column `teta`");
    EXPECT_EQ(error.hint(), "did you mean `theta`?");
  }
}

// A turn by psi about the vertical, then by theta about the new first axis, then by phi about the third.
TEST(TrajectoryFigure, tilt_and_heading_are_those_of_the_axes) {
  using Quaternion = std::array<double, 4>;
  const auto times = [](const Quaternion& a, const Quaternion& b) {
    return Quaternion{a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
                      a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
                      a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
                      a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
  };
  std::array<std::vector<double>, 4> parts;
  const double theta = 0.3;
  for (int i = 0; i <= 100; ++i) {
    const double psi = 0.2 * i;  // three turns
    const Quaternion q =
        times({std::cos(psi / 2), 0, 0, std::sin(psi / 2)}, {std::cos(theta / 2), std::sin(theta / 2), 0, 0});
    for (std::size_t k = 0; k < 4; ++k) parts[k].push_back(q[k]);
  }
  const Orientation angles = orientation_of({&parts[0], &parts[1], &parts[2], &parts[3]});
  for (std::size_t i = 0; i <= 100; ++i) {
    EXPECT_NEAR(angles.tilt[i], theta, 1e-12);
    EXPECT_NEAR(angles.heading[i], 0.2 * static_cast<double>(i), 1e-12);
  }
}

TEST(PlanePlot, a_section_is_where_the_motion_goes_through) {
  const std::vector<double> t = grid(400, 20);
  const auto x = over(t, [](double s) { return std::sin(s); });
  const auto y = over(t, [](double s) { return std::cos(s); });
  const std::vector<double> up = crossings(t, x, Passage::rising), down = crossings(t, x, Passage::falling);
  ASSERT_EQ(up.size(), 3U);  // at 2 pi, 4 pi, 6 pi: the start is no passage
  ASSERT_EQ(down.size(), 3U);
  EXPECT_EQ(crossings(t, x, Passage::either).size(), 6U);
  const std::vector<double> values = sampled_at(t, y, up);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(up[i], 2 * std::numbers::pi * static_cast<double>(i + 1), 1e-7);
    EXPECT_NEAR(values[i], 1, 1e-6);
  }
  // A zero that is a row of its own counts once, and one that is only touched not at all.
  EXPECT_EQ(crossings(std::vector<double>{0, 1, 2, 3}, std::vector<double>{-1, 0, 0, 1}, Passage::rising),
            (std::vector<double>{1}));
  EXPECT_TRUE(crossings(std::vector<double>{0, 1, 2}, std::vector<double>{1, 0, 1}, Passage::either).empty());
}

TEST(PlanePlot, a_circle_is_round_and_stays_one_in_few_points) {
  const std::vector<double> t = grid(100'001, 2 * std::numbers::pi);
  PlaneFigure figure{.title = "Circle",
                     .x = {"x", "m"},
                     .y = {"y", "m"},
                     .curves = {{"", over(t, [](double s) { return std::cos(s); }),
                                 over(t, [](double s) { return std::sin(s); })}},
                     .same_scale = true};
  const std::string svg = render_plane(figure, PlotFormat::svg);
  EXPECT_LT(svg.size(), 30'000U);
  EXPECT_NE(svg.find("x [m]"), std::string::npos);
  const std::size_t begin = svg.find("points=\"") + 8;
  std::string list = svg.substr(begin, svg.find('"', begin) - begin);
  double left = 1e9, right = 0, top = 1e9, bottom = 0;
  std::istringstream points(list);
  for (std::string point; points >> point;) {
    const double px = std::stod(point), py = std::stod(point.substr(point.find(',') + 1));
    left = std::min(left, px);
    right = std::max(right, px);
    top = std::min(top, py);
    bottom = std::max(bottom, py);
  }
  EXPECT_NEAR(right - left, bottom - top, 0.5);
  EXPECT_GT(right - left, 300);
}

// 10^5 rows in twelve curves: what stands in the page has every peak, and the page is small.
TEST(TrajectoryFigure, thinning_keeps_peaks_and_pages_small) {
  const std::vector<double> t = grid(100'000, 100);
  TrajectoryTable table{"", "", "", t, {}, {}};
  for (int k = 1; k <= 12; ++k) {
    auto values = over(t, [&](double s) { return std::sin(k * s * s); });
    values[54'321] = 1 + k;  // one row alone
    table.columns.push_back({"x" + std::to_string(k), ColumnKind::coordinate, "", values});
  }
  const std::string html = to_html(make_trajectory_figure(table));
  EXPECT_LT(html.size(), 5'000'000U);
  for (int k = 1; k <= 12; ++k)
    EXPECT_NE(html.find("," + std::to_string(1 + k) + ","), std::string::npos) << k;
}

}  // namespace
}  // namespace liaison
