#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "commands.hpp"
#include "liaison/simulate/methods.hpp"
#include "model_input.hpp"
#include "run_recorder.hpp"
#include "simulation_summary.hpp"
#include "state_problems.hpp"
#include "trajectory_plot.hpp"

namespace liaison::cli {

namespace {

/// The exit code of a command that could not begin; a message went to the standard error.
struct Refused {
  int code;
};

struct EnumName {
  const char* name;
  int value;
};
constexpr EnumName engines[] = {{"compiled", static_cast<int>(Engine::compiled)},
                                {"interpreted", static_cast<int>(Engine::interpreted)}};
constexpr EnumName assemblies[] = {{"automatic", static_cast<int>(Assembly::automatic)},
                                   {"closed_form", static_cast<int>(Assembly::closed_form)},
                                   {"unrolled", static_cast<int>(Assembly::unrolled)},
                                   {"factorised", static_cast<int>(Assembly::factorised)},
                                   {"sparse", static_cast<int>(Assembly::sparse)}};

template <class Enum, std::size_t n>
Enum value_of(const EnumName (&names)[n], const std::string& text) {
  for (const EnumName& entry : names) {
    if (text == entry.name) return static_cast<Enum>(entry.value);
  }
  return static_cast<Enum>(names[0].value);
}

template <class Enum, std::size_t n>
std::string name_of(const EnumName (&names)[n], Enum value) {
  for (const EnumName& entry : names) {
    if (static_cast<int>(value) == entry.value) return entry.name;
  }
  return {};
}

/// The same run has the same key: what it computes depends on nothing else (but for its end).
std::string key_of(const std::string& model, const SimulateOptions& options) {
  const std::string all =
      fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{:a} {:a} {:a} {} {}", model, options.set, options.start,
                  options.integrator, options.engine, options.assembly, options.every, options.tolerance,
                  options.step, options.project, options.free_drift);
  std::uint64_t hash = 0xCBF29CE484222325U;  // FNV-1a
  for (char c : all) hash = (hash ^ static_cast<std::uint8_t>(c)) * 0x100000001B3U;
  return fmt::format("{:016x}", hash);
}

[[noreturn]] void refuse(const std::string& place, Problem problem, const std::string& message,
                         const std::string& hint, int code = bad_input) {
  report(place, problem, message, hint);
  throw Refused{code};
}

void check_numbers(const SimulateOptions& options) {
  const auto require = [](bool holds, const char* option, const char* message, const char* hint) {
    if (!holds) refuse(option, Problem::bad_usage, message, hint);
  };
  require(std::isfinite(options.until), "--until", "the end of a run is a finite time", "--until 10");
  require(options.every >= 0 && std::isfinite(options.every), "--every",
          "the distance of two rows is not negative", "--every 0.01");
  require(options.tolerance >= 1e-15 && options.tolerance < 1, "--tol",
          "a tolerance lies between 1e-15 and 1", "--tol 1e-9");
  require(options.step >= 0 && std::isfinite(options.step), "--step", "a step is not negative",
          "--step 0.001");
  const Method* method = method_named(options.integrator);
  if (method == nullptr) {
    std::vector<std::string> names;
    for (const Method& known : methods()) names.push_back(known.name);
    const auto near = nearest_name(options.integrator, names);
    refuse("--integrator", Problem::bad_usage, fmt::format("there is no integrator `{}`", options.integrator),
           near ? fmt::format("did you mean `{}`?", *near)
                : fmt::format("there are {}", fmt::join(names, ", ")));
  }
  require(method->adaptive || options.step > 0, "--step", "this integrator needs a step", "--step 0.001");
  require(method->takes_step || options.step == 0, "--step", "this integrator chooses its steps itself",
          "leave --step away, and say how exact with --tol");
  require(!options.resume || !options.output.empty(), "--resume", "there is no file to go on with",
          "-o FILE.csv names it");
  for (const std::string& plot : options.plots) {
    const bool known = plot_format(plot).has_value();
    if (!known) refuse(plot, Problem::bad_usage, "a plot ends in .svg, .png or .html", "--plot run.svg");
  }
}

/// Everything that a run needs, made from the model and the options.
class Preparation {
 public:
  explicit Preparation(const SimulateOptions& options) : options_(options) {
    auto loaded = read_model(options.model);
    if (!loaded) throw Refused{bad_input};
    model = std::move(*loaded);
    for (const FunctionInfo* function : model.system->unknown_functions) {
      refuse(model.path, Problem::no_value, fmt::format("the function `{}` has no formula", function->name),
             fmt::format("write its formula behind it: `function {}(s) = ...`", function->name));
    }
    stop_at_contacts();
    try {
      equations = assemble_equations(*model.algebra, *model.system);
    } catch (const Error& error) {
      report(model.path, code_of_model(error), error.what(), error.hint());
      throw Refused{bad_input};
    }
    find_state();
    try {
      prepare();
    } catch (const Error& error) {
      report(model.path, error);
      throw Refused{bad_input};
    }
  }

