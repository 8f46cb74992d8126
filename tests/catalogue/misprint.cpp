#include "misprint.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "liaison/expr/traverse.hpp"

namespace liaison::test {

namespace {

std::string at(const std::vector<std::pair<std::string, double>>& values) {
  std::string text;
  for (const auto& [name, value] : values)
    text += fmt::format("{}{} = {:.6g}", text.empty() ? "at " : ", ", name, value);
  return text;
}

std::string witness(const std::string& place, double left, double right) {
  return fmt::format("witness: {}the left side is {:.6g}, the right side {:.6g}",
                     place.empty() ? "" : place + " ", left, right);
}

void append(const Misprint& misprint, const std::string& evidence) {
  const ::testing::TestInfo& test = *::testing::UnitTest::GetInstance()->current_test_info();
  const std::string name = fmt::format("{}.{}", test.test_suite_name(), test.name());
  ASSERT_NE(name.find("misprint"), std::string::npos) << "docs/errata.md does not run the test " << name;
  const char* file = std::getenv("LIAISON_ERRATA");
  if (!file) return;
  const nlohmann::ordered_json line{
      {"row", misprint.row},
      {"title", misprint.title},
      {"printed", misprint.printed},
      {"right", misprint.right},
      {"refuted", misprint.refuted},
      {"evidence", evidence},
      {"test", name},
      {"file", "tests/catalogue/" + std::filesystem::path(test.file()).filename().string()}};
  std::ofstream(file, std::ios::app) << line.dump() << '\n';
}

}  // namespace

Sides sides_at(const Point& point, Expr left, Expr right) {
  const Expr both[] = {left, right};
  std::vector<std::pair<std::string, double>> values;
  for (Expr symbol : symbols_in(both)) values.emplace_back(symbol.symbol().name, point(symbol));
  return {at(values), point(left), point(right)};
}

void refute(const Misprint& misprint, const Verdict& verdict) {
  SCOPED_TRACE(misprint.title);
  const ::testing::AssertionResult refuted = is_refuted_with_witness(verdict);
  EXPECT_TRUE(refuted);
  if (!refuted) return;
  std::vector<std::pair<std::string, double>> values;
  for (const auto& [symbol, value] : verdict.witness.point)
    values.emplace_back(to_infix(symbol), value.to_double());
  append(misprint, witness(at(values), verdict.witness.left.mid(), verdict.witness.right.mid()));
}

void refute(const Misprint& misprint, const Sides& sides) {
  SCOPED_TRACE(misprint.title);
  const bool differ = std::abs(sides.left - sides.right) > 1e-6;
  EXPECT_TRUE(differ) << sides.left << " and " << sides.right << " " << sides.place;
  if (differ) append(misprint, witness(sides.place, sides.left, sides.right));
}

void record(const Misprint& misprint, const std::string& why) {
  append(misprint, "why: " + why);
}

}  // namespace liaison::test
