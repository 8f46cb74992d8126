#include "edges.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "turning_walls.hpp"

namespace liaison {

bool EdgePassage::goes_beyond(std::size_t contact) {
  constexpr double least = 1e-15;  // of the time of the motion
  if (!frame_.take(at_.t, at_.y.data())) return false;
  const auto edge = frame_.nearest_edge(contact);
  std::vector<double> rates(at_.y.size());
  if (!edge || !open_.rates(at_.t, at_.y.data(), rates.data())) return false;
  const double until = std::max(edge->time, 0.0);
  for (double more = least * time_; more <= near_edge * time_; more *= 2) {
    const double length = until + more;
    if (length > near_edge * time_) break;
    std::vector<double> y = at_.y;
    for (std::size_t i = 0; i < open_.position_count(); ++i) y[i] += length * rates[i];
    if (!frame_.take(at_.t + length, y.data())) return false;
    const auto now = frame_.nearest_edge(contact);
    if (frame_.edge(contact) || !now || !(now->time < 0)) continue;
    at_.t += length;
    at_.y = std::move(y);
    return true;
  }
  return false;
}

bool EdgePassage::walls_turn(const std::vector<JumpOfRate>& jumps) {
  const std::vector<TurningWall> walls = find_walls(modes_, at_.closed, jumps);
  if (walls.empty()) return false;
  const auto behind = time_behind(frame_, at_.t, at_.y, walls);
  if (!behind) return false;
  at_.t = *behind;
  for (const TurningWall& wall : walls) at_.find_anew(wall.contact, frame_);
  return true;
}

void EdgePassage::begin_behind_turns() {
  constexpr double most_roundings = 1024;
  const auto turns = [&](double t) {
    if (!frame_.take(t, at_.y.data())) return false;
    for (std::size_t c = 0; c < modes_.size(); ++c) {
      const auto edge = frame_.edge(c);
      if (edge && edge->of_time) return true;
    }
    return false;
  };
  const double begin = at_.t, rounding = std::nextafter(begin, INFINITY) - begin;
  if (!turns(begin)) return;
  for (double roundings = 1; roundings <= most_roundings && turns(at_.t); roundings *= 2)
    at_.t = begin + roundings * rounding;
  if (!frame_.take(at_.t, at_.y.data())) return;
  for (std::size_t c = 0; c < modes_.size(); ++c)
    if (at_.closed[c]) at_.find_anew(c, frame_);
}

bool EdgePassage::pass(const std::vector<JumpOfRate>& jumps) {
  for (const JumpOfRate& jump : jumps) {
    std::size_t c = 0;
    while (c < modes_.size() && modes_.name(c) != jump.relation) ++c;
    if (c == modes_.size() || !at_.closed[c] || jump.by < 0 || !goes_beyond(c)) return false;
    at_.find_anew(c, frame_);
  }
  return true;
}

void EdgePassage::slip_over() {
  std::set<std::size_t> passed;
  for (const Guard& guard : at_.fired) {
    if (guard.kind == Guard::Kind::stops && !passed.contains(guard.contact) && slips_over(guard.contact))
      passed.insert(guard.contact);
  }
  std::erase_if(at_.fired, [&](const Guard& guard) {
    return guard.kind == Guard::Kind::stops && passed.contains(guard.contact);
  });
}

bool EdgePassage::slips_over(std::size_t contact) {
  if (!frame_.take(at_.t, at_.y.data())) return false;
  const auto edge = frame_.nearest_edge(contact);
  if (!edge || std::abs(edge->time) > near_edge * time_ || edge->rate.sign() < 0 || !goes_beyond(contact))
    return false;
  at_.find_anew(contact, frame_);
  return true;
}

bool EdgePassage::slip_over_in_space() {
  std::size_t c = 0;
  while (c < modes_.size() && (!at_.closed[c] || at_.moving[c].empty() || !slips_over(c))) ++c;
  return c < modes_.size();
}

}  // namespace liaison
