#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>

#include "commands.hpp"
#include "liaison/mechanics/open_factors.hpp"
#include "liaison/mechanism/evaluated_state.hpp"
#include "liaison/mechanism/prepared_run.hpp"
#include "liaison/mechanism/vakonomic_parts.hpp"
#include "liaison/model/drives.hpp"
#include "model_file.hpp"
#include "outputs.hpp"
#include "run_recorder.hpp"
#include "run_scene.hpp"
#include "sensitivity_command.hpp"
#include "simulation_summary.hpp"
#include "terminal.hpp"
#include "trajectory_plot.hpp"

namespace liaison::cli {

namespace {

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

constexpr EnumName laws[] = {{"energetic", static_cast<int>(ImpactLaw::energetic)},
                             {"newton", static_cast<int>(ImpactLaw::newton)},
                             {"poisson", static_cast<int>(ImpactLaw::poisson)}};
constexpr EnumName indeterminate[] = {{"stop", static_cast<int>(OnIndeterminate::stop)},
                                      {"separate", static_cast<int>(OnIndeterminate::separate)},
                                      {"contact", static_cast<int>(OnIndeterminate::contact)},
                                      {"compliant", static_cast<int>(OnIndeterminate::compliant)},
                                      {"branch", static_cast<int>(OnIndeterminate::branch)}};
constexpr EnumName impossible[] = {{"stop", static_cast<int>(OnImpossible::stop)},
                                   {"shock", static_cast<int>(OnImpossible::shock)},
                                   {"compliant", static_cast<int>(OnImpossible::compliant)}};

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

[[noreturn]] void refuse(const std::string& place, Problem problem, const std::string& message,
                         const std::string& hint) {
  liaison::refuse(Status::bad_input, place, problem, message, hint);
}

RunMethod method_of(const SimulateOptions& options) {
  return {
      .integrator = options.integrator,
      .engine = value_of<Engine>(engines, options.engine),
      .assembly = value_of<Assembly>(assemblies, options.assembly),
      .tolerance = options.tolerance,
      .step = options.step,
      .max_step = options.max_step,
      .free_drift = options.free_drift,
      .contacts = {.law = options.impact.empty() ? std::nullopt
                                                 : std::optional(value_of<ImpactLaw>(laws, options.impact)),
                   .in_sequence = options.in_sequence,
                   .on_indeterminate = value_of<OnIndeterminate>(indeterminate, options.on_indeterminate),
                   .on_impossible = value_of<OnImpossible>(impossible, options.on_impossible),
                   .allows_gain = options.allow_gain}};
}

/// Rows have the format of their ending; a device, a pipe and the standard output have none.
void check_rows(const SimulateOptions& options) {
  if (options.output == standard_output) {
    if (options.resume)
      refuse("--resume", Problem::bad_usage, "the standard output is not gone on with", "-o FILE.csv can be");
    if (options.json)
      refuse("--json", Problem::bad_usage, "the rows have the standard output",
             "-o FILE.csv leaves it to the JSON object");
    return;
  }
  const std::filesystem::path path(options.output);
  std::error_code ignored;
  const auto kind = std::filesystem::status(path, ignored).type();
  const bool is_device = kind == std::filesystem::file_type::character ||
                         kind == std::filesystem::file_type::fifo ||
                         kind == std::filesystem::file_type::socket;
  const std::string ending = path.extension().string();
  if (options.output.empty() || is_device || ending == ".csv" || ending == ".npz") return;
  std::filesystem::path with_ending = path;
  refuse(options.output, Problem::bad_usage,
         ending.empty() ? "the name has no ending that says in which format"
                        : fmt::format("rows are written as .csv or .npz, not as {}", ending),
         fmt::format("-o {}; .npz is for NumPy, and `-o -` writes .csv to the standard output",
                     with_ending.replace_extension(".csv").string()));
}

/// What can be judged without the model.
void check_options(const SimulateOptions& options) {
  require_times(-std::numeric_limits<double>::infinity(), options.until, options.every);
  require_method(method_of(options));
  if (!(options.flush_every >= 0))
    refuse("--flush-every", Problem::bad_usage,
           "the seconds between two states of the output are not negative", "--flush-every 1");
  if (options.multipliers && !options.vakonomic)
    refuse("--multipliers", Problem::bad_usage, "only a variational problem has multipliers at its start",
           "--vakonomic asks for its motion");
  if (options.resume && options.output.empty())
    refuse("--resume", Problem::bad_usage, "there is no file to go on with", "-o FILE.csv names it");
  std::vector<std::string> outputs = options.plots;
  for (const std::string& plot : options.plots) {
    const bool known = plot_format(plot).has_value();
    if (!known) refuse(plot, Problem::bad_usage, "a plot ends in .svg, .png or .html", "--plot run.svg");
  }
  check_plots(options);
  if (!options.output.empty() && options.output != standard_output) outputs.push_back(options.output);
  require_outputs(options.model, outputs, {".resume", ".resume.new", ".part", ".part.resume"});
  check_rows(options);
}

/// Where a run goes on.
struct Resumption {
  std::optional<RunFile> run;  ///< with the same bits
  double t = 0;
  std::vector<double> y;
  std::uint64_t bytes = 0;
};

class Command {
 public:
  /// What is run may be another system than the model: `problem`.
  Command(const SimulateOptions& options, MechanismParts& model, const VakonomicParts* problem,
          InterruptScope& interrupt)
      : options_(options),
        parts_(problem != nullptr ? *problem->parts : model),
        interrupt_(interrupt),
        parameters_(read_assignments(model.system(), "--set", options.set, Assignable::parameters)),
        start_(start_of(model, problem)),
        prepared_(parts_, parameters_, start_.values, options.project, method_of(options)),
        key_(prepared_.key(options.every)),
        rows_path_(options.output.ends_with(".npz") ? options.output + ".part" : options.output) {}

