#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>

#include "follower.hpp"
#include "index.hpp"

namespace liaison {

double Follower::excess(const Multiplier& one) const {
  return request_.rest ? one.value.real() : std::abs(one.value) - 1;
}
Follower::Signs Follower::signs_of(const BranchPoint& point, const BranchPlace& direction) const {
  Signs result;
  result.forward = direction.parameter > 0;
  for (const Multiplier& one : point.spectrum) {
    if (!one.kind.empty()) continue;
    if (!(excess(one) > one.doubt)) continue;
    ++result.growing;
    if (one.value.imag() == 0) (one.value.real() > 0 ? result.real : result.doubled) ^= 1;
  }
  return result;
}
std::optional<SpecialKind> Follower::change(const Signs& a, const Signs& b) const {
  if (a.forward != b.forward) return SpecialKind::fold;
  if (a.real != b.real) return SpecialKind::branching;
  if (a.doubled != b.doubled) return SpecialKind::doubling;
  if (a.growing != b.growing) return request_.rest ? SpecialKind::swinging : SpecialKind::torus;
  return {};
}

bool Follower::are_several(const Signs& a, const Signs& b) {
  const bool turns = a.forward != b.forward, doubles = a.doubled != b.doubled;
  const bool crosses = a.real != b.real && !turns;  // a fold changes a real one too
  const int kinds = (turns ? 1 : 0) + (doubles ? 1 : 0) + (crosses ? 1 : 0);
  const int more = std::abs(b.growing - a.growing);
  return kinds > 1 || more > (kinds == 1 ? 1 : 2);
}

SpecialKind Follower::kind_at(SpecialKind kind, const BranchPoint& at) const {
  if (kind != SpecialKind::torus && kind != SpecialKind::swinging) return kind;
  const Multiplier* nearest = nullptr;
  double size = 0;
  for (const Multiplier& one : at.spectrum) {
    if (!one.kind.empty()) continue;
    size = std::max(size, std::abs(one.value));
    if (!nearest || std::abs(excess(one)) < std::abs(excess(*nearest))) nearest = &one;
  }
  if (!nearest || std::abs(nearest->value.imag()) > 1e-4 * size) return kind;
  return request_.rest || nearest->value.real() > 0 ? SpecialKind::branching : SpecialKind::doubling;
}

double Follower::value_of(const Measure& measure, const BranchPoint& point) const {
  std::vector<double> found;
  for (const Multiplier& one : point.spectrum) {
    if (!one.kind.empty()) continue;
    const auto mu = one.value;
    if (measure.kind == Measure::growth)
      found.push_back(excess(one));
    else if (request_.rest)
      found.push_back((mu * mu).real());
    else
      found.push_back((measure.at_minus_one ? -0.5 : 0.5) * (mu + 1.0 / mu).real() - 1);
  }
  if (measure.rank >= found.size()) return NAN;
  std::sort(found.begin(), found.end(), std::greater<>());
  return found[measure.rank];
}
Follower::Measure Follower::measure_of(SpecialKind kind, const BranchPoint& one, const Signs& before,
                                       const BranchPoint& two, const Signs& after) const {
  if (kind == SpecialKind::fold || before.growing == after.growing) return {};
  const BranchPoint& less = before.growing < after.growing ? one : two;
  const BranchPoint& more = before.growing < after.growing ? two : one;
  Measure result{Measure::growth, false, static_cast<std::size_t>(std::min(before.growing, after.growing))};
  double doubt = 0;
  for (const Multiplier& each : less.spectrum) doubt = std::max(doubt, each.doubt);
  if (value_of(result, less) < -doubt && value_of(result, more) > 0) return result;
  if (kind == SpecialKind::torus || kind == SpecialKind::swinging) return {};
  result = {Measure::paired, kind == SpecialKind::doubling, 0};
  for (const Multiplier& each : less.spectrum) {
    const bool at_minus_one = !request_.rest && each.value.real() < 0;
    if (each.kind.empty() && excess(each) > each.doubt && at_minus_one == result.at_minus_one)
      result.rank += 2;
  }
  if (value_of(result, less) < 0 && value_of(result, more) > 0) return result;
  return {};
}

std::optional<Follower::Sample> Follower::zero_between(std::vector<Sample> samples) const {
  // s as a polynomial in the value, and places as polynomials in s: by Lagrange's formula
  const auto weights = [](const std::vector<double>& nodes, double at) {
    std::vector<double> result(nodes.size(), 1.0);
    for (std::size_t i = 0; i < nodes.size(); ++i)
      for (std::size_t j = 0; j < nodes.size(); ++j)
        if (i != j) result[i] *= (at - nodes[j]) / (nodes[i] - nodes[j]);
    return result;
  };
  const auto root = [&](std::size_t count) {
    std::vector<double> values;
    for (std::size_t k = 0; k < count; ++k) values.push_back(samples[k].value);
    const std::vector<double> parts = weights(values, 0);
    double result = 0;
    for (std::size_t k = 0; k < count; ++k) result += parts[k] * samples[k].s;
    return result;
  };
  std::sort(samples.begin(), samples.end(),
            [](const Sample& a, const Sample& b) { return std::abs(a.value) < std::abs(b.value); });
  samples.erase(std::unique(samples.begin(), samples.end(),
                            [](const Sample& a, const Sample& b) { return a.value == b.value; }),
                samples.end());
  constexpr std::size_t most = 6;
  if (samples.size() > most) samples.resize(most);
  if (samples.size() < 4) return std::nullopt;
  const auto [low, high] = std::minmax_element(samples.begin(), samples.end(),
                                               [](const Sample& a, const Sample& b) { return a.s < b.s; });
  Sample result;
  result.s = root(samples.size());
  if (!(result.s >= low->s && result.s <= high->s)) return std::nullopt;
  if (!(std::abs(result.s - root(samples.size() - 1)) <= 1e-4 * (high->s - low->s))) return std::nullopt;
  std::vector<double> nodes;
  for (const Sample& sample : samples) nodes.push_back(sample.s);
  const std::vector<double> parts = weights(nodes, result.s);
  result.place = scaled(samples.front().place, parts.front());
  for (std::size_t k = 1; k < samples.size(); ++k)
    result.place = sum(result.place, scaled(samples[k].place, parts[k]));
  return result;
}

void Follower::add_samples(const BranchPlace& from, const BranchPlace& direction, double s, double length,
                           const std::function<double(const BranchPlace&)>& value,
                           std::vector<Sample>& samples) {
  for (const double part : {0.1, -0.1, 0.2, -0.2, 0.4, -0.4}) {
    if (is_interrupted()) return;
    const double at = s + part * length;
    const BranchPlace predicted = sum(from, scaled(direction, at));
    BranchPlace place = predicted;
    if (!correct(place, predicted, direction) || is_vague(direction)) continue;
    if (const double found = value(place); std::isfinite(found)) samples.push_back({at, found, place});
  }
}

bool Follower::locate(const BranchPlace& from, const BranchPlace& direction, double length,
                      const Signs& before, SpecialKind kind, FamilyBranch& branch, const BranchPoint& next,
                      const Signs& after, const BranchPlace& turned) {
  double low = 0, high = length;
  const Measure measure = measure_of(kind, branch.points.back(), before, next, after);
  const bool turns = kind == SpecialKind::fold, measured = turns || measure.kind != Measure::none;
  double at_low = turns ? direction.parameter : measured ? value_of(measure, branch.points.back()) : 0;
  double at_high = turns ? turned.parameter : measured ? value_of(measure, next) : 0;
  const auto value_at = [&](const BranchPoint& point) {  // at the place that was linearised last
    return turns ? turned_from(direction).parameter : value_of(measure, point);
  };
  int last_side = 0;
  BranchPlace at = from;
  bool lost = false;
  const BranchPlace last{Eigen::Map<const Eigen::VectorXd>(next.y.data(), index(n_)), next.period,
                         next.parameter};
  std::vector<Sample> samples{{low, at_low, from},
                              {product(direction, sum(last, scaled(from, -1))), at_high, last}};
  const int usual = std::exchange(polish_, std::max(polish_, 1));
  for (int k = 0; k < 48 && !is_interrupted() && high - low > 1e-11 * length; ++k) {
    double middle = (low + high) / 2;
    if (measured && k % 4 != 3) middle = (low * at_high - high * at_low) / (at_high - at_low);
    const BranchPlace predicted = sum(from, scaled(direction, middle));
    BranchPlace place = predicted;
    if (!correct(place, predicted, direction)) {
      lost = true;
      break;
    }
    const BranchPlace here = turned_from(direction);
    at = place;
    const BranchPoint point = point_of(place);
    if (!measured) {
      (change(before, signs_of(point, here)) ? high : low) = middle;
      continue;
    }
    const double value = value_at(point);
    if (!std::isfinite(value) || value == 0) break;
    if (!is_vague(direction)) samples.push_back({middle, value, place});
    const int side = value * at_high > 0 ? 1 : -1;
    (side > 0 ? high : low) = middle;
    (side > 0 ? at_high : at_low) = value;
    if (side == last_side) (side > 0 ? at_low : at_high) /= 2;
    last_side = side;
  }
  const auto is_wide = [&] { return high - low > 1e-6 * length; };
  if (measured && (is_vague(direction) || (lost && is_wide()))) {
    const double guess = (low * at_high - high * at_low) / (at_high - at_low);
    add_samples(
        from, direction, guess, length, [&](const BranchPlace& place) { return value_at(point_of(place)); },
        samples);
    if (const auto zero = zero_between(samples)) {
      at = zero->place;
      lost = false;
    }
  }
  polish_ = usual;
  if (!linearise(at)) {
    branch.special.push_back(
        {kind, next, branch.points.size() - 1, "not located: within one step of the branch from here"});
    return false;
  }
  const BranchPoint found = point_of(at);
  kind = kind_at(kind, found);
  std::string note;
  const int pairs = std::abs(after.growing - before.growing) / 2;
  const bool is_pair = kind == SpecialKind::torus || kind == SpecialKind::swinging;
  bool is_located = !lost || !is_wide();
  // where no real one begins to grow a branch turns back at a crossing, or a step went to another branch: one
  // that is longer than a gap between them is no witness of a crossing
  const bool is_no_fold = turns && before.real == after.real;
  const bool crosses =
      is_no_fold && is_located && is_crossed(linear_, 1e-4) && length < (request_.rest ? 3e-4 : 3e-3);
  if (crosses) kind = SpecialKind::branching;
  if (is_no_fold && !crosses && length > apart_) is_located = false;
  // a fold just before the end of a branch: its direction stands across the parameter, and no other crosses
  if (kind == SpecialKind::branching && is_located && !crosses && !is_crossed(linear_, 1e-4) &&
      std::abs(kernel(linear_, 1).front().parameter) < 1e-2 * range_)
    kind = SpecialKind::fold;
  if (!is_located)
    note = "not located: within one step of the branch from here";
  else if (is_pair && pairs > 1)
    note = fmt::format("{} pairs pass here, or within one step of the branch", pairs);
  branch.special.push_back({kind, found, branch.points.size() - 1, note});
  if (kind != SpecialKind::branching || !is_located) return is_located;
  const std::vector<BranchPlace> both = kernel(linear_, 2);
  // of the plane of directions that which stands across the branch
  BranchPlace across = both[0];
  if (std::abs(product(both[1], direction)) < std::abs(product(both[0], direction))) across = both[1];
  across = sum(across, scaled(direction, -product(across, direction)));
  const double norm = std::sqrt(product(across, across));
  if (norm > 1e-6) crossings_.push_back({at, direction, scaled(across, 1 / norm), branch.special.size() - 1});
  return true;
}

}  // namespace liaison
