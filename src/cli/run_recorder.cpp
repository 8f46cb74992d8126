#include "run_recorder.hpp"

#include <algorithm>

namespace liaison::cli {

namespace {

constexpr std::size_t most_between = 100'000;
constexpr double parts_of_run = 512;  ///< a part of a step is no longer than such a part of the run

}  // namespace

RunRecorder::RunRecorder(RecorderOptions options, const AssembledEquations& equations,
                         const Observations& observations, std::optional<std::uint64_t> bytes)
    : options_(std::move(options)),
      equations_(equations),
      bar_(options_.begin, options_.end),
      saved_(std::chrono::steady_clock::now()) {
  table_.columns = trajectory_columns(equations, observations);
  if (!options_.rows.empty()) {
    writer_ = bytes ? std::make_unique<TrajectoryWriter>(options_.rows, *bytes)
                    : std::make_unique<TrajectoryWriter>(options_.rows, table_.columns);
    if (!bytes) save(Checkpoint{});  // whoever finds these rows knows whose they are
  }
}

SimulationReceivers RunRecorder::receivers() {
  SimulationReceivers receivers{[this](const Row& row) { return take(row); },
                                [this](const RunningSimulation& run) { return after_step(run); }};
  if (options_.fill) receivers.parts = [this](double from, double to) { return parts(from, to); };
  return receivers;
}

std::size_t RunRecorder::parts(double from, double to) const {
  const double wanted = std::min(parts_of_run * (to - from) / (options_.end - options_.begin), parts_of_run);
  std::size_t parts = parts_;
  while (static_cast<double>(parts) < wanted) parts *= 2;
  return parts;
}

/// Every second of those that lie closer together than the run needs.
void RunRecorder::thin_out() {
  parts_ = std::max<std::size_t>(1, parts_ / 2);
  const double far = 2 * (options_.end - options_.begin) / parts_of_run;
  std::vector<double> times;
  for (const std::vector<double>& row : between_) times.push_back(row.front());
  std::vector<std::vector<double>> kept;
  for (std::size_t i = 0; i < between_.size(); ++i) {
    const double before = i > 0 ? times[i - 1] : options_.begin;
    const double after = i + 1 < times.size() ? times[i + 1] : options_.end;
    if (i % 2 == 1 || after - before > far) kept.push_back(std::move(between_[i]));
  }
  between_ = std::move(kept);
}

RowTable RunRecorder::filled(RowTable rows) const {
  const auto own = static_cast<std::ptrdiff_t>(rows.rows.size());
  rows.rows.insert(rows.rows.end(), between_.begin(), between_.end());
  std::inplace_merge(rows.rows.begin(), rows.rows.begin() + own, rows.rows.end(),
                     [](const auto& a, const auto& b) { return a.front() < b.front(); });
  return rows;
}

bool RunRecorder::take(const Row& row) {
  std::vector<double> values = trajectory_values(equations_, row);
  if (row.is_between) {
    between_.push_back(std::move(values));
    if (between_.size() > most_between) thin_out();
    return true;
  }
  if (writer_) writer_->write(values);
  if (options_.keep_rows) table_.rows.push_back(std::move(values));
  return true;
}

bool RunRecorder::after_step(const RunningSimulation& run) {
  if (InterruptScope::is_set() || run.steps() == options_.last_step) {
    save(run);
    return !InterruptScope::is_set();
  }
  if (run.steps() % 16 != 0 && options_.flush_every > 0) return true;
  bar_.show(run.time());
  const auto now = std::chrono::steady_clock::now();
  if (std::chrono::duration<double>(now - saved_).count() < options_.flush_every) return true;
  saved_ = now;
  save(run);
  return true;
}

void RunRecorder::save(const RunningSimulation& run) {
  if (writer_) save(run.checkpoint());
}

void RunRecorder::save(const Checkpoint& checkpoint, const std::string& ended) {
  writer_->flush();
  if (writer_->is_regular())
    write_run_file(run_file_of(options_.rows), {options_.key, writer_->bytes(), checkpoint, ended});
}

void RunRecorder::finish(const SimulationResult& result) {
  if (!writer_) return;
  writer_->flush();
  switch (result.outcome) {
    case SimulationOutcome::interrupted:
    case SimulationOutcome::step_limit: return;
    case SimulationOutcome::finished: return save(result.checkpoint);
    case SimulationOutcome::event:
    case SimulationOutcome::several:
    case SimulationOutcome::impossible:
    case SimulationOutcome::singular: return save(Checkpoint{}, result.message);
  }
}

}  // namespace liaison::cli