  LoadedModel model;
  AssembledEquations equations;
  CompletedState state;
  std::unique_ptr<Evaluator> evaluator;
  std::unique_ptr<Integrator> integrator;
  Observations observations;
  Tolerance tolerance;

 private:
  /// A contact that closes ends the run: what follows is an impact.
  void stop_at_contacts() {
    for (const Unilateral& unilateral : model.system->unilaterals) {
      model.system->events.push_back({.name = unilateral.name,
                                      .when = unilateral.gap,
                                      .direction = EventDirection::falling,
                                      .action = EventAction::stop,
                                      .resets = {},
                                      .span = unilateral.span});
    }
  }

  void find_state() {
    const auto parameters = read_assignments(*model.system, "--set", options_.set, Assignable::parameters);
    if (!parameters) throw Refused{bad_input};
    const auto given =
        read_assignments(*model.system, "--start", options_.start, Assignable::state, *parameters);
    if (!given) throw Refused{bad_input};
    try {
      state = complete_state(equations, {.given = *given,
                                         .parameters = *parameters,
                                         .use_start = true,
                                         .project = options_.project,
                                         .name_choices = true});
    } catch (const Error& error) {
      refuse(model.path, Problem::no_value, fmt::format("the start has no value: {}", error.what()),
             "choose other parameters with --set", numerical_failure);
    }
    if (state.ok()) return;
    std::vector<Expr> relations = equations.relations;
    for (Expr level : equations.levels) {
      if (!level.empty()) relations.push_back(level);
    }
    throw Refused{explain_state(model, relations, state, "--start", options_.project)};
  }

  void prepare() {
    tolerance = {options_.tolerance, options_.tolerance * 1e-3};
    const Engine engine = value_of<Engine>(engines, options_.engine);
    const Assembly assembly = value_of<Assembly>(assemblies, options_.assembly);
    if (assembly == Assembly::closed_form || wants_short_equations()) derive();
    observe_with(engine);
    evaluator = std::make_unique<Evaluator>(equations, state.values, EvaluatorOptions{engine, assembly},
                                            model.motion.get());
    integrator =
        make_integrator({options_.integrator, tolerance, options_.step, engine, !options_.free_drift},
                        *model.algebra, *model.system, *evaluator, state.values);
  }

  /// A Taylor series is as long as the square of its order times the equations: where closed forms come
  /// quickly they are worth it.
  bool wants_short_equations() const {
    constexpr std::size_t most_directions = 6, most_relations = 3;
    return options_.integrator == "taylor" && options_.assembly == "automatic" &&
           equations.parameters.size() <= most_directions && equations.relation_count <= most_relations;
  }

  void derive() {
    if (!model.motion) model.motion = std::make_unique<Motion>(derive_motion(*model.algebra, *model.system));
  }

  /// Outputs that speak of r, drive and the like need the closed form; others do not.
  void observe_with(Engine engine) {
    try {
      observations = observe(*model.algebra, equations, state.values, engine, model.motion.get());
    } catch (const Error& error) {
      if (error.code() != ErrorCode::limit_reached || model.motion) throw;
      derive();
      observations = observe(*model.algebra, equations, state.values, engine, model.motion.get());
    }
  }

  const SimulateOptions& options_;
};

/// Where a run goes on.
struct Resumption {
  std::optional<RunFile> run;  ///< with the same bits
  double t = 0;
  std::vector<double> y;
  std::uint64_t bytes = 0;
};

class Command {
 public:
  explicit Command(const SimulateOptions& options)
      : options_(options),
        prepared_(options),
        key_(key_of(std::string(prepared_.model.source->text()), options)),
        rows_path_(options.output.ends_with(".npz") ? options.output + ".part" : options.output) {}

  int run() {
    double t = prepared_.state.values.at(prepared_.model.system->time);
    std::vector<double> y = prepared_.evaluator->pack(prepared_.state.values);
    std::optional<Resumption> from;
    if (options_.resume) {
      from = find_resumption();
      t = from->t;
      if (!from->y.empty()) y = from->y;
    }
    if (options_.until <= t) {
      refuse("--until", Problem::bad_usage,
             fmt::format("the run would end at {:g} and begins at {:g}", options_.until, t),
             "choose a later end");
    }
    RunRecorder recorder({.rows = rows_path_,
                          .key = key_,
                          .flush_every = options_.flush_every,
                          .keep_rows = rows_path_.empty() && !options_.plots.empty(),
                          .begin = t,
                          .end = options_.until,
                          .last_step = options_.max_steps},
                         prepared_.equations, prepared_.observations,
                         from ? std::optional(from->bytes) : std::nullopt);
    const SimulationOptions how{.until = options_.until,
                                .every = options_.every,
                                .project = !options_.free_drift,
                                .tolerance = prepared_.tolerance,
                                .max_steps = options_.max_steps};
    const auto begin = std::chrono::steady_clock::now();
    const SimulationResult result =
        simulate(*prepared_.evaluator, *prepared_.integrator, prepared_.observations, t, y, how,
                 recorder.receivers(), from && from->run ? &from->run->checkpoint : nullptr);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const bool goes_on =
        result.outcome == SimulationOutcome::interrupted || result.outcome == SimulationOutcome::step_limit;
    recorder.finish(goes_on);
    write_files(recorder, result, goes_on);
    tell(result, t, seconds);
    return exit_code(result);
  }

