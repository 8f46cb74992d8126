#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "liaison/model/kinematics.hpp"
#include "scope.hpp"
#include "text.hpp"

/// Points of particles, bodies and frames in expressions: P.x, B.omega, distance(P, Q); reactions of joints.
namespace liaison {

namespace {

constexpr std::string_view letters = "xyz";
constexpr std::array<std::string_view, 5> vectors{"omega", "force", "moment", "momentum", "spin"};

ResolvedName refused(std::string code, Span span, std::string message, std::string hint) {
  ResolvedName result;
  result.diagnostics.push_back(make_diagnostic(std::move(code), span, std::move(message), std::move(hint)));
  return result;
}

/// P, B [a, b] or [x, y]; nothing: none of these.
std::optional<syntax::Place> read_place(std::string_view text, Span span) {
  syntax::Place place;
  place.span = span = trim(text, span);
  if (span.begin == span.end) return std::nullopt;
  if (const auto name = scan_name(text.substr(0, span.end), span.begin)) {
    place.object = syntax::Name{name->text, {span.begin, name->end}};
    span = trim(text, {name->end, span.end});
    if (span.begin == span.end) return place;
  }
  if (text[span.begin] != '[' || text[span.end - 1] != ']') return std::nullopt;
  syntax::Vector vector{{}, span};
  std::size_t begin = span.begin + 1;
  for (const Sign& sign : top_level_signs(text, {span.begin + 1, span.end - 1})) {
    if (sign.kind != SignKind::comma) continue;
    vector.components.push_back(trim(text, {begin, sign.span.begin}));
    begin = sign.span.end;
  }
  vector.components.push_back(trim(text, {begin, span.end - 1}));
  for (Span component : vector.components)
    if (component.begin == component.end) return std::nullopt;
  place.point = std::move(vector);
  return place;
}

/// The bracket that closes the one at `open`; the size of the text: none does.
std::size_t closing(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '(' || text[i] == '[') ++depth;
    if ((text[i] == ')' || text[i] == ']') && --depth == 0) return i;
  }
  return text.size();
}

}  // namespace

/// NAME.MEMBER behind a name: what stands behind the dot, with its primes.
std::optional<std::pair<std::string, std::size_t>> Scope::member_behind(std::size_t dot) const {
  const std::string_view text = masked_.text().substr(0, part_end_);
  if (dot + 1 >= text.size() || text[dot] != '.') return std::nullopt;
  const auto member = scan_name(text, dot + 1);
  if (!member) return std::nullopt;
  return std::pair(member->text, member->end);
}

/// P.x, P.y', B.omega.z', J.force.x, J.moment.z; components are those of space. In the plane B.omega and
/// J.moment are one number.
std::optional<ResolvedName> Scope::resolve_member(const std::string& name, Span span) {
  const auto first = member_behind(span.end);
  if (!first || !objects_) return std::nullopt;
  auto [member, end] = *first;
  const std::string stem = stem_of(member);
  const bool is_vector = std::find(vectors.begin(), vectors.end(), stem) != vectors.end();
  std::string letter = is_vector ? "" : member;
  if (is_vector && member == stem) {
    if (const auto second = member_behind(end)) {
      letter = second->first;
      member += "." + letter;
      end = second->second;
    }
  }
  const std::size_t primes = member.size() - stem_of(member).size();
  ResolvedName result;
  if (objects_->knows(name) || !is_excused(name))
    result =
        component({{name, span}, is_vector ? stem : "", stem_of(letter), member, primes, {span.begin, end}});
  result.end = end;
  return result;
}

ResolvedName Scope::component(const Member& asked) {
  const auto& [object, vector, letter, member, primes, span] = asked;
  const bool turns = vector == "omega", reacts = vector == "force" || vector == "moment";
  const bool is_momentum = vector == "momentum" || vector == "spin";
  const std::vector<Expr> values = turns         ? objects_->turning_of(object)
                                   : is_momentum ? objects_->momentum_of(object, vector == "spin")
                                   : reacts      ? objects_->reaction_of(object, vector == "moment", span)
                                                 : objects_->point_at({object, std::nullopt, object.span});
  if (values.empty()) return {};  // it has been reported
  const std::string whole = object.text + "." + member;
  const std::size_t k = letter.size() == 1 ? letters.find(letter[0]) : std::string_view::npos;
  const bool alone = values.size() == 1;
  if (alone ? !letter.empty() : k >= values.size()) {
    std::vector<std::string> forms;
    const std::string begin = object.text + "." + vector;
    if (alone) forms.push_back(begin);
    for (std::size_t i = 0; !alone && i < values.size(); ++i)
      forms.push_back(begin + (vector.empty() ? "" : ".") + letters[i]);
    return refused("L0421", span, fmt::format("there is no {}", quote(whole)),
                   fmt::format("write `{}`", fmt::join(forms, "`, `")) +
                       (alone || values.size() == 3 ? "" : ": it is in the plane"));
  }
  const Expr value = values[alone ? 0 : k];
  if (reacts && value.empty())
    return refused(
        "L0450", span,
        fmt::format("{} is not determined: the places of the joint keep together by themselves where "
                    "it would act",
                    quote(whole)),
        fmt::format("the factors that there are: `lambda({}_...)`", excerpt(object.text)));
  if (reacts && primes > 0)
    return refused("L0408", span, fmt::format("{} is the rate of a reaction", quote(whole)),
                   "reactions have no derivatives");
  if (primes + (turns || is_momentum ? 1 : 0) > 2)
    return refused("L0408", span, fmt::format("{} is more than an acceleration", quote(whole)),
                   "derivatives end at accelerations");
  return derived(whole, span, value, natural_domain(std::array{value}), primes);
}

