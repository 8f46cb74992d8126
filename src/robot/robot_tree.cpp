#include "robot_tree.hpp"

#include <fmt/format.h>

#include "expr/utf8.hpp"

namespace liaison::robot {

namespace {

constexpr std::size_t max_named = 4;

std::string quote_name(const std::string& name) {
  return fmt::format("`{}`", utf8::shorten(name, 40));
}

/// "`a`, `b`, `c`, `d` and 3 more".
std::string list_names(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < std::min(names.size(), max_named); ++i)
    out += (i == 0 ? "" : ", ") + quote_name(names[i]);
  return names.size() <= max_named ? out : fmt::format("{} and {} more", out, names.size() - max_named);
}

/// The joint that holds each link, or nothing; false where a link is held twice.
bool find_holders(RobotModel& model, std::vector<std::optional<std::size_t>>& holder) {
  for (std::size_t i = 0; i < model.joints.size(); ++i) {
    const RobotJoint& joint = model.joints[i];
    auto& slot = holder[joint.child];
    if (slot) {
      Diagnostic& problem = model.problems.emplace_back(Diagnostic{
          "L0709",
          fmt::format("the link {} is the child of two joints, {} and {}: a robot file holds trees",
                      quote_name(model.links[joint.child].name), quote_name(model.joints[*slot].name),
                      quote_name(joint.name)),
          joint.span,
          {},
          {},
          "leave one joint out, and close the loop in the model by `joint J: A at [..] to B at [..] hinge "
          "..`"});
      problem.notes.push_back({model.joints[*slot].span, "the first of them"});
      return false;
    }
    slot = i;
  }
  return true;
}

/// One root; false where there is none, or another.
bool find_root(RobotModel& model, const std::vector<std::optional<std::size_t>>& holder) {
  std::vector<std::string> roots;
  std::size_t second = 0;
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    if (holder[i]) continue;
    if (roots.empty()) model.root = i;
    if (roots.size() == 1) second = i;
    roots.push_back(model.links[i].name);
  }
  if (roots.size() == 1) return true;
  if (roots.empty()) {
    model.problems.push_back(
        Diagnostic{"L0709",
                   "every link is the child of a joint: the joints close a loop, and nothing carries it",
                   model.joints.front().span,
                   {},
                   {},
                   "a robot has one link that is no child: its root"});
  } else {
    model.problems.push_back(
        Diagnostic{"L0709",
                   fmt::format("there are {} links that no joint carries, {}: a robot has one root",
                               roots.size(), list_names(roots)),
                   model.links[second].span,
                   {},
                   {},
                   "join them, or write a file for each"});
  }
  return false;
}

/// Joints in the order in which they are met from the root, the first branch first.
void walk_from_root(RobotModel& model) {
  std::vector<std::vector<std::size_t>> joints_on(model.links.size());
  for (std::size_t i = 0; i < model.joints.size(); ++i) joints_on[model.joints[i].parent].push_back(i);
  const auto push_all = [&](std::size_t link, std::vector<std::size_t>& waiting) {
    waiting.insert(waiting.end(), joints_on[link].rbegin(), joints_on[link].rend());
  };
  std::vector<std::size_t> waiting;
  push_all(model.root, waiting);
  while (!waiting.empty()) {
    const std::size_t joint = waiting.back();
    waiting.pop_back();
    model.order.push_back(joint);
    push_all(model.joints[joint].child, waiting);
  }
  if (model.order.size() == model.joints.size()) return;
  std::vector<bool> met(model.joints.size());
  for (const std::size_t joint : model.order) met[joint] = true;
  for (std::size_t i = 0; i < model.joints.size(); ++i) {
    if (met[i]) continue;
    model.problems.push_back(
        Diagnostic{"L0709",
                   fmt::format("the joint {} is on a loop that the root {} does not carry",
                               quote_name(model.joints[i].name), quote_name(model.links[model.root].name)),
                   model.joints[i].span,
                   {},
                   {},
                   "each link but the root is the child of one joint, and the way inwards ends at the root"});
    return;
  }
}

/// A joint that mimics itself, by others too, has no coordinate at all.
void check_mimics(RobotModel& model) {
  std::vector<int> state(model.joints.size());  // 1: on the way now, 2: ends at a coordinate
  for (std::size_t i = 0; i < model.joints.size(); ++i) {
    std::vector<std::size_t> way;
    std::size_t at = i;
    while (state[at] == 0) {
      state[at] = 1;
      way.push_back(at);
      if (!model.joints[at].mimic) break;
      at = model.joints[at].mimic->joint;
      if (state[at] != 1) continue;
      model.problems.push_back(
          Diagnostic{"L0709",
                     fmt::format("the joint {} mimics itself", quote_name(model.joints[at].name)),
                     model.joints[at].span,
                     {},
                     {},
                     "one of the joints that mimic each other has a coordinate of its own"});
      return;
    }
    for (const std::size_t joint : way) state[joint] = 2;
  }
}

}  // namespace

void order_tree(RobotModel& model) {
  std::vector<std::optional<std::size_t>> holder(model.links.size());
  if (!find_holders(model, holder) || !find_root(model, holder)) return;
  walk_from_root(model);
  if (model.ok()) check_mimics(model);
}

}  // namespace liaison::robot
