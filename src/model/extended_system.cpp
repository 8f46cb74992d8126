#include "builder.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/model/kinematics.hpp"
#include "liaison/model/motion_texts.hpp"

namespace liaison {

namespace {

/// Two underscores: no name of a person.
std::string hidden_name(const std::string& name) {
  return name + "__";
}

}  // namespace

/// Each q0 a direction that the constraint q0 = tau(t) drives (row V6.gallissot-map), with the applied forces
/// on it. Before the laws of the drives are put in.
std::shared_ptr<const System> Builder::with_drives_as_directions() const {
  Pool& pool = *system_.pool;
  auto result = std::make_shared<System>(system_);
  System& whole = *result;
  whole.rheonomic.clear();
  whole.intrinsic = {};
  whole.contacts.clear();
  whole.unilaterals.clear();
  whole.families.clear();
  whole.outputs.clear();
  whole.events.clear();
  whole.start.clear();
  whole.claims.clear();
  whole.queries.clear();
  Substitution free;
  for (const Rheonomic& chosen : system_.rheonomic) {
    const std::string name = hidden_name(chosen.name);
    const Expr place = pool.symbol(name, SymbolKind::coordinate);
    const Expr velocity = pool.symbol(name + "'", SymbolKind::velocity);
    free.emplace(chosen.symbol, place);
    free.emplace(chosen.velocity, velocity);
    free.emplace(acceleration_symbol(chosen.velocity), acceleration_symbol(velocity));
    whole.directions.push_back({.form = "d" + name,
                                .velocity = velocity,
                                .coordinate = place,
                                .rotation = std::nullopt,
                                .unit = std::nullopt,
                                .span = {}});
    const auto carried = carried_forces_.find(chosen.velocity);
    whole.forces.push_back(carried == carried_forces_.end() ? pool.number(0) : pool.add(carried->second));
    if (!whole.chart.parameters.empty()) {
      whole.chart.parameters.push_back(velocity);
      whole.chart.velocities.push_back(velocity);
    }
    Constraint drive;
    drive.name = chosen.name;
    drive.relation = place - chosen.value;
    drive.holonomic = true;
    drive.factor = pool.symbol(hidden_name("R_" + chosen.name), SymbolKind::multiplier);
    whole.constraints.push_back(std::move(drive));
  }
  const auto replace = [&](Expr& e) {
    if (!e.empty()) e = substitute(e, free);
  };
  const auto replace_all = [&](std::vector<Expr>& es) {
    for (Expr& e : es) replace(e);
  };
  replace(whole.kinetic);
  replace(whole.potential);
  whole.kinetic_extended = whole.kinetic;
  whole.potential_extended = whole.potential;
  replace_all(whole.forces);
  replace_all(whole.chart.velocities);
  for (Particle& particle : whole.particles) replace_all(particle.position);
  for (Body& body : whole.bodies) {
    replace_all(body.centre);
    replace(body.angle);
  }
  for (Constraint& constraint : whole.constraints) {
    replace(constraint.relation);
    replace(constraint.power);
    if (constraint.power_kind == PowerKind::along)  // says nothing of the drives
      constraint.direction.resize(whole.directions.size(), pool.number(0));
    replace_all(constraint.direction);
  }
  for (Reaction& reaction : whole.reactions) replace(reaction.power);
  for (Corner& corner : whole.corners) {
    replace(corner.of);
    replace(corner.at);
  }
  whole.domain = {};
  for (const auto& [e, bound] : domain_) whole.domain.push_back({substitute(e, free), bound});
  add_requirements(whole.domain, natural_domain(motion_texts(whole)));
  return result;
}

}  // namespace liaison