  int run() {
    double t = prepared_.begin();
    std::vector<double> y = prepared_.evaluator().pack(prepared_.state().values);
    std::optional<Resumption> from;
    if (options_.resume) {
      from = find_resumption();
      if (from) t = from->t;
      if (from && !from->y.empty()) y = from->y;
    }
    require_times(t, options_.until, options_.every);
    for (const std::string& plot : options_.plots)
      if (*plot_format(plot) == PlotFormat::html)
        require_shapes(parts_, prepared_.equations(), prepared_.state().values);
    RunRecorder recorder({.rows = rows_path_,
                          .key = key_,
                          .flush_every = options_.flush_every,
                          .keep_rows = !has_file_of_rows() && !options_.plots.empty(),
                          .fill = options_.every == 0 && !options_.plots.empty(),
                          .begin = t,
                          .end = options_.until,
                          .last_step = options_.max_steps},
                         prepared_.equations(), prepared_.observations(),
                         from ? std::optional(from->bytes) : std::nullopt);
    const SimulationOptions how{.until = options_.until,
                                .every = options_.every,
                                .project = !options_.free_drift,
                                .tolerance = prepared_.tolerance(),
                                .max_step = options_.max_step,
                                .max_steps = options_.max_steps};
    const auto begin = std::chrono::steady_clock::now();
    const SimulationResult result =
        prepared_.run(t, y, how, recorder.receivers(), from && from->run ? &from->run->checkpoint : nullptr);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const bool goes_on =
        result.outcome == SimulationOutcome::interrupted || result.outcome == SimulationOutcome::step_limit;
    interrupt_.loops_are_over();
    recorder.finish(result);
    write_files(recorder, result, goes_on);
    tell(result, t, seconds);
    return exit_code(result);
  }

 private:
  VakonomicStart start_of(MechanismParts& model, const VakonomicParts* problem) const {
    Assignments given =
        read_assignments(model.system(), "--start", options_.start, Assignable::state, parameters_);
    if (problem == nullptr) return {std::move(given), {}};
    return vakonomic_start(model, *problem, parameters_, given, options_.project,
                           options_.multipliers.value_or(""));
  }

  /// Nothing where this run had not written a row: it begins.
  std::optional<Resumption> find_resumption() {
    if (!prepared_.goes_on()) {
      refuse("--resume", Problem::not_resumed,
             "a run with unilateral constraints from event to event is not gone on with yet",
             "leave --resume away to begin anew; `--integrator moreau` is gone on with");
    }
    const auto run = read_run_file(RunRecorder::run_file_of(rows_path_));
    if (run && run->key != key_) {
      refuse(RunRecorder::run_file_of(rows_path_), Problem::not_resumed,
             "this belongs to another run: the model or an option has changed",
             "use the options of that run, or leave --resume away to begin anew");
    }
    if (run && !run->ended.empty()) {
      refuse(rows_path_, Problem::not_resumed, "this run does not go on: " + run->ended,
             "another start, another method or another model begins anew, without --resume");
    }
    std::error_code missing;
    if (run && std::filesystem::file_size(rows_path_, missing) < run->bytes && !missing) {
      refuse(rows_path_, Problem::not_resumed, "it has fewer rows than the run had written",
             "leave --resume away to begin anew");
    }
    if (run && !missing && !run->checkpoint.numbers.empty())
      return Resumption{run, run->checkpoint.t, {}, run->bytes};
    if (run && !missing && has_header_alone()) return {};
    if (prepared_.has_contacts() && run && !missing)
      refuse(rows_path_, Problem::not_resumed, "it ended before anything was saved to go on from",
             "leave --resume away to begin anew");
    return last_row(run.has_value());
  }

