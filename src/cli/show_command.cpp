#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "commands.hpp"
#include "film_encoder.hpp"
#include "interrupt.hpp"
#include "json_answer.hpp"
#include "liaison/mechanism/moving_scene.hpp"
#include "liaison/mechanism/prepared_run.hpp"
#include "model_file.hpp"
#include "numbers.hpp"
#include "outputs.hpp"
#include "problems.hpp"
#include "run_scene.hpp"

namespace liaison::cli {

namespace {

constexpr double fast_frames = 15;      ///< of a film, in a second
constexpr unsigned smooth_frames = 30;  ///< of one that is compressed

std::string ending_of(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending == ".htm" ? ".html" : ending;
}

/// "-55, 22"
SceneView read_view(const std::string& text) {
  SceneView view;
  if (text.empty()) return view;
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos)
    refuse(Status::bad_input, "--view", Problem::bad_usage, "two angles are expected, in degrees",
           "--view \"-55, 22\"");
  view.azimuth = read_number("--view", text.substr(0, comma), "-55, 22");
  view.elevation = read_number("--view", text.substr(comma + 1), "-55, 22");
  if (!(std::abs(view.elevation) <= 90) || !std::isfinite(view.azimuth))
    refuse(Status::bad_input, "--view", Problem::bad_usage,
           "the second angle lies between -90 and 90 degrees", "--view \"-55, 22\"");
  return view;
}

std::string output_of(const ShowOptions& options) {
  if (!options.output.empty()) return options.output;
  if (options.json) return "";
  return options.model == "-" ? "model.html" : std::filesystem::path(options.model).stem().string() + ".html";
}

/// "swing-%03d.png": a picture for each number.
class NumberedFiles {
 public:
  static std::optional<NumberedFiles> read(const std::string& pattern) {
    const std::size_t sign = pattern.find('%'), after = pattern.find_first_not_of("0123456789", sign + 1);
    if (sign == std::string::npos || after == std::string::npos || pattern[after] != 'd' ||
        after == sign + 1 || after > sign + 3)
      return std::nullopt;
    return NumberedFiles(pattern.substr(0, sign), pattern.substr(after + 1),
                         std::stoi(pattern.substr(sign + 1, after - sign - 1)));
  }
  std::string name(std::size_t number) const {
    return fmt::format("{}{:0{}}{}", before_, number, digits_, behind_);
  }

