#pragma once

#include "integrals.hpp"
#include "monitors.hpp"
#include "stepper.hpp"
#include "work_balance.hpp"

namespace liaison {

/// The rows of a run, on their grid or at each step, and what is watched where they are.
class Recorder {
 public:
  Recorder(Evaluator& evaluator, Observations& observations, Stepper& stepper,
           const SimulationOptions& options, const SimulationReceivers& receivers, bool constraints_are_kept);

  MaybeEnd begin(double t, const std::vector<double>& y);
  /// The rows on the grid up to a time of the present step.
  MaybeEnd rows_until(double t);
  MaybeEnd row(double t, const std::vector<double>& y);
  /// The end of a step, where nothing else happened.
  MaybeEnd step_ends();
  /// The state was changed at a time. What it took or gave goes into the balance and to the last record.
  MaybeEnd after_jump(double t, const std::vector<double>& before, const std::vector<double>& y,
                      std::vector<EventRecord>& records);

  /// Rows are kept back while the stepper does not know whether the motion goes on.
  bool keeps_rows_back() const { return !kept_back_.empty(); }
  /// Hands on those up to a time; the others are none.
  void hand_on(double until);

  double last_row() const { return last_row_; }
  std::size_t rows() const { return rows_; }
  /// Of outputs that depended on what is open among the factors in some row.
  const std::vector<std::string>& notes() const { return notes_; }
  void note(const std::string& text);  ///< once
  /// What is not told by the integrals along the motion, in words.
  const std::string& doubt() const { return integrals_.doubt(); }
  void recall_doubt(const std::string& text) { integrals_.recall_doubt(text); }
  std::vector<Monitor> verdicts() const;
  bool loses_energy() const { return monitors_.loses_energy(); }

  std::vector<double> memory() const;
  bool recall(std::size_t rows, std::span<const double> own, std::span<const double> monitors);
  std::vector<double> monitors_memory() const { return monitors_.memory(); }

 private:
  bool hand_on_all();
  /// The way from the last row to a time of the present step, for pictures.
  void fill(double t);
  bool complete(Row& row);  ///< of a time and a state; false where there are no rates
  /// A time beside it, within rounding, where what the time alone switches has the side on which the motion
  /// is: what is observed has that of the accelerations.
  double beside(double t, const std::vector<double>& y);
  void look_at_open(double t, const std::vector<double>& y);
  void look_at_frictions(double t, const std::vector<double>& y);

  Evaluator& evaluator_;
  Observations& observations_;
  Stepper& stepper_;
  const SimulationOptions& options_;
  const SimulationReceivers& receivers_;
  Moment moment_;
  Monitors monitors_;
  WorkBalance work_;
  Integrals integrals_;
  double start_ = 0, last_row_;
  std::size_t next_row_ = 0, rows_ = 0;
  std::vector<Row> kept_back_;
  std::size_t kept_rows_ = 0;  ///< of these, without those between
  std::vector<std::string> notes_;
};

}  // namespace liaison
