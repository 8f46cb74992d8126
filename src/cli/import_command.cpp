#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "commands.hpp"
#include "liaison/model/language.hpp"
#include "liaison/robot/robot_text.hpp"
#include "outputs.hpp"
#include "problems.hpp"

namespace liaison::cli {

namespace {

std::string text_of_robot(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    refuse(Status::bad_input, path, Problem::unreadable, "this is a folder, not a robot file",
           "name a file in it that ends in .urdf or .xml");
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  if (!file)
    refuse(Status::bad_input, path, Problem::unreadable,
           fmt::format("cannot be read: {}", std::strerror(errno)), "robot files end in .urdf or .xml");
  return std::move(text).str();
}

/// "JOINT" or "JOINT=VALUE".
void hold(const std::string& text, const RobotModel& robot, RobotTextOptions& out) {
  std::vector<std::string> names;
  for (const RobotJoint& joint : robot.joints) {
    if (!has_one_coordinate(joint.kind)) continue;
    names.push_back(joint.name);
    if (text == joint.name) {
      out.held[joint.name] = Decimal{};
      return;
    }
  }
  const std::size_t sign = text.rfind('=');
  const std::string name = text.substr(0, sign);
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    const auto nearest = nearest_name(name, names);
    refuse(Status::bad_input, "--hold", Problem::bad_usage,
           fmt::format("the robot has no joint `{}` that turns or slides", name),
           nearest ? fmt::format("did you mean `{}`?", *nearest) : "--hold elbow, or --hold elbow=0.5");
  }
  const auto value = read_decimal(std::string_view(text).substr(sign + 1));
  if (!value)
    refuse(Status::bad_input, "--hold", Problem::bad_usage,
           fmt::format("`{}` is not a number", text.substr(sign + 1)), "a decimal number: --hold elbow=0.5");
  out.held[name] = *value;
}

/// What a robot file includes, seen from its folder.
RobotFileLoader loader_for(const std::string& robot) {
  const std::filesystem::path folder = std::filesystem::path(robot).parent_path();
  return [folder](const std::string& path) -> std::optional<std::string> {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(folder / path, ignored)) return std::nullopt;
    std::ifstream file(folder / path, std::ios::binary);
    std::ostringstream text;
    if (file) text << file.rdbuf();
    return file ? std::optional(std::move(text).str()) : std::nullopt;
  };
}

/// What moves the robot and is not in the model is said beside it, too.
void say_missing(const ImportOptions& options, const RobotModel& robot) {
  for (const std::string& what : robot.missing)
    say(fmt::format("{}: note: left out, though it moves the robot: {}\n", options.robot, what));
}

RobotTextOptions text_options(const ImportOptions& options, const RobotModel& robot) {
  RobotTextOptions out;
  out.file = std::filesystem::path(options.robot).filename().string();
  out.floating = options.floating;
  out.limits = options.limits;
  out.motors = options.motors;
  if (!options.floating.empty() && !robot.root_may_float)
    refuse(Status::bad_input, "--floating", Problem::bad_usage,
           "a model of MuJoCo says itself which bodies are free",
           "leave it out, or write <freejoint/> into the body");
  for (const std::string& text : options.held) hold(text, robot, out);
  if (options.smooth_friction) {
    out.smooth_friction = read_decimal(*options.smooth_friction);
    if (!out.smooth_friction || out.smooth_friction->value.sign() <= 0)
      refuse(Status::bad_input, "--smooth-friction", Problem::bad_usage,
             fmt::format("`{}` is not a speed above 0", *options.smooth_friction), "--smooth-friction 0.001");
  }
  return out;
}

}  // namespace

int run_import(const ImportOptions& options) {
  try {
    if (!options.output.empty()) require_outputs(options.robot, {options.output});
    const Source source(options.robot, text_of_robot(options.robot));
    const RobotModel robot = read_robot(source, loader_for(options.robot));
    if (!robot.ok()) refuse_text(robot.problems, robot.problem_source ? *robot.problem_source : source);
    const RobotText out = to_lia_text(robot, text_options(options, robot));
    if (!out.ok()) refuse_text(out.problems, source);
    // What the language does not take is said before anything is written.
    const Source written(options.output.empty() ? "the model of " + options.robot : options.output, out.text);
    const ParsedModel model = parse_model(written);
    if (!model.ok()) refuse_text(model.diagnostics, written);
    say_missing(options, robot);
    if (!options.output.empty()) write_output(options.output, out.text);
    if (options.json) {
      print_json(Json{{"schema", 1},
                      {"name", robot.name},
                      {"coordinates", out.coordinates},
                      {"bodies", out.bodies},
                      {"inputs", out.inputs},
                      {"missing", robot.missing},
                      {"left_out", robot.left_out},
                      {"model", out.text}});
    } else if (options.output.empty()) {
      fmt::print("{}", out.text);
    }
    return done;
  } catch (const Refused& refused) {
    return report(refused);
  } catch (const FileProblem& problem) {
    return report(problem);
  }
}

}  // namespace liaison::cli
