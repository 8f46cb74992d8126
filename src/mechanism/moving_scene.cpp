#include "liaison/mechanism/moving_scene.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "diagnostics.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/model/dimension_of.hpp"
#include "liaison/model/kinematics.hpp"
#include "liaison/model/scenery.hpp"
#include "scene_forces.hpp"
#include "scene_grounds.hpp"
#include "scene_problems.hpp"
#include "scene_rods.hpp"
#include "scene_solids.hpp"
#include "scene_values.hpp"

namespace liaison {

namespace {

constexpr std::size_t body_paints = 6;
constexpr std::size_t most_tracks = 24;

double distance(const Vector3& a, const Vector3& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

class SceneMaker {
 public:
  SceneMaker(MechanismParts& parts, const SceneRequest& request)
      : parts_(parts),
        system_(parts.system()),
        request_(request),
        scenery_(scenery_of(parts.source(), system_)),
        values_(system_, request) {
    for (const Particle& particle : system_.particles) points_.push_back({particle.name, particle.position});
    if (points_.empty() && system_.bodies.empty() && scenery_.shapes.empty() && scenery_.frames.empty()) {
      points_ = points_of_coordinates(system_);
      if (!points_.empty())
        scene_.notes.push_back("the model names no places: its coordinates are drawn as points");
    }
  }

  MovingScene run() {
    scene_.title = system_.name;
    if (has_units(system_)) scene_.time_unit = "s";
    find_dimension_and_size();
    add_shapes(true);
    add_bodies();
    add_points();
    add_shapes(false);
    add_joints();
    add_contacts();
    add_arrows();
    values_.fill(scene_, scene_.notes);
    require_scene_values(scene_, values_, parts_, scenery_);
    add_events();
    return std::move(scene_);
  }

 private:
  std::size_t paint_of(const std::string& object) {
    return paints_.emplace(object, paints_.size() % body_paints).first->second;
  }

  void find_dimension_and_size() {
    std::vector<Vector3> seen;
    const auto look = [&](const std::vector<Expr>& place) {
      scene_.in_space = scene_.in_space || place.size() == 3;
      const Vector3 p = values_.place(place);
      if (std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2])) seen.push_back(p);
    };
    for (const Body& body : system_.bodies) look(body.centre);
    for (const DrawnPoint& point : points_) look(point.place);
    for (const SceneAttachment& attachment : scenery_.attachments) look(attachment.place);
    for (const SceneJoint& joint : scenery_.joints) look(joint.place);
    for (const SceneFrame& frame : scenery_.frames) look(frame.place);
    double radius = 0;
    for (const SceneShape& shape : scenery_.shapes) {
      if (is_solid(shape.kind)) look(shape.place);
      for (const std::vector<Expr>& point : shape.points)
        if (!is_solid(shape.kind)) look(point);
      for (Expr size : shape.sizes)
        if (const double number = values_.number(size);
            std::isfinite(number) && shape.kind != ShapeKind::mesh)
          radius = std::max(radius, number);
    }
    rods_ = rods_between(parts_.algebra(), system_, points_);
    for (const DrawnRod& rod : rods_) look(rod.from);
    Vector3 low{}, high{};
    for (std::size_t i = 0; i < seen.size(); ++i) {
      for (std::size_t k = 0; k < 3; ++k) {
        low[k] = i == 0 ? seen[i][k] : std::min(low[k], seen[i][k]);
        high[k] = i == 0 ? seen[i][k] : std::max(high[k], seen[i][k]);
      }
    }
    double coordinate = 0;
    for (const Vector3& p : seen) coordinate = std::max(coordinate, distance(p, {}));
    scene_.size = distance(low, high);
    if (scene_.size > 1e-6 * coordinate) return void(scene_.size = std::max(scene_.size, 2 * radius));
    for (const Body& body : system_.bodies) {
      if (!turns(system_, body)) continue;
      for (const Vector3& v : mesh_of_inertia(values_, body, 0, scene_.in_space).vertices)
        radius = std::max(radius, distance(v, {}));
    }
    scene_.size = radius > 0 ? 3 * radius : 1;
  }

