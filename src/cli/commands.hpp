#pragma once

#include <optional>
#include <string>
#include <vector>

namespace liaison::cli {

/// Exit codes: a contract (scripts rely on it).
enum ExitCode { done = 0, does_not_hold = 1, bad_input = 2, numerical_failure = 3 };

/// A worked tour of the core on real expressions.
int run_tour(bool json);
/// Is the expression zero? Says how it knows; exit code 1 where it is not.
int run_zero(const std::string& text, bool json);
/// The canonical and the readable form of an expression.
int run_simplify(const std::string& text, bool json);

/// An error in full; all codes in a list where `code` is empty.
int run_explain(const std::string& code, bool json);

struct DeriveOptions {
  std::string model, formulation, format;
  std::vector<std::string> outputs;  ///< each in the format of its ending; none: the standard output
  bool vakonomic = false;            ///< of Clebsch and Mayer's problem
  bool json = false;
  std::string lead;   ///< a formulation whose equations stand first
  bool full = false;  ///< also what is too long to be read
};
/// The derivation, step by step; exit code 1 where two formulations do not agree.
int run_derive(const DeriveOptions& options);

struct AnalyzeOptions {
  std::string model, format, output;
  std::vector<std::string> only;              ///< parts; none: all
  std::optional<std::string> degree, budget;  ///< of first integrals in the velocities; operations for a part
  std::string vary;                           ///< a parameter or two, whose special values are asked for
  std::string resume;                         ///< the JSON of an earlier analysis, to go on from
  std::string field;                          ///< "x = -y, y = x": is this field a symmetry?
  std::string level;                          ///< "F = value" of an integral F: motions with that value alone
  bool json = false;
};
/// What the system is: constraints, symmetries, first integrals, each with how it is known.
int run_analyze(const AnalyzeOptions& options);

struct ReduceOptions {
  std::string model, output;
  std::vector<std::string> by;  ///< coordinates to ignore; none: all that can be
  bool json = false;
};
/// The model of the other coordinates: Routh's and Chaplygin's reduction.
int run_reduce(const ReduceOptions& options);

struct InvariantsOptions {
  std::string model, curve, until, set, format, output;
  std::string integrator = "dop853";
  std::optional<std::string> sections, points, form, force;
  double tolerance = 1e-12;
  bool json = false;
};
/// Integral invariants over a tube of motions; exit code 1 where the integral is not the same on all
/// circuits.
int run_invariants(const InvariantsOptions& options);

struct EvalOptions {
  std::string model, at, set;
  bool project = false, json = false;
};
/// Numbers at a state: accelerations, multipliers, energies, r, residuals.
int run_eval(const EvalOptions& options);

struct MotionsOptions {
  std::string model, at, set;
  std::string scan, output;           ///< a map instead of one state; its rows
  std::vector<std::string> plots;     ///< of the map
  std::vector<std::string> touching;  ///< names of contacts that are closed
  bool project = false, json = false;
};
/// Every motion that the unilateral constraints allow at a state; whether r is a P-matrix.
int run_motions(const MotionsOptions& options);

struct StabilityOptions {
  std::string model, at, set;
  std::string scan, output;         ///< a chart; its rows
  std::vector<std::string> plots;   ///< of the chart
  std::vector<std::string> inputs;  ///< parameters: the columns of B and D
  bool json = false;
};
/// Small deviations of a steady motion, and a chart of its stability.
int run_stability(const StabilityOptions& options);

struct SimulateOptions {
  std::string model, set, start, output;
  std::string integrator = "dop853", engine = "compiled", assembly = "automatic";
  std::vector<std::string> plots, compare;  ///< files; rows of earlier runs drawn beside this one
  std::string columns, xy, phase, section;  ///< what plots show
  double until = 1, every = 0, tolerance = 1e-9, step = 0, flush_every = 1;
  double max_step = 0;  ///< 0: any length
  std::string impact;   ///< the law; empty: none is asked for
  std::string on_indeterminate = "stop", on_impossible = "stop";
  bool in_sequence = false;  ///< several impacts at once
  bool allow_gain = false;   ///< of energy, in an impact
  std::size_t max_steps = 1'000'000'000;
  bool project = false, free_drift = false, resume = false, json = false;
  bool vakonomic = false;                  ///< Clebsch and Mayer's motion
  std::optional<std::string> multipliers;  ///< of its relations, at the start
  std::optional<std::string> sensitivity;  ///< names by which the state is differentiated
  std::size_t lyapunov = 0;                ///< how many exponents; 0: none
};
/// A motion in time with its reactions, energies and events; exit code 3 where it meets a singular state.
int run_simulate(const SimulateOptions& options);

struct ShowOptions {
  std::string model, at, set, output, view, arrows, integrator = "dop853";
  std::optional<double> until;  ///< of a motion; without it one state
  std::optional<double> speed;  ///< of a film: time of the motion in a second
  double every = 0;
  bool project = false, names = false, json = false;
};
/// The mechanism as a picture: of a state, or of a motion.
int run_show(const ShowOptions& options);

struct OrbitsOptions {
  std::string model, set, start, turns, hold;
  std::optional<std::string> period;
  double tolerance = 1e-12;
  std::optional<std::string> follow;  ///< "w = 4 .. 9"
  std::string output, shown;          ///< of a branch: its points as FILE.csv, and what a picture shows
  std::vector<std::string> plots;
  bool rest = false;  ///< places of rest in place of periodic motions
  bool project = false, json = false;
};
/// A periodic motion near a start, by shooting, with the multipliers of its deviations.
int run_orbits(const OrbitsOptions& options);

struct ImportOptions {
  std::string robot, output;
  std::string floating;           ///< name of the free motion of the root; empty: the root is the ground
  std::vector<std::string> held;  ///< "JOINT" or "JOINT=VALUE"
  std::optional<std::string> smooth_friction;
  bool fixed = false, limits = false, motors = false, json = false;
};
/// A robot file as a model.
int run_import(const ImportOptions& options);

struct CheckOptions {
  std::vector<std::string> models;
  std::optional<std::string>
      budget;  ///< operations for each claim; nothing: those of one call to the algebra
  bool json = false, verbose = false;
};
/// Decides every claim; exit code 1 where one does not pass, 130 where a signal ended it.
int run_check(const CheckOptions& options);

}  // namespace liaison::cli
