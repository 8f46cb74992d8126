/// Complementarity problems of contacts: Liaison, brute force and Siconos on the same numbers, in turns, in
/// one process. One JSON line a case:
///   contacts_bench compare SEED COUNT | files FOLDER | enumeration QUICK | lemke QUICK | p-matrix QUICK |
///                  impacts SEED COUNT | bouncing SEED COUNT

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "../tests/simulate/bouncing.hpp"
#include "../tests/unilateral/brute_force.hpp"
#include "../tests/unilateral/impact_laws.hpp"
#include "../tests/unilateral/matrices.hpp"
#include "contacts_compare.hpp"
#include "liaison/unilateral/p_matrix.hpp"
#include "peers/siconos_lcp.hpp"
#include "worker.hpp"

namespace {

using namespace liaison;
using bench::SiconosLcp;
using bench::SiconosSolver;

struct Program {
  std::string name;
  std::function<void()> work;
};

double seconds_of(const std::function<void()>& work) {
  std::size_t calls = 0;
  const bench::Stopwatch watch;
  do {
    work();
    ++calls;
  } while (watch.seconds() < 2e-3);
  return watch.seconds() / static_cast<double>(calls);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// A B C A B C: of each program the median time, and of the ratios to the first one the median.
class Rounds {
 public:
  explicit Rounds(const std::vector<Program>& programs) {
    for (int round = 0; round < 5 && spent_ < 6; ++round) {
      for (const Program& program : programs) {
        const double seconds = seconds_of(program.work);
        spent_ += seconds;
        times_[program.name].push_back(seconds);
      }
    }
    first_ = programs.at(0).name;
  }

  std::map<std::string, double> seconds() const {
    std::map<std::string, double> result;
    for (const auto& [name, times] : times_) result[name] = median(times);
    return result;
  }
  std::map<std::string, double> ratios() const {
    std::map<std::string, double> result;
    const std::vector<double>& ours = times_.at(first_);
    for (const auto& [name, times] : times_) {
      std::vector<double> ratios;
      for (std::size_t i = 0; i < times.size(); ++i) ratios.push_back(times[i] / ours[i]);
      if (name != first_) result[name] = median(ratios);
    }
    return result;
  }

 private:
  std::map<std::string, std::vector<double>> times_;
  std::string first_;
  double spent_ = 0;
};

void print(const std::string& table, const std::string& kind, std::size_t size, const std::string& found,
           const Rounds& rounds, const std::string& note = "") {
  std::printf(
      "{\"table\": %s, \"kind\": %s, \"size\": %zu, \"found\": %s, \"seconds\": %s, \"ratios\": %s, "
      "\"note\": %s}\n",
      bench::json_text(table).c_str(), bench::json_text(kind).c_str(), size, bench::json_text(found).c_str(),
      bench::json_object(rounds.seconds()).c_str(), bench::json_object(rounds.ratios()).c_str(),
      bench::json_text(note).c_str());
  std::fflush(stdout);
}

/// p/3 contacts at rest in a plane, with a freedom for each normal and each tangent: N, and of each tangent
/// s = T + N/2 against growth and its decrease against N - s.
Complementarity with_friction(std::mt19937_64& random, std::size_t p) {
  const std::size_t contacts = p / 3, rows = 2 * contacts;
  const RationalMatrix b = random_matrix(random, rows, 3);
  RationalMatrix w(rows, std::vector<Rational>(rows));
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = 0; k < rows; ++k) {
      for (std::size_t j = 0; j < rows; ++j) w[i][k] += b[j][i] * b[j][k];
    }
    w[i][i] += Rational(1);
  }
  Complementarity problem{RationalMatrix(p, std::vector<Rational>(p)), std::vector<Rational>(p)};
  const auto drive = random_vector(random, rows, 30);
  const Rational half(1, 2);
  const auto row_of = [&](std::size_t row) { return row < contacts ? 3 * row : 3 * (row - contacts) + 1; };
  for (std::size_t c = 0; c < contacts; ++c) {
    const std::size_t normal = 3 * c, push = normal + 1, decrease = normal + 2;
    for (std::size_t k = 0; k < rows; ++k) {
      problem.r[normal][row_of(k)] = w[c][k] - half * w[contacts + c][k];
      problem.r[push][row_of(k)] = w[contacts + c][k];
    }
    problem.r[decrease][push] += Rational(1);
    problem.r[normal][decrease] = Rational(1);
    problem.r[push][decrease] = Rational(-1);
    problem.drive[normal] = drive[c] - Rational(20);
    problem.drive[push] = drive[contacts + c];
  }
  return problem;
}

