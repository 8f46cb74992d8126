#include "compile_support.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/motion.hpp"
#include "liaison/model/language.hpp"

namespace liaison::test {

std::vector<double> interpret(const Program& program, const std::vector<double>& in) {
  std::vector<double> out(program.outputs.size()), scratch(program.slot_count);
  run(program, in.data(), out.data(), scratch.data());
  return out;
}

bool same_bits(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

::testing::AssertionResult all_same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size())
    return ::testing::AssertionFailure() << a.size() << " and " << b.size() << " numbers";
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!same_bits(a[i], b[i]))
      return ::testing::AssertionFailure() << fmt::format("number {}: {} and {}", i, a[i], b[i]);
  return ::testing::AssertionSuccess();
}

double ulps_between(double a, double b) {
  if (same_bits(a, b) || a == b) return 0;
  if (!std::isfinite(a) || !std::isfinite(b)) return std::numeric_limits<double>::max();
  const double size = std::max(std::abs(a), std::abs(b));
  return std::abs(a - b) / (std::nextafter(size, INFINITY) - size);
}

std::size_t count(const Program& program, Operation operation) {
  std::size_t n = 0;
  for (const Instruction& instruction : program.instructions) n += instruction.operation == operation;
  return n;
}

namespace {

test::RandomOptions every_operation() {
  test::RandomOptions options;
  options.functions = test::all_functions();
  options.fractional_powers = true;
  options.depth = 5;
  return options;
}

std::string chain_model(std::size_t links) {
  std::string text = "system \"Chain\"\n", x = "0", y = "0";
  for (std::size_t k = 1; k <= links; ++k) text += fmt::format("param m{0} > 0, l{0} > 0\n", k);
  text += "param g\n";
  for (std::size_t k = 1; k <= links; ++k) text += fmt::format("coord q{}\n", k);
  for (std::size_t k = 1; k <= links; ++k) {
    x += fmt::format(" + l{0}*sin(q{0})", k);
    y += fmt::format(" - l{0}*cos(q{0})", k);
    text += fmt::format("particle P{0} mass m{0} at [{1}, {2}]\n", k, x, y);
  }
  return text + "gravity [0, -g]\n";
}

}  // namespace

RandomSystem::RandomSystem(std::uint64_t seed, std::size_t n_outputs)
    : random(seed, every_operation()),
      inputs(random.symbols(pool)),
      outputs(random.expressions(pool, n_outputs)) {}

std::vector<double> RandomSystem::state() {
  std::uniform_real_distribution<double> number(-2, 2);
  std::vector<double> result;
  for (std::size_t i = 0; i < inputs.size(); ++i) result.push_back(number(random.engine()));
  return result;
}

Chain::Chain(std::size_t n) : links(n) {
  const Source source("chain.lia", chain_model(n));
  ParsedModel parsed = parse_model(source);
  if (!parsed.ok()) throw std::runtime_error(render(parsed.diagnostics, source));
  pool = parsed.system.pool;
  Algebra algebra(*pool);
  const Motion motion = derive_motion(algebra, parsed.system);
  outputs = motion.free.mass.entries;
  outputs.insert(outputs.end(), motion.free.load.begin(), motion.free.load.end());
  inputs = symbols_in(outputs);
}

std::vector<double> Chain::state() const {
  std::vector<double> result;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    result.push_back(0.7 + 0.61 * std::sin(1.7 * static_cast<double>(i)));
  return result;
}

}  // namespace liaison::test
