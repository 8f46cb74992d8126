#include "put_in.hpp"

#include <utility>

namespace liaison {

namespace {

class PutIn {
 public:
  explicit PutIn(const Substitution& values) : values_(values) {}

  void operator()(Expr& e) const {
    if (!e.empty()) e = substitute(e, values_);
  }
  void operator()(std::optional<Expr>& e) const {
    if (e) (*this)(*e);
  }
  void operator()(std::vector<Expr>& es) const {
    for (Expr& e : es) (*this)(e);
  }
  void operator()(Triple& triple) const {
    for (Expr& e : triple) (*this)(e);
  }
  void operator()(std::vector<Corner>& corners) const {
    for (Corner& corner : corners) {
      (*this)(corner.of);
      (*this)(corner.at);
    }
  }
  void operator()(std::vector<InitialValue>& given) const {
    for (InitialValue& value : given) (*this)(value.value);
  }
  void operator()(Particle& particle) const {
    (*this)(particle.mass);
    (*this)(particle.position);
  }
  void operator()(Body& body) const {
    (*this)(body.mass);
    (*this)(body.inertia);
    (*this)(body.centre);
    (*this)(body.angle);
    for (Turn& turn : body.turns) (*this)(turn.angle);
  }
  void operator()(Constraint& constraint) const {
    (*this)(constraint.relation);
    (*this)(constraint.power);
    (*this)(constraint.direction);
  }
  void operator()(Contact& contact) const {
    (*this)(contact.point);
    (*this)(contact.normal);
    (*this)(contact.motion.velocity);
    (*this)(contact.motion.rotation);
    ContactSpeeds& speeds = contact.speeds;
    for (Expr* e : {&speeds.normal, &speeds.slip, &speeds.rolling, &speeds.pivoting}) (*this)(*e);
    ContactCoefficients& resists = contact.coefficients;
    for (Expr* e : {&resists.friction, &resists.rolling, &resists.pivoting}) (*this)(*e);
  }
  void operator()(Unilateral& unilateral) const {
    (*this)(static_cast<Constraint&>(unilateral));
    (*this)(unilateral.slip);
    for (std::optional<Expr>* e : {&unilateral.friction, &unilateral.sticking, &unilateral.restitution})
      (*this)(*e);
    for (ResistedTurning& turning : unilateral.turning) {
      (*this)(turning.slipping);
      (*this)(turning.sticking);
      (*this)(turning.velocity);
    }
    if (unilateral.contact) {
      (*this)(unilateral.contact->point);
      (*this)(unilateral.contact->normal);
    }
  }
  void operator()(Event& event) const {
    (*this)(event.when);
    (*this)(event.resets);
  }
  void operator()(Claim& claim) const {
    (*this)(claim.corners);
    (*this)(claim.left);
    (*this)(claim.right);
    (*this)(claim.conserved);
    (*this)(claim.at);
    (*this)(claim.after);
    put_in(claim.domain, values_);
    for (auto& [left, right] : claim.equations) {
      (*this)(left);
      (*this)(right);
    }
  }

 private:
  const Substitution& values_;
};

}  // namespace

void put_in(Domain& domain, const Substitution& values) {
  const Domain written = std::exchange(domain, {});
  for (const auto& [e, bound] : written) domain.push_back({substitute(e, values), bound});
}

void put_in(System& system, const Substitution& values) {
  const PutIn put(values);
  put(system.corners);
  put(system.kinetic);
  put(system.potential);
  put(system.forces);
  put(system.chart.velocities);
  put(system.intrinsic.velocities);
  for (Particle& particle : system.particles) put(particle);
  for (Body& body : system.bodies) put(body);
  for (Constraint& constraint : system.constraints) put(constraint);
  for (Contact& contact : system.contacts) put(contact);
  for (Reaction& reaction : system.reactions) put(reaction.power);
  for (Unilateral& unilateral : system.unilaterals) put(unilateral);
  for (ContactFamily& family : system.families) put(family.contact);
  for (Output& output : system.outputs) put(output.value);
  for (Event& event : system.events) put(event);
  put(system.start);
  for (Claim& claim : system.claims) put(claim);
}

}  // namespace liaison
