#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "mjcf_reader.hpp"

/// Attributes of elements of MuJoCo as numbers, places and turns.
namespace liaison::robot {

MjcfElement MjcfReader::checked(const XmlElement& xml, const std::string& kind) {
  MjcfElement out = files_.element(xml);
  const std::vector<std::string>* known = known_attributes(kind.empty() ? xml.name : kind);
  if (known == nullptr) return out;
  for (const auto& [name, value] : out.attributes) {
    if (std::find(known->begin(), known->end(), name) != known->end()) continue;
    add("L0711", value.span, fmt::format("<{}> has no attribute `{}`", quoted(xml.name), quoted(name)),
        hint_for(name, *known, "attributes"));
  }
  return out;
}

void MjcfReader::unknown_element(const XmlElement& xml, const std::string& where,
                                 const std::vector<std::string>& known) {
  add("L0711", xml.span, fmt::format("<{}> has no element <{}>", where, quoted(xml.name)),
      hint_for(xml.name, known, "elements"));
}

const MjcfClass* MjcfReader::class_of(const MjcfElement& element, const std::string& class_name) {
  const MjcfAttribute* own = element.find("class");
  const std::string name = own == nullptr ? class_name : own->value;
  const auto found = classes_.find(name);
  if (found != classes_.end()) return &found->second;
  std::vector<std::string> names;
  for (const auto& each : classes_) names.push_back(each.first);
  add("L0707", own == nullptr ? element.span : own->span, fmt::format("there is no class `{}`", quoted(name)),
      hint_for(name, names, "classes"));
  return nullptr;
}

MjcfElement MjcfReader::with_class(const XmlElement& xml, const std::string& class_name,
                                   const std::string& kind) {
  MjcfElement out = checked(xml, kind);
  const MjcfClass* values = class_of(out, class_name);
  if (values == nullptr) return out;
  const std::string group =
      kind == "equality joint" || xml.name == "connect" || xml.name == "weld" ? "equality" : xml.name;
  const auto found = values->attributes.find(group);
  if (found == values->attributes.end()) return out;
  // Other orientations win over a quaternion; a class may say one, and the element another.
  const bool turns = out.has("axisangle") || out.has("xyaxes") || out.has("zaxis") || out.has("euler");
  for (const auto& [name, value] : found->second) {
    if (turns && (name == "axisangle" || name == "xyaxes" || name == "zaxis" || name == "euler")) continue;
    out.attributes.emplace(name, value);
  }
  return out;
}

void MjcfReader::note(const std::string& what, Span span, bool moves) {
  auto [entry, is_new] = notes_.try_emplace(what);
  if (is_new) {
    entry->second = {0, span, moves};
    notes_in_order_.push_back(what);
  }
  ++entry->second.count;
}

// ---- numbers ------------------------------------------------------------------------------------

std::optional<std::vector<Decimal>> MjcfReader::numbers(const MjcfElement& element,
                                                        const std::string& attribute, std::size_t least,
                                                        std::size_t most) {
  const MjcfAttribute* found = element.find(attribute);
  if (found == nullptr) return std::nullopt;
  const std::vector<std::string> words = words_of(found->value);
  if (words.size() < least || words.size() > most) {
    add("L0706", found->span,
        least == most
            ? fmt::format("`{}` has {} numbers, not {}", attribute, words.size(), least)
            : fmt::format("`{}` has {} numbers, not {} to {}", attribute, words.size(), least, most),
        "blanks stand between numbers: \"0.5 0 1\"");
    return std::nullopt;
  }
  std::vector<Decimal> out;
  for (const std::string& word : words)
    out.push_back(numbers_.decimal(word, found->span).value_or(Decimal{}));
  return out;
}

Decimal MjcfReader::number(const MjcfElement& element, const std::string& attribute, Decimal fallback) {
  const MjcfAttribute* found = element.find(attribute);
  if (found == nullptr) return fallback;
  return numbers_.number(found->value, found->span, attribute, std::move(fallback));
}

DecimalVector MjcfReader::vector(const MjcfElement& element, const std::string& attribute,
                                 DecimalVector fallback) {
  const MjcfAttribute* found = element.find(attribute);
  if (found == nullptr) return fallback;
  return numbers_.vector(found->value, found->span, attribute, std::move(fallback));
}

bool MjcfReader::is_true(const MjcfElement& element, const std::string& attribute, bool fallback) {
  const MjcfAttribute* found = element.find(attribute);
  if (found == nullptr) return fallback;
  if (found->value != "true" && found->value != "false")
    add("L0706", found->span, fmt::format("`{}` is neither true nor false", quoted(found->value)),
        fmt::format("{}=\"true\"", attribute));
  return found->value == "true";
}

bool MjcfReader::is_limited(const MjcfElement& element, const std::string& attribute,
                            const std::string& range) {
  const std::string value = element.text(attribute, "auto");
  if (value != "auto") return is_true(element, attribute, false);
  const auto ends = numbers(element, range, 2, 2);
  const bool has_range = ends && !((*ends)[0].value.is_zero() && (*ends)[1].value.is_zero());
  if (has_range && !autolimits_)
    add("L0704", element.find(range)->span, fmt::format("`{}` without `{}`", range, attribute),
        fmt::format("{}=\"true\", or autolimits=\"true\" in <compiler>", attribute));
  return has_range;
}

std::optional<std::array<Decimal, 2>> MjcfReader::range_of(const MjcfElement& element,
                                                           const std::string& limited,
                                                           const std::string& range) {
  if (!is_limited(element, limited, range)) return std::nullopt;
  const auto ends = numbers(element, range, 2, 2);
  if (!ends) {
    if (!element.has(range))
      add("L0704", element.span, fmt::format("`{}` without `{}`", limited, range),
          fmt::format("{}=\"-1 1\"", range));
    return std::nullopt;
  }
  if ((*ends)[0].value >= (*ends)[1].value)
    add("L0706", element.find(range)->span,
        fmt::format("`{}` excludes everything: {} to {}", range, (*ends)[0].text, (*ends)[1].text),
        "the smaller one stands before the larger one");
  return std::array<Decimal, 2>{(*ends)[0], (*ends)[1]};
}

// ---- places and turns ---------------------------------------------------------------------------

Decimal MjcfReader::angle(const Decimal& number) const {
  if (!degrees_ || number.value.is_zero()) return number;
  const Rational part = number.value / 180;
  if (part.denominator() <= Rational(24)) return times_pi(part);
  return {number.text + "*pi/180", part, true};
}

std::vector<RobotTurn> MjcfReader::euler(const std::vector<Decimal>& angles) const {
  std::vector<RobotTurn> out;
  for (std::size_t i = 0; i < 3; ++i) {
    const bool stays = order_[i] >= 'A' && order_[i] <= 'Z';
    const char letter = static_cast<char>(stays ? order_[i] - 'A' + 'a' : order_[i]);
    if (angles[i].value.is_zero()) continue;
    // A turn about an axis that stays comes before those that were.
    out.insert(stays ? out.begin() : out.end(), turn_about(letter, angle(angles[i])));
  }
  return out;
}

namespace {

Rational square_of(const RationalVector& v) {
  return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

std::string root_text(const Rational& square) {
  const auto root = exact_root(square);
  return root ? decimal_text(*root) : fmt::format("sqrt({})", decimal_text(square));
}

void push_turn(std::vector<RobotTurn>& turns, RobotTurn turn) {
  const bool whole = turn.angle.times_pi && turn.angle.exact && (turn.angle.value / 2).is_integer();
  if (!turn.angle.value.is_zero() && !whole) turns.push_back(std::move(turn));
}

/// Of any length: a turn about its vector by 2*atan2(size of the vector, scalar).
std::vector<RobotTurn> quaternion_turn(const std::vector<Decimal>& q) {
  const RationalVector v{q[1].value, q[2].value, q[3].value};
  const std::array<Rational, 4> quaternion{q[0].value, v[0], v[1], v[2]};
  std::vector<RobotTurn> out;
  const std::size_t parts = (v[0].is_zero() ? 0 : 1) + (v[1].is_zero() ? 0 : 1) + (v[2].is_zero() ? 0 : 1);
  if (parts == 0) return out;
  RobotTurn turn;
  if (parts == 1) {
    const std::size_t k = !v[0].is_zero() ? 0 : !v[1].is_zero() ? 1 : 2;
    turn = turn_about(static_cast<char>('x' + k),
                      angle_of(v[k] * v[k], q[k + 1].text, q[0].value, q[0].text, 2));
  } else {
    const Rational square = square_of(v);
    turn = turn_about({q[1], q[2], q[3]}, angle_of(square, root_text(square), q[0].value, q[0].text, 2));
  }
  turn.quaternion = quaternion;
  push_turn(out, std::move(turn));
  return out;
}

/// z yaw, y pitch, x roll for axes of which x is along the first vector, and y in the plane of both.
std::vector<RobotTurn> axes_turns(const RationalVector& x, const RationalVector& y) {
  const Rational xx = square_of(x), xy = x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
  RationalVector across;
  for (std::size_t k = 0; k < 3; ++k) across[k] = y[k] - x[k] * xy / xx;
  const Rational up = x[0] * across[1] - x[1] * across[0];  // z component of x x across
  const auto signed_text = [](const Rational& value) { return decimal_text(value); };
  std::vector<RobotTurn> out;
  if (x[0].is_zero() && x[1].is_zero()) {  // x is upright: yaw and roll turn about one line
    push_turn(out, turn_about('y', times_pi(Rational(x[2].sign() > 0 ? -1 : 1, 2))));
    const Rational along = x[2].sign() > 0 ? -across[0] : across[0];
    push_turn(out, turn_about('x', angle_of(along * along, signed_text(along), across[1],
                                            signed_text(across[1]), 1)));
    return out;
  }
  const Rational flat = x[0] * x[0] + x[1] * x[1];
  push_turn(out, turn_about('z', angle_of(x[1] * x[1], signed_text(x[1]), x[0], signed_text(x[0]), 1)));
  // atan2(-x3, sqrt(x1^2 + x2^2)): the second argument is positive.
  if (!x[2].is_zero()) {
    const Rational down = -x[2];
    Decimal pitch = angle_of(flat, root_text(flat), abs(down), decimal_text(abs(down)), 1);
    if (pitch.times_pi && pitch.exact) {
      pitch = times_pi(Rational(1, 2) - pitch.value);
    } else {
      pitch.text = fmt::format("atan2({}, {})", decimal_text(abs(down)), root_text(flat));
      pitch.value = Rational::from_double(std::atan2(abs(down).to_double(), std::sqrt(flat.to_double())));
    }
    push_turn(out, turn_about('y', down.sign() < 0 ? negative(pitch) : pitch));
  }
  const Rational roll_square = across[2] * across[2] * xx;
  std::string roll =
      fmt::format("{}{}*{}", across[2].sign() < 0 ? "-" : "", decimal_text(abs(across[2])), root_text(xx));
  push_turn(out, turn_about('x', angle_of(roll_square, roll, up, decimal_text(up), 1)));
  return out;
}

}  // namespace

/// The shortest turn that takes z to the vector.
std::vector<RobotTurn> turns_to(const DecimalVector& vector) {
  const RationalVector v = values_of(vector);
  std::vector<RobotTurn> out;
  const Rational flat = v[0] * v[0] + v[1] * v[1];
  if (flat.is_zero()) {
    if (v[2].sign() < 0) out.push_back(turn_about('x', times_pi(1)));
    return out;
  }
  const Decimal size = angle_of(flat, root_text(flat), v[2], vector[2].text, 1);
  if (v[1].is_zero()) {
    push_turn(out, turn_about('y', v[0].sign() > 0 ? size : negative(size)));
  } else if (v[0].is_zero()) {
    push_turn(out, turn_about('x', v[1].sign() > 0 ? negative(size) : size));
  } else {
    push_turn(out, turn_about({negative(vector[1]), vector[0], Decimal{}}, size));
  }
  return out;
}

std::vector<RobotTurn> MjcfReader::orientation(const MjcfElement& element) {
  const auto no_direction = [&](const char* attribute) {
    add("L0706", element.find(attribute)->span, fmt::format("`{}` has no direction", attribute),
        "vectors of any length but zero");
    return std::vector<RobotTurn>{};
  };
  if (const auto angles = numbers(element, "euler", 3, 3)) return euler(*angles);
  if (const auto a = numbers(element, "axisangle", 4, 4)) {
    const DecimalVector axis{(*a)[0], (*a)[1], (*a)[2]};
    if (is_null(axis)) return no_direction("axisangle");
    std::vector<RobotTurn> out;
    push_turn(out, turn_about(axis, angle((*a)[3])));
    return out;
  }
  if (const auto a = numbers(element, "xyaxes", 6, 6)) {
    const RationalVector x{(*a)[0].value, (*a)[1].value, (*a)[2].value},
        y{(*a)[3].value, (*a)[4].value, (*a)[5].value};
    const Rational xy = x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
    if (square_of(x) * square_of(y) == xy * xy) return no_direction("xyaxes");
    return axes_turns(x, y);
  }
  if (const auto z = numbers(element, "zaxis", 3, 3)) {
    const DecimalVector axis{(*z)[0], (*z)[1], (*z)[2]};
    return is_null(axis) ? no_direction("zaxis") : turns_to(axis);
  }
  if (const auto q = numbers(element, "quat", 4, 4)) {
    const bool none = std::all_of(q->begin(), q->end(), [](const Decimal& d) { return d.value.is_zero(); });
    return none ? no_direction("quat") : quaternion_turn(*q);
  }
  return {};
}

RobotPose MjcfReader::pose(const MjcfElement& element, const MjcfPlace& place) {
  return {sum(vector(element, "pos"), place.shift), orientation(element)};
}

// ---- links --------------------------------------------------------------------------------------

std::string MjcfReader::unique_name(std::set<std::string>& taken, const std::string& wanted) {
  std::string name = wanted;
  for (int i = 2; !taken.insert(name).second; ++i) name = wanted + "_" + std::to_string(i);
  return name;
}

std::size_t MjcfReader::add_link(const std::string& name, Span span, bool is_part) {
  out_.links.push_back({unique_name(link_names_, name), {}, {}, false, span, is_part, {}});
  return out_.links.size() - 1;
}

RobotJoint& MjcfReader::add_joint(const std::string& name, RobotJointKind kind, std::size_t parent,
                                  std::size_t child, RobotPose origin, Span span) {
  RobotJoint& joint = out_.joints.emplace_back();
  joint.name = unique_name(joint_names_, name);
  joint.kind = kind;
  joint.parent = parent;
  joint.child = child;
  joint.origin = std::move(origin);
  joint.span = span;
  return joint;
}

}  // namespace liaison::robot
