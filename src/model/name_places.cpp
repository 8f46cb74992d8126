#include "name_places.hpp"

#include <type_traits>

namespace liaison::syntax {

namespace {

class Visitor {
 public:
  explicit Visitor(const NamePlaces& visit) : visit_(visit) {}

  void operator()(const Title&) const {}
  void operator()(const Params& params) const {
    for (const Params::Item& item : params.items) {
      name(item.name);
      text(item.value);
    }
  }
  void operator()(const Coords& coords) const {
    for (const Coords::Item& item : coords.items) name(item.name);
  }
  void operator()(const RotationDeclaration& rotation) const {
    name(rotation.name);
    names(rotation.rates);
  }
  void operator()(const Chart& chart) const {
    names(chart.parameters);
    assignments(chart.velocities);
  }
  void operator()(const Function& function) const {
    name(function.name);
    names(function.parameters);
    text(function.body);
  }
  void operator()(const TableDeclaration& table) const { name(table.name); }
  void operator()(const Definition& definition) const { assignment(definition.assignment); }
  void operator()(const Energy& energy) const { text(energy.value); }
  void operator()(const Input& input) const {
    name(input.name);
    text(input.value);
  }
  void operator()(const Transmission& link) const {
    name(link.name);
    for (Span measure : link.measures) text(measure);
    for (const Place& point : link.points) place(point);
    text(link.size);
  }
  void operator()(const WheelDeclaration& wheel) const {
    name(wheel.name);
    mount(wheel.mount);
    vector(wheel.axis);
    text(wheel.radius);
    name(wheel.on);
  }
  void operator()(const Drag& drag) const {
    place(drag.at);
    text(drag.coefficient);
    vector(drag.wind);
  }
  void operator()(const GeneralisedForce& force) const { assignment(force.assignment); }
  void operator()(const PointForce& force) const {
    vector(force.force);
    place(force.at);
  }
  void operator()(const ElementDeclaration& element) const {
    name(element.name);
    if (element.ends) {
      place(element.ends->first);
      place(element.ends->second);
    } else {
      text(element.measure);
    }
    text(element.stiffness);
    text(element.length);
    text(element.damping);
    text(element.law);
  }
  void operator()(const Bushing& bushing) const {
    name(bushing.name);
    mount(bushing.first);
    mount(bushing.second);
    vector(bushing.stiffness);
    vector(bushing.damping);
  }
  void operator()(const MotorDeclaration& motor) const {
    name(motor.name);
    text(motor.measure);
    text(motor.effort);
  }
  void operator()(const Moment& moment) const {
    vector(moment.moment);
    name(moment.body);
  }
  void operator()(const Gravity& gravity) const { vector(gravity.acceleration); }
  void operator()(const ParticleDeclaration& particle) const {
    name(particle.name);
    text(particle.mass);
    place(particle.at);
  }
  void operator()(const BodyDeclaration& body) const {
    name(body.name);
    text(body.mass);
    vector(body.inertia);
    vector(body.position);
    orientation(body.orientation);
    if (body.joint) {
      const auto& [place_of_joint, joint] = *body.joint;
      mount(place_of_joint);
      for (Span value : joint.values) text(value);
      if (joint.rotation) turn(*joint.rotation);
      for (const Vector& axis : joint.axes) vector(axis);
      text(joint.pitch);
    }
    vector(body.centre);
  }
  void operator()(const FrameDeclaration& frame) const {
    name(frame.name);
    mount(frame.mount);
  }
  void operator()(const JointDeclaration& joint) const {
    name(joint.name);
    mount(joint.first);
    mount(joint.second);
    for (const Vector& axis : joint.axes) vector(axis);
    text(joint.pitch);
    name(joint.frame);
  }
  void operator()(const ConstraintDeclaration& constraint) const {
    name(constraint.name);
    text(constraint.left);
    text(constraint.right);
    text(constraint.power);
  }
  void operator()(const ReactionDeclaration& reaction) const {
    name(reaction.name);
    text(reaction.power);
  }
  void operator()(const UnilateralDeclaration& unilateral) const {
    (*this)(static_cast<const ConstraintDeclaration&>(unilateral));
    text(unilateral.friction);
    text(unilateral.sticking);
    vector(unilateral.slip);
    text(unilateral.restitution);
  }
  void operator()(const ContactDeclaration& contact) const {
    name(contact.name);
    name(contact.first);
    name(contact.second);
    vector(contact.point);
    vector(contact.normal);
    for (const auto* resistance : {&contact.friction, &contact.rolling, &contact.pivoting}) {
      text(resistance->slipping);
      text(resistance->sticking);
    }
    text(contact.gap);
    text(contact.restitution);
  }
  void operator()(const EventDeclaration& event) const {
    name(event.name);
    text(event.left);
    text(event.right);
    assignments(event.resets);
  }
  void operator()(const ShapeDeclaration& shape) const {
    name(shape.object);
    for (const Place& each : shape.places) place(each);
    for (const Vector& each : shape.vectors) vector(each);
    for (const auto& size : {shape.radius, shape.length, shape.scale}) text(size);
    vector(shape.at);
    vector(shape.axis);
    if (shape.turned) orientation(*shape.turned);
  }
  void operator()(const Start& start) const {
    assignments(start.values);
    for (const Turned& turned : start.turned) {
      name(turned.name);
      for (const TurnPart& part : turned.turns) turn(part);
    }
  }
  void operator()(const ClaimStatement&) const {}