  bool has_header_alone() {
    try {
      const RowTable table = read_trajectory(rows_path_);
      return table.rows.empty() &&
             table.columns == trajectory_columns(prepared_.equations(), prepared_.observations());
    } catch (const FileProblem&) {
      return false;  // which is told by who reads it next
    }
  }

  /// Of the file of this run, where `is_known`.
  Resumption last_row(bool is_known) {
    RowTable table;
    try {
      table = read_trajectory(rows_path_);
    } catch (const FileProblem& problem) {
      refuse(problem.path, Problem::not_resumed, "there is nothing to go on from: " + problem.reason,
             "leave --resume away to begin");
    }
    const auto is_whole = [&](const std::vector<double>& row) {  // outputs alone may have no value
      const std::vector<double> y = state_in_row(prepared_.equations(), row);
      return std::all_of(y.begin(), y.end(), [](double value) { return std::isfinite(value); });
    };
    if (table.columns != trajectory_columns(prepared_.equations(), prepared_.observations()) ||
        table.rows.empty() || !is_whole(table.rows.back()))
      refuse(rows_path_, Problem::not_resumed, "this is not the trajectory of this model",
             "name the file of this model, or leave --resume away to begin anew");
    if (!is_known)
      refuse(rows_path_, Problem::not_resumed,
             fmt::format("nothing tells which run wrote it: {} is not there, or is damaged",
                         RunRecorder::run_file_of(rows_path_)),
             "leave --resume away to begin anew");
    Resumption result{std::nullopt, table.rows.back().front(),
                      state_in_row(prepared_.equations(), table.rows.back()), table.last_row};
    prepared_.require_honoured_at(result.t, result.y);
    return result;
  }

  bool has_file_of_rows() const { return !rows_path_.empty() && rows_path_ != standard_output; }

  std::vector<std::string> contact_names() const {
    std::vector<std::string> names;
    for (const Unilateral& unilateral : parts_.system().unilaterals) names.push_back(unilateral.name);
    return names;
  }

  void write_files(RunRecorder& recorder, const SimulationResult& result, bool goes_on) {
    RowTable table = std::move(recorder.table());
    const bool archive = options_.output.ends_with(".npz");
    if (has_file_of_rows() && (archive || !options_.plots.empty())) table = read_trajectory(rows_path_);
    if (archive) {
      write_output(options_.output, to_npz(table));
      if (!goes_on) {
        std::remove(RunRecorder::run_file_of(rows_path_).c_str());
        std::remove(rows_path_.c_str());
      }
    }
    if (has_file_of_rows()) files_.push_back(fmt::format("{} ({} rows)", options_.output, result.rows));
    table = recorder.filled(std::move(table));
    ToldDimensions dimensions;
    if (!options_.plots.empty()) dimensions = told_dimensions(parts_.source(), parts_.system());
    for (const std::string& plot : options_.plots) {
      if (table.rows.empty()) continue;
      std::string subtitle = options_.step > 0
                                 ? fmt::format("{}, step {:g}", options_.integrator, options_.step)
                                 : fmt::format("{}, tolerance {:g}", options_.integrator, options_.tolerance);
      for (std::size_t h : describe_open(result.open).factors)
        subtitle += fmt::format("; lambda({}) is not determined", prepared_.equations().names[h]);
      const DrawnRun drawn{.equations = &prepared_.equations(),
                           .observations = &prepared_.observations(),
                           .dimensions = dimensions,
                           .rows = &table,
                           .result = &result,
                           .contacts = contact_names(),
                           .values = prepared_.state().values,
                           .subtitle = subtitle};
      std::string rendered = render_run(drawn, options_, *plot_format(plot));
      if (*plot_format(plot) == PlotFormat::html) {
        const MovingScene scene = scene_of_run(parts_, prepared_, table, result);
        if (!scene.is_empty()) rendered = with_scene(std::move(rendered), scene);
      }
      write_output(plot, rendered);
      files_.push_back(plot);
    }
  }

  void tell(const SimulationResult& result, double begin, double seconds) {
    const SimulationSummary summary{
        .equations = &prepared_.equations(),
        .result = &result,
        .integrator = options_.integrator,
        .engine = options_.engine,
        .assembly = name_of(assemblies, prepared_.evaluator().assembly()),
        .tolerance = prepared_.tolerance(),
        .step = options_.step,
        .begin = begin,
        .seconds = seconds,
        .choices = start_.choices.empty() ? prepared_.state().choices : start_.choices,
        .files = files_,
        .contacts = contact_names(),
    };
    if (options_.json) {
      print_json(to_json(summary));
    } else {
      const OutputToError beside(options_.output == standard_output);
      print(summary);
    }
  }

