#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "builder.hpp"
#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/traverse.hpp"
#include "text.hpp"

/// What is drawn. Nothing of it enters the motion.
namespace liaison {

namespace {

const Context size_context{"a size of a shape", false, false, false, false, false, false};
const Context offset_context{"a place on a body", false, false, false, false, false, false};
const Context place_context{"a place", true, false};

struct Demand {
  ShapeKind kind;
  bool in_plane, in_space;
  bool radius, length, axis;
};
constexpr std::array demands{
    Demand{ShapeKind::disc, true, true, true, false, true},
    Demand{ShapeKind::ring, true, true, true, false, true},
    Demand{ShapeKind::ball, true, true, true, false, false},
    Demand{ShapeKind::cylinder, false, true, true, true, true},
    Demand{ShapeKind::cone, false, true, true, true, true},
    Demand{ShapeKind::box, true, true, false, false, false},
    Demand{ShapeKind::polygon, true, true, false, false, false},
    Demand{ShapeKind::mesh, false, true, false, false, false},
    Demand{ShapeKind::none, true, true, false, false, false},
};

const Demand& demand_of(ShapeKind kind) {
  return *std::find_if(demands.begin(), demands.end(), [&](const Demand& d) { return d.kind == kind; });
}

bool is_rigid(const std::vector<Expr>& components) {
  return std::all_of(components.begin(), components.end(), [](Expr e) {
    const std::vector<Expr> symbols = symbols_in(e);
    return std::all_of(symbols.begin(), symbols.end(),
                       [](Expr symbol) { return symbol.symbol().kind == SymbolKind::parameter; });
  });
}

}  // namespace

bool Builder::refuse_shape(Span span, std::string message, std::string hint) {
  reports_.add("L0460", span, std::move(message), std::move(hint));
  return false;
}

/// A length that is seen; one whose sign is known here is positive.
Expr Builder::read_drawn_length(Span span, std::string_view what) {
  const Expr value = scope_.read(span, size_context);
  if (value.empty()) return value;
  // a number alone is in metres
  if (!value.is_constant()) obligations_.is(value, span, std::string(what), base_dimension(1, 0, 0));
  if (value.is_constant() && constant_sign(value).value_or(1) <= 0) {
    refuse_shape(span, fmt::format("{} is not positive", what), "what is drawn has a size: `radius 0.1`");
    return {};
  }
  return value;
}

void Builder::require_drawn_lengths(const std::vector<Expr>& values, const syntax::Vector& vector,
                                    std::string_view what) {
  for (std::size_t k = 0; k < values.size(); ++k)
    if (!values[k].is_constant())
      obligations_.is(values[k], vector.components[k], std::string(what), base_dimension(1, 0, 0));
}

/// A body, a particle, a frame or the ground, with its axes.
bool Builder::read_drawn_object(const syntax::ShapeDeclaration& syntax, SceneShape& shape, BodyAxes& axes) {
  const syntax::Name& name = *syntax.object;
  const auto particle = std::find_if(system_.particles.begin(), system_.particles.end(),
                                     [&](const Particle& known) { return known.name == name.text; });
  if (particle != system_.particles.end()) {
    axes.origin = particle->position;
    if (axes.origin.size() == 2) axes.angle = system_.pool->number(0);
    shape.object = name.text;
    return true;
  }
  if (const auto placed = placed_.find(name.text); placed != placed_.end()) {
    axes = placed->second;
    shape.object = name.text;
    return true;
  }
  if (name.text != "ground") {
    report_unknown_place(name);
    return false;
  }
  // the ground has no dimension: the vectors have one
  std::size_t dimension = 0;
  if (syntax.at) dimension = syntax.at->components.size();
  const auto kind = *shape_kind_named(syntax.kind.text);
  if (dimension == 0 && !syntax.vectors.empty()) dimension = syntax.vectors[0].components.size();
  if (dimension != 2 && dimension != 3)
    return refuse_shape(name.span, fmt::format("the place of the {} on the ground is missing", name_of(kind)),
                        "write `at [x, y]` in the plane, `at [x, y, z]` in space");
  axes.origin.assign(dimension, system_.pool->number(0));
  if (dimension == 2) axes.angle = system_.pool->number(0);
  return true;
}

bool Builder::read_drawn_place(const syntax::ShapeDeclaration& syntax, const BodyAxes& axes,
                               SceneShape& shape) {
  const bool plane = axes.origin.size() == 2, ground = shape.object.empty();
  const Body* body = ground ? nullptr : find_body(*syntax.object);
  // corners and meshes are given from the origin, what has a middle stands about the centre
  const bool from_origin = shape.kind == ShapeKind::polygon || shape.kind == ShapeKind::mesh;
  shape.place = body != nullptr && !from_origin ? body->centre : axes.origin;
  shape.turns = axes.turns;
  shape.angle = axes.angle;
  if (plane) shape.own_angle = system_.pool->number(0);
  shape.offset.assign(axes.origin.size(), system_.pool->number(0));
  const auto centre = centres_.find(shape.object);
  if (from_origin && centre != centres_.end())
    for (std::size_t k = 0; k < shape.offset.size(); ++k) shape.offset[k] = -centre->second[k];
  if (syntax.at) {
    if (!check_length(*syntax.at, {axes.origin.size()}, "a place")) return false;
    const std::vector<Expr> at = read_vector(*syntax.at, ground ? place_context : offset_context);
    if (at.empty()) return false;
    require_drawn_lengths(at, *syntax.at, "a place");
    shape.place = point_of(system_, axes, at);
    shape.offset = at;
    if (centre != centres_.end())
      for (std::size_t k = 0; k < at.size(); ++k) shape.offset[k] = at[k] - centre->second[k];
  }
  if (syntax.turned && syntax.axis)
    return refuse_shape(syntax.axis->span, "`axis` and `turned`: one of the two", "keep one of them");
  if (syntax.axis) {
    if (plane || !demand_of(shape.kind).axis)
      return refuse_shape(
          syntax.axis->span,
          fmt::format("a {}{} has no axis", name_of(shape.kind), plane ? " in the plane" : ""),
          "leave the clause out; `turned` turns a shape");
    shape.axis = read_axis(*syntax.axis);
    if (!shape.axis) return false;
  }
  if (!syntax.turned) return true;
  if (!plane) {
    const auto turns = read_turns(syntax.turned->turns);
    if (!turns) return false;
    shape.own_turns = *turns;
    shape.turns.insert(shape.turns.end(), turns->begin(), turns->end());
    return true;
  }
  if (syntax.turned->turns.size() != 1)
    return refuse_shape(syntax.turned->span, "in the plane there is one angle", "write `turned phi`");
  shape.own_angle = read_angle(syntax.turned->turns.front().span);
  if (shape.own_angle.empty()) return false;
  shape.angle += shape.own_angle;
  return true;
}

bool Builder::read_drawn_sizes(const syntax::ShapeDeclaration& syntax, std::size_t dimension,
                               SceneShape& shape) {
  const Demand& demand = demand_of(shape.kind);
  const std::string kind = name_of(shape.kind);
  const bool has_vectors = shape.kind == ShapeKind::box || shape.kind == ShapeKind::polygon;
  if (dimension == 2 ? !demand.in_plane : !demand.in_space)
    return refuse_shape(syntax.kind.span, fmt::format("there is no {} in the plane", kind),
                        "the shapes of the plane are `disc`, `ring`, `ball`, `box`, `polygon`");
  const auto check = [&](const std::optional<Span>& given, bool demanded, std::string_view word) {
    if (given.has_value() == demanded) return true;
    if (given) return refuse_shape(*given, fmt::format("a {} has no {}", kind, word), "leave the clause out");
    return refuse_shape(syntax.kind.span, fmt::format("the {} of the {} is missing", word, kind),
                        fmt::format("write `shape B {} radius R{}`", kind, demand.length ? " length L" : ""));
  };
  if (!check(syntax.radius, demand.radius, "radius") || !check(syntax.length, demand.length, "length") ||
      (syntax.scale && !check(syntax.scale, shape.kind == ShapeKind::mesh, "scale")))
    return false;
  if (!syntax.vectors.empty() && !has_vectors)
    return refuse_shape(syntax.vectors[0].span, fmt::format("a {} has no corners and no sides", kind),
                        "its place is `at [a, b]`");
  if (syntax.file && shape.kind != ShapeKind::mesh)
    return refuse_shape(syntax.file->second, fmt::format("a {} is not read from a file", kind),
                        "`shape B mesh \"part.stl\"` draws one");
  for (const auto& [span, what] :
       {std::pair(syntax.radius, "a radius"), std::pair(syntax.length, "a length")})
    if (span) shape.sizes.push_back(read_drawn_length(*span, what));
  if (shape.kind == ShapeKind::box) {
    if (syntax.vectors.size() != 1)
      return refuse_shape(syntax.kind.span, "a box has its sides behind it, one vector",
                          dimension == 2 ? "write `box [a, b]`" : "write `box [a, b, c]`");
    if (!check_length(syntax.vectors[0], {dimension}, "the sides of a box")) return false;
    for (Span side : syntax.vectors[0].components)
      shape.sizes.push_back(read_drawn_length(side, "a side of a box"));
  }
  if (shape.kind == ShapeKind::polygon) {
    if (syntax.vectors.size() < 3)
      return refuse_shape(syntax.kind.span, "a polygon has three corners or more",
                          dimension == 2 ? "write `polygon [0, 0] [1, 0] [0, 1]`"
                                         : "write `polygon [0, 0, 0] [1, 0, 0] [0, 1, 0]`");
    for (const syntax::Vector& corner : syntax.vectors) {
      if (!check_length(corner, {dimension}, "a corner")) return false;
      const std::vector<Expr> point = read_vector(corner, offset_context);
      if (point.empty()) return false;
      require_drawn_lengths(point, corner, "a corner");
      shape.points.push_back(point);
    }
  }
  if (shape.kind == ShapeKind::mesh && !read_drawn_mesh(syntax, shape)) return false;
  return std::none_of(shape.sizes.begin(), shape.sizes.end(), [](Expr e) { return e.empty(); });
}

/// The file lies beside the model, if its name says no other place; what is in it is read when it is drawn.
bool Builder::read_drawn_mesh(const syntax::ShapeDeclaration& syntax, SceneShape& shape) {
  if (!syntax.file)
    return refuse_shape(syntax.kind.span, "the file of the mesh is missing",
                        "write `shape B mesh \"part.stl\"`");
  const auto& [name, span] = *syntax.file;
  const std::filesystem::path given(name);
  const std::filesystem::path path =
      given.is_absolute() ? given : std::filesystem::path(masked_.name()).parent_path() / given;
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (ending != ".stl" && ending != ".obj")
    return refuse_shape(span, "a mesh is a file .stl or .obj", "convert it, or draw a `box` in its place");
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(path, unknown))
    return refuse_shape(span, fmt::format("there is no file {}", excerpt(path.string(), 120)),
                        "the name of a file is seen from the folder of the model");
  shape.file = path.string();
  shape.written_file = name;
  if (syntax.scale) {
    shape.sizes.push_back(scope_.read(*syntax.scale, size_context));
  } else {
    shape.sizes.push_back(system_.pool->number(1));
  }
  return true;
}

