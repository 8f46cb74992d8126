#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <thread>

#include "liaison/simulate/claims_in_time.hpp"
#include "liaison/simulate/trajectory_file.hpp"
#include "simulate_support.hpp"

/// What a run says of itself: what was kept, what works, what is claimed of it, what is in its files.
namespace liaison::test {
namespace {

const Monitor& named(const SimulationResult& result, const std::string& name) {
  for (const Monitor& monitor : result.monitors) {
    if (monitor.name == name) return monitor;
  }
  throw std::runtime_error("no monitor " + name);
}

RunRequest until(double end, double tolerance) {
  RunRequest request;
  request.options.until = end;
  request.options.tolerance = {tolerance, tolerance * 1e-3};
  return request;
}

TEST(Balance, ExpectsWhatTheKindOfTheSystemPromises) {
  const SimulationResult disc = run(read_runnable_file("classics/rolling_disc.lia"), until(3, 1e-12));
  EXPECT_TRUE(named(disc, "T + V").expected);
  EXPECT_GT(named(disc, "T + V").digits(), 12);
  EXPECT_TRUE(named(disc, "power(roll_x)").expected);
  EXPECT_TRUE(named(disc, "conserved(T)").expected);
  const SimulationResult slide = run(read_runnable_file("classics/sphere_sliding.lia"), until(0.1, 1e-12));
  EXPECT_FALSE(named(slide, "T + V").expected);
  const std::string turning =
      "param w = 2, g = 9.81\ncoord q\nkinetic q'^2/2 + w^2*sin(q)^2/2 + w*cos(q)*q'\npotential "
      "-g*cos(q)\nstart q = 1\n";
  const SimulationResult hoop = run(read_runnable(turning), until(10, 1e-12));
  EXPECT_TRUE(named(hoop, "T2 - T0 + V").expected);
  EXPECT_GT(named(hoop, "T2 - T0 + V").digits(), 11);
  const SimulationResult driven =
      run(read_runnable("coord x\nkinetic x'^2/2\nconstraint move: x = sin(t)\n"), until(1, 1e-10));
  EXPECT_FALSE(named(driven, "power(move)").expected);
  EXPECT_GT(named(driven, "power(move)").amount, 0.1);
}

TEST(Balance, EnergyOfTenThousandPeriods) {
  const RunnableModel pendulum =
      read_runnable("param g = 9.81\ncoord q\nkinetic q'^2/2\npotential -g*cos(q)\nstart q = 1\n");
  const SimulationResult result = run(pendulum, until(21400, 1e-12));  // the period is 2.139
  ASSERT_EQ(result.outcome, SimulationOutcome::finished);
  EXPECT_LT(named(result, "T + V").largest, 1e-10);
}

TEST(Balance, ConstraintsOfAMillionSteps) {
  const RunnableModel pendulum = read_runnable(
      "param g = 9.81\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential g*y\nconstraint rod: x^2 + y^2 = "
      "1\nstart x = 1\n");
  RunRequest request = until(10000, 1e-12);
  request.method.step = 0.01;
  request.options.every = 10000;
  const SimulationResult kept = run(pendulum, request);
  EXPECT_EQ(kept.steps, 1'000'000u);
  EXPECT_LT(named(kept, "holonomic levels").largest, 1e-12);
  EXPECT_LT(named(kept, "velocity relations").largest, 1e-12);
  request.options.project = false;
  request.options.until = request.options.every = 1000;
  const SimulationResult drifted = run(pendulum, request);
  EXPECT_FALSE(named(drifted, "holonomic levels").expected);
  EXPECT_GT(named(drifted, "holonomic levels").largest, 1e-12);
}

TEST(Balance, ThreadsDoNotChangeABit) {
  const RunnableModel model = read_runnable_file("classics/four_bar.lia");
  std::vector<std::vector<double>> ends(4);
  std::vector<std::unique_ptr<Evaluator>> evaluators;
  for (std::size_t i = 0; i < ends.size(); ++i)
    evaluators.push_back(std::make_unique<Evaluator>(*model.equations, model.start));
  const auto work = [&](std::size_t i) {
    SimulationOptions options;
    options.until = 2;
    ends[i] = simulate(*evaluators[i], 0, evaluators[i]->pack(model.start), options, [](const Row&) {
                return true;
              }).y;
  };
  work(0);
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < ends.size(); ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 1; i < ends.size(); ++i) EXPECT_EQ(ends[i], ends[0]);
}

TEST(ClaimsInTime, AreCheckedRefutedOrNotDecided) {
  const RunnableModel model = read_runnable(
      "coord x\nkinetic x'^2/2\npotential x^2/2\nclaim x == cos(2) at (x = 1) after 2 within 1e-11\n"
      "claim x == 0.4 at (x = 1) after 2\nmisprint x == sin(2) at (x = 1) after 2\nclaim x'' == -3 at (x = "
      "3) after 0\n"
      "claim log(-1 - x^2) == 1 at (x = 1) after 1\n");
  const auto verdict = [&](std::size_t i) {
    return check_after(*model.algebra, *model.system, model.system->claims[i]);
  };
  EXPECT_EQ(verdict(0).verdict.grade, Grade::checked);
  EXPECT_TRUE(verdict(1).verdict.is_refuted());
  EXPECT_FALSE(verdict(1).passed);
  EXPECT_NEAR(verdict(1).verdict.witness.left.mid(), std::cos(2.0), 1e-9);
  EXPECT_TRUE(verdict(2).passed);
  EXPECT_TRUE(verdict(3).passed);
  EXPECT_EQ(verdict(4).verdict.grade, Grade::unknown);
}

TEST(TrajectoryFiles, AreReadBackExactlyAndWithoutAPieceOfARow) {
  const std::string path = ::testing::TempDir() + "liaison_rows.csv";
  {
    TrajectoryWriter writer(path, {"t", "x"});
    writer.write({0, 1.0 / 3});
    writer.write({0.1, -2e-300});
    writer.flush();
  }
  RowTable table = read_trajectory(path);
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[0][1], 1.0 / 3);
  EXPECT_EQ(table.rows[1][1], -2e-300);
  {
    TrajectoryWriter writer(path, table.last_row);
    writer.write({0.2, 5});
    writer.flush();
  }
  std::FILE* file = std::fopen(path.c_str(), "ab");
  std::fputs("0.3,7", file);
  std::fclose(file);
  table = read_trajectory(path);
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[1], (std::vector<double>{0.2, 5}));
  std::remove(path.c_str());
  EXPECT_THROW(read_trajectory(path), FileProblem);
  EXPECT_THROW(TrajectoryWriter("/no/such/folder/x.csv", {"t"}), FileProblem);
}

