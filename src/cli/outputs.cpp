#include "outputs.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "commands.hpp"
#include "files_of_model.hpp"
#include "liaison/mechanism/derived_document.hpp"
#include "liaison/simulate/trajectory_file.hpp"
#include "problems.hpp"

namespace liaison::cli {
namespace {

/// Of a file with a name; a device or a pipe has no ending.
std::string format_of(const std::string& given, const std::string& output) {
  if (!given.empty()) return given;
  std::error_code ignored;
  const auto kind = std::filesystem::status(output, ignored).type();
  const bool is_device =
      kind == std::filesystem::file_type::character || kind == std::filesystem::file_type::fifo;
  const std::string ending = std::filesystem::path(output).extension().string();
  if (output.empty() || is_device || ending == ".txt" || ending == ".text") return "text";
  if (ending == ".tex") return "latex";
  if (ending == ".html" || ending == ".htm") return "html";
  if (ending == ".json") return "json";
  refuse(Status::bad_input, output, Problem::not_an_output,
         ending.empty() ? "the name has no ending that says in which format"
                        : fmt::format("`{}` is the ending of no format", ending),
         "end it in .txt, .tex, .html or .json, or give --format");
}

}  // namespace

void require_outputs(const std::string& model, const std::vector<std::string>& outputs,
                     const std::vector<std::string>& companions) {
  if (outputs.empty()) return;
  const std::vector<std::string> read = files_of_model(model);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    std::vector<std::string> written{outputs[i]};
    for (const std::string& ending : companions) written.push_back(outputs[i] + ending);
    for (const std::string& path : written) {
      if (is_same_file(path, model)) {
        refuse(Status::bad_input, path, Problem::not_an_output,
               fmt::format("this is the model {}, and would be written over", model), "name another file");
      }
      for (const std::string& file : read) {
        if (is_same_file(path, file))
          refuse(Status::bad_input, path, Problem::not_an_output,
                 fmt::format("the model reads {}, which would be written over", file), "name another file");
      }
    }
    require_writable(outputs[i]);
    for (std::size_t j = 0; j < i; ++j) {
      if (is_same_file(outputs[i], outputs[j])) {
        refuse(Status::bad_input, outputs[i], Problem::not_an_output,
               fmt::format("this is the same file as {}, which is written too", outputs[j]),
               "name two files");
      }
    }
  }
}

void require_format(const std::string& format, const std::string& output) {
  static_cast<void>(format_of(format, output));
}

std::string page_for(const Document& document, const std::string& format, const std::string& output) {
  std::string text = render(document, format_of(format, output));
  return text.ends_with('\n') ? text : text + '\n';
}

int report(const FileProblem& problem) {
  if (problem.busy) {
    report(problem.path, Problem::not_an_output, problem.reason, "wait for its end, or name another file");
    return bad_input;
  }
  const bool is_output = problem.path == standard_output;
  report(is_output ? "" : problem.path, Problem::not_written,
         fmt::format("{}cannot be written: {}", is_output ? "the standard output " : "", problem.reason),
         "make room, or name a file in a folder that exists and is yours");
  return numerical_failure;
}

}  // namespace liaison::cli
