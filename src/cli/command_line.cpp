#include "command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "commands.hpp"
#include "liaison/compile/code_cache.hpp"
#include "liaison/mechanism/analyzed.hpp"
#include "liaison/mechanism/derived_document.hpp"
#include "numbers.hpp"
#include "own_commands.hpp"

namespace liaison::cli {

namespace {

/// An option that is a number, judged as soon as it is read.
void add_number(CLI::App& command, const std::string& option, double& value, const std::string& example,
                const std::string& about, bool required = false, bool may_be_zero = true) {
  command
      .add_option_function<std::string>(
          option,
          [&value, option, example, may_be_zero](const std::string& text) {
            value = read_number(option, text, example);
            if (value == 0 && !may_be_zero) refuse_zero(option, example);
          },
          about)
      ->type_name("FLOAT")
      ->required(required);
}

void add_code_cache(CLI::App& command) {
  command.add_flag_callback(
      "--no-cache", [] { set_code_cache({}); }, "machine code is neither taken from the disk nor kept there");
}

/// Commands whose only argument is an expression, and the one that has none.
void define_expression_commands(CLI::App& app, int& code) {
  const auto text = std::make_shared<std::string>();
  const auto json = std::make_shared<bool>(false);
  auto* tour = app.add_subcommand(
      "tour", "a worked tour of the core: forms, Cartan's calculus, Frobenius, exact algebra");
  tour->add_flag("--json", *json, "one JSON object");
  tour->callback([json, &code] { code = run_tour(*json); });
  auto* zero =
      app.add_subcommand("zero", "decide whether an expression is identically zero, and say how it is known");
  zero->add_option("expression", *text, "for example \"sin(x)^2 + cos(x)^2 - 1\"")->required();
  zero->add_flag("--json", *json, "one JSON object");
  zero->callback([text, json, &code] { code = run_zero(*text, *json); });
  auto* simplify =
      app.add_subcommand("simplify", "the canonical and the most readable form of an expression");
  simplify->add_option("expression", *text, "for example \"(x^2 - y^2)/(x - y)\"")->required();
  simplify->add_flag("--json", *json, "one JSON object");
  simplify->callback([text, json, &code] { code = run_simplify(*text, *json); });
}

void define_derive(CLI::App& app, int& code) {
  const auto owned = std::make_shared<DeriveOptions>();
  DeriveOptions& derive_options = *owned;
  auto* derive = app.add_subcommand("derive", "the equations of motion and the reactions, step by step");
  derive->add_option("model", derive_options.model, "a file .lia, or - for the standard input")->required();
  std::vector<std::string> roads;
  for (const liaison::Formulation road : liaison::formulations_named("all"))
    roads.push_back(liaison::name_of(road));
  derive->add_option(
      "--formulation", derive_options.formulation,
      fmt::format("also by another road, and whether it agrees: {}, or all", fmt::join(roads, ", ")));
  derive
      ->add_option("--format", derive_options.format,
                   "text, latex, html or json; by the ending of -o if not given")
      ->check(CLI::IsMember({"text", "latex", "html", "json"}));
  derive->add_option("--lead", derive_options.lead, "the equations of this formulation first, as lagrange");
  derive->add_flag("--full", derive_options.full, "also formulas that are too long to be read");
  derive->add_flag("--vakonomic", derive_options.vakonomic,
                   "of the variational problem with the relations between velocities (Clebsch, Mayer)");
  derive
      ->add_option("-o,--output", derive_options.outputs,
                   "a file instead of the standard output; several: the derivation in several formats")
      ->allow_extra_args(false);
  derive->add_flag("--json", derive_options.json,
                   "one JSON object, as --format json; -o still has the files");
  derive->callback([owned, &code] { code = run_derive(*owned); });
}

void define_analyze(CLI::App& app, int& code) {
  const auto owned = std::make_shared<AnalyzeOptions>();
  AnalyzeOptions& analyze_options = *owned;
  auto* analyze = app.add_subcommand("analyze",
                                     "what the system is: constraints and where they lead, symmetries, first "
                                     "integrals, with how each is known");
  analyze->add_option("model", analyze_options.model, "a file .lia, or - for the standard input")->required();
  std::vector<std::string> parts;
  for (const liaison::AnalysisPart part : liaison::all_analysis_parts())
    parts.push_back(liaison::name_of(part));
  analyze
      ->add_option("--only", analyze_options.only,
                   fmt::format("parts of the analysis, as {}", fmt::join(parts, ",")))
      ->delimiter(',')
      ->allow_extra_args(false);
  analyze->add_option("--degree", analyze_options.degree,
                      "first integrals are searched up to this degree in the velocities, 2 if not given");
  analyze->add_option(
      "--vary", analyze_options.vary,
      "a parameter, or two as A,B: for which values are there more first integrals of that degree?");
  analyze->add_option(
      "--resume", analyze_options.resume,
      "the JSON of an earlier analysis: its integrals are known, and the search goes on with eight "
      "times its budget if none is given");
  analyze->add_option(
      "--field", analyze_options.field,
      "a field on the positions, as \"x = -y, y = x\", asked with the symmetries: is it one?");
  analyze->add_option(
      "--level", analyze_options.level,
      "motions alone with this value of a first integral that is linear in the velocities, as "
      "\"m*(x*y' - y*x') = 0\"");
  analyze->add_option(
      "--budget", analyze_options.budget,
      "operations for each part, 1e9 if not given; the unknowns of a search grow with its third "
      "root");
  analyze
      ->add_option("--format", analyze_options.format,
                   "text, latex, html or json (the page); by the ending of -o if not given")
      ->check(CLI::IsMember({"text", "latex", "html", "json"}));
  analyze->add_option("-o,--output", analyze_options.output, "a file instead of the standard output");
  analyze->add_flag("--json", analyze_options.json,
                    "one JSON object with the results on the standard output; -o still has the page");
  analyze->callback([owned, &code] { code = run_analyze(*owned); });
}

void define_reduce(CLI::App& app, int& code) {
  const auto owned = std::make_shared<ReduceOptions>();
  ReduceOptions& reduce_options = *owned;
  auto* reduce = app.add_subcommand(
      "reduce", "the model without coordinates on which nothing depends: Routh's and Chaplygin's reduction");
  reduce->add_option("model", reduce_options.model, "a file .lia, or - for the standard input")->required();
  reduce
      ->add_option("--by", reduce_options.by,
                   "coordinates to ignore, as phi,psi; all that can be if not given")
      ->delimiter(',')
      ->allow_extra_args(false);
  reduce->add_option("-o,--output", reduce_options.output, "a file instead of the standard output");
  reduce->add_flag("--json", reduce_options.json, "one JSON object; -o still has the model");
  reduce->callback([owned, &code] { code = run_reduce(*owned); });
}

void define_invariants(CLI::App& app, int& code) {
  const auto owned = std::make_shared<InvariantsOptions>();
  InvariantsOptions& tube = *owned;
  auto* invariants = app.add_subcommand(
      "invariants", "Poincare's, Cartan's and Taylor's integrals over a tube of motions from a closed curve");
  invariants->add_option("model", tube.model, "a file .lia, or - for the standard input")->required();
  invariants
      ->add_option(
          "--curve", tube.curve,
          "a closed curve of states, as \"a: x = cos(a), x' = 1 + sin(a)/2\", a from 0 to 2*pi; the rest "
          "by the model's start and constraints")
      ->required();
  invariants
      ->add_option("--until", tube.until,
                   "the end of the motions: a time, or an expression in the parameter of the curve")
      ->required();
  invariants->add_option("--sections", tube.sections, "circuits after the first, 4 if not given");
  invariants->add_option("--points", tube.points, "motions, a multiple of 4, 64 if not given");
  add_number(*invariants, "--tol", tube.tolerance, "1e-12",
             "relative tolerance of a step, 1e-12 if not given");
  invariants->add_option("--integrator", tube.integrator, "dop853, taylor, arkode, adams, bdf or ida");
  invariants->add_option("--set", tube.set, "other values of parameters, as \"m = 2\"");
  invariants->add_option("--form", tube.form, "another 1-form than p dq - H dt, as \"m*x'*dx - H*dt\"");
  invariants->add_option(
      "--force", tube.force,
      "with --form: B of the 2-form B ^ dt over the tube, as \"lambda(rod)*dx\"; nothing if not "
      "given");
  invariants
      ->add_option("--format", tube.format,
                   "text, latex, html or json (the page); by the ending of -o if not given")
      ->check(CLI::IsMember({"text", "latex", "html", "json"}));
  invariants->add_option("-o,--output", tube.output, "a file instead of the standard output");
  add_code_cache(*invariants);
  invariants->add_flag("--json", tube.json, "one JSON object with the results; -o still has the page");
  invariants->callback([owned, &code] { code = run_invariants(*owned); });
}

void define_eval(CLI::App& app, int& code) {
  const auto owned = std::make_shared<EvalOptions>();
  EvalOptions& eval_options = *owned;
  auto* eval = app.add_subcommand("eval", "numbers at a state: accelerations, multipliers, energies, r");
  eval->add_option("model", eval_options.model, "a file .lia, or - for the standard input")->required();
  eval->add_option(
      "--at", eval_options.at,
      "the state, as \"x = 1, x' = 2\", and values of parameters, as a witness shows them; the rest by the "
      "model's start and its constraints");
  eval->add_option("--set", eval_options.set, "other values of parameters, as \"m = 2\"");
  eval->add_flag("--project", eval_options.project,
                 "move a state that violates a constraint onto it, least in the mass metric");
  eval->add_flag("--json", eval_options.json, "one JSON object");
  eval->callback([owned, &code] { code = run_eval(*owned); });
}

void define_motions(CLI::App& app, int& code) {
  const auto owned = std::make_shared<MotionsOptions>();
  MotionsOptions& motions_options = *owned;
  auto* motions =
      app.add_subcommand("motions", "every motion that the unilateral constraints allow at a state");
  motions->add_option("model", motions_options.model, "a file .lia, or - for the standard input")->required();
  motions->add_option("--at", motions_options.at, "the state, as for `eval`");
  motions->add_option("--set", motions_options.set, "other values of parameters, as \"m = 2\"");
  motions
      ->add_option("--touching", motions_options.touching,
                   "contacts that are closed there, as floor,wall: what is not given is found from them too")
      ->delimiter(',')
      ->allow_extra_args(false);
  motions->add_flag("--project", motions_options.project,
                    "move a state that violates a constraint onto it, least in the mass metric");
  motions->add_option("--scan", motions_options.scan,
                      "a map over one or two states or parameters, as \"theta = 0:pi/2:91, f = 0:3:61\": "
                      "first value, last value, how many");
  motions->add_option("-o,--output", motions_options.output, "with --scan: the points as FILE.csv");
  motions->add_option("--plot", motions_options.plots,
                      "with --scan: the map, as FILE.svg, FILE.png or FILE.html; may be repeated");
  motions->add_flag("--json", motions_options.json, "one JSON object");
  motions->callback([owned, &code] { code = run_motions(*owned); });
}

void define_stability(CLI::App& app, int& code) {
  const auto owned = std::make_shared<StabilityOptions>();
  StabilityOptions& stability_options = *owned;
  auto* stability = app.add_subcommand(
      "stability", "small deviations of a steady motion or of rest: matrices, eigenvalues, a chart");
  stability->add_option("model", stability_options.model, "a file .lia, or - for the standard input")
      ->required();
  stability->add_option("--at", stability_options.at,
                        "the steady motion; without it, the start of the model");
  stability->add_option("--set", stability_options.set, "other values of parameters, as \"m = 2\"");
  stability
      ->add_option("--input", stability_options.inputs,
                   "parameters that are inputs, as F,u: columns of B and D")
      ->delimiter(',')
      ->allow_extra_args(false);
  stability->add_option("--scan", stability_options.scan,
                        "a chart over one or two parameters or velocities, as \"v = 0:10:101\": first value, "
                        "last value, how many");
  stability->add_option("-o,--output", stability_options.output, "with --scan: the points as FILE.csv");
  stability->add_option("--plot", stability_options.plots,
                        "with --scan: the chart, as FILE.svg, FILE.png or FILE.html; may be repeated");
  stability->add_flag("--json", stability_options.json, "one JSON object");
  stability->callback([owned, &code] { code = run_stability(*owned); });
}

/// What is given and has no letters is a blank: it was given.
void add_words(CLI::App& command, const std::string& option, std::string& words, const std::string& about) {
  command.add_option_function<std::string>(
      option, [&words](const std::string& text) { words = text.empty() ? " " : text; }, about);
}

/// Where rows and pictures go, and how a run goes on.
void add_files_of_run(CLI::App* simulate, SimulateOptions& run) {
  simulate->add_option("-o,--output", run.output,
                       "the rows, as FILE.csv or FILE.npz; - is the standard output, as .csv");
  simulate->add_option("--plot", run.plots, "a plot, as FILE.svg, FILE.png or FILE.html; may be repeated");
  add_words(*simulate, "--columns", run.columns, "what plots show over the time, as \"x, x', lambda(rod)\"");
  add_words(*simulate, "--xy", run.xy, "plots show the second column over the first, as \"x, y\"");
  add_words(*simulate, "--phase", run.phase, "plots show x' over x");
  add_words(*simulate, "--section", run.section,
            "with --xy or --phase: only points where an equation begins to hold from below, as "
            "\"sin(t) = 0\"; \", falling\" or \", either\" behind it");
  simulate
      ->add_option("--compare", run.compare,
                   "rows of an earlier run beside this one, as FILE.csv; may be repeated")
      ->allow_extra_args(false);
  simulate->add_flag("--resume", run.resume, "go on with the run whose rows are in the output");
  add_number(*simulate, "--flush-every", run.flush_every, "1", "seconds between two states of the output, 1");
  add_number(*simulate, "--max-step", run.max_step, "0.1", "no step is longer", false, false);
}

/// How the run computes.
void add_machine_of_run(CLI::App* simulate, SimulateOptions& run) {
  simulate
      ->add_option_function<std::string>(
          "--max-steps",
          [&](const std::string& count) {
            run.max_steps = read_count("--max-steps", count, "steps", "1000000");
          },
          "give up after this many steps")
      ->type_name("UINT");
  simulate->add_option("--engine", run.engine, "compiled or interpreted")
      ->check(CLI::IsMember({"compiled", "interpreted"}));
  simulate
      ->add_option("--assembly", run.assembly,
                   "how the accelerations are computed: automatic, closed_form, unrolled, factorised, sparse")
      ->check(CLI::IsMember({"automatic", "closed_form", "unrolled", "factorised", "sparse"}));
}

/// Laws of impacts, and what to do where contacts allow several motions or none.
void add_contacts_of_run(CLI::App* simulate, SimulateOptions& run) {
  simulate->add_option("--impact", run.impact, "the law of impacts: energetic, newton or poisson")
      ->check(CLI::IsMember({"energetic", "newton", "poisson"}));
  simulate->add_flag("--in-sequence", run.in_sequence,
                     "impacts at one time one after the other, not as one problem");
  simulate->add_flag("--allow-gain", run.allow_gain,
                     "go on where the law of an impact creates energy, as Newton's can");
  simulate
      ->add_option("--on-indeterminate", run.on_indeterminate,
                   "where contacts allow several motions: stop, separate (fewest contacts), contact (most), "
                   "compliant (that of stiff contacts that give way), branch (each of them)")
      ->check(CLI::IsMember({"stop", "separate", "contact", "compliant", "branch"}));
  simulate
      ->add_option(
          "--on-impossible", run.on_impossible,
          "where contacts allow none: stop, shock (a tangential impact), or compliant (what stiff contacts "
          "that give way do)")
      ->check(CLI::IsMember({"stop", "shock", "compliant"}));
}

/// Other motions than d'Alembert's, and deviations from one.
void add_variations_of_run(CLI::App* simulate, SimulateOptions& run) {
  simulate->add_flag("--vakonomic", run.vakonomic,
                     "the motion of the variational problem with the relations between velocities (Clebsch, "
                     "Mayer), not d'Alembert's");
  simulate->add_option(
      "--multipliers", run.multipliers,
      "with --vakonomic: the multiplier of each such relation at the start, as \"roll = 0\"");
  simulate->add_option(
      "--sensitivity", run.sensitivity,
      "derivatives of the state by parameters and by values of its start, as \"m, x\": columns d(x)/d(m)");
  simulate
      ->add_option_function<std::string>(
          "--lyapunov",
          [&](const std::string& count) {
            run.lyapunov = read_count("--lyapunov", count, "exponents", "2", 1'000'000);
          },
          "the first N exponents by which deviations grow, up to the end of the run")
      ->type_name("UINT");
}

void define_simulate(CLI::App& app, int& code) {
  const auto owned = std::make_shared<SimulateOptions>();
  SimulateOptions& run = *owned;
  auto* simulate =
      app.add_subcommand("simulate", "a motion in time, with its reactions, energies and events");
  simulate->add_option("model", run.model, "a file .lia, or - for the standard input")->required();
  add_number(*simulate, "--until", run.until, "10", "the time at which the motion ends", true);
  add_number(*simulate, "--every", run.every, "0.01",
             "rows at this distance in time; without it, at each step", false, false);
  add_number(*simulate, "--tol", run.tolerance, "1e-9", "relative tolerance of a step, 1e-9 if not given");
  simulate->add_option(
      "--integrator", run.integrator,
      "dop853, taylor, arkode, adams, bdf, ida, variational, variational4, variational6, or moreau "
      "(many contacts)");
  add_number(*simulate, "--step", run.step, "0.001", "a constant step instead of a tolerance", false, false);
  simulate->add_option("--set", run.set, "other values of parameters, as \"m = 2\"");
  simulate->add_option("--start", run.start,
                       "initial values, as \"x = 1, x' = 2\"; the rest by the model's start and constraints");
  simulate->add_flag("--project", run.project,
                     "move a start that violates a constraint onto it, least in the mass metric");
  simulate->add_flag("--free-drift", run.free_drift,
                     "do not keep the state on the constraints: shows how far it drifts");
  add_files_of_run(simulate, run);
  add_machine_of_run(simulate, run);
  add_code_cache(*simulate);
  add_contacts_of_run(simulate, run);
  add_variations_of_run(simulate, run);
  simulate->add_flag("--json", run.json, "one JSON object");
  simulate->callback([owned, &code] { code = run_simulate(*owned); });
}

void define_show(CLI::App& app, int& code) {
  const auto owned = std::make_shared<ShowOptions>();
  ShowOptions& options = *owned;
  auto* show = app.add_subcommand("show", "the mechanism as a picture: a state, or with --until a motion");
  show->add_option("model", options.model, "a file .lia; - is the standard input")->required();
  show->add_option(
      "--at", options.at,
      "the state, as \"x = 1, x' = 2\", and values of parameters; with --until the motion begins "
      "there; the rest by the model's start and its constraints");
  show->add_option("--set", options.set, "other values of parameters, as \"m = 2\"");
  show->add_flag("--project", options.project,
                 "move a state that violates a constraint onto it, least in the mass metric");
  show->add_option_function<std::string>(
          "--until",
          [&options](const std::string& text) { options.until = read_number("--until", text, "10"); },
          "the end of a motion, which is shown then")
      ->type_name("FLOAT");
  add_number(*show, "--every", options.every, "0.01",
             "rows at this distance in time; without it, at each step", false, false);
  show->add_option("--integrator", options.integrator,
                   "of the motion, as for `simulate`; dop853 if not given");
  show->add_option("--view", options.view,
                   "from where space is seen: degrees around z, and above the plane z = 0, as \"-55, 22\"");
  show->add_option("--arrows", options.arrows, "velocities, reactions, or both with a comma between them");
  show->add_flag("--names", options.names, "the names of points, and the sizes of the arrows");
  show->add_option_function<std::string>(
          "--speed",
          [&options](const std::string& text) { options.speed = read_number("--speed", text, "0.1"); },
          "of a film: 1 is real time, 0.1 ten times slower than the motion; without it real time where the "
          "film then takes 3 to 12 s, else it takes 3 or 12")
      ->type_name("FLOAT");
  show->add_option("-o,--output", options.output,
                   "FILE.html, which moves, FILE.svg or FILE.png, one instant, FILE.gif or FILE.mp4, a film, "
                   "FILE-%03d.png, its pictures, 15 for a second of it, or FILE.json; the "
                   "model's name and .html if not given");
  add_code_cache(*show);
  show->add_flag("--json", options.json, "the scene as one JSON object on the standard output");
  show->callback([owned, &code] { code = run_show(*owned); });
}

void define_orbits(CLI::App& app, int& code) {
  const auto owned = std::make_shared<OrbitsOptions>();
  OrbitsOptions& orbits = *owned;
  auto* search = app.add_subcommand(
      "orbits", "a periodic motion near a start, with the multipliers of small deviations from it");
  search->add_option("model", orbits.model, "a file .lia, or - for the standard input")->required();
  search->add_option("--period", orbits.period,
                     "its period, as 2*pi/w; without it that of the drive, or found from the start");
  search->add_option("--turns", orbits.turns, "what is larger after a period, as \"phi = 2*pi\"");
  search->add_option("--hold", orbits.hold, "values of the start that stay as they are, as \"x\"");
  add_number(*search, "--tol", orbits.tolerance, "1e-12", "relative tolerance of a step, 1e-12 if not given");
  search->add_option("--set", orbits.set, "other values of parameters, as \"m = 2\"");
  search->add_option("--start", orbits.start, "where it is looked for, as \"x = 1, x' = 2\"");
  search->add_flag("--project", orbits.project, "move a start that violates a constraint onto it");
  search->add_option("--follow", orbits.follow,
                     "over a parameter, as \"w = 4 .. 9\": folds, period doublings and branchings by name");
  search->add_flag("--rest", orbits.rest, "with --follow: places of rest in place of periodic motions");
  search->add_option("-o,--output", orbits.output, "with --follow: the points of the branches, as FILE.csv");
  search->add_option("--plot", orbits.plots,
                     "with --follow: a picture of them, as FILE.svg, FILE.png or FILE.html");
  search->add_option("--show", orbits.shown, "what the picture shows; the first coordinate if not given");
  add_code_cache(*search);
  search->add_flag("--json", orbits.json, "one JSON object");
  search->callback([owned, &code] { code = run_orbits(*owned); });
}

void define_import(CLI::App& app, int& code) {
  const auto owned = std::make_shared<ImportOptions>();
  ImportOptions& import_options = *owned;
  auto* import_robot =
      app.add_subcommand("import", "a robot file (URDF, MJCF) as a model: tree, inertias, limits");
  import_robot->add_option("robot", import_options.robot, "a file .urdf, or .xml of MuJoCo")->required();
  auto* floating = import_robot->add_option("--floating", import_options.floating,
                                            "the root moves freely, by coordinates of this name: base gives "
                                            "base_x, base_y, base_z, a rotation base");
  import_robot
      ->add_flag("--fixed", import_options.fixed, "the root is the ground; so it is if nothing is said")
      ->excludes(floating);
  import_robot->add_flag("--limits", import_options.limits, "limits of joints as unilateral constraints");
  import_robot->add_flag("--motors", import_options.motors,
                         "a parameter JOINT_torque or JOINT_force for each joint, 0 until it is set");
  import_robot
      ->add_option("--hold", import_options.held,
                   "a joint that does not move, as elbow or elbow=0.5; several")
      ->allow_extra_args(false);
  import_robot->add_option(
      "--smooth-friction", import_options.smooth_friction,
      "a speed v: friction f*tanh(q'/v), which runs through rest, in place of f*sign(q')");
  import_robot->add_option("-o,--output", import_options.output, "a file instead of the standard output");
  import_robot->add_flag("--json", import_options.json,
                         "one JSON object with the names; -o still has the model");
  import_robot->callback([owned, &code] { code = run_import(*owned); });
}

void define_check(CLI::App& app, int& code) {
  const auto owned = std::make_shared<CheckOptions>();
  CheckOptions& check_options = *owned;
  auto* check =
      app.add_subcommand("check", "decide every claim of models: proved, checked, or refuted with a witness");
  check
      ->add_option("models", check_options.models, "files .lia, folders of them, or - for the standard input")
      ->required();
  check->add_flag("--json", check_options.json, "one JSON object");
  check->add_option("--budget", check_options.budget,
                    "operations for each claim, 6e8 if not given: what is not decided by then is checked at "
                    "points, or unknown");
  add_code_cache(*check);
  check->add_flag("-v,--verbose", check_options.verbose, "how each claim is known");
  check->callback([owned, &code] { code = run_check(*owned); });
}

}  // namespace

void define_commands(CLI::App& app, int& code) {
  define_own_commands(app, code);
  define_expression_commands(app, code);
  define_derive(app, code);
  define_analyze(app, code);
  define_reduce(app, code);
  define_invariants(app, code);
  define_eval(app, code);
  define_motions(app, code);
  define_stability(app, code);
  define_simulate(app, code);
  define_show(app, code);
  define_orbits(app, code);
  define_import(app, code);
  define_check(app, code);
}

}  // namespace liaison::cli
