#include "builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "liaison/algebra/pieces.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/model/kinematics.hpp"
#include "liaison/model/motion_texts.hpp"
#include "put_in.hpp"
#include "text.hpp"

namespace liaison {

namespace {

System empty_system(const ModelOptions& options, std::shared_ptr<Pool> pool) {
  System system;
  system.pool = pool ? std::move(pool) : std::make_shared<Pool>(options.pool);
  system.time = system.pool->symbol("t", SymbolKind::time);
  const Expr zero = system.pool->number(0);
  system.kinetic = system.potential = system.kinetic_extended = system.potential_extended = zero;
  return system;
}

/// What is read in such a statement must have a value wherever the system moves. A `let` passes its domain to
/// those that use it; values of parameters and states have their own place in the text.
bool defines_motion(const syntax::Statement& statement) {
  using namespace syntax;
  if (const auto* definition = std::get_if<Definition>(&statement.data))
    return definition->kind == Definition::Kind::rheonomic;
  return !std::holds_alternative<Params>(statement.data) && !std::holds_alternative<Start>(statement.data) &&
         !std::holds_alternative<Function>(statement.data) &&
         !std::holds_alternative<Input>(statement.data) &&
         !std::holds_alternative<TableDeclaration>(statement.data) &&
         !std::holds_alternative<EventDeclaration>(statement.data) &&
         !std::holds_alternative<ShapeDeclaration>(statement.data) &&
         !std::holds_alternative<ClaimStatement>(statement.data);
}

}  // namespace

Builder::Builder(const Source& masked, const ModelOptions& options, Reports& reports,
                 std::shared_ptr<Pool> pool)
    : masked_(masked),
      reports_(reports),
      system_(empty_system(options, pool)),
      is_read_again_(pool != nullptr),
      scope_(system_, masked, options, reports) {
  scope_.set_objects(*this);
}

System Builder::run(const std::vector<syntax::Statement>& statements, const std::vector<Span>& unread,
                    const std::vector<RepeatedStatement>& repeated) {
  scope_.foresee(statements);
  for (Span span : unread) scope_.excuse(span);
  std::set<std::size_t> first_seen;
  for (const Statement& statement : statements) {
    if (reports_.full()) break;
    // The last contact of a `for` whose first one was refused.
    if (statement.repeated && !first_seen.insert(*statement.repeated).second &&
        (system_.families.empty() ||
         system_.families.back().members->name != repeated[*statement.repeated].name.text))
      continue;
    try {
      std::visit([&](const auto& data) { build(data, statement); }, statement.data);
      if (statement.repeated) {
        build_family(repeated[*statement.repeated], statement);
        scope_.take_domain();  // of the first alone: where another one has no value, the run says so
        scope_.take_corners();
        continue;
      }
      const Domain domain = scope_.take_domain();
      const std::vector<Corner> corners = scope_.take_corners();
      if (!defines_motion(statement)) continue;
      domain_.insert(domain_.end(), domain.begin(), domain.end());
      system_.corners.insert(system_.corners.end(), corners.begin(), corners.end());
    } catch (const Error& error) {
      report_error(error, statement.span);
    }
  }
  try {
    if (!reports_.full()) finish();
  } catch (const Error& error) {
    report_error(error, title_.value_or(Span{0, 0}));
  }
  return std::move(system_);
}

void Builder::report_error(const Error& error, Span span) {
  reports_.add(fmt::format("L{:04}", static_cast<int>(error.code())), span, excerpt(error.what(), 240),
               excerpt(error.hint(), 240));
}

void Builder::report_twice(const std::string& what, const std::string& in_model, const Said& first,
                           const Said& second, std::string note) {
  const bool by_parts = !first.part.empty() && !second.part.empty();
  Diagnostic& diagnostic = reports_.add(
      "L0407", second.span,
      by_parts ? fmt::format("{}, and not alike, by the parts `{}` and `{}`", what, first.part, second.part)
               : what,
      by_parts ? fmt::format("say `{}` in the model itself: it takes the place of what parts say", in_model)
               : std::string("keep one of the two"));
  diagnostic.notes.push_back({first.span, std::move(note)});
}

std::vector<Expr> Builder::all_velocities() const {
  std::vector<Expr> velocities;
  for (const Direction& direction : system_.directions) velocities.push_back(direction.velocity);
  for (const auto* part : {&chart_, &intrinsic_}) {
    if (!*part) continue;
    for (const auto& [parameter, span] : (*part)->parameters) velocities.push_back(parameter);
  }
  return velocities;
}

void Builder::finish() {
  if (system_.directions.empty()) {
    if (reports_.empty()) {
      reports_.add("L0432", title_.value_or(Span{0, 0}), "the model has no coordinates: nothing can move",
                   "declare one: `coord x`");
    }
    return;
  }
  finish_gravity();
  finish_kinetic();
  finish_forces();
  if (reports_.empty()) finish_charts();
  if (reports_.empty()) finish_drives();
  if (reports_.empty()) check_resets();
  if (reports_.empty()) check_kinetic();
  check_output_names();
  if (reports_.empty()) check_asked_constraints();
  if (reports_.empty()) add_dimensions();
  if (reports_.empty() && has_units_) told_ = check_dimensions(system_, obligations_, reports_);
  finish_scenery();
  finish_table_units();
  if (reports_.empty()) check_gaps();
  finish_rheonomic();
  finish_domain();
}

/// The texts as written, then what the energies, forces and relations built from them need.
void Builder::finish_domain() {
  add_requirements(system_.domain, domain_);
  add_requirements(system_.domain, natural_domain(motion_texts(system_)));
  // a resisted speed has no direction where it vanishes
  for (const Constraint& constraint : system_.constraints) {
    if (constraint.power.empty() || constraint.power_kind == PowerKind::along) continue;
    for (Expr e : postorder(constraint.power)) {
      const auto moves = [&](const Direction& direction) { return depends_on(e, direction.velocity); };
      if (e.is(Op::abs) && std::any_of(system_.directions.begin(), system_.directions.end(), moves))
        add_requirement(system_.domain, e.arg(0), Bound::nonzero);
    }
  }
  for (const Contact& contact : system_.contacts) {
    const std::pair<Expr, Expr> resisted[] = {{contact.speeds.slip, contact.coefficients.friction},
                                              {contact.speeds.rolling, contact.coefficients.rolling},
                                              {contact.speeds.pivoting, contact.coefficients.pivoting}};
    for (const auto& [speed, coefficient] : resisted) {
      if (!coefficient.is_zero() && speed.is(Op::abs))
        add_requirement(system_.domain, speed.arg(0), Bound::nonzero);
    }
  }
}

void Builder::finish_gravity() {
  if (!gravity_) return;
  const auto& [acceleration, said] = *gravity_;
  const auto weigh = [&, this](Expr mass, const std::vector<Expr>& position, const std::string& name,
                               Span place) {
    if (position.size() != acceleration.size()) {
      Diagnostic& diagnostic = reports_.add("L0421", place,
                                            fmt::format("`{}` has {} coordinates and gravity has {}", name,
                                                        position.size(), acceleration.size()),
                                            "give both two or three components");
      diagnostic.notes.push_back({said.span, "gravity is given"});
      return;
    }
    for (std::size_t i = 0; i < position.size(); ++i)
      potential_.push_back(-(mass * acceleration[i] * position[i]));
  };
  for (const Particle& particle : system_.particles)
    weigh(particle.mass, particle.position, particle.name, particle.span);
  for (const Body& body : system_.bodies) weigh(body.mass, body.centre, body.name, body.span);
}

void Builder::finish_kinetic() {
  kinetic_.push_back(assembled_kinetic_energy(system_));
  system_.kinetic = system_.kinetic_extended = system_.pool->add(kinetic_);
  system_.potential = system_.potential_extended = system_.pool->add(potential_);
}

void Builder::finish_forces() {
  system_.forces.assign(system_.directions.size(), system_.pool->number(0));
  for (const auto& [direction, terms] : forces_) system_.forces[direction] = system_.pool->add(terms);
}

void Builder::finish_charts() {
  if (chart_) finish_chart(*chart_, system_.chart, false);
  if (intrinsic_) finish_chart(*intrinsic_, system_.intrinsic, true);
}

/// Directions that are not spoken of keep their own velocity as a parameter.
void Builder::finish_chart(const ChartPart& part, VelocityChart& chart, bool intrinsic) {
  for (const auto& [parameter, span] : part.parameters) chart.parameters.push_back(parameter);
  for (std::size_t i = 0; i < system_.directions.size(); ++i) {
    const auto given = part.velocities.find(i);
    if (given != part.velocities.end()) {
      chart.velocities.push_back(given->second);
    } else {
      chart.parameters.push_back(system_.directions[i].velocity);
      chart.velocities.push_back(system_.directions[i].velocity);
    }
  }
  bool all_used = true;
  for (const auto& [parameter, span] : part.parameters) {
    const bool used = std::any_of(chart.velocities.begin(), chart.velocities.end(),
                                  [p = parameter](Expr velocity) { return depends_on(velocity, p); });
    if (used) continue;
    all_used = false;
    reports_.add("L0426", span, fmt::format("no velocity depends on `{}`", parameter.symbol().name),
                 "use it in one of the velocities, or remove it");
  }
  const std::size_t n = system_.directions.size();
  const bool fits = intrinsic ? chart.parameters.size() < n : chart.parameters.size() == n;
  if (fits || !all_used) return;
  const std::string hint =
      intrinsic ? "with as many parameters as directions use `velocity`"
      : chart.parameters.size() < n
          ? "give one more parameter for each; velocities that a constraint allows are given with `intrinsic`"
          : "remove parameters, or give the velocities of more coordinates";
  reports_.add("L0426", part.span,
               fmt::format("{} velocity parameter{} for {} direction{} of motion", chart.parameters.size(),
                           chart.parameters.size() == 1 ? "" : "s", n, n == 1 ? "" : "s"),
               hint);
}

/// Of s' or s'' of `rheonomic s = abs(t)`, which a text asks for.
void Builder::add_corners(const Rheonomic& chosen, std::span<const Expr> written,
                          std::vector<Corner>& corners) const {
  const auto is_written = [&](Expr symbol) {
    return std::find(written.begin(), written.end(), symbol) != written.end();
  };
  const Expr velocity = derivative(chosen.value, system_.time);
  const bool asks_second = is_written(acceleration_symbol(chosen.velocity));
  if (!asks_second && !is_written(chosen.velocity)) return;
  for (Expr e : {chosen.value, asks_second ? velocity : chosen.value}) {
    const PieceArguments pieces = piece_arguments(std::span(&e, 1));
    for (const auto* list : {&pieces.jumps, &pieces.kinks}) {
      for (Expr u : *list) corners.push_back({e, u});
    }
  }
}

/// Each rheonomic coordinate with its rates, by t.
Substitution Builder::values_of_rheonomic() const {
  Substitution values;
  for (const Rheonomic& chosen : system_.rheonomic) {
    const Expr velocity = derivative(chosen.value, system_.time);
    values.emplace(chosen.symbol, chosen.value);
    values.emplace(chosen.velocity, velocity);
    values.emplace(acceleration_symbol(chosen.velocity), derivative(velocity, system_.time));
  }
  return values;
}

/// Everything in t alone, except for the extended energies.
void Builder::finish_rheonomic() {
  if (system_.rheonomic.empty() || !reports_.empty()) return;
  if (is_read_again_) extended_ = with_drives_as_directions();
  std::vector<Expr> relations;
  for (const Constraint& constraint : system_.constraints) relations.push_back(constraint.relation);
  const std::vector<Expr> related = symbols_in(relations);
  const Substitution values = values_of_rheonomic();
  put_in(system_, values);
  put_in(domain_, values);
  for (const Rheonomic& chosen : system_.rheonomic) {
    add_corners(chosen, related, system_.corners);
    for (Claim& claim : system_.claims) add_corners(chosen, claim.written, claim.corners);
  }
}

/// The units of tables and of numbers have done their work when dimensions are known: numbers in their place.
void Builder::finish_table_units() {
  if (table_units_.empty()) return;
  const auto replace = [&](Expr& e) {
    if (!e.empty()) e = substitute(e, table_units_);
  };
  put_in(system_, table_units_);
  put_in(domain_, table_units_);
  replace(system_.kinetic_extended);
  replace(system_.potential_extended);
  for (Rheonomic& chosen : system_.rheonomic) replace(chosen.value);
  for (auto& [velocity, forces] : carried_forces_) {
    for (Expr& force : forces) replace(force);
  }
  for (GapRate& rate : gap_rates_) replace(rate.normal_speed);
}

}  // namespace liaison