 private:
  NumberedFiles(std::string before, std::string behind, int digits)
      : before_(std::move(before)), behind_(std::move(behind)), digits_(digits) {}
  std::string before_, behind_;
  int digits_;
};

void check_options(const ShowOptions& options, const std::string& output) {
  const std::string ending = ending_of(output);
  const auto numbered = ending == ".png" ? NumberedFiles::read(output) : std::nullopt;
  if (ending == ".webm" || ending == ".avi" || ending == ".mov")
    refuse(Status::bad_input, output, Problem::bad_usage,
           fmt::format("a film is written as .gif or .mp4, not as {}", ending), "-o FILE.mp4");
  if (!output.empty() && ending != ".html" && ending != ".svg" && ending != ".png" && ending != ".gif" &&
      ending != ".mp4" && ending != ".json")
    refuse(Status::bad_input, output, Problem::bad_usage,
           "a picture ends in .html, .svg, .png, .gif, .mp4 or .json", "-o pendulum.html");
  if ((ending == ".gif" || ending == ".mp4" || numbered) && !options.until)
    refuse(Status::bad_input, output, Problem::bad_usage, "a film needs a motion",
           "--until 10; one state is .png");
  if (ending == ".mp4" && !has_film_encoder())
    refuse(Status::numerical_failure, output, Problem::not_written,
           "films of this kind are made by the program `ffmpeg`, which is not there",
           "install `ffmpeg`; -o FILE.gif needs no other program");
  if (options.every != 0 && !options.until)
    refuse(Status::bad_input, "--every", Problem::bad_usage, "one state has no rows",
           "--until 10 shows a motion");
  if (!output.empty()) require_outputs(options.model, {numbered ? numbered->name(1) : output});
}

constexpr double fine_rows = 1000;

/// `every`: the distance of rows; 0: at each step.
std::optional<MovingScene> scene_of_rows(const ShowOptions& options, double every, MechanismParts& parts,
                                         InterruptScope& interrupt, int& code) {
  const GivenState given = read_given_state(parts, options.at, options.set, options.project);
  RunMethod method;
  method.integrator = options.integrator;
  require_method(method);
  PreparedRun prepared(parts, given.parameters, given.state, options.project, method);
  require_times(prepared.begin(), *options.until, options.every);
  if (every < 0) every = (*options.until - prepared.begin()) / fine_rows;
  RowTable rows;
  rows.columns = trajectory_columns(prepared.equations(), prepared.observations());
  const SimulationReceivers receivers{[&](const Row& row) {
                                        rows.rows.push_back(trajectory_values(prepared.equations(), row));
                                        return !InterruptScope::is_set();
                                      },
                                      [](const RunningSimulation&) { return !InterruptScope::is_set(); }};
  const SimulationResult result =
      prepared.run(prepared.begin(), prepared.evaluator().pack(prepared.state().values),
                   {.until = *options.until, .every = every, .tolerance = prepared.tolerance()}, receivers);
  if (options.every == 0 && every > 0 && static_cast<double>(result.steps) > fine_rows) return std::nullopt;
  interrupt.loops_are_over();
  if (result.outcome != SimulationOutcome::finished && result.outcome != SimulationOutcome::event) {
    report(parts.name(), Problem::run_stopped,
           result.message.empty() ? name_of(result.outcome) : result.message,
           fmt::format("the motion is shown up to t = {:.6g}; `liaison simulate` says more", result.t));
    code = result.outcome == SimulationOutcome::interrupted ? interrupted_by_signal : numerical_failure;
  }
  return scene_of_run(parts, prepared, rows, result);
}

/// A thousand rows, where the steps are not more: then rows are theirs.
MovingScene scene_of_motion(const ShowOptions& options, MechanismParts& parts, InterruptScope& interrupt,
                            int& code) {
  const double every = options.every > 0 ? options.every : -1;
  if (auto scene = scene_of_rows(options, every, parts, interrupt, code)) return std::move(*scene);
  return *scene_of_rows(options, 0, parts, interrupt, code);
}

void write_film(const MovingScene& scene, const std::string& output, double seconds, const SceneView& view) {
  FilmEncoder film(output, smooth_frames);
  scene_frames(scene, static_cast<std::size_t>(smooth_frames * seconds), 1, view,
               [&](const ScenePixels& picture) { return film.add(picture) && !InterruptScope::is_set(); });
  film.finish();
}

void write_pictures(const MovingScene& scene, const NumberedFiles& files, double seconds,
                    const SceneView& view) {
  const auto count = static_cast<std::size_t>(fast_frames * seconds);
  for (std::size_t i = 0; i < count && !InterruptScope::is_set(); ++i) {
    const double part = static_cast<double>(i) / static_cast<double>(count - 1);
    write_output(files.name(i + 1),
                 scene_png(scene, scene.t.front() + part * (scene.t.back() - scene.t.front()), view));
  }
}

void write(const MovingScene& scene, const std::string& output, const SceneView& view) {
  const double end = scene.t.empty() ? 0 : scene.t.back();
  const std::string ending = ending_of(output);
  const double begin = scene.t.empty() ? 0 : scene.t.front(), seconds = std::clamp(end - begin, 3.0, 12.0);
  if (const auto files = ending == ".png" ? NumberedFiles::read(output) : std::nullopt)
    return write_pictures(scene, *files, seconds, view);
  if (ending == ".mp4") return write_film(scene, output, seconds, view);
  if (ending == ".svg") return write_output(output, scene_svg(scene, end, view));
  if (ending == ".png") return write_output(output, scene_png(scene, end, view));
  if (ending == ".json") return write_output(output, scene_json(scene) + "\n");
  if (ending == ".html") return write_output(output, scene_page(scene));
  write_output(output, scene_gif(scene, static_cast<std::size_t>(fast_frames * seconds), seconds, view));
}

int show(const ShowOptions& options, InterruptScope& interrupt) {
  const std::string output = output_of(options);
  check_options(options, output);
  const SceneView view = read_view(options.view);
  const auto parts = read_model(options.model);
  const MechanismParts::StopScope stop(*parts, interrupt.token());
  int code = done;
  const auto refuse_nothing = [&] {
    refuse(Status::bad_input, parts->name(), Problem::no_value,
           "there is nothing to draw: the model is energies and coordinates alone: it names no places that "
           "could be drawn",
           "say where something is: `frame F on ground at [x, y, z]` and `shape F disc radius R`, or "
           "`particle`, `body`");
  };
  if (!has_places(*parts)) refuse_nothing();  // before a run
  const MovingScene scene =
      options.until ? scene_of_motion(options, *parts, interrupt, code)
                    : scene_at(*parts, read_given_state(*parts, options.at, options.set, options.project));
  if (scene.is_empty()) refuse_nothing();
  if (!output.empty()) write(scene, output, view);
  if (InterruptScope::is_set()) return interrupted_by_signal;
  if (options.json) {
    print_json_on_one_line(Json::parse(scene_json(scene)));
    return code;
  }
  const std::string unit = scene.time_unit.empty() ? "" : " " + scene.time_unit;
  fmt::print("{}: {} solid{} {}\n", output, scene.solids.size(), scene.solids.size() == 1 ? "" : "s",
             scene.t.size() > 1 ? fmt::format("at {} times, t = {:.6g} to {:.6g}{}", scene.t.size(),
                                              scene.t.front(), scene.t.back(), unit)
                                : fmt::format("at t = {:.6g}{}", scene.t.front(), unit));
  for (const std::string& note : scene.notes) fmt::print("  note: {}\n", note);
  return code;
}

}  // namespace

int run_show(const ShowOptions& options) {
  InterruptScope interrupt;
  try {
    return show(options, interrupt);
  } catch (const Refused& refused) {
    return report(refused);
  } catch (const FileProblem& problem) {
    return report(problem);
  }
}

}  // namespace liaison::cli
