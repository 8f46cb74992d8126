#include "contacts_compare.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <random>

#include "../tests/unilateral/brute_force.hpp"
#include "../tests/unilateral/matrices.hpp"
#include "peers/siconos_lcp.hpp"

namespace bench {

using namespace liaison;

namespace {

std::vector<double> rounded(const std::vector<Rational>& values) {
  std::vector<double> result;
  for (const Rational& value : values) result.push_back(value.to_double());
  return result;
}

bool is_near(const std::vector<double>& a, const std::vector<double>& b) {
  double scale = 1;
  for (const double value : b) scale = std::max(scale, std::abs(value));
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (!(std::abs(a[k] - b[k]) <= 1e-7 * scale)) return false;
  }
  return true;
}

bool all_regular(const std::vector<ComplementarySet>& found) {
  return std::all_of(found.begin(), found.end(),
                     [](const ComplementarySet& set) { return set.is_regular(); });
}

/// Everything in `some` stands in `all`.
bool has_all(const std::vector<std::vector<double>>& all, const std::vector<std::vector<double>>& some) {
  return std::all_of(some.begin(), some.end(), [&](const std::vector<double>& point) {
    return std::any_of(all.begin(), all.end(), [&](const auto& other) { return is_near(point, other); });
  });
}

class Comparison {
 public:
  void with_brute_force(const Complementarity& problem, const std::vector<ComplementarySet>& found) {
    ++brute_force_;
    if (const std::string text = difference_from_brute_force(problem, found); !text.empty()) tell(text);
  }

  /// Siconos' enumeration is by LU in doubles, one hypothesis at a time: where every solution is isolated and
  /// no inequality holds with equality it must have the same points.
  void with_enumeration(const Complementarity& problem, const std::vector<ComplementarySet>& found) {
    const auto points = SiconosLcp(bench::rounded(problem)).all();
    std::vector<std::vector<double>> ours;
    for (const ComplementarySet& set : found) ours.push_back(rounded(set.vertices[0].factors));
    if (all_regular(found)) {
      ++enumerated_;
      if (!has_all(points, ours)) tell("Siconos' enumeration misses a solution");
      // What it has besides comes from matrices that are singular and whose LU is not.
      if (!has_all(ours, points)) ++invented_;
    } else {
      ++degenerate_;
    }
  }

  void with_lemke(const Complementarity& problem, const std::vector<ComplementarySet>& found) {
    const DoubleComplementarity doubles = bench::rounded(problem);
    const auto exact = liaison::lemke(problem);
    const auto ours = liaison::lemke(doubles);
    const auto theirs = SiconosLcp(doubles).solve(SiconosSolver::lexicographic_lemke);
    ++lemke_;
    if (exact && !solves(problem, *exact)) tell("Lemke's path, exactly, ends at no solution");
    if (exact && found.empty()) tell("Lemke's path finds what enumeration does not");
    const bool one = found.size() == 1 && found[0].is_point();
    if (ours && exact && one && !is_near(ours->factors, rounded(exact->factors)))
      tell("Lemke's path in doubles ends elsewhere");
    const bool theirs_hold = theirs && nearly_solves(problem, *theirs);
    if (theirs_hold && found.empty()) tell("Siconos' Lemke finds what enumeration does not");
    if (theirs_hold && one && !is_near(*theirs, rounded(found[0].vertices[0].factors)))
      tell("Siconos' Lemke ends elsewhere");
    both_ += exact && theirs_hold;
    only_exact_ += exact && !theirs_hold;
    only_siconos_ += !exact && theirs_hold;
    only_doubles_fail_ += exact && !ours;
  }

  void with_theorem(const Complementarity& problem, const std::vector<ComplementarySet>& found) {
    const PMatrixAnswer answer = p_matrix(problem.r);
    if (answer.is_p) {
      ++p_matrices_;
      if (found.size() != 1 || !found[0].is_point()) tell("a P-matrix without exactly one motion");
      return;
    }
    ++others_;
    const SeveralMotions several = drive_with_several(problem.r, *answer.failing);
    const Complementarity shown{problem.r, several.drive};
    if (!solves(shown, several.first) || !solves(shown, several.second) ||
        several.first.factors == several.second.factors)
      tell("the drive for a matrix that is no P-matrix has not two motions");
    const auto all = all_solutions(shown);
    if (all.empty() || (all.size() == 1 && all[0].is_point())) tell("enumeration has not both motions");
  }