  // ---- solids ----

  void add_solid(std::string name, std::string kind, std::size_t paint, ScenePose pose, SceneMesh mesh) {
    scene_.solids.push_back(
        {std::move(name), std::move(kind), paint, std::move(pose), std::nullopt, std::move(mesh)});
  }
  void add_between(std::string name, std::string kind, std::size_t paint, const std::vector<Expr>& from,
                   const std::vector<Expr>& to, SceneMesh mesh) {
    scene_.solids.push_back({std::move(name),
                             std::move(kind),
                             paint,
                             {},
                             std::array{values_.point(from), values_.point(to)},
                             std::move(mesh)});
  }

  /// Rods and lines first, so that what is solid stands before them; springs last.
  void add_shapes(bool first) {
    for (const SceneShape& shape : scenery_.shapes) {
      const double thin = shape.sizes.empty() || is_solid(shape.kind) ? 0 : size_of(shape);
      const std::string& kind = name_of(shape.kind);
      switch (shape.kind) {
        case ShapeKind::rod:
          if (first)
            add_between("", kind, body_paints, shape.points[0], shape.points[1],
                        scene::rod(thin > 0 ? thin : 0.012 * scene_.size, scene_.in_space));
          break;
        case ShapeKind::line:
          for (std::size_t k = 1; first && k < shape.points.size(); ++k)
            add_between("", kind, soft_paint, shape.points[k - 1], shape.points[k], scene::line());
          break;
        case ShapeKind::spring:
        case ShapeKind::damper: {
          if (first) break;
          const double radius = thin > 0 ? thin : 0.028 * scene_.size;
          add_between(shape.name, kind, soft_paint, shape.points[0], shape.points[1],
                      shape.kind == ShapeKind::spring ? scene::spring(radius, scene_.in_space)
                                                      : scene::damper(radius, scene_.in_space));
          break;
        }
        case ShapeKind::point: {
          if (first) break;
          ScenePose pose;
          pose.at = values_.point(shape.points[0]);
          add_solid("", "particle", ink_paint, std::move(pose), dot_mesh(0.013));
          break;
        }
        case ShapeKind::none:
          if (first) hidden_.insert(shape.object);
          break;
        default:
          if (first && shape.object.empty()) add_shape(shape);
      }
    }
  }

  double size_of(const SceneShape& shape) const { return values_.number(shape.sizes[0]); }

  void add_shape(const SceneShape& shape) {
    SceneMesh mesh = mesh_of(values_, shape, parts_, scene_.in_space);
    drawn_.insert(shape.object);
    add_solid(shape.object, name_of(shape.kind), shape.object.empty() ? body_paints : paint_of(shape.object),
              pose_of(values_, system_, shape.place, shape.turns, shape.angle), std::move(mesh));
  }

  SceneMesh dot_mesh(double part) const {
    return scene_.in_space ? scene::ball(part * scene_.size) : scene::disc(part * scene_.size, false);
  }