/// velocity(P).x and speed(P) of a point, as in a spring.
std::optional<ResolvedName> Scope::resolve_velocity(bool is_speed, Span span, std::size_t open) {
  const std::string_view text = masked_.text().substr(0, part_end_);
  const std::size_t close = closing(text, open);
  Span whole{span.begin, std::min(close + 1, text.size())};
  const auto place = read_place(text, {open + 1, close});
  const auto member = is_speed ? std::nullopt : member_behind(whole.end);
  if (member) whole.end = member->second;
  const std::string shown(text_at(text, whole));
  ResolvedName result;
  if (!place || !place->object) {
    result = refused(
        "L0429", whole, fmt::format("`{}` takes a point that moves", is_speed ? "speed" : "velocity"),
        is_speed ? "write `speed(P)`; a point is a particle, a body or a frame, or `B [a, b]` of one"
                 : "write `velocity(P).x`; a point is a particle, a body or a frame, or `B [a, b]` of one");
  } else if (const std::vector<Expr> point = objects_->point_at(*place); !point.empty()) {
    if (is_speed) {
      std::vector<Expr> squares;
      for (Expr component : point) squares.push_back(pow(time_derivative(system_, component), 2));
      const Expr value = sqrt(system_.pool->add(squares));
      result = allowed(shown, whole, value, natural_domain(std::array{value}));
    } else {
      const std::string letter = member ? stem_of(member->first) : "";
      const std::size_t k = letter.size() == 1 ? letters.find(letter[0]) : std::string_view::npos;
      const std::size_t primes = member ? member->first.size() - letter.size() : 0;
      if (k >= point.size()) {
        result = refused("L0421", whole, "a velocity is a vector: one of its components is asked for",
                         fmt::format("write `velocity(P).x`, `.y`{}, or `speed(P)` for its length",
                                     point.size() == 3 ? " or `.z`" : ""));
      } else if (primes > 1) {
        result = refused("L0408", whole, fmt::format("{} is more than an acceleration", quote(shown)),
                         "derivatives end at accelerations");
      } else {
        result = derived(shown, whole, point[k], natural_domain(std::array{point[k]}), 1 + primes);
      }
    }
  }
  result.end = whole.end;
  return result;
}

/// distance(P, Q) of two points, each as in a spring.
std::optional<ResolvedName> Scope::resolve_distance(Span span, std::size_t open) {
  const std::string_view text = masked_.text().substr(0, part_end_);
  const std::size_t close = closing(text, open);
  const Span inside{open + 1, close}, whole{span.begin, std::min(close + 1, text.size())};
  std::vector<std::optional<syntax::Place>> places;
  std::size_t begin = inside.begin;
  for (const Sign& sign : top_level_signs(text, inside)) {
    if (sign.kind != SignKind::comma) continue;
    places.push_back(read_place(text, {begin, sign.span.begin}));
    begin = sign.span.end;
  }
  places.push_back(read_place(text, {begin, inside.end}));
  ResolvedName result;
  if (places.size() != 2 || !places[0] || !places[1]) {
    result = refused("L0429", whole, "`distance` takes two points",
                     "write `distance(P, Q)`; a point is a particle, a body or a frame, a point `B [a, b]` "
                     "of one, or `[x, y]`");
  } else {
    const Expr value = objects_->distance(*places[0], *places[1]);
    if (!value.empty())
      result = allowed(std::string(text.substr(whole.begin, whole.end - whole.begin)), whole, value,
                       natural_domain(std::array{value}));
  }
  result.end = whole.end;
  return result;
}

}  // namespace liaison
