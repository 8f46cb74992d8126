#include <fmt/format.h>

#include <algorithm>

#include "builder.hpp"
#include "joint_kinds.hpp"
#include "liaison/algebra/algebra.hpp"
#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/model/kinematics.hpp"
#include "text.hpp"

/// Joints that close loops: what a joint does not let move stands as constraints between its two places.
namespace liaison {

namespace {

const Context axis_context{"an axis", false, false, false, false, false, false};

Triple turned(const std::array<Expr, 9>& matrix, const Triple& v) {
  Triple result;
  for (std::size_t i = 0; i < 3; ++i)
    result[i] = matrix[3 * i] * v[0] + matrix[3 * i + 1] * v[1] + matrix[3 * i + 2] * v[2];
  return result;
}

Triple column(const std::array<Expr, 9>& matrix, std::size_t k) {
  return {matrix[k], matrix[3 + k], matrix[6 + k]};
}

Triple times(Expr factor, const Triple& v) {
  return {factor * v[0], factor * v[1], factor * v[2]};
}

}  // namespace

std::array<Triple, 2> across(const Triple& normal, Pool& pool) {
  const Expr zero = pool.number(0), one = pool.number(1);
  for (std::size_t k = 0; k < 3; ++k) {
    if (!normal[k].is_zero()) continue;
    Triple axis{zero, zero, zero};
    axis[k] = one;
    return {axis, cross(normal, axis)};
  }
  const auto& [x, y, z] = normal;
  const Expr both = -(x * y / (one + z));
  return {Triple{one - pow(x, 2) / (one + z), both, -x}, Triple{both, one - pow(y, 2) / (one + z), -y}};
}

/// A place of a joint: on a body, a frame or the ground, or a particle, which has no axes.
std::optional<BodyAxes> Builder::read_joint_place(const syntax::Mount& mount, std::size_t dimension,
                                                  bool turns) {
  const auto particle = std::find_if(system_.particles.begin(), system_.particles.end(),
                                     [&](const Particle& known) { return known.name == mount.parent.text; });
  if (particle == system_.particles.end()) return read_mount(mount, dimension);
  if (mount.at || mount.turned || turns) {
    reports_.add("L0450", mount.parent.span,
                 fmt::format("`{}` is a particle: it has no axes", excerpt(mount.parent.text)),
                 "a joint of a particle is a `ball`, in the plane a `hinge`; else name a body or a frame");
    return std::nullopt;
  }
  BodyAxes placed;
  placed.origin = particle->position;
  if (placed.origin.size() == 2) placed.angle = system_.pool->number(0);
  return placed;
}

/// The body that a frame is on, or what the name is itself.
std::string Builder::root_of(const std::string& name) const {
  const auto found = frames_.find(name);
  return found == frames_.end() ? name : found->second;
}

/// Of the body, the frame or the particle that one of the places is on, or of the point of the ground.
std::size_t Builder::dimension_of_places(const syntax::Mount& first, const syntax::Mount& second) const {
  for (const syntax::Mount* mount : {&first, &second}) {
    if (const auto known = placed_.find(mount->parent.text); known != placed_.end())
      return known->second.origin.size();
    for (const Particle& particle : system_.particles)
      if (particle.name == mount->parent.text) return particle.position.size();
  }
  for (const syntax::Mount* mount : {&first, &second})
    if (mount->at) return mount->at->components.size() == 2 ? 2 : 3;
  return 3;
}

/// The kind with as many axes as it has; nothing where it is reported.
const JointKind* Builder::check_joint(const syntax::JointDeclaration& syntax, bool plane) {
  const auto refuse = [&](Span span, std::string message, std::string hint) {
    reports_.add("L0450", span, std::move(message), std::move(hint));
    return nullptr;
  };
  const JointKind* kind = find_joint_kind(syntax.kind.text);
  if (kind == nullptr)
    return refuse(syntax.kind.span, fmt::format("`{}` is no joint", excerpt(syntax.kind.text)),
                  "the joints are " + list_of_joint_kinds());
  if (plane && !is_joint_of_the_plane(*kind))
    return refuse(syntax.kind.span, fmt::format("there is no `{}` in the plane", kind->name),
                  "the joints of the plane are `hinge`, `slider`, `weld`");
  const std::size_t axes = plane && kind->name == "hinge" ? 0 : kind->axes;
  const std::string form = fmt::format("write `joint J: A to B {}{}{}`", kind->name,
                                       axes == 0   ? ""
                                       : plane     ? " axis [1, 0]"
                                       : axes == 1 ? " axis [0, 0, 1]"
                                                   : " axis [1, 0, 0] axis [0, 1, 0]",
                                       kind->name == "screw" ? " pitch h" : "");
  if (axes != syntax.axes.size())
    return refuse(syntax.kind.span,
                  fmt::format("the joint `{}` has {}, and {} given", kind->name,
                              axes == 0   ? std::string("no axis")
                              : axes == 1 ? "one axis"
                                          : "two axes",
                              syntax.axes.empty()       ? "none is"
                              : syntax.axes.size() == 1 ? "1 is"
                                                        : fmt::format("{} are", syntax.axes.size())),
                  form);
  if ((kind->name == "screw") != syntax.pitch.has_value())
    return refuse(syntax.kind.span,
                  syntax.pitch ? fmt::format("the joint `{}` has no pitch", kind->name)
                               : std::string("a screw has a pitch: how far it goes in one turn"),
                  form);
  return kind;
}

/// In the plane, seen as the plane z = 0 of space.
std::optional<std::vector<Builder::JointRelation>> Builder::plane_relations(
    const syntax::JointDeclaration& syntax, const BodyAxes& first, const BodyAxes& second) {
  const Expr zero = system_.pool->number(0), one = system_.pool->number(1);
  const Triple none{zero, zero, zero}, x{one, zero, zero}, y{zero, one, zero}, z{zero, zero, one};
  const Expr dx = second.origin[0] - first.origin[0], dy = second.origin[1] - first.origin[1];
  std::vector<JointRelation> relations;
  if (syntax.kind.text == "slider") {
    if (!check_length(syntax.axes[0], {2}, "an axis")) return std::nullopt;
    const std::vector<Expr> given = read_vector(syntax.axes[0], axis_context);
    if (given.empty()) return std::nullopt;
    const auto axis = unit_axis({given[0], given[1], zero}, syntax.axes[0].span);
    if (!axis) return std::nullopt;
    const Expr c = cos(first.angle), s = sin(first.angle);
    const Triple normal{-((*axis)[1] * c + (*axis)[0] * s), (*axis)[0] * c - (*axis)[1] * s, zero};
    relations.push_back({"f", dx * normal[0] + dy * normal[1], normal, none});
  } else {
    relations.push_back({"x", dx, x, none});
    relations.push_back({"y", dy, y, none});
  }
  if (syntax.kind.text != "hinge") relations.push_back({"m", second.angle - first.angle, none, z});
  return relations;
}

/// With u of the first place's axes and v of the second's, both seen in space: the relation u.v = c has the
/// rate (w_2 - w_1).(v x u), so that its factor is a moment about v x u.
Builder::JointRelation Builder::turning_relation(std::string name, const Triple& u, const Triple& v,
                                                 Expr value) const {
  const Expr zero = system_.pool->number(0);
  return {std::move(name), dot(u, v) - value, {zero, zero, zero}, cross(v, u)};
}

/// The relations of a joint hold too where it is put together the other way round: that is another machine.
/// False, with a report, where its places never stand as they should.
bool Builder::require_side(const Triple& u, const Triple& v, Span span) {
  const Expr cosine = dot(u, v);
  if (!cosine.is_constant()) {
    domain_.push_back({cosine, Bound::positive});
  } else if (constant_sign(cosine).value_or(1) <= 0) {
    reports_.add("L0450", span, "the axes of the two places of this joint are never parallel",
                 "turn one of the places: `B at [..] turned x pi`");
    return false;
  }
  return true;
}

std::optional<std::vector<Builder::JointRelation>> Builder::space_relations(
    const syntax::JointDeclaration& syntax, const BodyAxes& first, const BodyAxes& second) {
  const Expr zero = system_.pool->number(0), one = system_.pool->number(1);
  const Triple none{zero, zero, zero};
  const std::string& kind = syntax.kind.text;
  const auto axes1 = orientation_matrix(system_, first.turns),
             axes2 = orientation_matrix(system_, second.turns);
  Triple between;
  for (std::size_t k = 0; k < 3; ++k) between[k] = second.origin[k] - first.origin[k];
  std::vector<Triple> axes;
  for (const syntax::Vector& vector : syntax.axes) {
    const auto axis = read_axis(vector);
    if (!axis) return std::nullopt;
    axes.push_back(*axis);
  }
  if (kind == "planar") axes.push_back({zero, zero, one});
  std::vector<JointRelation> relations;
  if (kind == "ball" || kind == "hinge" || kind == "universal" || kind == "weld") {
    for (std::size_t k = 0; k < 3; ++k) {
      Triple unit = none;
      unit[k] = one;
      relations.push_back({std::string(1, "xyz"[k]), between[k], unit, none});
    }
  } else if (kind == "planar") {
    const Triple normal = turned(axes1, axes[0]);
    relations.push_back({"f", dot(between, normal), normal, none});
  } else {
    std::size_t k = 0;
    for (const Triple& side : across(axes[0], *system_.pool)) {
      const Triple along = turned(axes1, side);
      relations.push_back({fmt::format("f{}", ++k), dot(between, along), along, none});
    }
  }
  if (kind == "ball") return relations;
  if (kind == "weld" || kind == "slider") {
    for (std::size_t k = 0; k < 3; ++k)
      if (!require_side(column(axes1, k), column(axes2, k), syntax.span)) return std::nullopt;
    for (std::size_t k = 0; k < 3; ++k)
      relations.push_back(
          turning_relation(fmt::format("m{}", k + 1), column(axes1, k), column(axes2, (k + 1) % 3), zero));
    return relations;
  }
  const Triple axis = turned(axes1, axes[0]);
  if (kind == "universal") {
    if (vanishes(dot(cross(axes[0], axes[1]), cross(axes[0], axes[1])))) {
      reports_.add("L0450", syntax.axes[1].span, "the two axes of a universal joint are parallel",
                   "its second axis lies across the first: `axis [1, 0, 0] axis [0, 1, 0]`");
      return std::nullopt;
    }
    relations.push_back(turning_relation("m", axis, turned(axes2, axes[1]), dot(axes[0], axes[1])));
    return relations;
  }
  if (!require_side(axis, turned(axes2, axes[0]), syntax.span)) return std::nullopt;
  std::size_t k = 0;
  for (const Triple& side : across(axes[0], *system_.pool))
    relations.push_back(turning_relation(fmt::format("m{}", ++k), axis, turned(axes2, side), zero));
  if (kind == "screw") {
    const Expr pitch = read_slide(*syntax.pitch, true);
    if (pitch.empty()) return std::nullopt;
    const Expr lead = pitch / (Rational(2) * system_.pool->pi());
    const Triple rates1 = rates_in_space(system_, first.turns),
                 rates2 = rates_in_space(system_, second.turns);
    Triple relative;
    for (std::size_t i = 0; i < 3; ++i) relative[i] = rates2[i] - rates1[i];
    relations.push_back({"s", time_derivative(system_, dot(between, axis)) - lead * dot(relative, axis), axis,
                         times(-lead, axis)});
  }
  return relations;
}

/// By its text, or by exact algebra where it is small.
bool Builder::holds_by_itself(Expr relation) const {
  if (relation.is_zero()) return true;
  AlgebraOptions options;
  options.max_operations = 1'000'000;
  try {
    return Algebra(*system_.pool, options).is_zero(relation).grade == Grade::proved;
  } catch (const Error&) {
    return false;
  }
}

bool Builder::check_two_roots(const syntax::Mount& first, const syntax::Mount& second, Span span,
                              std::string_view what) {
  const std::string root = root_of(first.parent.text);
  if (root != root_of(second.parent.text)) return true;
  reports_.add("L0418", span, fmt::format("both places of {} are on `{}`", what, excerpt(root)),
               "name two bodies, or a body and the ground");
  return false;
}

void Builder::build(const syntax::JointDeclaration& syntax, const Statement& statement) {
  const bool named = name_object(syntax.name, "the joint");
  JointReaction& reaction = joints_[syntax.name.text];
  const std::size_t dimension = dimension_of_places(syntax.first, syntax.second);
  const JointKind* kind = check_joint(syntax, dimension == 2);
  if (kind == nullptr) return;
  const bool turns = !(kind->name == "ball" || (dimension == 2 && kind->name == "hinge"));
  if (!check_two_roots(syntax.first, syntax.second, syntax.span,
                       fmt::format("the joint `{}`", excerpt(syntax.name.text))))
    return;
  const auto first = read_joint_place(syntax.first, dimension, turns);
  const auto second = read_joint_place(syntax.second, dimension, turns);
  if (!first || !second) return;
  if (first->origin.size() != second->origin.size()) {
    reports_.add("L0421", syntax.second.parent.span,
                 fmt::format("one place has {} coordinates and the other {}", first->origin.size(),
                             second->origin.size()),
                 "a joint holds two places of the plane, or two of space");
    return;
  }
  const auto relations =
      dimension == 2 ? plane_relations(syntax, *first, *second) : space_relations(syntax, *first, *second);
  if (syntax.frame && !placed_.contains(syntax.frame->text) && syntax.frame->text != "ground") {
    report_unknown_place(*syntax.frame);
    return;
  }
  if (!relations || !named) return;
  reaction.plane = dimension == 2;
  if (syntax.frame) reaction.frame = syntax.frame->text;
  add_joint_relations(syntax, statement, *relations, reaction);
  draw_joint(syntax, *first, *second, reaction);
}

void Builder::add_joint_relations(const syntax::JointDeclaration& syntax, const Statement& statement,
                                  const std::vector<JointRelation>& relations, JointReaction& reaction) {
  std::size_t kept = 0;
  for (const JointRelation& relation : relations) {
    JointPart part{{}, relation.force, relation.moment};
    if (!holds_by_itself(relation.relation)) {
      Constraint constraint;
      constraint.name = syntax.name.text + "_" + relation.name;
      constraint.span = statement.span;
      constraint.relation_span = syntax.span;
      constraint.relation = relation.relation;
      constraint.holonomic = !has_velocity(relation.relation);
      const std::vector<Expr> symbols = symbols_in(relation.relation);
      if (std::none_of(symbols.begin(), symbols.end(), [](Expr symbol) {
            return symbol.symbol().kind == SymbolKind::coordinate ||
                   symbol.symbol().kind == SymbolKind::velocity;
          })) {
        reports_.add("L0418", syntax.span,
                     fmt::format("the places of the joint `{}` do not move against each other, and are not "
                                 "where it would hold them",
                                 excerpt(syntax.name.text)),
                     "a joint is between two bodies, or between a body and the ground");
        return;
      }
      if (!name_constraint({constraint.name, syntax.name.span})) return;
      constraint.factor = part.factor = scope_.factor(constraint.name);
      require_power(constraint, constraint.relation, syntax.span);
      system_.constraints.push_back(std::move(constraint));
      ++kept;
    }
    reaction.parts.push_back(std::move(part));
  }
  if (kept > 0) return;
  reports_.add("L0418", syntax.span,
               fmt::format("the joint `{}` holds nothing: its places keep together by themselves",
                           excerpt(syntax.name.text)),
               "a joint is between two bodies, or between a body and the ground");
}

/// What the first place does to the second, at the point of the second; on the axes of `in F`, else of space.
std::vector<Expr> Builder::reaction_of(const syntax::Name& name, bool moment, Span asked) {
  const auto found = joints_.find(name.text);
  if (found == joints_.end()) {
    if (objects_.contains(name.text))
      reports_.add("L0404", asked, fmt::format("`{}` is no joint: it has no reaction", excerpt(name.text)),
                   "name a `joint`; the factor of a constraint is `lambda(NAME)`");
    else
      report_unknown_object(name, false);
    return {};
  }
  const JointReaction& reaction = found->second;
  if (reaction.parts.empty()) return {};  // its declaration has been reported
  const Expr zero = system_.pool->number(0);
  Triple sum{zero, zero, zero};
  std::vector<bool> open(3, false);  ///< a relation that holds by itself would act there
  for (const JointPart& part : reaction.parts) {
    const Triple along = on_axes_of(reaction, moment ? part.moment : part.force);
    for (std::size_t k = 0; k < 3; ++k) {
      if (!part.factor.empty())
        sum[k] += part.factor * along[k];
      else if (!holds_by_itself(along[k]))
        open[k] = true;
    }
  }
  for (std::size_t k = 0; k < 3; ++k)
    if (open[k]) sum[k] = {};
  if (!reaction.plane) return {sum.begin(), sum.end()};
  if (moment) return {sum[2]};
  return {sum[0], sum[1]};
}

/// Of a vector in space, the plane being z = 0.
Triple Builder::on_axes_of(const JointReaction& reaction, const Triple& v) const {
  const auto frame = placed_.find(reaction.frame);
  if (frame == placed_.end()) return v;
  if (reaction.plane) {
    const Expr c = cos(frame->second.angle), s = sin(frame->second.angle);
    return {v[0] * c + v[1] * s, v[1] * c - v[0] * s, v[2]};
  }
  const auto matrix = orientation_matrix(system_, frame->second.turns);
  return {dot(column(matrix, 0), v), dot(column(matrix, 1), v), dot(column(matrix, 2), v)};
}

}  // namespace liaison