/// p contacts of a body with three freedoms that hold it: what they carry together is known, not each.
Complementarity redundant(std::mt19937_64& random, std::size_t p) {
  Complementarity problem{RationalMatrix(p, std::vector<Rational>(p)), std::vector<Rational>(p)};
  for (int freedom = 0; freedom < 3; ++freedom) {
    const auto row = random_vector(random, p, 2);
    for (std::size_t h = 0; h < p; ++h) {
      for (std::size_t k = 0; k < p; ++k) problem.r[h][k] += row[h] * row[k];
    }
  }
  const auto factors = random_vector(random, p, 3);
  for (std::size_t k = 0; k < p; ++k) {
    for (std::size_t h = 0; h < p; ++h) problem.drive[k] += -(problem.r[h][k] * abs(factors[h]));
  }
  return problem;
}

Complementarity problem_of(const std::string& kind, std::size_t p) {
  std::mt19937_64 random(100 + p);
  if (kind == "redundant") return redundant(random, p);
  if (kind == "friction") return with_friction(random, p);
  Complementarity problem;
  problem.r = kind == "P" ? random_p_matrix(random, p) : random_matrix(random, p, 9);
  problem.drive = random_vector(random, p, 9);
  return problem;
}

/// A point in doubles keeps what a set keeps, and nothing else.
bool lies_in(const Complementarity& problem, const ComplementarySet& set, const std::vector<double>& point) {
  std::vector<bool> kept(point.size());
  for (const std::size_t k : set.kept) kept[k] = true;
  for (std::size_t k = 0; k < point.size(); ++k) {
    double sum = problem.drive[k].to_double(), size = 1 + std::abs(sum);
    for (std::size_t h = 0; h < point.size(); ++h) {
      const double term = problem.r[h][k].to_double() * point[h];
      sum += term;
      size += std::abs(term);
    }
    if (kept[k] ? std::abs(sum) > 1e-7 * size : std::abs(point[k]) > 1e-7) return false;
  }
  return true;
}

/// Every point of Siconos that is a solution lies in one of our sets; and where all solutions are isolated
/// and strict, every set has one: where a matrix is singular Siconos has none, or any.
bool same_points(const Complementarity& problem, const std::vector<ComplementarySet>& found,
                 const std::vector<std::vector<double>>& points) {
  const auto has_point = [&](const ComplementarySet& set) {
    return std::any_of(points.begin(), points.end(),
                       [&](const auto& point) { return lies_in(problem, set, point); });
  };
  const bool regular =
      std::all_of(found.begin(), found.end(), [](const auto& set) { return set.is_regular(); });
  return (!regular || std::all_of(found.begin(), found.end(), has_point)) &&
         std::all_of(points.begin(), points.end(), [&](const auto& point) {
           return !bench::nearly_solves(problem, point) ||
                  std::any_of(found.begin(), found.end(),
                              [&](const auto& set) { return lies_in(problem, set, point); });
         });
}

/// Whether a system of p equations for each of 2^p hypotheses is waited for.
bool is_short(std::size_t p, double seconds_each) {
  return std::ldexp(seconds_each, static_cast<int>(p)) < 25;
}

int enumeration(bool quick) {
  int wrong = 0;
  for (const std::string kind : {"P", "any", "redundant", "friction"}) {
    const bool friction = kind == "friction";
    const std::size_t most = quick ? 12 : friction ? 36 : 20;
    for (std::size_t p = friction ? 6 : 4; p <= most; p += friction ? 3 : 2) {
      const Complementarity problem = problem_of(kind, p);
      const auto found = all_solutions(problem);
      std::vector<Program> programs = {{"liaison", [&] { all_solutions(problem); }}};
      std::string note;
      if (p <= (kind == "redundant" ? 8 : friction && !quick ? 18 : 10)) {
        programs.push_back({"brute force", [&] { brute_force(problem); }});
        note = difference_from_brute_force(problem, found);
      }
      SiconosLcp siconos(bench::rounded(problem));
      if (SiconosLcp::is_installed() && is_short(p, 2e-5)) {
        programs.push_back({"siconos", [&] { siconos.count_all(); }});
        if (note.empty() && !same_points(problem, found, siconos.all())) note = "Siconos has other solutions";
      }
      wrong += !note.empty();
      print("enumeration", kind, p, std::to_string(found.size()), Rounds(programs), note);
    }
  }
  return wrong;
}

