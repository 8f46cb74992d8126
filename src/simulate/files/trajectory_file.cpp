#include "liaison/simulate/trajectory_file.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <sstream>

#include "liaison/expr/text_hash.hpp"

namespace liaison {

namespace {

constexpr std::size_t buffer_size = 1 << 16;

[[noreturn]] void fail(const std::string& path) {
  throw FileProblem{path, std::strerror(errno)};
}

std::size_t coordinate_count(const AssembledEquations& equations) {
  return equations.positions.size() - 4 * equations.system->rotations.size();
}

void append_line(std::string& text, const std::vector<double>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) text += ',';
    if (std::isnan(values[i])) continue;  // what has no value
    fmt::format_to(std::back_inserter(text), "{}", values[i] == 0 ? 0.0 : values[i]);
  }
  text += '\n';
}

std::vector<std::string> split(std::string_view line) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t comma = line.find(',');
    parts.emplace_back(line.substr(0, comma));
    if (comma == std::string_view::npos) return parts;
    line.remove_prefix(comma + 1);
  }
}

constexpr const char* run_file = "liaison run 3";

std::string last_line_of(std::string_view text) {
  return fmt::format("end {:016x}", hash_of_text(text));
}

bool read_numbers(std::string_view line, std::vector<double>& numbers) {
  numbers.clear();
  while (true) {
    double value = std::numeric_limits<double>::quiet_NaN();
    if ((line.empty() || line.front() == ',') && !numbers.empty()) {
      numbers.push_back(value);
    } else {
      const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
      if (error != std::errc{}) return false;
      numbers.push_back(value);
      line.remove_prefix(static_cast<std::size_t>(end - line.data()));
    }
    if (line.empty()) return true;
    if (line.front() != ',') return false;
    line.remove_prefix(1);
  }
}

}  // namespace

std::vector<std::string> trajectory_columns(const AssembledEquations& equations,
                                            const Observations& observations) {
  std::vector<std::string> names{equations.system->time.symbol().name};
  const std::size_t coordinates = coordinate_count(equations);
  for (std::size_t i = 0; i < coordinates; ++i) names.push_back(equations.positions[i].symbol().name);
  for (Expr parameter : equations.parameters) names.push_back(parameter.symbol().name);
  for (std::size_t i = coordinates; i < equations.positions.size(); ++i)
    names.push_back(equations.positions[i].symbol().name);
  for (const std::string& name : equations.names) names.push_back("lambda(" + name + ")");
  names.insert(names.end(), {"T", "V"});
  names.insert(names.end(), observations.output_names.begin(), observations.output_names.end());
  return names;
}

std::vector<double> trajectory_values(const AssembledEquations& equations, const Row& row) {
  const auto coordinates = static_cast<std::ptrdiff_t>(coordinate_count(equations));
  const auto positions = static_cast<std::ptrdiff_t>(equations.positions.size());
  std::vector<double> values{row.t};
  const auto add = [&](auto begin, auto end) { values.insert(values.end(), begin, end); };
  add(row.y.begin(), row.y.begin() + coordinates);
  add(row.y.begin() + positions, row.y.end());
  add(row.y.begin() + coordinates, row.y.begin() + positions);
  add(row.factors.begin(), row.factors.end());
  values.insert(values.end(), {row.kinetic, row.potential});
  add(row.outputs.begin(), row.outputs.end());
  return values;
}

std::vector<double> state_in_row(const AssembledEquations& equations, const std::vector<double>& values) {
  const auto coordinates = static_cast<std::ptrdiff_t>(coordinate_count(equations));
  const auto quaternions = static_cast<std::ptrdiff_t>(4 * equations.system->rotations.size());
  const auto velocities = static_cast<std::ptrdiff_t>(equations.parameters.size());
  const auto first = values.begin() + 1;
  std::vector<double> y(first, first + coordinates);
  y.insert(y.end(), first + coordinates + velocities, first + coordinates + velocities + quaternions);
  y.insert(y.end(), first + coordinates, first + coordinates + velocities);
  return y;
}

TrajectoryWriter::TrajectoryWriter(std::string path, const std::vector<std::string>& columns)
    : path_(std::move(path)) {
  if (path_ == standard_output) {
    file_ = dup(STDOUT_FILENO);
    if (file_ < 0) fail(path_);
  } else {
    file_ = open_output(path_, true);
    if (ftruncate(file_, 0) != 0 && errno != EINVAL) fail(path_);  // EINVAL: a device or a pipe
  }
  buffer_ = fmt::format("{}\n", fmt::join(columns, ","));
}

