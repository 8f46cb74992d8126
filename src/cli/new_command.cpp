#include "new_command.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "commands.hpp"
#include "problems.hpp"
#include "texts.hpp"

namespace liaison::cli {

namespace {

/// The file, and the name that stands in the model.
struct Place {
  std::string path, title;
};

Place place_of(const std::string& name) {
  std::filesystem::path path(name);
  if (path.extension() != ".lia") path += ".lia";
  const std::string title = path.stem().string();
  if (name.empty() || name.ends_with('/') || title.find_first_of("\"\\\n\r") != std::string::npos)
    refuse(Status::bad_input, "", Problem::bad_usage, fmt::format("`{}` is no name for a model", name),
           "liaison new swing");
  return {path.string(), title};
}

/// As one word of a command.
std::string for_shell(const std::string& path) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c < 0 ||
           std::string_view("._-/+,@%=:").find(c) != std::string_view::npos;
  };
  if (std::all_of(path.begin(), path.end(), is_plain)) return path;
  std::string quoted = "'";
  for (const char c : path) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string text_of(const Template& kind, const Place& place) {
  std::string text(kind.text);
  constexpr std::string_view quoted = "\"NAME\"", file = "NAME.";
  for (std::size_t at = text.find(quoted); at != std::string::npos; at = text.find(quoted, at + 1))
    text.replace(at + 1, quoted.size() - 2, place.title);
  const std::string stem = place.path.substr(0, place.path.size() - 4);
  for (std::size_t at = text.find(file); at != std::string::npos; at = text.find(file, at + stem.size()))
    text.replace(at, file.size() - 1, stem);
  return text;
}

/// A file that is there is somebody's work: "x" opens none that exists.
void write_new(const std::string& path, const std::string& text) {
  std::FILE* file = std::fopen(path.c_str(), "wx");
  if (!file && errno == EEXIST)
    refuse(Status::bad_input, path, Problem::not_an_output,
           "this file exists, and nothing is written over it", "another name, or remove it first");
  const bool is_written = file && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const int problem = errno;
  const bool is_closed = file && std::fclose(file) == 0;
  if (!is_written || !is_closed)
    refuse(Status::numerical_failure, path, Problem::not_written,
           fmt::format("cannot be written: {}", std::strerror(problem)),
           "make room, or name a file in a folder that exists and is yours");
}

int list(bool json) {
  if (json) {
    Json out{{"schema", 1}, {"templates", Json::array()}};
    for (const Template& each : templates())
      out["templates"].push_back({{"name", each.name}, {"about", each.about}});
    print_json(std::move(out));
    return done;
  }
  for (const Template& each : templates()) fmt::print("  {:<10} {}\n", each.name, each.about);
  return done;
}

}  // namespace

const std::vector<Template>& templates() {
  static const std::vector<Template> all{
      {"pendulum", "a point on a rod: coordinates, gravity, claims", texts::pendulum},
      {"spring", "a mass on a spring and a damper over a table that shakes", texts::spring},
      {"rolling", "a disc that rolls without slipping: constraints and their forces", texts::rolling},
      {"contact", "a ball that bounces and slides", texts::contact},
      {"linkage", "a four-bar linkage with a driven crank: bodies, joints, a loop", texts::linkage},
      {"robot", "an arm of two links with motors", texts::robot},
  };
  return all;
}

int run_new(const NewOptions& options) {
  if (options.list) return list(options.json);
  if (options.name.empty())
    refuse(Status::bad_input, "", Problem::bad_usage, "NAME is missing: the name of the model",
           "liaison new swing; `liaison new --list` shows the templates");
  const Place place = place_of(options.name);
  for (const Template& each : templates()) {
    if (each.name != options.kind) continue;
    write_new(place.path, text_of(each, place));
    if (options.json) {
      print_json(Json{{"schema", 1}, {"file", place.path}, {"template", each.name}});
    } else {
      fmt::print("wrote {}; next: liaison check {}\n", place.path, for_shell(place.path));
    }
  }
  return done;
}

}  // namespace liaison::cli
