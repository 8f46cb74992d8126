#include "liaison/liaison.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <numbers>
#include <stop_token>
#include <thread>

#include "liaison/compile/jit.hpp"
#include "liaison/mechanism/evaluated_state.hpp"
#include "liaison/mechanism/parts.hpp"

extern "C" void flint_register_cleanup_function(void (*function)());

namespace liaison {
namespace {

constexpr const char* pendulum = R"(system "Pendulum"
param g = 9.81 [m/s^2], l > 0 = 50 [cm], m > 0 = 1 [kg]
coord x [m], y [m]
kinetic m/2*(x'^2 + y'^2)
potential m*g*y
constraint rod: x^2 + y^2 = l^2
start x = 0.3, y = -0.4
claim energy: conserved(T + V)
claim wrong: lambda(rod) == 0
)";

Mechanism load(const std::string& text) {
  Answer<Mechanism> loaded = Mechanism::from_text(text);
  EXPECT_TRUE(loaded) << loaded.text();
  return std::move(*loaded);
}

TEST(Mechanism, what_is_wrong_with_a_text_comes_back_with_its_place) {
  const Answer<Mechanism> loaded = Mechanism::from_text("coord x\nkinetic x'^2/2 + z\n", "m.lia");
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.status(), Status::bad_input);
  ASSERT_EQ(loaded.messages().size(), 1u);
  EXPECT_EQ(loaded.messages()[0].place, "m.lia:2:18");
  EXPECT_NE(loaded.text().find("m.lia:2:18: error: "), std::string::npos) << loaded.text();
  EXPECT_THROW(*loaded, std::runtime_error);

  const Answer<Mechanism> missing = Mechanism::from_file("/no/such/model.lia");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.messages()[0].code, "L0510");
}

TEST(Mechanism, parameters_are_exact_and_in_si_units) {
  Mechanism mechanism = load(pendulum);
  EXPECT_EQ(mechanism.name(), "Pendulum");
  const auto values = mechanism.parameters("l = 30 [cm]");
  ASSERT_TRUE(values) << values.text();
  ASSERT_EQ(values->size(), 3u);
  EXPECT_EQ((*values)[0].exact, "981/100");
  EXPECT_EQ((*values)[1].exact, "3/10");
  EXPECT_EQ((*values)[1].value, 0.3);
  EXPECT_EQ((*values)[1].unit, "cm");
  // a double is in SI units, whatever the unit of the declaration
  const auto doubled = mechanism.parameters(Values().set("l", 0.3));
  EXPECT_EQ((*doubled)[1].value, 0.3);
  EXPECT_EQ((*doubled)[1].exact, "5404319552844595/18014398509481984");
  for (const Values& bad : {Values("k = 1"), Values("l = 1 [kg]"), Values("l = -1"), Values("g = 1, g = 2"),
                            Values("g = 1/0"), Values("g = 1e400"), Values("l = 1e-400"),
                            Values().set("g", INFINITY), Values("g = 1").set("g", 2)}) {
    const auto refused = mechanism.parameters(bad);
    EXPECT_FALSE(refused) << bad.text();
    EXPECT_EQ(refused.status(), Status::bad_input);
    EXPECT_NE(refused.text(), "");
  }
}

TEST(Mechanism, one_that_was_moved_from_says_so) {
  Mechanism from = load(pendulum);
  Mechanism to = std::move(from);
  EXPECT_THROW(from.simulate({}), std::logic_error);  // NOLINT: that is asked
  EXPECT_THROW(from.name(), std::logic_error);
  EXPECT_EQ(to.name(), "Pendulum");
  from = std::move(to);
  EXPECT_TRUE(from.evaluate());
}

TEST(Mechanism, an_angle_in_degrees_is_exact) {
  Mechanism mechanism = load("param a = 30 [deg]\ncoord x\nkinetic x'^2/2\npotential x*sin(a)\n");
  const auto values = mechanism.parameters();
  ASSERT_TRUE(values) << values.text();
  EXPECT_EQ((*values)[0].exact, "pi/6");
}

