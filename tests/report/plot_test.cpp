#include "liaison/report/plot.hpp"
#include "liaison/report/trajectory_plot.hpp"

#include <cairo.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <regex>
#include <set>

#include "liaison/expr/error.hpp"
#include "support/forms_support.hpp"
#include "xml_check.hpp"

namespace liaison {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::vector<double> grid(std::size_t points, double end) {
  std::vector<double> t;
  for (std::size_t i = 0; i < points; ++i)
    t.push_back(end * static_cast<double>(i) / static_cast<double>(points - 1));
  return t;
}

template <typename Function>
std::vector<double> over(const std::vector<double>& t, const Function& function) {
  std::vector<double> values;
  for (const double each : t) values.push_back(function(each));
  return values;
}

Figure one_curve(const std::vector<double>& x, const std::vector<double>& values) {
  return Figure{.title = "One", .x = x, .panels = {{"", "", "", {{"q", "", values}}}}};
}

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

std::string attribute(const std::string& tag, const std::string& name) {
  const std::string start = " " + name + "=\"";
  const std::size_t at = tag.find(start);
  if (at == std::string::npos) return {};
  return tag.substr(at + start.size(), tag.find('"', at + start.size()) - at - start.size());
}

double number(const std::string& text) {
  return std::strtod(text.c_str(), nullptr);
}

/// What stands in an SVG file.
struct Curve {
  std::string stroke;
  std::vector<std::pair<double, double>> points;
};
struct Words {
  double x = 0, y = 0;
  std::string anchor, text;  ///< without the tags inside
};
struct Picture {
  std::vector<Curve> curves;
  std::vector<Words> words;
  std::vector<std::pair<double, double>> discs;

