#pragma once

#include <gtest/gtest.h>

#include "liaison/simulate/contact_run.hpp"
#include "simulate_support.hpp"

namespace liaison::testing {

/// A model that is run by one method, as the program would.
struct ContactModel {
  explicit ContactModel(const std::string& text, const std::string& method = "dop853",
                        double tolerance = 1e-10, ContactOptions options = {})
      : model(read_runnable(text)),
        run(*model.algebra, *model.system, model.start,
            MethodRequest{.name = method, .tolerance = {tolerance, tolerance * 1e-3}}, EvaluatorOptions{},
            options) {}

  SimulationResult until(double end, double every = 0) {
    rows.clear();
    SimulationOptions how;
    how.until = end;
    how.every = every;
    return run.run(0, run.evaluator().pack(model.start), how,
                   {[&](const Row& row) {
                      rows.push_back(row);
                      return true;
                    },
                    {}});
  }

  RunnableModel model;
  ContactRun run;
  std::vector<Row> rows;
};

}  // namespace liaison::testing