TrajectoryWriter::TrajectoryWriter(std::string path, std::uint64_t bytes)
    : path_(std::move(path)), bytes_(bytes) {
  file_ = open_output(path_, false);
  if (ftruncate(file_, static_cast<off_t>(bytes)) != 0 || lseek(file_, 0, SEEK_END) < 0) fail(path_);
}

bool TrajectoryWriter::is_regular() const {
  struct stat status{};
  return path_ != standard_output && fstat(file_, &status) == 0 && S_ISREG(status.st_mode);
}

TrajectoryWriter::~TrajectoryWriter() {
  if (file_ >= 0) close(file_);
}

void TrajectoryWriter::write(const std::vector<double>& values) {
  append_line(buffer_, values);
  if (buffer_.size() >= buffer_size) flush();
}

void TrajectoryWriter::flush() {
  std::size_t written = 0;
  while (written < buffer_.size()) {
    const ssize_t count = ::write(file_, buffer_.data() + written, buffer_.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count >= 0) {
      written += static_cast<std::size_t>(count);
      continue;
    }
    const int reason = errno;  // whole rows stay, the piece of the next one goes
    const std::size_t newline = std::string_view(buffer_).substr(0, written).rfind('\n');
    const std::size_t whole = newline == std::string::npos ? 0 : newline + 1;
    if (is_regular() && ftruncate(file_, static_cast<off_t>(bytes_ + whole)) == 0) bytes_ += whole;
    buffer_.clear();
    errno = reason;
    fail(path_);
  }
  bytes_ += written;
  buffer_.clear();
}

RowTable read_trajectory(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) fail(path);
  std::ostringstream all;
  all << file.rdbuf();
  const std::string content = std::move(all).str();
  RowTable table;
  std::string_view rest = content;
  std::vector<double> numbers;
  for (std::size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
    const std::string_view line = rest.substr(0, end);
    if (table.columns.empty()) {
      table.columns = split(line);
    } else {
      if (!read_numbers(line, numbers) || numbers.size() != table.columns.size())
        throw FileProblem{path, fmt::format("line {} is not a row of numbers", table.rows.size() + 2)};
      table.rows.push_back(numbers);
    }
    rest.remove_prefix(end + 1);
    table.last_row = table.bytes;
    table.bytes += end + 1;
  }
  return table;
}

void write_run_file(const std::string& path, const RunFile& run) {
  const std::string fresh = path + ".new";
  {
    std::ofstream file(fresh, std::ios::binary);
    std::string ended = run.ended;
    std::replace(ended.begin(), ended.end(), '\n', ' ');
    std::string text = fmt::format("{}\n{}\n{}\n{}\n{:a}\n{}\n", run.key, ended, run.bytes,
                                   run.checkpoint.rows, run.checkpoint.t, run.checkpoint.numbers.size());
    for (double number : run.checkpoint.numbers) fmt::format_to(std::back_inserter(text), "{:a}\n", number);
    file << run_file << '\n' << text << last_line_of(text) << '\n';
    file.close();
    if (!file) fail(fresh);
  }
  if (std::rename(fresh.c_str(), path.c_str()) != 0) fail(path);
}

/// Nothing where a single character was changed: its numbers say how many others follow.
std::optional<RunFile> read_run_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  if (!file || !std::getline(file, line) || line != run_file) return std::nullopt;
  std::stringstream whole;
  whole << file.rdbuf();
  std::string text = whole.str();
  if (text.empty() || text.back() != '\n') return std::nullopt;
  text.pop_back();
  const std::size_t last = text.rfind('\n') + 1;  // 0 where there is none
  const std::string sum = text.substr(last);
  text.resize(last);
  if (sum != last_line_of(text)) return std::nullopt;
  std::istringstream lines(text);
  RunFile run;
  const auto next = [&] { return std::getline(lines, line) ? line.c_str() : "0"; };
  if (!std::getline(lines, run.key) || !std::getline(lines, run.ended)) return std::nullopt;
  run.bytes = std::strtoull(next(), nullptr, 10);
  run.checkpoint.rows = std::strtoull(next(), nullptr, 10);
  run.checkpoint.t = std::strtod(next(), nullptr);
  const std::size_t count = std::strtoull(next(), nullptr, 10);
  for (std::size_t i = 0; i < count && lines; ++i)
    run.checkpoint.numbers.push_back(std::strtod(next(), nullptr));
  return lines ? std::optional(std::move(run)) : std::nullopt;
}

}  // namespace liaison
