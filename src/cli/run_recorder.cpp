#include "run_recorder.hpp"

namespace liaison::cli {

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
  return {[this](const Row& row) { return take(row); },
          [this](const RunningSimulation& run) { return after_step(run); }};
}

bool RunRecorder::take(const Row& row) {
  std::vector<double> values = trajectory_values(equations_, row);
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