TEST(Mechanism, a_state_in_numbers) {
  Mechanism mechanism = load(pendulum);
  const auto at = mechanism.evaluate({.at = "x' = 0.4, y' = 0.3", .parameters = "m = 2"});
  ASSERT_TRUE(at) << at.text();
  EXPECT_EQ(at->state["y"], -0.4);
  EXPECT_EQ(at->parameters["m"], 2);
  EXPECT_NEAR(at->kinetic, 0.25, 1e-15);
  ASSERT_EQ(at->motions.size(), 1u);
  // m q'' = -m g e_y + 2 lambda q and q.q'' + v^2 = 0
  const double lambda = at->motions[0].multiplier["rod"];
  EXPECT_NEAR(2 * lambda * 0.25, 2 * (9.81 * -0.4 - 0.25), 1e-12);
  EXPECT_NEAR(at->motions[0].acceleration["x"], lambda * 0.3, 1e-12);
  EXPECT_EQ(at->kind, "regular");
  EXPECT_THROW(at->state["z"], std::out_of_range);

  const auto off = mechanism.evaluate({.at = "x = 1, y = 1"});
  EXPECT_FALSE(off);
  EXPECT_EQ(off.messages()[0].code, "L0501");
  EXPECT_TRUE(mechanism.evaluate({.at = "x = 1, y = 1", .project = true}));
}

TEST(Mechanism, claims_are_decided_one_by_one) {
  Mechanism mechanism = load(pendulum);
  std::vector<std::string> seen;
  const auto claims =
      mechanism.check({.claim = [&](const CheckedClaim& claim) { seen.push_back(claim.name); }});
  ASSERT_TRUE(claims) << claims.text();
  EXPECT_EQ(claims.status(), Status::does_not_hold);
  EXPECT_EQ(seen, (std::vector<std::string>{"energy", "wrong"}));
  EXPECT_EQ((*claims)[0].status, "proved");
  EXPECT_TRUE((*claims)[0].passed);
  EXPECT_EQ((*claims)[1].status, "refuted");
  EXPECT_EQ((*claims)[1].line, 9u);
}

TEST(Mechanism, a_derivation_and_its_roads) {
  Mechanism mechanism = load(pendulum);
  const auto derived = mechanism.derive({.formulation = "lagrange", .format = "latex"});
  ASSERT_TRUE(derived) << derived.text();
  EXPECT_EQ(derived.status(), Status::done);
  EXPECT_NE(derived->text.find("\\documentclass"), std::string::npos);
  ASSERT_EQ(derived->roads.size(), 1u);
  EXPECT_EQ(derived->roads[0].name, "lagrange");
  EXPECT_TRUE(derived->roads[0].agrees);
  EXPECT_EQ(mechanism.derive({.formulation = "lagrang"}).messages()[0].hint, "did you mean `lagrange`?");
}

TEST(Mechanism, an_analysis_in_words_and_lists) {
  auto kepler = Mechanism::from_text("coord x, y\nkinetic (x'^2 + y'^2)/2\npotential -1/sqrt(x^2 + y^2)\n",
                                     "kepler.lia");
  ASSERT_TRUE(kepler);
  const auto analysis = (*kepler).analyze({.only = {"integrals", "constraints"}});
  ASSERT_TRUE(analysis) << analysis.text();
  EXPECT_EQ(analysis.status(), Status::done);
  EXPECT_EQ(analysis->degrees_of_freedom, 2u);
  EXPECT_EQ(analysis->growth_vector, (std::vector<std::size_t>{2}));
  EXPECT_TRUE(analysis->symmetries.empty());  // not asked for
  ASSERT_EQ(analysis->first_integrals.size(), 3u);
  EXPECT_EQ(analysis->first_integrals[1].how, "proved");
  EXPECT_NE(analysis->text.find("First integrals"), std::string::npos);

  const auto refused = (*kepler).analyze({.only = {"integral"}});
  EXPECT_EQ(refused.status(), Status::bad_input);
  EXPECT_NE(refused.text().find("did you mean `integrals`?"), std::string::npos);
}