/// B^T B + I/10 with B normally distributed; unsymmetric: with a skew part.
Complementarity large_problem(const std::string& kind, std::size_t p) {
  std::mt19937_64 random(200 + p);
  std::normal_distribution<double> normal;
  std::vector<double> b(p * p), drive(p);
  for (double& entry : b) entry = normal(random);
  Complementarity problem;
  for (std::size_t h = 0; h < p; ++h) {
    std::vector<Rational>& row = problem.r.emplace_back();
    for (std::size_t k = 0; k < p; ++k) {
      double sum = h == k ? 0.1 : 0;
      for (std::size_t j = 0; j < p; ++j) sum += b[j * p + h] * b[j * p + k] / static_cast<double>(p);
      if (kind == "unsymmetric") sum += b[h * p + k] - b[k * p + h];
      row.push_back(Rational::from_double(sum));
    }
    problem.drive.push_back(Rational::from_double(normal(random)));
  }
  return problem;
}

int lemke_sizes(bool quick) {
  int wrong = 0;
  for (const std::string kind : {"symmetric", "unsymmetric"}) {
    for (const std::size_t p : {5, 10, 20, 50, 100, 200}) {
      if (quick && p > 50) break;
      const Complementarity problem = large_problem(kind, p);
      const DoubleComplementarity doubles = bench::rounded(problem);
      const auto ours = lemke(doubles);
      std::string note;
      if (!ours) note = "Lemke in doubles has no solution";
      const auto compare = [&](const std::string& name, const std::optional<std::vector<double>>& other) {
        if (!other) return false;
        for (std::size_t k = 0; ours && k < p; ++k) {
          if (!(std::abs((*other)[k] - ours->factors[k]) <= 1e-6 * std::max(1.0, std::abs(ours->factors[k]))))
            note = name + " has another solution";
        }
        return true;
      };
      std::vector<Program> programs = {{"liaison", [&] { lemke(doubles); }}};
      if (p <= 20) {
        const auto exact = lemke(problem);
        std::vector<double> factors;
        for (const Rational& factor : exact->factors) factors.push_back(factor.to_double());
        compare("Lemke exactly", factors);
        programs.push_back({"exact", [&] { lemke(problem); }});
      }
      SiconosLcp siconos(doubles);
      if (compare("Siconos' Lemke", siconos.solve(SiconosSolver::lexicographic_lemke)))
        programs.push_back({"siconos", [&] { siconos.solve(SiconosSolver::lexicographic_lemke); }});
      if (kind == "symmetric" && compare("Siconos' PGS", siconos.solve(SiconosSolver::gauss_seidel)))
        programs.push_back({"pgs", [&] { siconos.solve(SiconosSolver::gauss_seidel); }});
      wrong += !note.empty();
      print("lemke", kind, p, "1", Rounds(programs), note);
    }
  }
  return wrong;
}

/// All 2^n - 1 minors, each by elimination in rationals.
bool all_minors_positive(const RationalMatrix& r) {
  for (std::size_t set = 1; set < std::size_t{1} << r.size(); ++set) {
    std::vector<std::size_t> indices;
    for (std::size_t k = 0; k < r.size(); ++k) {
      if (set >> k & 1) indices.push_back(k);
    }
    if (principal_minor(r, indices).sign() <= 0) return false;
  }
  return true;
}

/// Rows and columns times positive numbers: minors keep their signs, and the symmetric part is definite no
/// more.
void scale(RationalMatrix& r) {
  for (std::size_t i = 0; i < r.size(); ++i) {
    for (std::size_t k = 0; k < r.size(); ++k)
      r[i][k] *= Rational(i % 2 == 0 ? 20 : 1) * Rational(k % 2 == 0 ? 1 : 20);
  }
}

RationalMatrix matrix_for_minors(const std::string& kind, std::size_t n) {
  std::mt19937_64 random(300 + n);
  RationalMatrix r = random_p_matrix(random, n);
  if (kind == "definite") return r;
  if (kind == "last minor fails") {
    // Of a definite symmetric matrix only the determinant vanishes when r_00 is less by det/det of the rest.
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < i; ++k) r[i][k] = r[k][i] = (r[i][k] + r[k][i]) / Rational(2);
    }
    std::vector<std::size_t> all(n);
    std::iota(all.begin(), all.end(), std::size_t{0});
    const std::vector<std::size_t> rest(all.begin() + 1, all.end());
    r[0][0] += -(principal_minor(r, all) / principal_minor(r, rest));
  }
  scale(r);
  return r;
}

int p_matrices(bool quick) {
  int wrong = 0;
  for (const std::string kind : {"definite", "not definite", "last minor fails"}) {
    for (std::size_t n = 4; n <= (quick ? 14 : 22); n += 2) {
      const RationalMatrix r = matrix_for_minors(kind, n);
      const PMatrixAnswer answer = p_matrix(r);
      std::string note;
      if (answer.is_p != (kind != "last minor fails")) note = "the wrong answer";
      std::vector<Program> programs = {{"liaison", [&] { p_matrix(r); }}};
      if (n <= 12) {
        if (answer.is_p != all_minors_positive(r)) note = "all minors say otherwise";
        programs.push_back({"brute force", [&] { all_minors_positive(r); }});
      }
      wrong += !note.empty();
      print("p-matrix", kind, n, answer.is_p ? "yes" : "no", Rounds(programs), note);
    }
  }
  return wrong;
}