  void add_bodies() {
    for (const Body& body : system_.bodies) {
      if (hidden_.contains(body.name)) continue;
      const std::size_t paint = paint_of(body.name);
      bool has_shape = false;
      for (const SceneShape& shape : scenery_.shapes)
        has_shape = has_shape || (is_solid(shape.kind) && shape.object == body.name);
      if (has_shape) {
        for (const SceneShape& shape : scenery_.shapes)
          if (is_solid(shape.kind) && shape.object == body.name) add_shape(shape);
        track(body.name, paint, body.centre);
        continue;
      }
      const ScenePose pose = pose_of(values_, system_, body.centre, body.turns, body.angle);
      std::vector<Vector3> places = with_other_end(values_, body, places_on(body));
      double radius = (scene_.in_space ? 0.014 : 0.022) * scene_.size;
      if (places.size() > 1) {
        if (!is_attached(body)) radius = drawn_in(places);
        add_solid(body.name, "link", paint, pose, mesh_of_link(places, radius, scene_.in_space));
      } else {
        const double size = 0.06 * scene_.size;
        add_solid(body.name, "inertia", paint, pose,
                  turns(system_, body) ? mesh_of_inertia(values_, body, size, scene_.in_space)
                                       : mesh_of_slider(size, scene_.in_space));
      }
      track(body.name, paint, body.centre);
    }
    for (const SceneShape& shape : scenery_.shapes) {  // on particles and frames
      const bool on_body = std::any_of(system_.bodies.begin(), system_.bodies.end(),
                                       [&](const Body& body) { return body.name == shape.object; });
      if (is_solid(shape.kind) && shape.kind != ShapeKind::none && !shape.object.empty() && !on_body)
        add_shape(shape);
    }
  }

  bool is_attached(const Body& body) const {
    return std::any_of(scenery_.attachments.begin(), scenery_.attachments.end(),
                       [&](const SceneAttachment& attachment) { return attachment.body == body.name; });
  }

  /// What touches by its corners does not go through what it touches by being thick: how thick it is.
  static double drawn_in(std::vector<Vector3>& corners) {
    double far = 0;
    for (const Vector3& corner : corners) far = std::max(far, distance(corner, {}));
    const double radius = 0.035 * far;
    for (Vector3& corner : corners) {
      const double own = distance(corner, {});
      for (double& x : corner) x *= own > 2 * radius ? 1 - radius / own : 1;
    }
    return radius;
  }

  /// The centre and the places of joints and springs on a body, and in the plane its corners that touch, on
  /// its axes. In the plane the centre counts only where there is but one other place.
  std::vector<Vector3> places_on(const Body& body) {
    std::vector<Vector3> places{{0, 0, 0}};
    const double near = 1e-6 * scene_.size;
    for (const SceneAttachment& attachment : scenery_.attachments) {
      if (attachment.body != body.name) continue;
      const Vector3 local = on_body(values_, system_, body, values_.place(attachment.place));
      if (!std::isfinite(local[0] + local[1] + local[2])) continue;
      const bool known = std::any_of(places.begin(), places.end(),
                                     [&](const Vector3& other) { return distance(local, other) < near; });
      if (!known) places.push_back(local);
    }
    if (scene_.in_space) return places;  // there the inertia tells the shape
    std::vector<Vector3> corners = corners_of(system_, request_, body);
    if (places.size() == 1) corners = with_opposite_corners(std::move(corners));
    places.insert(places.end(), corners.begin(), corners.end());
    return places;
  }

  void add_points() {
    for (const DrawnRod& rod : rods_) {
      if (rod.is_rope) {
        add_between("", "line", soft_paint, rod.from, rod.to, scene::line());
        continue;
      }
      add_between("", "rod", body_paints, rod.from, rod.to, scene::rod(0.006 * scene_.size, scene_.in_space));
    }
    for (const DrawnPoint& point : points_) {
      if (hidden_.contains(point.name)) continue;
      const std::size_t paint = paint_of(point.name);
      track(point.name, paint, point.place);
      if (drawn_.contains(point.name)) continue;
      ScenePose pose;
      pose.at = values_.point(point.place);
      add_solid(point.name, "particle", paint, std::move(pose),
                dot_mesh(points_.size() > 12 ? 0.016 : 0.026));
    }
    for (const DrawnRod& rod : rods_) {
      const bool fixed =
          std::all_of(rod.from.begin(), rod.from.end(), [&](Expr e) { return values_.is_constant(e); });
      if (!fixed) continue;
      ScenePose pose;
      pose.at = values_.point(rod.from);
      if (scene_.in_space) {
        add_solid("", "joint", ink_paint, std::move(pose), dot_mesh(0.01));
      } else {
        add_solid("", "joint", ink_paint, std::move(pose), scene::disc(0.01 * scene_.size, false));
      }
    }
  }