bool Builder::read_drawn_ends(const syntax::ShapeDeclaration& syntax, SceneShape& shape) {
  const std::string kind = name_of(shape.kind);
  const std::size_t n = syntax.places.size();
  const bool one = shape.kind == ShapeKind::point, many = shape.kind == ShapeKind::line;
  if (one ? n != 1 : many ? n < 2 : n != 2)
    return refuse_shape(syntax.places.back().span,
                        one ? "a point is one place"
                            : fmt::format("a {} goes from a place to {}", kind,
                                          n == 1 ? "another one, and that is missing" : "one other"),
                        one ? "write `shape point P`" : fmt::format("write `shape {} P to Q`", kind));
  for (const syntax::Place& place : syntax.places) {
    auto point = find_point(place);
    if (!point) return false;
    if (!shape.points.empty() && point->size() != shape.points[0].size()) {
      reports_.add(
          "L0421", place.span,
          fmt::format("one end has {} coordinates and the other {}", shape.points[0].size(), point->size()),
          "give both two or three components");
      return false;
    }
    shape.points.push_back(std::move(*point));
    attach(place);
  }
  if (!syntax.radius) return true;
  if (many || one)
    return refuse_shape(*syntax.radius, fmt::format("a {} has no radius", kind), "leave the clause out");
  shape.sizes.push_back(read_drawn_length(*syntax.radius, "a radius"));
  return !shape.sizes[0].empty();
}