TEST(Mechanism, a_run_in_tiny_units) {
  // Positions and velocities are far below any error that is allowed beside 1; T and V are no doubles at all.
  for (const std::string method : {"dop853", "taylor", "arkode", "adams", "bdf", "ida"}) {
    Mechanism slow = load(
        "param m = 1e-150, k = 1e-150\ncoord x\nkinetic m*x'^2/2\npotential k*x^2/2\nstart x = 1e-100\n");
    const auto first = slow.simulate({.until = 3, .integrator = method});
    ASSERT_TRUE(first) << first.text();
    EXPECT_NEAR(first->final_state["x"] / 1e-100, std::cos(3), 1e-6) << method;
    EXPECT_EQ(first->kept.size(), 0u) << method;
    Mechanism fast =
        load("param m = 1e-200, k = 1e-190\ncoord x\nkinetic m*x'^2/2\npotential k*x^2/2\nstart x = 1e-60\n");
    const auto second = fast.simulate({.until = 1e-4, .integrator = method});
    ASSERT_TRUE(second) << second.text();
    EXPECT_NEAR(second->final_state["x"] / 1e-60, std::cos(10), 1e-6) << method;
    EXPECT_EQ(second->kept.size(), 0u) << method;
  }
}

TEST(Mechanism, a_run_with_another_parameter) {
  Mechanism mechanism = load("param c = 1\ncoord x\nkinetic x'^2/2\npotential c*x^2/2\nstart x = 1\n");
  const auto run = mechanism.simulate({.parameters = "c = 4", .until = std::numbers::pi, .tolerance = 1e-12});
  ASSERT_TRUE(run) << run.text();
  EXPECT_EQ(run->outcome, "finished");
  EXPECT_NEAR(run->final_state["x"], 1, 1e-9);  // one whole period
  EXPECT_EQ(run->columns, (std::vector<std::string>{"t", "x", "x'", "T", "V"}));
  EXPECT_EQ((*run)["t"].front(), 0);
  EXPECT_EQ((*run)["t"].back(), std::numbers::pi);
  EXPECT_GT(run->kept["T + V"], 9);
  // the model is as it was
  const auto own = mechanism.simulate({.until = std::numbers::pi, .tolerance = 1e-12});
  EXPECT_NEAR(own->final_state["x"], -1, 1e-9);

  EXPECT_EQ(mechanism.simulate({.until = NAN}).status(), Status::bad_input);
  EXPECT_EQ(mechanism.simulate({.until = 1, .integrator = "euler"}).status(), Status::bad_input);
  const auto short_run = mechanism.simulate({.until = 100, .max_steps = 3});
  EXPECT_EQ(short_run.status(), Status::numerical_failure);
  EXPECT_EQ(short_run->outcome, "step_limit");
}

