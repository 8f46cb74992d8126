#pragma once

#include <gtest/gtest.h>

#include "liaison/simulate/contact_run.hpp"
#include "simulate_support.hpp"

namespace liaison::test {

/// A model with contacts, and its rows.
template <class Run>
struct ModelWithContacts {
  template <class... Arguments>
  explicit ModelWithContacts(const std::string& text, const Arguments&... arguments)
      : model(read_runnable(text)), run(*model.algebra, *model.system, model.start, arguments...) {}

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
  Run run;
  std::vector<Row> rows;
};

/// From event to event by one method, as the program would.
struct ContactModel : ModelWithContacts<ContactRun> {
  explicit ContactModel(const std::string& text, const std::string& method = "dop853",
                        double tolerance = 1e-10, const ContactOptions& options = {})
      : ModelWithContacts(text, MethodRequest{.name = method, .tolerance = {tolerance, tolerance * 1e-3}},
                          EvaluatorOptions{}, options) {}
};

}  // namespace liaison::test
