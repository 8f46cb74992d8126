#include <fmt/format.h>

#include <algorithm>

#include "mjcf_reader.hpp"

/// Shapes of a model of MuJoCo: what a body looks like, and its inertia where none is given.
namespace liaison::robot {

namespace {

const std::vector<std::string>& types() {
  static const std::vector<std::string> names =
      words_of("plane hfield sphere capsule ellipsoid cylinder box mesh sdf");
  return names;
}

/// Sizes that a type has without ends.
std::size_t size_count(const std::string& type) {
  if (type == "sphere") return 1;
  if (type == "capsule" || type == "cylinder") return 2;
  return type == "box" || type == "ellipsoid" ? 3 : 0;
}

}  // namespace

void MjcfReader::read_geom(const XmlElement& xml, const MjcfPlace& place, MjcfBody& body) {
  const MjcfElement element = with_class(xml, place.class_name);
  MjcfGeom geom;
  geom.type = element.text("type", "sphere");
  geom.span = xml.span;
  geom.link = place.link;
  geom.name = element.text("name", fmt::format("{}_{}", body.name, geom.type));
  if (std::find(types().begin(), types().end(), geom.type) == types().end()) {
    add("L0708", element.find("type")->span,
        fmt::format("there is no geom of the type `{}`", quoted(geom.type)),
        hint_for(geom.type, types(), "types"));
    return;
  }
  if (!read_shape(element, place, geom)) return;
  if (!number(element, "contype", {"1", 1}).value.is_zero() ||
      !number(element, "conaffinity", {"1", 1}).value.is_zero()) {
    if (!first_colliding_ || xml.span.begin < first_colliding_->begin) first_colliding_ = xml.span;
    ++colliding_;
  }
  const Rational group = number(element, "group").value;
  if (group < Rational(3)) add_shape(element, geom);
  geom.density = number(element, "density", {"1000", 1000});
  if (element.has("mass")) geom.mass = number(element, "mass");
  for (const Decimal* weight : {&geom.density, geom.mass ? &*geom.mass : &geom.density})
    if (weight->value.sign() < 0)
      add("L0706", element.find(weight == &geom.density ? "density" : "mass")->span,
          fmt::format("a mass or density is negative: {}", weight->text), "it is positive, or 0");
  const Rational& weight = geom.mass ? geom.mass->value : geom.density.value;
  // MuJoCo passes over masses below 1e-14.
  const bool weighs = geom.mass ? weight > Rational(1) / power(Rational(10), 14) : weight.sign() > 0;
  geom.has_inertia = (place.moves || (total_mass_ && place.link != 0)) && weighs && geom.type != "plane" &&
                     geom.type != "hfield" && lowest_group_ <= group && group <= highest_group_;
  if (element.text("fluidshape", "none") != "none")
    note("the resistance of a fluid", element.find("fluidshape")->span, true);
  if (geom.has_inertia && is_true(element, "shellinertia", false) &&
      (!body.inertial || inertia_from_geoms_ == "true"))
    refuse(element.find("shellinertia")->span, "the inertia of a shell is not read",
           "write <inertial> into the body: mujoco.mj_saveLastXML does, with saveinertial=\"true\"");
  body.geoms.push_back(std::move(geom));
}

bool MjcfReader::read_shape(const MjcfElement& element, const MjcfPlace& place, MjcfGeom& geom) {
  if (element.has("fromto")) return read_ends(element, place, geom);
  geom.pose = pose(element, place);
  if (element.has("mesh") && geom.type != "mesh" && geom.type != "sdf") {
    geom.type = "mesh";  // fitted to it
    return true;
  }
  if (geom.type == "mesh") geom.mesh = element.text("mesh");
  const std::size_t count = size_count(geom.type);
  if (count == 0) return true;
  const auto sizes = numbers(element, "size", count, 3);
  if (!sizes) {
    if (!element.has("size"))
      add("L0704", element.span, fmt::format("a geom of the type `{}` has no `size`", geom.type),
          count == 1 ? "size=\"0.1\""
                     : "half of each side, or radius and half of the length: size=\"0.1 0.2\"");
    return false;
  }
  for (std::size_t k = 0; k < count; ++k) {
    if ((*sizes)[k].value.sign() <= 0) {
      add("L0706", element.find("size")->span, fmt::format("a size is not positive: {}", (*sizes)[k].text),
          "sizes are above 0");
      return false;
    }
    geom.sizes.push_back((*sizes)[k]);
  }
  return true;
}

/// From one end to the other: half of the length takes the place of a size.
bool MjcfReader::read_ends(const MjcfElement& element, const MjcfPlace& place, MjcfGeom& geom) {
  const auto ends = numbers(element, "fromto", 6, 6);
  const auto sizes = numbers(element, "size", 1, 3);
  if (geom.type == "sphere" || size_count(geom.type) == 0) {
    add("L0706", element.find("fromto")->span,
        fmt::format("a geom of the type `{}` has no `fromto`", geom.type),
        "types with ends are capsule, cylinder, box and ellipsoid");
    return false;
  }
  if (!ends || !sizes || (*sizes)[0].value.sign() <= 0) {
    if (ends && (!element.has("size") || sizes))
      add(sizes ? "L0706" : "L0704", element.span, "a geom with `fromto` has no `size` above 0",
          "size=\"0.05\"");
    return false;
  }
  DecimalVector back;
  Rational square;
  for (std::size_t k = 0; k < 3; ++k) {
    const Decimal &from = (*ends)[k], &to = (*ends)[k + 3];
    back[k] = plain(from.value - to.value);
    geom.pose.xyz[k] = sum(plain((from.value + to.value) / 2), place.shift[k]);
    square += back[k].value * back[k].value;
  }
  if (square.is_zero()) {
    add("L0706", element.find("fromto")->span, "both ends are one point", "fromto=\"0 0 0 0 0 0.5\"");
    return false;
  }
  geom.pose.turns = turns_to(back);
  geom.length = Surd::root(square);
  const Decimal half = (*geom.length * Surd(Rational(1, 2))).decimal(false);
  geom.sizes = {(*sizes)[0], half};
  if (geom.type == "box" || geom.type == "ellipsoid") geom.sizes = {(*sizes)[0], (*sizes)[0], half};
  geom.ends = {sum({(*ends)[0], (*ends)[1], (*ends)[2]}, place.shift),
               sum({(*ends)[3], (*ends)[4], (*ends)[5]}, place.shift)};
  return true;
}

// ---- what it looks like -------------------------------------------------------------------------

void MjcfReader::add_shape(const MjcfElement& element, const MjcfGeom& geom) {
  RobotLink& link = out_.links[geom.link];
  const auto twice = [&](std::size_t k, bool is_length) {
    if (is_length && geom.length) return geom.length->decimal(false);
    return plain(Rational(2) * geom.sizes[k].value);
  };
  RobotShape shape;
  shape.origin = geom.pose;
  if (geom.type == "mesh") {
    add_mesh(element, geom);
    return;
  }
  if (geom.type == "sphere") {
    shape.kind = RobotShapeKind::sphere;
    shape.sizes = {geom.sizes[0]};
  } else if (geom.type == "box") {
    shape.sizes = {twice(0, false), twice(1, false), twice(2, true)};
  } else if (geom.type == "cylinder" || geom.type == "capsule") {
    shape.kind = geom.type == "capsule" ? RobotShapeKind::capsule : RobotShapeKind::cylinder;
    shape.sizes = {geom.sizes[0], twice(1, true)};
    shape.ends = geom.ends;
    if (const auto turn = rotation_matrix(geom.pose.turns); shape.ends.empty() && turn) {
      const DecimalVector half = turned_vector(*turn, {Decimal{}, Decimal{}, geom.sizes[1]});
      shape.ends = {sum(geom.pose.xyz, negative(half)), sum(geom.pose.xyz, half)};
    }
  } else {
    if (geom.type != "plane") link.has_other_shapes = true;
    return;
  }
  link.shapes.push_back(std::move(shape));
}

void MjcfReader::add_mesh(const MjcfElement& element, const MjcfGeom& geom) {
  RobotLink& link = out_.links[geom.link];
  const auto found = meshes_.find(element.text("mesh"));
  if (found == meshes_.end() || !found->second.has("file")) {
    link.has_other_shapes = true;
    return;
  }
  const MjcfElement& mesh = found->second;
  const Decimal one{"1", 1};
  const DecimalVector scale = vector(mesh, "scale", {one, one, one});
  RobotShape shape;
  shape.origin = geom.pose;
  shape.kind = RobotShapeKind::mesh;
  shape.sizes.assign(scale.begin(), scale.end());
  shape.file = file_of(mesh);
  link.shapes.push_back(std::move(shape));
}

std::string MjcfReader::file_of(const MjcfElement& mesh) const {
  const std::string file = mesh.text("file");
  return meshdir_.empty() ? file : meshdir_ + (meshdir_.ends_with('/') ? "" : "/") + file;
}

// ---- inertia ------------------------------------------------------------------------------------

RobotInertia MjcfReader::inertia_of(const MjcfGeom& geom) {
  const bool of_pi = !geom.mass && geom.type != "box";
  const Surd a(geom.sizes[0].value);
  const Surd length = geom.length             ? *geom.length
                      : geom.sizes.size() > 1 ? Surd(Rational(2) * geom.sizes.back().value)
                                              : Surd(0);
  const Surd half = length * Surd(Rational(1, 2));
  const Surd b = geom.sizes.size() > 2 ? Surd(geom.sizes[1].value) : a;
  Surd volume(0);  // by pi
  if (geom.type == "sphere") volume = Surd(Rational(4, 3)) * a * a * a;
  if (geom.type == "capsule") volume = a * a * length + Surd(Rational(4, 3)) * a * a * a;
  if (geom.type == "cylinder") volume = a * a * length;
  if (geom.type == "ellipsoid") volume = Surd(Rational(4, 3)) * a * b * half;
  if (geom.type == "box") volume = Surd(8) * a * b * half;
  const Surd mass = geom.mass ? Surd(geom.mass->value) : Surd(geom.density.value) * volume;
  std::array<Surd, 3> moments{Surd(0), Surd(0), Surd(0)};
  if (geom.type == "sphere") {
    moments.fill(Surd(Rational(2, 5)) * mass * a * a);
  } else if (geom.type == "ellipsoid" || geom.type == "box") {
    const Surd part = mass * Surd(geom.type == "box" ? Rational(1, 3) : Rational(1, 5));
    moments = {part * (b * b + half * half), part * (a * a + half * half), part * (a * a + b * b)};
  } else {
    const Surd ends =
        geom.type == "capsule" ? mass * Surd(4) * a / (Surd(4) * a + Surd(3) * length) : Surd(0);
    const Surd middle = mass - ends, ball = Surd(Rational(2, 5)) * ends * a * a;
    moments[0] = middle * (Surd(3) * a * a + length * length) * Surd(Rational(1, 12)) + ball +
                 ends * length * (Surd(3) * a + Surd(2) * length) * Surd(Rational(1, 8));
    moments[1] = moments[0];
    moments[2] = middle * a * a * Surd(Rational(1, 2)) + ball;
  }
  RobotInertia out;
  out.origin = geom.pose;
  out.mass = geom.mass ? *geom.mass : mass.decimal(of_pi);
  out.xx = moments[0].decimal(of_pi);
  out.yy = moments[1].decimal(of_pi);
  out.zz = moments[2].decimal(of_pi);
  return out;
}

void MjcfReader::add_masses(MjcfBody& body, const MjcfPlace& place) {
  if (body.inertial && inertia_from_geoms_ != "true") {
    check_inertia(*body.inertial, body.span);
    out_.links[place.link].inertia = std::move(body.inertial);
    return;
  }
  if (inertia_from_geoms_ == "false") return;
  std::erase_if(body.geoms, [](const MjcfGeom& geom) { return !geom.has_inertia; });
  const auto is_mesh = [](const MjcfGeom& geom) { return geom.type == "mesh" || geom.type == "sdf"; };
  if (body.geoms.size() == 1 && body.geoms.front().link == place.link &&
      (!is_mesh(body.geoms.front()) || body.geoms.front().pose.turns.empty())) {
    const MjcfGeom& geom = body.geoms.front();
    std::optional<RobotInertia> inertia = is_mesh(geom) ? inertia_of_mesh(geom) : inertia_of(geom);
    if (!inertia) return;
    if (is_mesh(geom)) inertia->origin.xyz = sum(inertia->origin.xyz, geom.pose.xyz);
    check_inertia(*inertia, body.span);
    out_.links[place.link].inertia = std::move(inertia);
    return;
  }
  const Decimal lift = out_.links[place.link].lift;
  for (const MjcfGeom& geom : body.geoms) {
    std::optional<RobotInertia> inertia = is_mesh(geom) ? inertia_of_mesh(geom) : inertia_of(geom);
    if (!inertia) return;
    check_inertia(*inertia, geom.span);
    RobotPose origin = geom.pose;
    if (!is_mesh(geom)) {  // the centre of others is their origin
      const auto turn = rotation_matrix(geom.pose.turns);
      // Axes that lie on those of the body need no turn.
      (turn && is_permutation(*turn) ? origin : inertia->origin).turns.clear();
      inertia->origin.xyz = {};
    }
    const std::size_t part = add_link(geom.name, geom.span, true);
    add_joint(geom.name + "_weld", RobotJointKind::fixed, geom.link, part, std::move(origin), geom.span);
    out_.links[part].inertia = std::move(inertia);
    out_.links[part].lift = lift;
  }
}

}  // namespace liaison::robot
