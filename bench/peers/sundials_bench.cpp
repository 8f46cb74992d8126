#include <arkode/arkode_erkstep.h>
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <array>
#include <cmath>
#include <functional>
#include <memory>

#include "timing.hpp"
#include "worker.hpp"

/// Trajectories by SUNDIALS with equations written by hand, as a person writes them in C: method "arkode" is
/// its explicit Runge-Kutta method of order 8, "adams" its multistep method with fixed-point iteration.
namespace {

using bench::Case;

struct Equations {
  std::vector<std::string> names;  ///< of the state, as in the case
  std::vector<double> start;
  std::function<void(const double* y, double* dy)> rates;
};

/// Particles on massless rods, absolute angles: sum_j mu_ij l_i l_j (q_j'' cos(q_i - q_j) + q_j'^2 sin(q_i -
/// q_j)) = -mu_ii g l_i sin q_i, mu_ij the mass that both rods carry. Solved by Cholesky's factorisation in
/// place.
struct Chain {
  std::size_t n;
  std::vector<double> length, carried, s, c, matrix;
  double g;

  void operator()(const double* y, double* dy) {
    const double* v = y + n;
    double* a = dy + n;
    for (std::size_t i = 0; i < n; ++i) {
      s[i] = std::sin(y[i]);
      c[i] = std::cos(y[i]);
      dy[i] = v[i];
    }
    for (std::size_t i = 0; i < n; ++i) {
      double right = -carried[i] * g * length[i] * s[i];
      for (std::size_t j = 0; j < n; ++j) {
        const double shared = carried[std::max(i, j)] * length[i] * length[j];
        right -= shared * v[j] * v[j] * (s[i] * c[j] - c[i] * s[j]);
        if (j <= i) matrix[i * n + j] = shared * (c[i] * c[j] + s[i] * s[j]);
      }
      a[i] = right;
    }
    for (std::size_t j = 0; j < n; ++j) {
      double* row = &matrix[j * n];
      double pivot = row[j];
      for (std::size_t k = 0; k < j; ++k) pivot -= row[k] * row[k];
      const double inverse = 1 / std::sqrt(pivot);
      row[j] = inverse;
      for (std::size_t i = j + 1; i < n; ++i) {
        double sum = matrix[i * n + j];
        for (std::size_t k = 0; k < j; ++k) sum -= matrix[i * n + k] * row[k];
        matrix[i * n + j] = sum * inverse;
      }
      double sum = a[j];
      for (std::size_t k = 0; k < j; ++k) sum -= row[k] * a[k];
      a[j] = sum * inverse;
    }
    for (std::size_t i = n; i-- > 0;) {
      double sum = a[i];
      for (std::size_t k = i + 1; k < n; ++k) sum -= matrix[k * n + i] * a[k];
      a[i] = sum * matrix[i * n + i];
    }
  }
};

Equations chain(const Case& input) {
  const auto point = input.point();
  const std::size_t n = std::stoul(input.one("size"));
  Chain chain{n,
              {},
              std::vector<double>(n),
              std::vector<double>(n),
              std::vector<double>(n),
              std::vector<double>(n * n),
              point.at("g")};
  Equations result;
  double mass = 0;
  for (std::size_t i = n; i-- > 0;) chain.carried[i] = mass += point.at("m" + std::to_string(i + 1));
  for (const char* dot : {"", "'"}) {
    for (std::size_t i = 1; i <= n; ++i) {
      result.names.push_back("q" + std::to_string(i) + dot);
      result.start.push_back(point.at(result.names.back()));
      if (*dot == 0) chain.length.push_back(point.at("l" + std::to_string(i)));
    }
  }
  result.rates = chain;
  return result;
}

/// The disc by its balance of momentum on leaning axes, without the factors; the state is that of the case
/// without the velocities of the centre, which follow from rolling.
Equations tilting_disc(const Case& input) {
  const auto point = input.point();
  const double m = point.at("m"), r = point.at("R"), g = point.at("g");
  Equations result;
  result.names = {"x", "y", "psi", "theta", "phi", "psi'", "theta'", "phi'"};
  for (const std::string& name : result.names) result.start.push_back(point.at(name));
  const double a = m * r * r / 4, axial = m * r * r / 2, whole = m * r * r;
  result.rates = [=](const double* y, double* dy) {
    const double s = std::sin(y[3]), c = std::cos(y[3]), sp = std::sin(y[2]), cp = std::cos(y[2]);
    const double vpsi = y[5], vtheta = y[6], spin = y[7] + vpsi * s;
    const double along = r * spin, across = r * vtheta * c;
    dy[0] = along * cp + across * sp;
    dy[1] = along * sp - across * cp;
    dy[2] = vpsi;
    dy[3] = vtheta;
    dy[4] = y[7];
    dy[5] = (2 * a * vpsi * vtheta * s - axial * vtheta * spin) / (a * c);
    dy[6] = ((axial + whole) * spin * vpsi * c - a * vpsi * vpsi * s * c + m * g * r * s) / (a + whole);
    const double spin_rate = -whole * vtheta * vpsi * c / (axial + whole);
    dy[7] = spin_rate - dy[5] * s - vpsi * vtheta * c;
  };
  return result;
}

int right_side(realtype, N_Vector y, N_Vector dy, void* equations) {
  static_cast<Equations*>(equations)->rates(N_VGetArrayPointer(y), N_VGetArrayPointer(dy));
  return 0;
}

void require(bool holds, const char* what) {
  if (!holds) throw std::runtime_error(what);
}

struct Run {
  SUNContext context = nullptr;
  N_Vector y = nullptr;
  Run(const Equations& equations) {
    SUNContext_Create(nullptr, &context);
    y = N_VNew_Serial(static_cast<sunindextype>(equations.start.size()), context);
    std::copy(equations.start.begin(), equations.start.end(), N_VGetArrayPointer(y));
  }
  ~Run() {
    N_VDestroy(y);
    SUNContext_Free(&context);
  }
  Run(const Run&) = delete;
};

/// What goes before the clock: memory and options.
struct Arkode : Run {
  void* memory;
  Arkode(Equations& equations, double tolerance)
      : Run(equations), memory(ERKStepCreate(right_side, 0, y, context)) {
    require(ERKStepSetUserData(memory, &equations) == 0 &&
                ERKStepSStolerances(memory, tolerance, tolerance * 1e-3) == 0 &&
                ERKStepSetTableNum(memory, ARKODE_FEHLBERG_13_7_8) == 0 &&
                ERKStepSetMaxNumSteps(memory, 10'000'000) == 0,
            "ERKStep was not set up");
  }
  ~Arkode() { ERKStepFree(&memory); }
  void run(double end) {
    realtype t = 0;
    require(ERKStepSetStopTime(memory, end) == 0 && ERKStepEvolve(memory, end, y, &t, ARK_NORMAL) >= 0,
            "ERKStep did not arrive");
  }
  void count(std::map<std::string, double>& figures) {
    long steps = 0, evaluations = 0;
    ERKStepGetNumSteps(memory, &steps);
    ERKStepGetNumRhsEvals(memory, &evaluations);
    figures = {{"steps", static_cast<double>(steps)}, {"evaluations", static_cast<double>(evaluations)}};
  }
};

struct Adams : Run {
  void* memory;
  SUNNonlinearSolver solver;
  Adams(Equations& equations, double tolerance)
      : Run(equations),
        memory(CVodeCreate(CV_ADAMS, context)),
        solver(SUNNonlinSol_FixedPoint(y, 0, context)) {
    require(CVodeInit(memory, right_side, 0, y) == 0 && CVodeSetUserData(memory, &equations) == 0 &&
                CVodeSStolerances(memory, tolerance, tolerance * 1e-3) == 0 &&
                CVodeSetNonlinearSolver(memory, solver) == 0 && CVodeSetMaxNumSteps(memory, 10'000'000) == 0,
            "CVODE was not set up");
  }
  ~Adams() {
    CVodeFree(&memory);
    SUNNonlinSolFree(solver);
  }
  void run(double end) {
    realtype t = 0;
    require(CVodeSetStopTime(memory, end) == 0 && CVode(memory, end, y, &t, CV_NORMAL) >= 0,
            "CVODE did not arrive");
  }
  void count(std::map<std::string, double>& figures) {
    long steps = 0, evaluations = 0;
    CVodeGetNumSteps(memory, &steps);
    CVodeGetNumRhsEvals(memory, &evaluations);
    figures = {{"steps", static_cast<double>(steps)}, {"evaluations", static_cast<double>(evaluations)}};
  }
};

template <class Method>
bench::Outcome trajectory(Equations& equations, const Case& input) {
  const double end = std::stod(input.one("until")), tolerance = std::stod(input.one("tolerance"));
  bench::Outcome outcome;
  std::unique_ptr<Method> run;
  outcome.seconds = bench::least_seconds([&] { run = std::make_unique<Method>(equations, tolerance); },
                                         [&] { run->run(end); });
  for (std::size_t i = 0; i < equations.names.size(); ++i)
    outcome.values[equations.names[i]] = N_VGetArrayPointer(run->y)[i];
  run->count(outcome.figures);
  return outcome;
}

bench::Outcome perform(const std::string& method, const Case& input) {
  Equations equations = input.one("family") == "trajectory-chain" ? chain(input) : tilting_disc(input);
  return method == "adams" ? trajectory<Adams>(equations, input) : trajectory<Arkode>(equations, input);
}

}  // namespace

int main() {
  return bench::serve(perform);
}