/// Random impacts of every kind by every law: COUNT in all. One line a kind and law.
int impacts(std::uint64_t seed, std::size_t count) {
  int wrong = 0;
  const std::vector<ImpactLaw> all = {ImpactLaw::energetic, ImpactLaw::newton, ImpactLaw::poisson};
  const std::size_t each = count / (all.size() * impact_kinds().size());
  for (const ImpactKind& kind : impact_kinds()) {
    for (const ImpactLaw law : all) {
      const bench::Stopwatch watch;
      const ImpactLaws laws = random_impacts(law, kind, seed, each);
      const double seconds = watch.seconds();
      for (const std::string& broken : laws.broken)
        std::fprintf(stderr, "%s, %s, %s\n", std::string(word_for(law)).c_str(), kind.name.c_str(),
                     broken.c_str());
      wrong += !laws.broken.empty();
      std::printf(
          "{\"table\": \"impacts\", \"kind\": %s, \"law\": %s, \"seed\": %llu, \"impacts\": %zu, "
          "\"solutions\": %zu, \"without\": %zu, \"incomplete\": %zu, \"momentum\": %.3g, \"approach\": "
          "%.3g, "
          "\"cone\": %.3g, \"promised\": %zu, \"gained\": %.3g, \"creating\": %zu, \"created\": %.3g, "
          "\"seconds\": %.6g, \"broken\": %zu}\n",
          bench::json_text(kind.name).c_str(), bench::json_text(std::string(word_for(law))).c_str(),
          static_cast<unsigned long long>(seed), laws.impacts, laws.solutions, laws.without, laws.incomplete,
          laws.momentum, laws.approach, laws.cone, laws.promised, laws.gained, laws.creating, laws.created,
          seconds, laws.broken.size());
      std::fflush(stdout);
    }
  }
  return wrong;
}

/// Bodies that bounce in a box, COUNT impacts in all. One line a kind.
int bouncing(std::uint64_t seed, std::size_t count) {
  int wrong = 0;
  for (const BouncingKind& kind : bouncing_kinds()) {
    const bench::Stopwatch watch;
    const Bouncing found = random_bounces(kind, seed, count / bouncing_kinds().size());
    for (const std::string& broken : found.broken)
      std::fprintf(stderr, "%s, %s\n", kind.name.c_str(), broken.c_str());
    wrong += !found.broken.empty();
    std::printf(
        "{\"table\": \"bouncing\", \"kind\": %s, \"seed\": %llu, \"impacts\": %zu, \"several\": %zu, "
        "\"runs\": %zu, "
        "\"looks\": %zu, \"depth\": %.3g, \"closed\": %.3g, \"momentum\": %.3g, \"approach\": %.3g, "
        "\"cone\": %.3g, "
        "\"restitution\": %.3g, \"gained\": %.3g, \"flight\": %.3g, \"seconds\": %.6g, \"broken\": %zu}\n",
        bench::json_text(kind.name).c_str(), static_cast<unsigned long long>(seed), found.impacts,
        found.several, found.runs, found.looks, found.depth, found.closed, found.momentum, found.approach,
        found.cone, found.restitution, found.gained, found.flight, watch.seconds(), found.broken.size());
    std::fflush(stdout);
  }
  return wrong;
}

}  // namespace

int main(int count, char** words) {
  const std::vector<std::string> arguments(words + 1, words + count);
  const std::string task = arguments.empty() ? "" : arguments[0];
  const auto word = [&](std::size_t i) { return i < arguments.size() ? arguments[i] : std::string(); };
  if (task == "compare") return bench::compare_random(std::stoull(word(1)), std::stoul(word(2))) > 0;
  if (task == "impacts") return impacts(std::stoull(word(1)), std::stoul(word(2))) > 0;
  if (task == "bouncing") return bouncing(std::stoull(word(1)), std::stoul(word(2))) > 0;
  if (task == "files") return bench::compare_files(word(1)) > 0;
  const bool quick = word(1) == "quick";
  if (task == "enumeration") return enumeration(quick) > 0;
  if (task == "lemke") return lemke_sizes(quick) > 0;
  if (task == "p-matrix") return p_matrices(quick) > 0;
  std::fprintf(stderr, "usage: contacts_bench compare SEED COUNT | files FOLDER | enumeration [quick] | ");
  std::fprintf(stderr, "lemke [quick] | p-matrix [quick] | impacts SEED COUNT | bouncing SEED COUNT\n");
  return 2;
}