  // ---- joints ----

  void add_joints() {
    for (const SceneJoint& joint : scenery_.joints) {
      if (joint.kind == "weld") continue;
      ScenePose pose;
      pose.at = values_.point(joint.place);
      const bool on_ground = joint.first.empty() || joint.second.empty();
      if (!scene_.in_space) {
        const double r = 0.016 * scene_.size;
        if (on_ground && joint.kind == "hinge")
          add_solid(joint.name, "support", soft_paint, pose, scene::support(1.6 * r));
        add_solid(joint.name, "joint", ink_paint, std::move(pose),
                  joint.kind == "slider" ? scene::rectangle(3 * r, 2 * r) : scene::disc(r, false));
        continue;
      }
      const bool pin = joint.kind == "hinge" || joint.kind == "cylindrical" || joint.kind == "screw";
      if (joint.axis.empty() || joint.place.size() != 3 || !(pin || joint.kind == "slider")) {
        add_solid(joint.name, "joint", ink_paint, std::move(pose), scene::ball(0.016 * scene_.size));
        continue;
      }
      const Vector3 axis = values_.place(joint.axis);
      const double length = distance(axis, {});
      if (!(length > 0)) continue;
      const double half = (pin ? 0.03 : 0.06) * scene_.size / length;
      std::vector<Expr> from, to;
      const Expr part = system_.pool->number(Rational::from_double(half));
      for (std::size_t k = 0; k < 3; ++k) {
        from.push_back(joint.place[k] - part * joint.axis[k]);
        to.push_back(joint.place[k] + part * joint.axis[k]);
      }
      add_between(joint.name, "joint", ink_paint, from, to,
                  scene::rod((pin ? 0.014 : 0.008) * scene_.size, true));
    }
  }

  // ---- contacts ----

  void add_contact(const std::string& name, const std::vector<Expr>& point, const std::vector<Expr>& normal,
                   Expr gap, bool on_ground) {
    SceneContact contact;
    contact.name = name;
    contact.at = values_.point(point);
    contact.normal = values_.point(normal);
    scene_.contacts.push_back(std::move(contact));
    if (!on_ground ||
        std::any_of(normal.begin(), normal.end(), [&](Expr e) { return !values_.is_constant(e); }))
      return;
    std::vector<Expr> terms{-gap};
    for (std::size_t k = 0; k < point.size(); ++k) terms.push_back(normal[k] * point[k]);
    const Expr height = system_.pool->add(terms);
    if (!stays(height)) return;
    add_ground({values_.place(normal), values_.number(height)});
  }

  void add_ground(const SceneGround& ground) {
    if (!std::isfinite(ground.height)) return;
    const bool known =
        std::any_of(scene_.grounds.begin(), scene_.grounds.end(), [&](const SceneGround& other) {
          return distance(other.normal, ground.normal) < 1e-9 &&
                 std::abs(other.height - ground.height) < 1e-9 * std::max(1.0, scene_.size);
        });
    if (!known) scene_.grounds.push_back(ground);
  }

  /// Whether nothing that moves changes it.
  bool stays(Expr e) {
    for (Expr symbol : symbols_in(e)) {
      if (symbol.symbol().kind == SymbolKind::parameter) continue;
      const Expr slope = derivative(e, symbol);
      if (!slope.is_zero() && !parts_.algebra().is_zero(slope).is_proved()) return false;
    }
    return true;
  }