void Builder::build(const syntax::ShapeDeclaration& syntax, const Statement& statement) {
  SceneShape shape;
  shape.kind = *shape_kind_named(syntax.kind.text);
  shape.span = statement.span;
  if (!is_solid(shape.kind)) {
    if (read_drawn_ends(syntax, shape)) scenery_.shapes.push_back(std::move(shape));
    return;
  }
  BodyAxes axes;
  if (!read_drawn_object(syntax, shape, axes) || !read_drawn_place(syntax, axes, shape) ||
      !read_drawn_sizes(syntax, axes.origin.size(), shape))
    return;
  scenery_.shapes.push_back(std::move(shape));
}

// ---- what other statements draw ----

/// A place of a joint, of a spring or of a frame on a body.
void Builder::attach(const std::string& object, const std::vector<Expr>& place) {
  const std::string body = root_of(object);
  if (placed_.contains(body) && !frames_.contains(body)) scenery_.attachments.push_back({body, place});
}

/// A point that is given on a body and stays there.
void Builder::attach(const syntax::Place& place) {
  if (!place.object || !placed_.contains(place.object->text)) return;
  const auto point = find_point(place);
  if (!point) return;
  if (!place.point || is_rigid(read_vector(*place.point, place_context))) attach(place.object->text, *point);
}

