#include "model_support.hpp"

namespace liaison::test {

const std::string ball =
    "param m = 1, g = 9.81, e = 0.8\ncoord x, y\nparticle P mass m at [x, y]\ngravity [0, -g]\n"
    "constraint wind: x' = t\n";

TEST(Events, have_directions_and_actions) {
  const System system = read_system(ball +
                                    "event bounce: y = 0 falling then reset y' = -e*y', x = x + 1\n"
                                    "event apex: y' = 0 falling\n"
                                    "event noon: t = 12 then stop\n"
                                    "event pull: lambda(wind) = x'' rising then record\n");
  ASSERT_EQ(system.events.size(), 4u);
  EXPECT_EQ(system.events[0].action, EventAction::reset);
  EXPECT_EQ(system.events[0].direction, EventDirection::falling);
  ASSERT_EQ(system.events[0].resets.size(), 2u);
  EXPECT_EQ(system.events[0].resets[0].symbol, in(system, "y'"));
  EXPECT_TRUE(same(system, system.events[0].resets[0].value, "-e*y'"));
  EXPECT_EQ(system.events[1].action, EventAction::record);
  EXPECT_TRUE(same(system, system.events[1].when, "y'"));
  EXPECT_EQ(system.events[2].action, EventAction::stop);
  EXPECT_EQ(system.events[2].direction, EventDirection::either);
  EXPECT_EQ(system.events[3].direction, EventDirection::rising);
}

TEST(Events, print_back_as_they_were_read) {
  const System system = read_system(ball +
                                    "event bounce: y = 0 falling then reset y' = -e*y'\n"
                                    "event noon: t = 12 rising then stop\nevent apex: y' = 0\n"
                                    "claim y == 1 at (y = 2) after 3/2 within 1e-3\n");
  const std::string text = to_lia(system);
  const System again = read_system(text);
  ASSERT_EQ(again.events.size(), 3u) << text;
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(again.events[i].name, system.events[i].name);
    EXPECT_EQ(again.events[i].action, system.events[i].action);
    EXPECT_EQ(again.events[i].direction, system.events[i].direction);
    EXPECT_EQ(again.events[i].resets.size(), system.events[i].resets.size());
  }
  EXPECT_EQ(to_lia(again), text);
  EXPECT_TRUE(same(again, again.claims[0].after, "3/2"));
}

TEST(Events, a_rheonomic_coordinate_is_replaced_in_them) {
  const System system = read_system(
      "param v = 2\nrheonomic s = v*t\ncoord x\nkinetic x'^2/2\nevent meet: x = s then reset x' = s'\n");
  EXPECT_TRUE(same(system, system.events[0].when, "x - v*t"));
  EXPECT_TRUE(same(system, system.events[0].resets[0].value, "v"));
}

}  // namespace liaison::test