  void add_contacts() {
    const Expr zero = system_.pool->number(0);
    for (const Contact& contact : system_.contacts)
      add_contact(system_.constraints[contact.constraint].name, contact.point, contact.normal, zero,
                  contact.second.empty());
    for (const Unilateral& unilateral : system_.unilaterals)
      if (unilateral.contact)
        add_contact(unilateral.name, unilateral.contact->point, unilateral.contact->normal, unilateral.gap(),
                    unilateral.contact->second.empty());
    add_grounds_of_gaps();
    if (request_.result == nullptr) return;
    std::vector<SceneContact*> of(system_.unilaterals.size(), nullptr);
    for (std::size_t i = 0; i < of.size(); ++i)
      for (SceneContact& contact : scene_.contacts)
        if (contact.name == system_.unilaterals[i].name) of[i] = &contact;
    for (const ContactSpan& span : request_.result->contact_spans)
      if (span.contact < of.size() && of[span.contact] != nullptr)
        of[span.contact]->modes.push_back({span.begin, span.end, span.mode});
    for (const ImpactRecord& impact : request_.result->impacts)
      for (const std::size_t contact : impact.contacts)
        if (contact < of.size() && of[contact] != nullptr) of[contact]->impacts.push_back(impact.t);
  }

  /// What a gap without a `contact` says: where the ground is, and what touches it.
  void add_grounds_of_gaps() {
    std::vector<DrawnPlace> places;
    for (const Body& body : system_.bodies) places.push_back({body.name, body.centre});
    for (const Particle& particle : system_.particles) places.push_back({particle.name, particle.position});
    for (const SceneFrame& frame : scenery_.frames) places.push_back({frame.name, frame.place});
    if (places.empty())
      for (const DrawnPoint& point : points_of_coordinates(system_))
        places.push_back({point.name, point.place});
    for (DrawnPlace& place : places)
      for (const SceneSolid& solid : scene_.solids)
        if (solid.name == place.name &&
            (is_round(solid.kind) || (solid.kind == "inertia" && !scene_.in_space)))
          for (const Vector3& v : solid.mesh.vertices) place.reach = std::max(place.reach, distance(v, {}));
    for (const Unilateral& unilateral : system_.unilaterals) {
      if (unilateral.contact || !unilateral.holonomic) continue;
      const auto found = ground_of_gap(system_, values_, unilateral.gap(), places);
      if (!found) continue;
      if (found->height.empty()) {
        add_ground(found->ground);
      } else if (!is_drawn(*found)) {
        for (const auto& [from, to] :
             lines_of_moving_ground(values_, *found, places[found->owner], scene_.size))
          add_between("", "line", ink_paint, from, to, scene::line());
      }
      if (!found->place) continue;
      const DrawnPlace& at = places[*found->place];
      SceneContact contact;
      contact.name = unilateral.name;
      std::vector<Expr> point = at.place;
      const Expr reach = system_.pool->number(Rational::from_double(at.reach));
      for (std::size_t k = 0; k < point.size(); ++k) point[k] = point[k] - reach * found->normal[k];
      contact.at = values_.point(point);
      contact.normal = values_.point(found->normal);
      scene_.contacts.push_back(std::move(contact));
    }
  }

  /// A flat shape, or one between places, that goes with a ground that the time moves.
  bool is_drawn(const GroundOfGap& found) {
    const auto goes_along = [&](const std::vector<Expr>& place) {
      return place.size() == found.slopes.size() && stays(above_moving_ground(found, place));
    };
    return std::any_of(scenery_.shapes.begin(), scenery_.shapes.end(), [&](const SceneShape& shape) {
      switch (shape.kind) {
        case ShapeKind::box:
        case ShapeKind::polygon:
        case ShapeKind::mesh:
        case ShapeKind::cylinder: return goes_along(shape.place);
        case ShapeKind::rod:
        case ShapeKind::line: return std::all_of(shape.points.begin(), shape.points.end(), goes_along);
        default: return false;
      }
    });
  }

  static bool is_round(const std::string& kind) { return kind == "disc" || kind == "ring" || kind == "ball"; }

  // ---- arrows and traces ----

