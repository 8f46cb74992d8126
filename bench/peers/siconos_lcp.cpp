#include "siconos_lcp.hpp"

#ifdef BENCH_SICONOS
#include <LCP_Solvers.h>
#include <LinearComplementarityProblem.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <lcp_cst.h>
#endif

#include <memory>
#include <utility>

namespace bench {

#ifdef BENCH_SICONOS

namespace {

/// Borrows the entries: w = M z + q with M by columns is r by rows.
class Lcp {
 public:
  explicit Lcp(liaison::DoubleComplementarity& problem) {
    const int size = static_cast<int>(problem.drive.size());
    NM_null(&matrix_);
    matrix_.storageType = NM_DENSE;
    matrix_.size0 = matrix_.size1 = size;
    matrix_.matrix0 = problem.r.data();
    problem_.size = size;
    problem_.M = &matrix_;
    problem_.q = problem.drive.data();
  }
  LinearComplementarityProblem* get() { return &problem_; }

 private:
  NumericsMatrix matrix_;
  LinearComplementarityProblem problem_;
};

struct Delete {
  void operator()(SolverOptions* options) const { solver_options_delete(options); }
};
std::unique_ptr<SolverOptions, Delete> options_of(int solver, double tolerance) {
  std::unique_ptr<SolverOptions, Delete> options(solver_options_create(solver));
  options->dparam[SICONOS_DPARAM_TOL] = tolerance;
  if (solver == SICONOS_LCP_PGS) options->iparam[SICONOS_IPARAM_MAX_ITER] = 100000;
  return options;
}

}  // namespace

bool SiconosLcp::is_installed() {
  return true;
}

std::optional<std::vector<double>> SiconosLcp::solve(SiconosSolver solver, double tolerance) {
  const std::size_t count = problem_.drive.size();
  Lcp lcp(problem_);
  std::vector<double> z(count), w(count);
  int failed = 0;
  const int id = solver == SiconosSolver::enumeration           ? SICONOS_LCP_ENUM
                 : solver == SiconosSolver::lexicographic_lemke ? SICONOS_LCP_LEMKE
                                                                : SICONOS_LCP_PGS;
  const auto options = options_of(id, tolerance);
  if (id == SICONOS_LCP_ENUM) lcp_enum(lcp.get(), z.data(), w.data(), &failed, options.get());
  if (id == SICONOS_LCP_LEMKE) lcp_lexicolemke(lcp.get(), z.data(), w.data(), &failed, options.get());
  if (id == SICONOS_LCP_PGS) lcp_pgs(lcp.get(), z.data(), w.data(), &failed, options.get());
  return failed ? std::nullopt : std::optional(z);
}

std::vector<std::vector<double>> SiconosLcp::all(double tolerance) {
  const std::size_t count = problem_.drive.size();
  Lcp lcp(problem_);
  const auto options = options_of(SICONOS_LCP_ENUM, tolerance);
  std::vector<std::vector<double>> found;
  std::vector<double> z(count), w(count);
  // It begins at a seed and comes round to the first hypotheses after the last one.
  for (int seed = 0; seed < 1 << count;) {
    options->iparam[SICONOS_LCP_IPARAM_ENUM_SEED] = seed;
    int failed = 0;
    lcp_enum(lcp.get(), z.data(), w.data(), &failed, options.get());
    const int at = options->iparam[SICONOS_LCP_IPARAM_ENUM_CURRENT_ENUM];
    if (failed || at < seed) break;
    found.push_back(z);
    seed = at + 1;
  }
  return found;
}

std::size_t SiconosLcp::count_all(double tolerance) {
  const std::size_t count = problem_.drive.size();
  Lcp lcp(problem_);
  const auto options = options_of(SICONOS_LCP_ENUM, tolerance);
  options->iparam[SICONOS_LCP_IPARAM_ENUM_MULTIPLE_SOLUTIONS] = 1;
  options->iparam[SICONOS_LCP_IPARAM_ENUM_NUMBER_OF_SOLUTIONS] = 0;
  std::vector<double> z(count), w(count);
  int failed = 0;
  lcp_enum(lcp.get(), z.data(), w.data(), &failed, options.get());
  return static_cast<std::size_t>(options->iparam[SICONOS_LCP_IPARAM_ENUM_NUMBER_OF_SOLUTIONS]);
}

std::optional<liaison::DoubleComplementarity> SiconosLcp::read(const std::string& path) {
  const std::unique_ptr<LinearComplementarityProblem, void (*)(LinearComplementarityProblem*)> lcp(
      newLCP(), freeLinearComplementarityProblem);
  linearComplementarity_newFromFilename(lcp.get(), path.c_str());
  const auto size = static_cast<std::size_t>(lcp->size);
  if (lcp->M->storageType != NM_DENSE) return std::nullopt;
  return liaison::DoubleComplementarity{{lcp->M->matrix0, lcp->M->matrix0 + size * size},
                                        {lcp->q, lcp->q + size}};
}

#else

bool SiconosLcp::is_installed() {
  return false;
}
std::optional<std::vector<double>> SiconosLcp::solve(SiconosSolver, double) {
  return std::nullopt;
}
std::vector<std::vector<double>> SiconosLcp::all(double) {
  return {};
}
std::size_t SiconosLcp::count_all(double) {
  return 0;
}

std::optional<liaison::DoubleComplementarity> SiconosLcp::read(const std::string&) {
  return std::nullopt;
}

#endif

SiconosLcp::SiconosLcp(liaison::DoubleComplementarity problem) : problem_(std::move(problem)) {}

}  // namespace bench