  bool says(const std::string& text) const {
    return std::any_of(words.begin(), words.end(), [&](const Words& w) { return w.text == text; });
  }
};

Picture read(const std::string& svg) {
  EXPECT_EQ(test::xml_fault(svg), "");
  Picture picture;
  for (std::size_t at = svg.find('<'); at != std::string::npos; at = svg.find('<', at + 1)) {
    const std::string tag = svg.substr(at, svg.find('>', at) - at);
    if (tag.starts_with("<circle")) {
      picture.discs.emplace_back(number(attribute(tag, "cx")), number(attribute(tag, "cy")));
    }
    if (tag.starts_with("<polyline")) {
      Curve curve{attribute(tag, "stroke"), {}};
      const std::string points = attribute(tag, "points");
      for (std::size_t i = 0; i < points.size();) {
        const std::size_t comma = points.find(',', i);
        const std::size_t end = std::min(points.find(' ', i), points.size());
        curve.points.emplace_back(number(points.substr(i)), number(points.substr(comma + 1)));
        i = end + 1;
      }
      picture.curves.push_back(std::move(curve));
    }
    if (tag.starts_with("<text")) {
      const std::size_t start = at + tag.size() + 1;
      const std::string inside = svg.substr(start, svg.find("</text>", start) - start);
      picture.words.push_back({number(attribute(tag, "x")), number(attribute(tag, "y")),
                               attribute(tag, "text-anchor"),
                               std::regex_replace(inside, std::regex("<[^>]*>"), "")});
    }
  }
  return picture;
}

/// The labels of the scale at the left of a figure with one panel, as numbers, from below.
struct Scale {
  std::vector<double> values, heights;
  double pixel(double value) const {
    const double slope = (heights.back() - heights.front()) / (values.back() - values.front());
    return heights.front() + slope * (value - values.front());
  }
};

Scale read_scale(const Picture& picture) {
  Scale scale;
  for (const Words& words : picture.words) {
    if (words.anchor != "end" || words.text.starts_with("×") || words.text.starts_with("+")) continue;
    const std::string text = std::regex_replace(words.text, std::regex("−"), "-");
    scale.values.push_back(number(text));
    scale.heights.push_back(words.y - 0.36 * 9.5);  // from the baseline to the middle of a digit
  }
  return scale;
}

TEST(Plot, trajectory_says_names_units_and_title) {
  const std::vector<double> t = grid(200, 10);
  const auto wave = over(t, [](double x) { return std::sin(x); });
  const TrajectoryTable table{"Pendulum & cart",
                              "a run",
                              "s",
                              t,
                              {{"theta", ColumnKind::coordinate, "rad", wave},
                               {"x_1", ColumnKind::coordinate, "m", wave},
                               {"theta'", ColumnKind::velocity, "rad/s", wave},
                               {"lambda(roll_x)", ColumnKind::multiplier, "kg*m/s^2", wave},
                               {"height", ColumnKind::output, "m", wave}},
                              {}};
  const Picture picture = read(to_svg(make_trajectory_figure(table, {.velocities = true})));
  EXPECT_EQ(picture.curves.size(), 5U);
  for (const char* text : {"Pendulum &amp; cart", "a run", "Coordinates", "θ", "θ [rad]", "x1", "x1 [m]", "θ̇",
                           "θ̇ [rad/s]", "λ(roll_x)", "λ(roll_x) [kg·m/s²]", "height", "t [s]"}) {
    EXPECT_TRUE(picture.says(text)) << text;
  }
}

TEST(Plot, every_character_of_a_name_may_stand_everywhere) {
  Figure figure = one_curve({0, 1}, {1, 2});
  figure.title = figure.x_label = figure.panels[0].title = figure.panels[0].label =
      "</script><b> & \"q\" \xff\x01";
  figure.panels[0].series[0].name = figure.panels[0].unit = figure.title;
  figure.marks = {{0.5, figure.title}};
  const std::string svg = to_svg(figure), html = to_html(figure);
  EXPECT_EQ(test::xml_fault(svg), "");
  EXPECT_EQ(count(svg, "<b>") + count(html, "<b>"), 0U);
  EXPECT_EQ(count(html, "</script"), 2U);
  EXPECT_EQ(count(html, "\xff") + count(svg, "\xff"), 0U);
  EXPECT_GT(to_png(figure).size(), 1000U);
}

TEST(Plot, ticks_are_round_and_where_their_values_are) {
  for (const auto& [low, high] : std::vector<std::pair<double, double>>{{0, 1},
                                                                        {0, 14},
                                                                        {-4.4, 3.7},
                                                                        {0.001, 0.0137},
                                                                        {95, 117},
                                                                        {-3e-7, 8e-7},
                                                                        {1e8, 7e12},
                                                                        {-0.3, 99999}}) {
    const Picture picture = read(to_svg(one_curve({0, 1, 2}, {low, high, low})));
    const Scale scale = read_scale(picture);
    ASSERT_GE(scale.values.size(), 3U) << low << ' ' << high;
    EXPECT_LE(scale.values.size(), 14U);
    const double step = scale.values[1] - scale.values[0];
    const double mantissa = step / std::pow(10, std::floor(std::log10(step * (1 + 1e-9))));
    EXPECT_TRUE(std::abs(mantissa - 1) < 1e-6 || std::abs(mantissa - 2) < 1e-6 ||
                std::abs(mantissa - 5) < 1e-6)
        << mantissa;
    for (std::size_t i = 1; i < scale.values.size(); ++i) {
      EXPECT_NEAR(scale.values[i] - scale.values[i - 1], step, 1e-9 * std::abs(scale.values[i]) + 1e-12);
      EXPECT_NEAR(scale.heights[i], scale.pixel(scale.values[i]), 0.02);
    }
    // The curve turns where the scale has its value: labels are in units of the common power of ten.
    ASSERT_EQ(picture.curves.size(), 1U);
    const auto& points = picture.curves[0].points;
    ASSERT_EQ(points.size(), 3U);
    const auto note = std::find_if(picture.words.begin(), picture.words.end(),
                                   [](const Words& words) { return words.text.starts_with("×10"); });
    double factor = 1;
    if (note != picture.words.end())
      factor = std::pow(10, std::round(std::log10(high / scale.values.back())));
    EXPECT_NEAR(points[1].second, scale.pixel(high / factor), 0.05);
    EXPECT_NEAR(points[0].second, scale.pixel(low / factor), 0.05);
  }
}

TEST(Plot, huge_and_tiny_values_have_a_common_power_of_ten) {
  const std::vector<double> t = grid(50, 6);
  EXPECT_TRUE(
      read(to_svg(one_curve(t, over(t, [](double x) { return 6.02e23 * std::sin(x); })))).says("×10²³"));
  EXPECT_TRUE(read(to_svg(one_curve(t, over(t, [](double x) { return 3e-9 * std::cos(x); })))).says("×10⁻⁹"));
  const double most = std::numeric_limits<double>::max();
  const Picture extreme = read(to_svg(one_curve({0, 1, 2}, {-most, most, -most})));
  EXPECT_TRUE(extreme.says("×10³⁰⁸"));
  EXPECT_EQ(extreme.curves.at(0).points.size(), 3U);
}

TEST(Plot, drift_in_the_last_digits_can_be_read) {
  const std::vector<double> t = grid(400, 10);
  const Picture picture =
      read(to_svg(one_curve(t, over(t, [](double x) { return 9.81 + 2e-13 * std::sin(x); }))));
  EXPECT_TRUE(picture.says("×10⁻¹³ + 9.81"));
  const Scale scale = read_scale(picture);
  double lowest = 0, highest = 1e9;
  for (const auto& [x, y] : picture.curves.at(0).points) {
    lowest = std::max(lowest, y);
    highest = std::min(highest, y);
  }
  const double ulp = 0.018;  // of 9.81, in units of 1e-13
  const double pixels = std::abs(scale.pixel(1) - scale.pixel(0));
  EXPECT_NEAR(highest, scale.pixel(2), ulp * pixels);
  EXPECT_NEAR(lowest, scale.pixel(-2), ulp * pixels);
  // The same of times.
  Figure late = one_curve(over(t, [](double x) { return 1e6 + 1e-4 * x; }), t);
  EXPECT_TRUE(read(to_svg(late)).says("t   ×10⁻³ + 1000000"));
}

TEST(Plot, constant_series_stand_in_the_middle) {
  const double g = 9.81;
  for (const std::vector<double>& values : {std::vector<double>{g, g, g},
                                            {g, std::nextafter(g, 10), g},
                                            {0, 0, 0},
                                            {-1e-300, -1e-300, -1e-300}}) {
    const Picture picture = read(to_svg(one_curve({0, 1, 2}, values)));
    ASSERT_EQ(picture.curves.size(), 1U);
    const Scale scale = read_scale(picture);
    ASSERT_GE(scale.heights.size(), 3U);
    const double y = picture.curves[0].points.front().second;
    EXPECT_NEAR(picture.curves[0].points.back().second, y, 0.02);
    EXPECT_LT(y, scale.heights.front());
    EXPECT_GT(y, scale.heights.back());
  }
}

TEST(Plot, many_points_become_few_and_keep_every_extremum) {
  std::vector<double> t = grid(100'000, 100);
  std::vector<double> values = over(t, [](double x) { return std::sin(40 * x); });
  values[31'234] = 7;
  values[77'777] = -6;
  const std::string svg = to_svg(one_curve(t, values));
  EXPECT_LT(svg.size(), 100'000U);
  const Picture picture = read(svg);
  const Scale scale = read_scale(picture);
  ASSERT_EQ(picture.curves.size(), 1U);
  const auto& points = picture.curves[0].points;
  EXPECT_LT(points.size(), 5000U);
  const double left = points.front().first, width = points.back().first - left;
  const auto [highest, lowest] = std::minmax_element(
      points.begin(), points.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  EXPECT_NEAR(highest->second, scale.pixel(7), 0.05);
  EXPECT_NEAR(highest->first, left + width * t[31'234] / 100, 0.02);
  EXPECT_NEAR(lowest->second, scale.pixel(-6), 0.05);
  EXPECT_NEAR(lowest->first, left + width * t[77'777] / 100, 0.02);
}

TEST(Plot, reduced_curve_passes_through_every_sample) {
  const std::vector<double> t = grid(20'000, 10);
  const auto f = [](double x) { return std::exp(-x / 5) * std::sin(3 * x) + (x > 7 ? 0.5 : 0); };
  const Picture picture = read(to_svg(one_curve(t, over(t, f))));
  const Scale scale = read_scale(picture);
  const auto& points = picture.curves.at(0).points;
  EXPECT_LT(points.size(), 600U);
  const double left = points.front().first, width = points.back().first - left;
  for (const double x : grid(997, 10)) {
    const double px = left + width * x / 10, py = scale.pixel(f(x));
    double nearest = 1e9;
    for (std::size_t i = 1; i < points.size(); ++i) {
      const auto [ax, ay] = points[i - 1];
      const double dx = points[i].first - ax, dy = points[i].second - ay;
      const double s = std::clamp(((px - ax) * dx + (py - ay) * dy) / (dx * dx + dy * dy), 0.0, 1.0);
      nearest = std::min(nearest, std::hypot(px - ax - s * dx, py - ay - s * dy));
    }
    EXPECT_LT(nearest, 0.1) << x;
  }
}

TEST(Plot, curve_has_gaps_where_there_are_no_values) {
  const double infinity = std::numeric_limits<double>::infinity();
  const Picture gaps =
      read(to_svg(one_curve({0, 1, 2, 3, 4, 5, 6, 7, 8}, {1, 2, nan, 3, 4, infinity, 5, -infinity, nan})));
  EXPECT_EQ(gaps.curves.size(), 2U);
  EXPECT_EQ(gaps.discs.size(), 1U);  // the lone value
  const Picture point = read(to_svg(one_curve({2.5}, {1.25})));
  EXPECT_TRUE(point.curves.empty());
  EXPECT_EQ(point.discs.size(), 1U);
  EXPECT_TRUE(point.says("2.5"));
  const Picture none = read(to_svg(one_curve({0, 1}, {nan, nan})));
  EXPECT_TRUE(none.says("no finite values"));
  EXPECT_TRUE(none.says("q (no finite value)"));
}

TEST(Plot, legend_entries_do_not_overlap_and_stand_beside_their_ends) {
  Figure figure = one_curve({0, 1}, {0, 0});
  figure.panels[0].series.clear();
  for (const char* name : {"a", "b", "c", "d", "e", "f"})
    figure.panels[0].series.push_back({name, "", {0, 1}});
  figure.panels[0].series.push_back({"low", "", {0, -10}});
  const Picture picture = read(to_svg(figure));
  std::vector<double> heights;
  double low = 0;
  for (const Words& words : picture.words) {
    if (words.text.size() == 1 && words.text[0] >= 'a' && words.text[0] <= 'f') heights.push_back(words.y);
    if (words.text == "low") low = words.y;
  }
  ASSERT_EQ(heights.size(), 6U);
  for (std::size_t i = 1; i < heights.size(); ++i) EXPECT_GE(heights[i] - heights[i - 1], 14.9);
  EXPECT_GT(low, heights.back() + 100);
}

TEST(Plot, series_keeps_its_colour_from_panel_to_panel) {
  Figure figure = one_curve({0, 1}, {0, 1});
  figure.panels = {{"", "", "", {{"T", "", {0, 1}}, {"V", "", {1, 0}}, {"T + V", "", {1, 1}}}},
                   {"", "", "", {{"T + V", "", {1, 1}}, {"new", "", {1, 2}}}}};
  const Picture picture = read(to_svg(figure));
  ASSERT_EQ(picture.curves.size(), 5U);
  std::set<std::string> first;
  for (std::size_t i = 0; i < 3; ++i) first.insert(picture.curves[i].stroke);
  EXPECT_EQ(first.size(), 3U);
  EXPECT_EQ(picture.curves[3].stroke, picture.curves[2].stroke);
  EXPECT_NE(picture.curves[4].stroke, picture.curves[3].stroke);
}

TEST(Plot, marks_share_a_label_where_there_are_many) {
  Figure figure = one_curve({0, 10}, {0, 1});
  figure.marks = {{2, "impact"}, {5, "slip ends"}, {11, "never"}};
  const Picture few = read(to_svg(figure));
  EXPECT_TRUE(few.says("impact"));
  EXPECT_TRUE(few.says("slip ends"));
  EXPECT_FALSE(few.says("never"));
  const auto& points = few.curves.at(0).points;
  for (const Words& words : few.words) {
    if (words.text != "impact") continue;
    EXPECT_NEAR(words.x, points.front().first + 0.2 * (points.back().first - points.front().first), 0.02);
  }
  figure.marks.clear();
  for (int i = 0; i < 60; ++i) figure.marks.push_back({i / 6.0, "impact floor"});
  const std::string many = to_svg(figure);
  EXPECT_TRUE(read(many).says("impact floor (60×)"));
  EXPECT_EQ(count(many, "<g class=\"mark\""), 61U);
}

TEST(Plot, nothing_to_draw_is_an_error) {
  EXPECT_LIAISON_ERROR(to_svg(one_curve({}, {})), ErrorCode::missing_value,
                       "a plot needs at least one point, and this one has none",
                       "run until a later time, or write more rows");
  EXPECT_LIAISON_ERROR(to_png(Figure{.x = {1}}), ErrorCode::missing_value,
                       "a plot needs at least one curve, and this one has none", "choose something to draw");
  EXPECT_LIAISON_ERROR(to_html(one_curve({1, 2}, {1})), ErrorCode::not_square, "'q' has 1 values over 2 of t",
                       "a series has one value for each x; NaN where there is none");
  EXPECT_THROW(to_svg(one_curve({nan}, {1})), Error);
  EXPECT_THROW(to_png(one_curve({1}, {1}), 1e6), Error);
  EXPECT_THROW(to_png(one_curve({1}, {1}), nan), Error);
}

/// Pixels of a PNG file, 0xRRGGBB.
struct Bitmap {
  int width = 0, height = 0;
  std::map<std::uint32_t, std::size_t> counts;
};

Bitmap decode(const std::string& bytes) {
  std::string_view rest = bytes;
  const auto take = [](void* closure, unsigned char* data, unsigned int length) {
    auto& left = *static_cast<std::string_view*>(closure);
    if (left.size() < length) return CAIRO_STATUS_READ_ERROR;
    std::copy_n(left.begin(), length, data);
    left.remove_prefix(length);
    return CAIRO_STATUS_SUCCESS;
  };
  cairo_surface_t* surface = cairo_image_surface_create_from_png_stream(take, &rest);
  Bitmap bitmap{cairo_image_surface_get_width(surface), cairo_image_surface_get_height(surface), {}};
  const unsigned char* data = cairo_image_surface_get_data(surface);
  const int stride = cairo_image_surface_get_stride(surface);
  for (int y = 0; y < bitmap.height; ++y) {
    const auto* row = reinterpret_cast<const std::uint32_t*>(data + static_cast<std::ptrdiff_t>(y) * stride);
    for (int x = 0; x < bitmap.width; ++x) ++bitmap.counts[row[x] & 0xffffff];
  }
  cairo_surface_destroy(surface);
  return bitmap;
}

TEST(Plot, png_shows_the_curves_in_their_colours) {
  const std::vector<double> t = grid(300, 10);
  Figure figure = one_curve(t, over(t, [](double x) { return std::sin(x); }));
  const std::string first = to_png(figure, 2);
  EXPECT_EQ(first.substr(0, 8), "\x89PNG\r\n\x1a\n");
  const Bitmap one = decode(first);
  const std::string svg = to_svg(figure);
  EXPECT_EQ(one.width, 2 * static_cast<int>(number(attribute(svg.substr(0, 300), "width"))));
  EXPECT_EQ(one.height, 2 * static_cast<int>(number(attribute(svg.substr(0, 300), "height"))));
  const std::uint32_t blue = 0x0072b2, vermillion = 0xd55e00;  // Okabe and Ito
  EXPECT_GT(one.counts.at(blue), 1000U);
  EXPECT_FALSE(one.counts.contains(vermillion));
  figure.panels[0].series.push_back({"p", "", over(t, [](double x) { return std::cos(x); })});
  const Bitmap two = decode(to_png(figure, 2));
  EXPECT_GT(two.counts.at(blue), 1000U);
  EXPECT_GT(two.counts.at(vermillion), 1000U);
}

TEST(Plot, page_needs_nothing_from_outside) {
  const std::vector<double> t = grid(100'000, 10);
  Figure figure = one_curve(t, over(t, [](double x) { return x == 0 ? nan : std::sin(x) / x; }));
  figure.panels[0].series.push_back({"theta'", "", over(t, [](double x) { return 1e5 * std::cos(x); })});
  const std::string html = to_html(figure);
  for (const char* outside : {"http", "src=", "url(", "@import", "<link", "//"})
    EXPECT_EQ(count(html, outside), 0U) << outside;
  EXPECT_LT(html.size(), 400'000U);
  EXPECT_EQ(count(html, "<polyline"), 4U);  // two curves, for a wide and for a narrow screen
  EXPECT_EQ(count(html, "prefers-color-scheme: dark"), 2U);
  // Each picture alone is whole.
  for (std::size_t begin = html.find("<svg"); begin != std::string::npos;
       begin = html.find("<svg", begin + 1)) {
    const std::size_t end = html.find("</svg>", begin) + 6;
    EXPECT_EQ(test::xml_fault(html.substr(begin, end - begin)), "");
  }
  // As many values as times in each series, and a word for none.
  const std::size_t data = html.find("id=\"data\">");
  const std::string json = html.substr(data, html.find("</script>", data) - data);
  std::vector<std::size_t> lengths;
  for (const char* list : {"\n\"x\":[", "\"values\":["}) {
    for (std::size_t at = json.find(list); at != std::string::npos; at = json.find(list, at + 1)) {
      const std::size_t start = at + std::string(list).size();
      lengths.push_back(count(json.substr(start, json.find(']', start) - start), ",") + 1);
    }
  }
  ASSERT_EQ(lengths.size(), 4U);
  EXPECT_GT(lengths[0], 2'000U);
  EXPECT_LT(lengths[0], 6'100U);
  EXPECT_EQ(lengths[2], lengths[0]);
  EXPECT_EQ(lengths[3], lengths[1]);
  EXPECT_EQ(count(json, "[null,"), 1U);
  EXPECT_EQ(count(json, "\"name\":\"θ̇\""), 1U);
}

TEST(Plot, same_figure_gives_the_same_bytes) {
  const std::vector<double> t = grid(500, 3);
  const Figure figure = one_curve(t, over(t, [](double x) { return std::sin(x * x); }));
  for (const PlotFormat format : {PlotFormat::svg, PlotFormat::png, PlotFormat::html})
    EXPECT_EQ(render_plot(figure, format), render_plot(figure, format));
}

TEST(Plot, ending_of_the_file_chooses_the_format) {
  EXPECT_EQ(plot_format("run.svg"), PlotFormat::svg);
  EXPECT_EQ(plot_format("a.b/run.PNG"), PlotFormat::png);
  EXPECT_EQ(plot_format("run.html"), PlotFormat::html);
  EXPECT_EQ(plot_format("run.htm"), PlotFormat::html);
  EXPECT_EQ(plot_format("run.pdf"), std::nullopt);
  EXPECT_EQ(plot_format("svg"), std::nullopt);
}

}  // namespace
}  // namespace liaison