/// Of a body on a joint: it sits where its parent has it, and moves from there.
void Builder::draw_joint(const syntax::BodyDeclaration& syntax, const BodyAxes& placed) {
  const auto& [mount, joint] = *syntax.joint;
  const BodyAxes& base = mounted_;
  SceneJoint drawn;
  drawn.kind = joint.kind.text;
  drawn.first = root_of(mount.parent.text);
  if (drawn.first == "ground") drawn.first.clear();
  drawn.second = syntax.name.text;
  drawn.place = base.origin;
  if (!joint.axes.empty() && placed.origin.size() == 3) {
    const std::vector<Expr> axis = read_vector(joint.axes[0], offset_context);
    if (axis.size() == 3) {
      BodyAxes turned = base;
      turned.origin.assign(3, system_.pool->number(0));
      drawn.axis = point_of(system_, turned, axis);
    }
  }
  attach(mount.parent.text, base.origin);
  attach(syntax.name.text, placed.origin);
  scenery_.joints.push_back(std::move(drawn));
}

/// Of a joint by constraints: its force by their factors, where each of its relations has one.
void Builder::draw_joint(const syntax::JointDeclaration& syntax, const BodyAxes& first,
                         const BodyAxes& second, const JointReaction& reaction) {
  SceneJoint drawn;
  drawn.name = syntax.name.text;
  drawn.kind = syntax.kind.text;
  const auto body_of = [this](const std::string& name) {
    const std::string root = root_of(name);
    return root == "ground" ? std::string() : root;
  };
  drawn.first = body_of(syntax.first.parent.text);
  drawn.second = body_of(syntax.second.parent.text);
  drawn.place = second.origin;
  const std::size_t n = second.origin.size();
  if (!syntax.axes.empty() && n == 3) {
    const std::vector<Expr> axis = read_vector(syntax.axes[0], offset_context);
    BodyAxes turned = first;
    turned.origin.assign(3, system_.pool->number(0));
    if (axis.size() == 3) drawn.axis = point_of(system_, turned, axis);
  }
  std::vector<Expr> force(n, system_.pool->number(0));
  bool determined = !reaction.parts.empty();
  for (const JointPart& part : reaction.parts) {
    for (std::size_t k = 0; k < n; ++k) {
      if (part.factor.empty()) {
        determined = determined && part.force[k].is_zero();
      } else {
        force[k] += part.factor * part.force[k];
      }
    }
  }
  if (determined) drawn.force = std::move(force);
  attach(syntax.first.parent.text, first.origin);
  attach(syntax.second.parent.text, second.origin);
  scenery_.joints.push_back(std::move(drawn));
}

/// A disc about its axle, where the wheel sits in the middle of its body.
void Builder::draw_wheel(const syntax::WheelDeclaration& syntax, const BodyAxes& wheel, const Triple& axle,
                         Expr radius, const Statement& statement) {
  const Body* body = find_body(syntax.mount.parent);
  if (body == nullptr || body->centre != wheel.origin || syntax.mount.turned) return;
  SceneShape shape;
  shape.kind = ShapeKind::disc;
  shape.span = statement.span;
  shape.object = body->name;
  shape.place = body->centre;
  shape.offset.assign(body->centre.size(), system_.pool->number(0));
  shape.turns = body->turns;
  shape.angle = body->angle;
  if (!body->in_space()) shape.own_angle = system_.pool->number(0);
  if (body->in_space()) shape.axis = axle;
  shape.sizes = {radius};
  wheels_.push_back(std::move(shape));
}

/// Everything in the coordinates, the time and parameters.
void Builder::finish_scenery() {
  for (SceneShape& wheel : wheels_) {
    const bool has_shape = std::any_of(
        scenery_.shapes.begin(), scenery_.shapes.end(),
        [&](const SceneShape& other) { return is_solid(other.kind) && other.object == wheel.object; });
    if (!has_shape) scenery_.shapes.push_back(std::move(wheel));
  }
  Substitution values = values_of_rheonomic();
  values.insert(table_units_.begin(), table_units_.end());
  if (values.empty()) return;
  const auto put = [&](Expr& e) {
    if (!e.empty()) e = substitute(e, values);
  };
  const auto put_all = [&](std::vector<Expr>& es) {
    for (Expr& e : es) put(e);
  };
  const auto put_turns = [&](std::vector<Turn>& turns) {
    for (Turn& turn : turns) put(turn.angle);
  };
  for (SceneShape& shape : scenery_.shapes) {
    put_all(shape.place);
    put_all(shape.offset);
    put(shape.angle);
    put(shape.own_angle);
    put_turns(shape.turns);
    put_turns(shape.own_turns);
    for (std::vector<Expr>& point : shape.points) put_all(point);
  }
  for (SceneJoint& joint : scenery_.joints) {
    put_all(joint.place);
    put_all(joint.axis);
    put_all(joint.force);
  }
  for (SceneAttachment& attachment : scenery_.attachments) put_all(attachment.place);
  for (SceneFrame& frame : scenery_.frames) {
    put_all(frame.place);
    put(frame.angle);
    put_turns(frame.turns);
  }
}

}  // namespace liaison