 private:
  Resumption find_resumption() {
    const auto run = read_run_file(RunRecorder::run_file_of(rows_path_));
    if (run && run->key != key_) {
      refuse(RunRecorder::run_file_of(rows_path_), Problem::not_resumed,
             "this belongs to another run: the model or an option has changed",
             "use the options of that run, or remove this file to go on from the last row");
    }
    std::error_code missing;
    if (run && std::filesystem::file_size(rows_path_, missing) < run->bytes && !missing) {
      refuse(rows_path_, Problem::not_resumed, "it has fewer rows than the run had written",
             fmt::format("remove {} to go on from its last row", RunRecorder::run_file_of(rows_path_)));
    }
    if (run && !missing) return {run, run->checkpoint.t, {}, run->bytes};
    RowTable table;
    try {
      table = read_trajectory(rows_path_);
    } catch (const FileProblem& problem) {
      refuse(problem.path, Problem::not_resumed, "there is nothing to go on from: " + problem.reason,
             "leave --resume away to begin");
    }
    if (table.columns != trajectory_columns(prepared_.equations, prepared_.observations) ||
        table.rows.empty())
      refuse(rows_path_, Problem::not_resumed, "this is not the trajectory of this model",
             "name the file of this model, or leave --resume away to begin anew");
    return {std::nullopt, table.rows.back().front(), state_in_row(prepared_.equations, table.rows.back()),
            table.last_row};
  }

  void write_files(RunRecorder& recorder, const SimulationResult& result, bool goes_on) {
    RowTable table = std::move(recorder.table());
    const bool archive = options_.output.ends_with(".npz");
    if (!rows_path_.empty() && (archive || !options_.plots.empty())) table = read_trajectory(rows_path_);
    if (archive) {
      write_bytes(options_.output, to_npz(table));
      if (!goes_on) std::remove(rows_path_.c_str());
    }
    if (!options_.output.empty()) files_.push_back(fmt::format("{} ({} rows)", options_.output, result.rows));
    for (const std::string& plot : options_.plots) {
      if (table.rows.empty()) continue;
      const Figure figure = figure_of(
          prepared_.equations, prepared_.observations, table, result.events,
          options_.step > 0 ? fmt::format("{}, step {:g}", options_.integrator, options_.step)
                            : fmt::format("{}, tolerance {:g}", options_.integrator, options_.tolerance));
      write_bytes(plot, render_plot(figure, *plot_format(plot)));
      files_.push_back(plot);
    }
  }

  static void write_bytes(const std::string& path, const std::string& bytes) {
    std::ofstream file(path, std::ios::binary);
    file << bytes;
    file.close();
    if (!file) throw FileProblem{path, std::strerror(errno)};
  }

  void tell(const SimulationResult& result, double begin, double seconds) {
    const SimulationSummary summary{
        .equations = &prepared_.equations,
        .result = &result,
        .integrator = options_.integrator,
        .engine = options_.engine,
        .assembly = name_of(assemblies, prepared_.evaluator->assembly()),
        .tolerance = prepared_.tolerance,
        .step = options_.step,
        .begin = begin,
        .seconds = seconds,
        .choices = prepared_.state.choices,
        .files = files_,
    };
    if (options_.json) {
      print_json(to_json(summary));
    } else {
      print(summary);
    }
  }

  int exit_code(const SimulationResult& result) const {
    const std::string& path = prepared_.model.path;
    switch (result.outcome) {
      case SimulationOutcome::finished:
      case SimulationOutcome::event: return done;
      case SimulationOutcome::singular:
        report(path, Problem::run_stopped, result.message,
               options_.output.empty() ? "-o FILE.csv keeps the motion up to there"
                                       : fmt::format("the motion up to there is in {}", options_.output));
        return numerical_failure;
      case SimulationOutcome::step_limit:
        report(path, Problem::run_stopped, result.message,
               "raise --max-steps and go on with --resume; a stiff system wants --integrator bdf");
        return numerical_failure;
      case SimulationOutcome::interrupted:
        fmt::print(stderr, "stopped at t = {:.12g}{}\n", result.t,
                   options_.output.empty() ? "" : "; --resume goes on from here");
        return interrupted_by_signal;
    }
    return done;
  }

  const SimulateOptions& options_;
  Preparation prepared_;
  std::string key_, rows_path_;
  std::vector<std::string> files_;
};

}  // namespace

int run_simulate(const SimulateOptions& options) {
  try {
    check_numbers(options);
    return Command(options).run();
  } catch (const Refused& refused) {
    return refused.code;
  } catch (const FileProblem& problem) {
    report(problem.path, Problem::not_written, fmt::format("cannot be written: {}", problem.reason),
           "make room, or name a file in a folder that exists and is yours");
    return numerical_failure;
  }
}

}  // namespace liaison::cli