TEST(Mechanism, a_run_says_all_that_the_command_says) {
  // An inelastic reset takes half of the energy: that is not kept.
  Mechanism ball = load(
      "coord x\nkinetic x'^2/2\npotential x^2/2\nstart x = 1\nevent half: x = 0 falling then reset x' = "
      "x'/sqrt(2)\nevent top: x' = 0\nevent far: x = 1\n");
  const auto bounced = ball.simulate({.until = 3, .tolerance = 1e-12});
  ASSERT_TRUE(bounced) << bounced.text();
  for (const auto& [name, digits] : bounced->kept) EXPECT_NE(name, "T + V") << digits;
  EXPECT_NEAR(bounced->changed["T + V"], -0.25, 1e-9);
  bool resets = false, touches = false;
  for (const Trajectory::Event& event : bounced->events) {
    if (event.name == "half") {
      resets = true;
      EXPECT_NEAR(event.t, std::numbers::pi / 2, 1e-9);
      EXPECT_FALSE(event.touches);
    }
  }
  EXPECT_TRUE(resets);
  // A value that comes to its largest touches it.
  Mechanism swing = load("coord x\nkinetic x'^2/2\npotential x^2/2\nstart x = 0, x' = 1\nevent top: x = 1\n");
  const auto swung = swing.simulate({.until = 3, .tolerance = 1e-12});
  for (const Trajectory::Event& event : swung->events) touches = touches || event.touches;
  EXPECT_TRUE(touches);
  EXPECT_GT(swung->kept["T + V"], 9);
  EXPECT_EQ(swung->changed.size(), 0u);
  // Relations that repeat each other leave their factors open, not their sum.
  Mechanism twice = load(
      "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential 9.81*y\nconstraint a: x^2 + y^2 = 1\nconstraint b: "
      "3*x^2 + 3*y^2 = 3\nstart y' = 1, y = 0\n");
  const auto open = twice.simulate({.until = 0.1});
  ASSERT_TRUE(open) << open.text();
  EXPECT_EQ(open->undetermined, (std::vector<std::string>{"a", "b"}));
  ASSERT_EQ(open->determined.size(), 1u);
  EXPECT_NE(open->determined[0].find("lambda(b)"), std::string::npos);
  ASSERT_EQ(open->chosen.size(), 1u);  // x = 1 or x = -1
  EXPECT_NE(open->chosen[0].find("x"), std::string::npos);
  // An impact takes energy too, and is told.
  Mechanism drop = load(
      "coord y\nkinetic y'^2/2\npotential 10*y\nunilateral floor: y >= 0 restitution 0.5\nstart y = 5\n");
  const auto fell = drop.simulate({.until = 1.5});
  ASSERT_EQ(fell->impacts.size(), 1u);
  EXPECT_NEAR(fell->impacts[0].t, 1, 1e-9);
  EXPECT_NEAR(fell->impacts[0].impulses["floor"], 15, 1e-7);
  EXPECT_NEAR(fell->impacts[0].energy, -37.5, 1e-6);
  for (const auto& [name, digits] : fell->kept) EXPECT_NE(name, "T + V") << digits;
  ASSERT_FALSE(fell->contacts.empty());
  EXPECT_EQ(fell->contacts[0].name, "floor");
}

TEST(Mechanism, a_stop_token_ends_a_run_and_nothing_else) {
  Mechanism mechanism =
      load("coord x\nkinetic x'^2/2\npotential x^2/2\nstart x = 1\nclaim conserved(T + V)\n");
  std::stop_source source;
  std::size_t rows = 0;
  const auto run = mechanism.simulate({.until = 1e9,
                                       .row =
                                           [&](const std::vector<double>&) {
                                             if (++rows == 50) source.request_stop();
                                             return true;
                                           }},
                                      source.get_token());
  ASSERT_TRUE(run);
  EXPECT_EQ(run.status(), Status::interrupted);
  EXPECT_EQ(run->rows.size(), rows);
  EXPECT_LT(rows, 60u);
  // a token that was stopped before: nothing is decided
  const auto cut = mechanism.check({}, source.get_token());
  EXPECT_EQ(cut.status(), Status::interrupted);
  EXPECT_TRUE(cut->empty());
  EXPECT_EQ(mechanism.derive({}, source.get_token()).status(), Status::interrupted);
  EXPECT_EQ(mechanism.evaluate({}, source.get_token()).status(), Status::interrupted);
  // and what was cut short is not remembered
  const auto again = mechanism.check();
  EXPECT_EQ(again.status(), Status::done);
  EXPECT_EQ((*again)[0].status, "proved");
}

TEST(Mechanism, a_stop_from_another_thread_ends_exact_work_soon) {
  std::string text =
      "param m > 0, g > 0, l > 0\ncoord x1, y1, x2, y2, x3, y3\nkinetic m/2*(x1'^2 + y1'^2 + x2'^2 + y2'^2 + "
      "x3'^2 + "
      "y3'^2)\npotential m*g*(y1 + y2 + y3)\nconstraint rod1: x1^2 + y1^2 = l^2\nconstraint rod2: (x2 - "
      "x1)^2 + "
      "(y2 - y1)^2 = l^2\nconstraint rod3: (x3 - x2)^2 + (y3 - y2)^2 = l^2\n";
  for (int i = 0; i < 2000; ++i) text += "claim conserved(T)\nclaim lambda(rod1) == 0\n";
  Mechanism mechanism = load(text);
  std::stop_source source;
  std::jthread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    source.request_stop();
  });
  const auto begin = std::chrono::steady_clock::now();
  const auto claims = mechanism.check({}, source.get_token());
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  EXPECT_EQ(claims.status(), Status::interrupted);
  EXPECT_LT(claims->size(), 4000u);
  EXPECT_LT(seconds, 20);
}

