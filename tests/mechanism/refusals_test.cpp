#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "liaison/liaison.hpp"
#include "liaison/mechanism/derived_document.hpp"
#include "liaison/mechanism/invariant_tube.hpp"
#include "liaison/mechanism/parts.hpp"
#include "liaison/mechanism/prepared_run.hpp"
#include "liaison/mechanism/sensitivity.hpp"

// What the command line does not let through, and who calls the library can ask for.
namespace liaison {
namespace {

/// Place, message and hint of what is refused; empty where nothing is.
std::string refusal(const std::function<void()>& work) {
  try {
    work();
  } catch (const Refused& refused) {
    const Message& first = refused.messages.front();
    return first.place + ": " + first.text + " | " + first.hint;
  }
  return {};
}

TEST(Refusals, a_tube_has_sections) {
  MechanismParts parts("m.lia", "coord x\nkinetic x'^2/2\npotential x^2/2\nstart x = 1\n");
  for (const std::size_t sections : {0, 1001}) {
    TubeRequest request;
    request.curve = "a: x = cos(a), x' = sin(a)";
    request.until = "1";
    request.sections = sections;
    EXPECT_EQ(refusal([&] { integrate_tube(parts, request); }),
              "--sections: there are from 1 to 1000 sections | --sections 4");
  }
}

TEST(Refusals, a_format_has_a_name_that_is_known) {
  EXPECT_EQ(refusal([] { require_format("htm"); }),
            "--format: there is no format `htm` | did you mean `html`?");
  EXPECT_EQ(refusal([] { require_format("word"); }),
            "--format: there is no format `word` | there are text, latex, html, json");
  EXPECT_EQ(refusal([] { require_format("json"); }), "");
}

TEST(Refusals, a_value_is_finite) {
  Answer<Mechanism> loaded = Mechanism::from_text("param g = 1\ncoord x\nkinetic x'^2/2\npotential g*x\n");
  ASSERT_TRUE(loaded) << loaded.text();
  for (const double value : {HUGE_VAL, -HUGE_VAL, std::nan("")}) {
    const auto refused = (*loaded).parameters(Values().set("g", value));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.messages()[0].text, "the value of `g` is not finite");
    EXPECT_EQ(refused.messages()[0].hint, "give it a finite number");
  }
}

TEST(Refusals, deviations_of_contacts_go_from_impact_to_impact) {
  const auto deviations = [](const std::string& text) {
    return refusal([&] {
      MechanismParts parts("m.lia", text);
      RunMethod method;
      method.integrator = "moreau";
      method.step = 0.1;
      const PreparedRun run(parts, {}, {}, false, method);
      deviations_of_contacts(parts, run, {});
    });
  };
  EXPECT_EQ(
      deviations("coord x\nkinetic x'^2/2\nunilateral c: x >= 0\nstart x = 1\n"),
      "--integrator: deviations are followed from impact to impact, and steps of one length go over them | "
      "an adaptive integrator, as dop853, goes from event to event");
  EXPECT_EQ(
      deviations("for i in 1..600: coord q_{i}\nfor i in 1..600: kinetic q_{i}'^2\n"
                 "for i in 1..600: unilateral u_{i}: q_{i} >= 0\n"),
      "m.lia: deviations are not followed across the impacts of a family of contacts | write contacts one "
      "by one");
}

}  // namespace
}  // namespace liaison