  void track(const std::string& name, std::size_t paint, const std::vector<Expr>& place) {
    if (scene_.tracks.size() < most_tracks)
      scene_.tracks.push_back({name, paint, values_.point(place), true});
  }

  void add_arrow(const std::string& name, bool reaction, const std::vector<Expr>& at,
                 const std::vector<Expr>& vector) {
    for (Expr e : vector)
      if (!values_.knows(e)) return;
    if (reaction && request_.rows == nullptr) return;  // the factors of a state are not computed
    scene_.arrows.push_back({name, reaction, values_.point(at), values_.point(vector)});
  }

  void add_velocity(const std::string& name, const std::vector<Expr>& place) {
    std::vector<Expr> velocity;
    for (Expr e : place) velocity.push_back(time_derivative(system_, e));
    add_arrow(name, false, place, velocity);
  }

  void add_arrows() {
    for (const Body& body : system_.bodies)
      if (!hidden_.contains(body.name)) add_velocity(body.name, body.centre);
    for (const DrawnPoint& point : points_)
      if (!hidden_.contains(point.name)) add_velocity(point.name, point.place);
    bool has_points = false;
    for (const SceneShape& shape : scenery_.shapes) {
      if (shape.kind != ShapeKind::point) continue;
      for (SceneTrack& each : scene_.tracks) each.traced = each.traced && has_points;
      has_points = true;  // who names points wants their ways alone
      track("", ink_paint, shape.points[0]);
      add_velocity("", shape.points[0]);
    }
    for (const SceneJoint& joint : scenery_.joints)
      if (!joint.force.empty()) add_arrow(joint.name, true, joint.place, joint.force);
    const AssembledEquations& equations = *request_.equations;
    std::set<std::string> contacts;
    const auto add_force = [&](const std::string& name, const std::vector<Expr>& point,
                               const std::vector<Expr>& force) {
      contacts.insert(name);
      add_arrow(name, true, point, force);
    };
    for (const Contact& contact : system_.contacts)
      add_force(system_.constraints[contact.constraint].name, contact.point,
                force_of_contact(system_, contact));
    for (const Unilateral& unilateral : system_.unilaterals)
      if (unilateral.contact)
        add_force(unilateral.name, unilateral.contact->point, force_of_contact(equations, unilateral));
    for (const DrawnPoint& point : points_) {
      if (hidden_.contains(point.name)) continue;
      for (const auto& [name, force] : forces_on_point(equations, system_, point.place))
        if (!contacts.contains(name)) add_arrow(name, true, point.place, force);
    }
  }

  void add_events() {
    if (request_.result == nullptr) return;
    for (const EventRecord& record : request_.result->events)
      scene_.events.push_back({record.t, system_.events[record.event].name});
  }

  MechanismParts& parts_;
  const System& system_;
  const SceneRequest& request_;
  Scenery scenery_;
  SceneValues values_;
  MovingScene scene_;
  std::vector<DrawnPoint> points_;
  std::vector<DrawnRod> rods_;
  std::map<std::string, std::size_t> paints_;
  std::set<std::string> drawn_, hidden_;  ///< objects with a shape, and with none
};

}  // namespace

MovingScene moving_scene(MechanismParts& parts, const SceneRequest& request) {
  try {
    return SceneMaker(parts, request).run();
  } catch (const Error& error) {
    parts.require_not_interrupted();
    throw Refused{Status::bad_input, {message_of(parts.name(), error)}};
  }
}

void require_shapes(MechanismParts& parts, const AssembledEquations& equations, const DoublePoint& state) {
  SceneRequest request;
  request.equations = &equations;
  request.state = state;
  const SceneValues values(parts.system(), request);
  for (const SceneShape& shape : scenery_of(parts.source(), parts.system()).shapes)
    if (is_solid(shape.kind) && shape.kind != ShapeKind::none)
      mesh_of(values, shape, parts, shape.sizes.size() > 2);  // a box of three sides is in space
}

}  // namespace liaison