TEST(Mechanism, a_format_that_there_is_not_is_refused) {
  Mechanism mechanism = load(pendulum);
  EXPECT_EQ(mechanism.derive({.format = "pdf"}).status(), Status::bad_input);
  EXPECT_EQ(mechanism.analyze({.only = {"constraints"}, .format = "htm"}).status(), Status::bad_input);
  for (const char* format : {"text", "latex", "html", "json"}) {
    EXPECT_TRUE(mechanism.derive({.format = format})) << format;
  }
}

TEST(Mechanism, many_states_take_one_derivation) {
  Mechanism mechanism = load(pendulum);
  const auto at = [&](const std::string& state) {
    return evaluate_at(mechanism.parts(), read_given_state(mechanism.parts(), state, {}, false)).motion;
  };
  const auto first = at("x = 0.3, y = -0.4");
  EXPECT_EQ(first, at("x = -0.3, y = -0.4"));
  EXPECT_EQ(mechanism.parts().motion_if_made(), nullptr);  // no closed form was needed
  ASSERT_TRUE(mechanism.derive());
  EXPECT_EQ(at("x = 0.3, y = -0.4").get(), mechanism.parts().motion_if_made());
}

std::atomic<int> memories_given_back = 0;

TEST(Mechanism, a_thread_that_ends_gives_back_what_numbers_keep_for_it) {
  Mechanism one = load(pendulum);
  const auto ask = [&](Mechanism& mechanism) {
    flint_register_cleanup_function([] { ++memories_given_back; });
    EXPECT_TRUE(mechanism.evaluate({.at = "x' = 0.4, y' = 0.3"}));
  };
  std::thread([&] { ask(one); }).join();
  EXPECT_EQ(memories_given_back, 1);
  std::thread([&] {
    Mechanism own = load(pendulum);
    ask(own);
  }).join();
  EXPECT_EQ(memories_given_back, 2);
  EXPECT_TRUE(one.check());  // with numbers that another thread made
}

TEST(Mechanism, who_is_stopped_while_it_waits_waits_no_more) {
  Mechanism mechanism = load("coord x\nkinetic x'^2/2\npotential x^2/2\nstart x = 1\n");
  std::stop_source run, waiting;
  std::atomic<bool> runs = false, has_ended = false;
  std::jthread runner([&] {
    const auto row = [&](const std::vector<double>&) {
      runs = true;
      return true;
    };
    EXPECT_EQ(mechanism.simulate({.until = 1e12, .every = 1, .row = row}, run.get_token()).status(),
              Status::interrupted);
    has_ended = true;
  });
  while (!runs && !has_ended) std::this_thread::yield();
  std::jthread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    waiting.request_stop();
    for (int i = 0; i < 200 && !run.stop_requested(); ++i)  // who still waits then ends with the run
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    run.request_stop();
  });
  const auto begin = std::chrono::steady_clock::now();
  const auto asked = mechanism.evaluate({.at = "x = 1"}, waiting.get_token());
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  EXPECT_EQ(asked.status(), Status::interrupted);
  EXPECT_FALSE(asked);
  EXPECT_LT(seconds, 15);
  EXPECT_FALSE(mechanism.check({}, waiting.get_token()));
  run.request_stop();
  runner.join();
  EXPECT_EQ((*mechanism.evaluate({.at = "x = 1"})).motions.at(0).acceleration["x"], -1);
}