 private:
  void name(const Name& name) const { visit_.name(name); }
  void name(const std::optional<Name>& given) const {
    if (given) name(*given);
  }
  void names(const std::vector<Name>& list) const {
    for (const Name& each : list) name(each);
  }
  void text(Span span) const { visit_.expression(span); }
  void text(const std::optional<Span>& span) const {
    if (span) text(*span);
  }
  void assignment(const Assignment& assignment) const {
    name(assignment.name);
    text(assignment.value);
  }
  void assignments(const std::vector<Assignment>& list) const {
    for (const Assignment& each : list) assignment(each);
  }
  void vector(const Vector& vector) const {
    for (Span component : vector.components) text(component);
  }
  void vector(const std::optional<Vector>& given) const {
    if (given) vector(*given);
  }
  void place(const Place& place) const {
    name(place.object);
    vector(place.point);
  }
  void turn(const TurnPart& part) const {
    if (part.rotation || !part.rates.empty()) {
      name(part.rotation);
      names(part.rates);
      return;
    }
    vector(part.axis);
    text(part.angle);
  }
  void orientation(const Orientation& orientation) const {
    text(orientation.angle);
    for (const TurnPart& part : orientation.turns) turn(part);
  }
  void mount(const Mount& mount) const {
    name(mount.parent);
    vector(mount.at);
    if (mount.turned) orientation(*mount.turned);
  }

  const NamePlaces& visit_;
};

}  // namespace

void visit_names(const Statement& statement, const NamePlaces& visit) {
  std::visit(Visitor(visit), statement.data);
}

std::vector<Name> declared_names(const Statement& statement) {
  std::vector<Name> names;
  const auto list = [&](const auto& data) {
    using Data = std::decay_t<decltype(data)>;
    if constexpr (std::is_same_v<Data, Params> || std::is_same_v<Data, Coords>) {
      for (const auto& item : data.items) names.push_back(item.name);
    } else if constexpr (std::is_same_v<Data, RotationDeclaration>) {
      if (data.name) names.push_back(*data.name);
      names.insert(names.end(), data.rates.begin(), data.rates.end());
    } else if constexpr (std::is_same_v<Data, Chart>) {
      names = data.parameters;
    } else if constexpr (std::is_same_v<Data, Definition>) {
      names.push_back(data.assignment.name);
    } else if constexpr (!std::is_same_v<Data, ClaimStatement> && requires { data.name; }) {
      names.push_back(data.name);
    }
  };
  std::visit(list, statement.data);
  return names;
}

}  // namespace liaison::syntax