TEST(TrajectoryFiles, ARunFileIsWholeOrNotThere) {
  const std::string path = ::testing::TempDir() + "liaison_run.resume";
  const RunFile written{"key", 123456789012, {0.1, 7, {1.0 / 3, -0.0, 1e308}}, "an end"};
  write_run_file(path, written);
  const auto found = read_run_file(path);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->key, "key");
  EXPECT_EQ(found->bytes, written.bytes);
  EXPECT_EQ(found->ended, "an end");
  EXPECT_EQ(found->checkpoint.t, 0.1);
  EXPECT_EQ(found->checkpoint.numbers, written.checkpoint.numbers);
  std::string text;
  {
    std::ifstream file(path);
    std::getline(file, text, '\0');
  }
  for (std::size_t i = 0; i < text.size(); ++i) {  // a character that was changed
    std::string damaged = text;
    damaged[i] = damaged[i] == '7' ? '8' : '7';
    std::ofstream(path) << damaged;
    EXPECT_FALSE(read_run_file(path)) << i;
  }
  std::FILE* file = std::fopen(path.c_str(), "wb");
  std::fputs("liaison run 3\nkey\n\n12\n7\n0x1p+0\n3\n0x1p+0\n", file);
  std::fclose(file);
  EXPECT_FALSE(read_run_file(path));
  std::remove(path.c_str());
  EXPECT_FALSE(read_run_file(path));
}

}  // namespace
}  // namespace liaison::test