TEST(Mechanism, threads_wait_for_each_other) {
  Mechanism one = load(pendulum);
  constexpr int threads = 4, states = 50;
  std::vector<std::vector<double>> found(threads);
  {
    std::vector<std::jthread> asking;
    for (int k = 0; k < threads; ++k)
      asking.emplace_back([&, k] {
        Mechanism own = load(pendulum);
        for (int i = 0; i < states; ++i) {
          const double v = 0.01 * (k * states + i);
          const EvaluateRequest request{.at = Values().set("x'", 0.4 * v).set("y'", 0.3 * v)};
          for (Mechanism* asked : {&one, &own}) {
            const auto values = asked->evaluate(request);
            ASSERT_TRUE(values) << values.text();
            found[k].push_back(values->motions.at(0).multiplier["rod"]);
          }
          if (k == 0 && i == 10) {
            ASSERT_TRUE(one.check({}));
          }
        }
      });
  }
  // x = (0.3, -0.4), |x'| = v/2: 2*lambda*l^2 = m*(g*y - v^2/4)
  for (int k = 0; k < threads; ++k)
    for (int i = 0; i < states; ++i) {
      const double v = 0.01 * (k * states + i), known = (9.81 * -0.4 - v * v / 4) / 0.5;
      EXPECT_NEAR(found[k][2 * i], known, 1e-12);
      EXPECT_EQ(found[k][2 * i], found[k][2 * i + 1]);
    }
}

TEST(Mechanism, a_row_of_a_run_may_ask) {
  Mechanism mechanism = load(pendulum);
  int asked = 0;
  const auto run =
      mechanism.simulate({.until = 0.1, .every = 0.05, .row = [&](const std::vector<double>& row) {
                            const auto values = mechanism.evaluate(
                                {.at = Values().set("x", row[1]).set("y", row[2]), .project = true});
                            asked += values ? 1 : 0;
                            return true;
                          }});
  ASSERT_TRUE(run) << run.text();
  EXPECT_EQ(asked, 3);
}

TEST(Mechanism, what_a_row_asks_may_be_stopped_alone) {
  Mechanism mechanism = load(pendulum);
  std::stop_source stopped, source;
  stopped.request_stop();
  int cut = 0;
  const auto ask = [&] {
    cut += mechanism.evaluate({}, stopped.get_token()).status() == Status::interrupted ? 1 : 0;
    return true;
  };
  const auto run = mechanism.simulate(
      {.until = 0.1, .every = 0.05, .row = [&](const std::vector<double>&) { return ask(); }});
  ASSERT_TRUE(run) << run.text();
  EXPECT_EQ(run.status(), Status::done);
  EXPECT_EQ(run->rows.size(), 3u);
  EXPECT_EQ(cut, 3);
  EXPECT_TRUE(mechanism.evaluate());
  // the run is stopped, then what its row asks
  const auto ended = mechanism.simulate({.until = 1e9,
                                         .row =
                                             [&](const std::vector<double>&) {
                                               source.request_stop();
                                               return ask();
                                             }},
                                        source.get_token());
  EXPECT_EQ(ended.status(), Status::interrupted);
  EXPECT_TRUE(mechanism.evaluate());
}

TEST(Mechanism, a_closed_contact_is_said) {
  Mechanism ball = load(
      "param g = 9.81\ncoord y\nkinetic y'^2/2\npotential g*y\nunilateral ground: y - 1 >= 0 restitution "
      "0.5\n"
      "start y = 2\n");
  EXPECT_TRUE(ball.evaluate());
  EXPECT_TRUE(ball.evaluate({.at = "y = 1, y' = 1"}));  // it opens
  for (const char* at : {"y = 1", "y = 1, y' = -1"}) {
    const auto closed = ball.evaluate({.at = at});
    ASSERT_FALSE(closed) << at;
    EXPECT_EQ(closed.status(), Status::numerical_failure);
    EXPECT_EQ(closed.messages()[0].code, "L0519");
    EXPECT_EQ(closed.messages()[0].place, "model:5:1");
    const auto run = ball.simulate({.start = at, .until = 1});  // it rests there, or bounces
    ASSERT_TRUE(run) << run.text();
    EXPECT_EQ(run->outcome, "finished");
  }
  EXPECT_EQ(ball.evaluate({.at = "y = 0.5"}).status(), Status::bad_input);
  const auto fall = ball.simulate({.until = 10});
  ASSERT_TRUE(fall) << fall.text();
  EXPECT_EQ(fall->outcome, "finished");
  EXPECT_NEAR(fall->final_state["y"], 1, 1e-9);
  EXPECT_EQ(fall->final_state["y'"], 0);
}