  void begin(std::string name) { name_ = std::move(name); }
  std::size_t differences() const { return differences_; }

  void print(const char* table, std::uint64_t seed) const {
    std::printf(
        "{\"table\": \"%s\", \"seed\": %llu, \"brute_force\": %zu, \"enumerated\": %zu, \"invented\": %zu, "
        "\"degenerate\": %zu, \"lemke\": %zu, \"both\": %zu, \"only_exact\": %zu, \"only_siconos\": %zu, "
        "\"only_doubles_fail\": %zu, \"p_matrices\": %zu, \"others\": %zu, \"differences\": %zu, "
        "\"siconos\": %s}\n",
        table, static_cast<unsigned long long>(seed), brute_force_, enumerated_, invented_, degenerate_,
        lemke_, both_, only_exact_, only_siconos_, only_doubles_fail_, p_matrices_, others_, differences_,
        SiconosLcp::is_installed() ? "true" : "false");
  }

 private:
  void tell(const std::string& text) {
    ++differences_;
    std::fprintf(stderr, "%s: %s\n", name_.c_str(), text.c_str());
  }

  std::string name_;
  std::size_t brute_force_ = 0, enumerated_ = 0, invented_ = 0, degenerate_ = 0, lemke_ = 0, both_ = 0,
              only_exact_ = 0, only_siconos_ = 0, only_doubles_fail_ = 0, p_matrices_ = 0, others_ = 0,
              differences_ = 0;
};

}  // namespace

bool nearly_solves(const Complementarity& problem, const std::vector<double>& factors) {
  Rational scale;
  for (const Rational& drive : problem.drive) scale = std::max(scale, abs(drive));
  if (scale.is_zero()) scale = Rational(1);
  for (std::size_t k = 0; k < factors.size(); ++k) {
    if (!std::isfinite(factors[k])) return false;
    Rational sum = problem.drive[k];
    for (std::size_t h = 0; h < factors.size(); ++h)
      sum += problem.r[h][k] * Rational::from_double(factors[h]);
    if (abs(std::min(sum, Rational::from_double(factors[k]))) > Rational(1, 10'000'000) * scale) return false;
  }
  return true;
}

DoubleComplementarity rounded(const Complementarity& problem) {
  DoubleComplementarity result;
  for (const auto& row : problem.r) {
    for (const Rational& entry : row) result.r.push_back(entry.to_double());
  }
  result.drive = rounded(problem.drive);
  return result;
}

std::size_t compare_random(std::uint64_t seed, std::size_t count) {
  Comparison comparison;
  for (std::size_t i = 0; i < count; ++i) {
    // Each problem has its own seed, so that one alone can be asked again.
    std::mt19937_64 random(seed + i);
    const Complementarity problem = random_problem(random, 8);
    comparison.begin("seed " + std::to_string(seed + i));
    const auto found = all_solutions(problem);
    comparison.with_brute_force(problem, found);
    comparison.with_theorem(problem, found);
    if (!SiconosLcp::is_installed()) continue;
    comparison.with_enumeration(problem, found);
    comparison.with_lemke(problem, found);
  }
  comparison.print("random", seed);
  return comparison.differences();
}

std::size_t compare_files(const std::string& folder) {
  Comparison comparison;
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".dat") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  for (const auto& path : paths) {
    const auto doubles = SiconosLcp::read(path.string());
    if (!doubles || doubles->drive.size() > 26) continue;
    Complementarity problem;
    const std::size_t count = doubles->drive.size();
    for (std::size_t h = 0; h < count; ++h) {
      std::vector<Rational>& row = problem.r.emplace_back();
      for (std::size_t k = 0; k < count; ++k) row.push_back(Rational::from_double(doubles->r[h * count + k]));
    }
    for (const double drive : doubles->drive) problem.drive.push_back(Rational::from_double(drive));
    comparison.begin(path.filename().string());
    const auto found = all_solutions(problem);
    if (count <= 9) comparison.with_brute_force(problem, found);
    if (count <= 16) comparison.with_enumeration(problem, found);
    comparison.with_lemke(problem, found);
  }
  comparison.print("files", 0);
  return comparison.differences();
}

}  // namespace bench
