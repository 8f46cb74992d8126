#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "commands.hpp"
#include "film_encoder.hpp"
#include "film_times.hpp"
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
constexpr std::size_t most_frames = 5000, most_frames_at_once = 1000;

std::string ending_of(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending == ".htm" ? ".html" : ending;
}

/// "velocities, reactions"
void read_arrows(const std::string& text, SceneView& view) {
  for (std::size_t begin = 0; begin <= text.size() && !text.empty();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    std::string word = text.substr(begin, end - begin);
    std::erase(word, ' ');
    if (word != "velocities" && word != "reactions")
      refuse(Status::bad_input, "--arrows", Problem::bad_usage, fmt::format("there are no arrows `{}`", word),
             "--arrows velocities, --arrows reactions, or both with a comma between them");
    (word == "velocities" ? view.velocities : view.reactions) = true;
    begin = end + 1;
  }
}

/// "-55, 22"
SceneView read_view(const ShowOptions& options) {
  SceneView view;
  view.names = options.names;
  read_arrows(options.arrows, view);
  const std::string& text = options.view;
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

/// What a film is made of: pictures of its own, in a second and at most.
struct FilmKind {
  double rate = 0;
  std::size_t most = 0;
};
std::optional<FilmKind> film_kind(const std::string& output) {
  const std::string ending = ending_of(output);
  if (ending == ".mp4") return FilmKind{smooth_frames, most_frames};
  if (ending == ".gif") return FilmKind{fast_frames, most_frames_at_once};
  if (ending == ".png" && NumberedFiles::read(output)) return FilmKind{fast_frames, most_frames};
  return std::nullopt;
}

void check_speed(const ShowOptions& options, const std::string& output) {
  if (!options.speed) return;
  if (!(*options.speed > 0) || !std::isfinite(*options.speed))
    refuse(Status::bad_input, "--speed", Problem::bad_usage, "a speed is positive",
           "--speed 0.1 is ten times slower than the motion");
  if (!film_kind(output))
    refuse(Status::bad_input, "--speed", Problem::bad_usage, "films alone have a speed",
           "-o FILE.gif, FILE.mp4 or FILE-%03d.png; in a page it is chosen beside the slider");
}

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
  check_speed(options, output);
  const std::string as_drawn = !options.arrows.empty() ? "--arrows"
                               : options.names         ? "--names"
                               : !options.view.empty() ? "--view"
                                                       : "";
  if (!as_drawn.empty() && (ending == ".json" || output.empty()))
    refuse(Status::bad_input, as_drawn, Problem::bad_usage,
           "the scene as JSON is not drawn: it has all of it",
           "-o FILE.html, FILE.svg, FILE.png, FILE.gif or FILE.mp4");
  if (film_kind(output) && !options.until)
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
  const auto film = film_kind(options.output);
  if (film && options.speed)
    require_pictures(*options.until - prepared.begin(), film->rate, *options.speed, film->most);
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

void write_film(const MovingScene& scene, const std::string& output, const FilmTimes& film,
                const SceneView& view) {
  FilmEncoder encoder(output, smooth_frames);
  scene_frames(scene, film.times, 1, view,
               [&](const ScenePixels& picture) { return encoder.add(picture) && !InterruptScope::is_set(); });
  encoder.finish();
}

void write_pictures(const MovingScene& scene, const NumberedFiles& files, const FilmTimes& film,
                    const SceneView& view) {
  for (std::size_t i = 0; i < film.times.size() && !InterruptScope::is_set(); ++i)
    write_output(files.name(i + 1), scene_png(scene, film.times[i], view));
}

/// What is said of a film.
std::optional<FilmTimes> write(const MovingScene& scene, const std::string& output,
                               const ShowOptions& options, const SceneView& view) {
  const std::string ending = ending_of(output);
  const double end = scene.t.empty() ? 0 : scene.t.back();
  if (const auto kind = film_kind(output)) {
    FilmTimes film = film_times(scene.t.empty() ? 0 : scene.t.front(), end, kind->rate, options.speed);
    if (ending == ".mp4") {
      write_film(scene, output, film, view);
    } else if (ending == ".gif") {
      write_output(output, scene_gif(scene, film.times, film.rate, view));
    } else {
      write_pictures(scene, *NumberedFiles::read(output), film, view);
    }
    return film;
  }
  if (ending == ".svg") write_output(output, scene_svg(scene, end, view));
  if (ending == ".png") write_output(output, scene_png(scene, end, view));
  if (ending == ".json") write_output(output, scene_json(scene) + "\n");
  if (ending == ".html") write_output(output, scene_page(scene, view));
  return std::nullopt;
}

/// The scene, and what is said of a film of it.
std::string json_of(const MovingScene& scene, const std::optional<FilmTimes>& film) {
  std::string text = scene_json(scene);
  if (film) text.replace(text.size() - 1, 1, ",\"film\":" + in_json(*film) + "}");
  return text;
}

void report_scene(const MovingScene& scene, const std::string& output, const std::optional<FilmTimes>& film) {
  const std::string unit = scene.time_unit.empty() ? "" : " " + scene.time_unit;
  fmt::print("{}: {} solid{} {}{}\n", output, scene.solids.size(), scene.solids.size() == 1 ? "" : "s",
             scene.t.size() > 1 ? fmt::format("at {} times, t = {:.6g} to {:.6g}{}", scene.t.size(),
                                              scene.t.front(), scene.t.back(), unit)
                                : fmt::format("at t = {:.6g}{}", scene.t.front(), unit),
             film ? "; " + in_words(*film) : "");
  for (const std::string& note : scene.notes) fmt::print("  note: {}\n", note);
}

void require_places(const MechanismParts& parts, ShownPlaces places) {
  if (places == ShownPlaces::hidden)
    refuse(Status::bad_input, parts.name(), Problem::no_value,
           "there is nothing to draw: `shape ... none` hides all that has a place",
           "leave out one of these shapes");
  if (places == ShownPlaces::none)
    refuse(Status::bad_input, parts.name(), Problem::no_value,
           "there is nothing to draw: the model is energies and coordinates alone: it names no places that "
           "could be drawn",
           "say where something is: `frame F on ground at [x, y, z]` and `shape F disc radius R`, or "
           "`particle`, `body`");
}

/// What is asked for and cannot be in the picture.
void require_drawn(const MovingScene& scene, const SceneView& view, const ShowOptions& options) {
  const auto has = [&](bool reaction) {
    return std::any_of(scene.arrows.begin(), scene.arrows.end(),
                       [&](const SceneArrow& arrow) { return arrow.reaction == reaction; });
  };
  if (view.velocities && !has(false))
    refuse(Status::bad_input, "--arrows", Problem::bad_usage, "nothing that has a velocity is drawn",
           "`shape point P` has the velocity of a place");
  if (view.reactions && !has(true))
    refuse(Status::bad_input, "--arrows", Problem::bad_usage,
           scene.notes.empty() || !scene.notes.back().starts_with("the reactions are not drawn")
               ? "no reaction has a place: a joint or a contact has one, and a constraint on particles whose "
                 "places are coordinates"
               : scene.notes.back(),
           "--arrows velocities, or a joint in place of a constraint");
  if (!options.view.empty() && !scene.in_space)
    refuse(Status::bad_input, "--view", Problem::bad_usage, "the mechanism lies in a plane",
           "leave --view away");
}

int show(const ShowOptions& options, InterruptScope& interrupt) {
  const std::string output = output_of(options);
  check_options(options, output);
  const SceneView view = read_view(options);
  const auto parts = read_model(options.model);
  const MechanismParts::StopScope stop(*parts, interrupt.token());
  int code = done;
  require_places(*parts, shown_places(*parts));  // before a run
  const MovingScene scene =
      options.until ? scene_of_motion(options, *parts, interrupt, code)
                    : scene_at(*parts, read_given_state(*parts, options.at, options.set, options.project));
  if (scene.is_empty()) require_places(*parts, ShownPlaces::hidden);
  require_drawn(scene, view, options);
  std::optional<FilmTimes> film;
  if (!output.empty()) film = write(scene, output, options, view);
  if (InterruptScope::is_set()) return interrupted_by_signal;
  if (options.json) {
    print_json_on_one_line(Json::parse(json_of(scene, film)));
    return code;
  }
  report_scene(scene, output, film);
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