  /// A policy that was not asked for.
  std::string what_contacts_may_do(const SimulationResult& result) const {
    if (!result.remedy.empty()) return result.remedy;
    if (result.outcome == SimulationOutcome::several && result.possible.empty())
      return "leave out one of the constraints that share the load, or say by friction 0 that it does not "
             "brake";
    if (result.outcome == SimulationOutcome::several && options_.on_indeterminate == "stop")
      return "--on-indeterminate separate or contact takes one of them, compliant the one of contacts that "
             "give "
             "way a little, branch follows each";
    if (result.outcome == SimulationOutcome::several && options_.on_indeterminate != "branch")
      return "--on-indeterminate branch follows each";
    if (result.outcome == SimulationOutcome::impossible && options_.on_impossible == "stop")
      return "--on-impossible shock lets a contact jam by a tangential impact, compliant asks contacts that "
             "give "
             "way a little";
    return "a spring and a damper in its place show what a contact that gives way does here";
  }

  /// A coordinate that a constraint drives needs an inertia that the others do not carry for it.
  std::string hint_of_start(const SimulationResult& result) const {
    if (result.message.find("mass matrix is singular") != std::string::npos) {
      for (const FoundDrive& drive : drives_of(parts_.system()))
        if (drive.kind == FoundDrive::Kind::constraint)
          return fmt::format(
              "`{}` drives a coordinate that has no inertia of its own here: write it as `rheonomic` in "
              "place "
              "of `coord` and constraint, or give it an inertia",
              drive.name);
      const std::string hint = hint_of_singular_mass(parts_.system(), prepared_.state().values, "--start");
      if (hint.starts_with("no state")) return hint;
    }
    return "`liaison eval` shows what is known of this state";
  }

  int exit_code(const SimulationResult& result) const {
    const std::string& path = parts_.name();
    switch (result.outcome) {
      case SimulationOutcome::finished:
      case SimulationOutcome::event: return done;
      case SimulationOutcome::singular:
        report(path, Problem::run_stopped, result.message,
               result.created > 0    ? "--impact energetic never does; --allow-gain goes on"
               : result.steps == 0   ? hint_of_start(result)
               : !has_file_of_rows() ? "-o FILE.csv keeps the motion up to there"
                                     : fmt::format("the motion up to there is in {}", options_.output));
        return numerical_failure;
      case SimulationOutcome::several:
      case SimulationOutcome::impossible:
        report(path, Problem::run_stopped, result.message, what_contacts_may_do(result));
        return numerical_failure;
      case SimulationOutcome::step_limit:
        report(path, Problem::run_stopped, result.message,
               fmt::format("raise --max-steps{}; a stiff system wants --integrator bdf",
                           prepared_.goes_on() ? " and go on with --resume" : ""));
        return numerical_failure;
      case SimulationOutcome::interrupted:
        say(fmt::format("stopped at t = {:.12g}{}\n", result.t,
                        !has_file_of_rows() || !prepared_.goes_on() ? "" : "; --resume goes on from here"));
        return interrupted_by_signal;
    }
    return done;
  }

  const SimulateOptions& options_;
  MechanismParts& parts_;
  InterruptScope& interrupt_;
  Assignments parameters_;
  VakonomicStart start_;
  PreparedRun prepared_;
  std::string key_, rows_path_;
  std::vector<std::string> files_;
};

}  // namespace

int run_simulate(const SimulateOptions& options) {
  InterruptScope interrupt;
  try {
    check_options(options);
    const auto parts = read_model(options.model);
    const MechanismParts::StopScope stop(*parts, interrupt.token());
    if (options.lyapunov > 0) return run_lyapunov(options, *parts, interrupt);
    if (options.sensitivity) return run_sensitivity(options, method_of(options), *parts, interrupt);
    const VakonomicParts problem = options.vakonomic ? vakonomic_parts(*parts) : VakonomicParts{};
    std::optional<MechanismParts::StopScope> stop_problem;
    if (problem.parts) stop_problem.emplace(*problem.parts, interrupt.token());
    return Command(options, *parts, problem.parts ? &problem : nullptr, interrupt).run();
  } catch (const Refused& refused) {
    return report(refused);
  } catch (const FileProblem& problem) {
    return report(problem);
  }
}

}  // namespace liaison::cli