TEST(Mechanism, a_sweep_gives_each_run_and_compiles_once) {
  Mechanism mechanism = load(pendulum);
  const SimulateRequest request{
      .parameters = "m = 2", .start = "x = 0.03, y = -0.04", .until = 1, .every = 0.25};
  std::vector<Values> lengths;
  std::vector<Trajectory> alone;
  for (double length : {0.05, 0.05, 0.05}) {
    lengths.push_back(Values().set("l", length).set("g", 5.0 + static_cast<double>(lengths.size())));
    SimulateRequest one = request;
    one.parameters = Values("m = 2").set("l", length).set("g", 5.0 + static_cast<double>(alone.size()));
    const auto found = mechanism.simulate(one);
    ASSERT_TRUE(found) << found.text();
    alone.push_back(*found);
  }
  const auto all = mechanism.sweep(request, lengths);
  ASSERT_TRUE(all) << all.text();
  EXPECT_EQ(all.status(), Status::done);
  ASSERT_EQ(all->size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    ASSERT_EQ((*all)[i].rows.size(), alone[i].rows.size());
    EXPECT_EQ((*all)[i].columns, alone[i].columns);
    for (std::size_t k = 0; k < alone[i].rows.size(); ++k)
      for (std::size_t c = 0; c < alone[i].columns.size(); ++c)
        EXPECT_NEAR((*all)[i].rows[k][c], alone[i].rows[k][c], 1e-7) << i << ": " << alone[i].columns[c];
  }
  EXPECT_GT(std::abs((*all)[0].final_state["x"] - (*all)[2].final_state["x"]), 1e-3)
      << "g makes a difference";

  // machine code for the equations is made for the first run alone
  SimulateRequest longer = request;
  longer.until = 400;
  std::size_t before = machine_code_count();
  ASSERT_TRUE(mechanism.sweep(longer, {lengths[0]}));
  const std::size_t for_one = machine_code_count() - before;
  before = machine_code_count();
  ASSERT_TRUE(mechanism.sweep(longer, {lengths[0], lengths[1], lengths[2], "g = 3, l = 5 [cm]"}));
  EXPECT_LT(machine_code_count() - before, 4 * for_one) << "each of the four made its own";
  EXPECT_GT(for_one, 0u);
}

TEST(Mechanism, a_sweep_says_which_values_are_wrong) {
  Mechanism mechanism = load(pendulum);
  const auto twice = mechanism.sweep({.parameters = "m = 2"}, {"m = 3"});
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.messages()[0].place.rfind("parameters[0]", 0), 0u) << twice.text();
  // the others are run: a name that is none, a start that is not on the rod
  const auto some = mechanism.sweep({.until = 0.1}, {"m = 3", "M = 4", "l = 2", "m = 1"});
  ASSERT_TRUE(some) << some.text();
  EXPECT_EQ(some.status(), Status::bad_input);
  ASSERT_EQ(some->size(), 4u);
  ASSERT_EQ(some.messages().size(), 2u) << some.text();
  EXPECT_EQ(some.messages()[0].place.rfind("parameters[1]", 0), 0u) << some.text();
  EXPECT_EQ(some.messages()[1].place.rfind("parameters[2]", 0), 0u) << some.text();
  EXPECT_EQ(some.messages()[1].code, "L0501");
  for (std::size_t i : {0u, 3u}) {
    EXPECT_EQ((*some)[i].outcome, "finished");
    EXPECT_NEAR((*some)[i].final_state["x"], (*some)[0].final_state["x"], 1e-9);  // whatever the mass
  }
  for (std::size_t i : {1u, 2u}) {
    EXPECT_EQ((*some)[i].outcome, "refused");
    EXPECT_NE((*some)[i].message, "");
    EXPECT_TRUE((*some)[i].rows.empty());
  }
  const auto none = mechanism.sweep({}, {});
  EXPECT_TRUE(none && none->empty());
}

}  // namespace
}  // namespace liaison
