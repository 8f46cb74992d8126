#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "liaison/expr/parse.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/model/integrals.hpp"
#include "liaison/model/kinematics.hpp"
#include "liaison/model/language.hpp"
#include "liaison/model/quantity.hpp"
#include "liaison/model/structure_question.hpp"

namespace liaison {

namespace {

std::string join(const std::vector<std::string>& parts, std::string_view separator = ", ") {
  return fmt::format("{}", fmt::join(parts, separator));
}

/// Writes the statements of a system one after the other.
class Printer {
 public:
  explicit Printer(const System& system) : system_(system) {
    for (const Constraint& constraint : system.constraints) add_factor(constraint.name);
    for (const Reaction& reaction : system.reactions) add_factor(reaction.name);
    for (const Unilateral& unilateral : system.unilaterals) add_factor(unilateral.name);
    for (const Query& query : system.queries) {
      if (!query.names.empty()) calls_.emplace(query.symbol.symbol().name, call_text(query));
    }
  }

  std::string run() {
    if (!system_.name.empty()) line("system \"{}\"", system_.name);
    print_parameters();
    print_functions();
    print_directions();
    print_chart("velocity", system_.chart);
    print_chart("intrinsic", system_.intrinsic);
    for (const Rheonomic& chosen : system_.rheonomic)
      line("rheonomic {} = {}", chosen.name, text(chosen.value));
    print_bodies();
    print_energies();
    print_constraints();
    for (const Output& output : system_.outputs) line("output {} = {}", output.name, text(output.value));
    for (const Event& event : system_.events) print_event(event);
    if (!system_.start.empty()) line("start {}", state(system_.start));
    for (const Claim& claim : system_.claims) print_claim(claim);
    return out_;
  }

 private:
  template <class... Args>
  void line(fmt::format_string<Args...> form, Args&&... args) {
    out_ += fmt::format(form, std::forward<Args>(args)...) + "\n";
  }

  void add_factor(const std::string& name) {
    calls_.emplace("lambda_" + name, fmt::format("lambda({})", name));
  }

  static std::string call_text(const Query& query) {
    const std::string name = query.symbol.symbol().name;
    return fmt::format("{}({})", name.substr(0, name.find("__")), join(query.names));
  }

  /// Infix, with the symbols of factors and queries as the calls that they stand for.
  std::string text(Expr e) const {
    const std::string infix = to_infix(e);
    if (calls_.empty() && infix.find("__") == std::string::npos) return infix;
    std::string result;
    for (std::size_t i = 0; i < infix.size();) {
      const bool in_word = i > 0 && ((infix[i - 1] >= '0' && infix[i - 1] <= '9') || infix[i - 1] == '.');
      const auto name = in_word ? std::nullopt : scan_name(infix, i);
      if (!name) {
        result += infix[i++];
        continue;
      }
      const auto call = calls_.find(name->text);
      const std::string plain = is_name_of_integral(name->text) ? "integral" : name->text;
      result += call == calls_.end() ? plain : call->second;
      i = name->end;
    }
    return result;
  }

  std::string vector(const std::vector<Expr>& components) const {
    std::vector<std::string> parts;
    for (Expr component : components) parts.push_back(text(component));
    return fmt::format("[{}]", join(parts));
  }

  /// a(q) + c = 0 as a(q) = -c, so that a number stands alone and needs no unit.
  std::string relation(Expr e, std::string_view sign) const {
    Expr constant = system_.pool->number(0);
    if (e.is(Op::add) && e.arg(0).is_number()) constant = e.arg(0);
    return fmt::format("{} {} {}", text(e - constant), sign, text(-constant));
  }

  std::string state(const std::vector<InitialValue>& values) const {
    std::vector<std::string> parts;
    for (const InitialValue& value : values) {
      Expr shown = value.value;
      for (const Parameter& parameter : system_.parameters) {
        const bool scaled = parameter.symbol == value.symbol && parameter.unit && shown.is_constant();
        if (scaled) shown = shown / exact_scale(*system_.pool, *parameter.unit);
      }
      parts.push_back(fmt::format("{} = {}", value.symbol.symbol().name, text(shown)));
    }
    return join(parts);
  }

  void print_parameters() {
    for (const Parameter& parameter : system_.parameters) {
      const SymbolInfo& info = parameter.symbol.symbol();
      std::string statement = "param " + info.name;
      if (info.positive) statement += " > 0";
      if (parameter.value) {
        const Expr exact = parameter.exact();
        statement +=
            " = " + text(parameter.unit ? exact / exact_scale(*system_.pool, *parameter.unit) : exact);
      }
      if (parameter.unit) statement += fmt::format(" [{}]", parameter.unit->text);
      line("{}", statement);
    }
  }

  void print_functions() {
    for (const FunctionInfo* function : system_.unknown_functions) {
      std::vector<std::string> arguments;
      for (std::uint32_t i = 0; i < function->arity; ++i) arguments.push_back(fmt::format("x{}", i + 1));
      line("function {}({})", function->name, join(arguments));
    }
  }

  void print_directions() {
    for (const Direction& direction : system_.directions) {
      if (!direction.rotation) {
        const std::string unit = direction.unit ? fmt::format(" [{}]", direction.unit->text) : "";
        line("coord {}{}", direction.coordinate.symbol().name, unit);
        continue;
      }
      const Rotation& rotation = system_.rotations[*direction.rotation];
      const std::size_t first = rotation.first_direction;
      if (&direction != &system_.directions[first]) continue;
      const auto rate = [&](std::size_t k) { return system_.directions[first + k].velocity.symbol().name; };
      line("rotation {}({}, {}, {}) in {}", rotation.name.empty() ? "" : rotation.name + " ", rate(0),
           rate(1), rate(2), rotation.axes == Axes::body ? "body" : "space");
    }
  }

  void print_chart(std::string_view keyword, const VelocityChart& chart) {
    if (chart.parameters.empty()) return;
    std::vector<std::string> parameters, velocities;
    for (std::size_t i = 0; i < chart.velocities.size(); ++i) {
      const Expr own = system_.directions[i].velocity;
      if (chart.velocities[i] == own && is_parameter(chart, own)) continue;
      velocities.push_back(fmt::format("{} = {}", own.symbol().name, text(chart.velocities[i])));
    }
    for (Expr parameter : chart.parameters) {
      if (!is_velocity(parameter)) parameters.push_back(parameter.symbol().name);
    }
    line("{} {}: {}", keyword, join(parameters), join(velocities));
  }

  static bool is_parameter(const VelocityChart& chart, Expr symbol) {
    for (Expr parameter : chart.parameters) {
      if (parameter == symbol) return true;
    }
    return false;
  }
  bool is_velocity(Expr symbol) const {
    for (const Direction& direction : system_.directions) {
      if (direction.velocity == symbol) return true;
    }
    return false;
  }

  void print_bodies() {
    for (const Particle& particle : system_.particles) {
      line("particle {} mass {} at {}", particle.name, text(particle.mass), vector(particle.position));
    }
    for (const Body& body : system_.bodies) {
      const std::string start = fmt::format("body {} mass {}", body.name, text(body.mass));
      if (!body.in_space()) {
        line("{} inertia {} at {} angle {}", start, text(body.inertia[0]), vector(body.centre),
             text(body.angle));
        continue;
      }
      std::vector<Expr> inertia = body.inertia;
      if (inertia[3].is_zero() && inertia[4].is_zero() && inertia[5].is_zero()) inertia.resize(3);
      line("{} inertia {} at {} {}", start, vector(inertia), vector(body.centre), orientation(body.turns));
    }
  }

  std::string rates(const Turn& turn) const {
    const Triple rates = rates_of(system_, system_.rotations[*turn.rotation]);
    return fmt::format("({}, {}, {})", rates[0].symbol().name, rates[1].symbol().name,
                       rates[2].symbol().name);
  }

  std::string orientation(const std::vector<Turn>& turns) const {
    if (turns.size() == 1 && turns[0].rotation) return "rotation " + rates(turns[0]);
    std::vector<std::string> parts;
    for (const Turn& turn : turns)
      parts.push_back(turn.rotation ? rates(turn) : axis(turn.axis) + " " + text(turn.angle));
    return "turned " + (parts.empty() ? "z 0" : join(parts));
  }

  std::string axis(const Triple& axis) const {
    for (std::size_t k = 0; k < 3; ++k) {
      if (axis[k] == system_.pool->number(1) && axis[(k + 1) % 3].is_zero() && axis[(k + 2) % 3].is_zero())
        return std::string(1, static_cast<char>('x' + k));
    }
    return vector({axis.begin(), axis.end()});
  }

  /// What particles and bodies do not bring with them.
  void print_energies() {
    const Expr kinetic = system_.kinetic_extended - assembled_kinetic_energy(system_);
    if (!kinetic.is_zero()) line("kinetic {}", text(kinetic));
    if (!system_.potential_extended.is_zero()) line("potential {}", text(system_.potential_extended));
    for (std::size_t i = 0; i < system_.forces.size(); ++i) {
      const Direction& direction = system_.directions[i];
      const Expr on = direction.coordinate.empty() ? direction.velocity : direction.coordinate;
      const Expr force = system_.forces[i];
      if (force.is_zero()) continue;
      Expr constant = system_.pool->number(0);
      if (force.is(Op::add) && force.arg(0).is_number()) constant = force.arg(0);
      line("force {} = {}", on.symbol().name, text(force - constant));
      if (!constant.is_zero()) line("force {} = {}", on.symbol().name, text(constant));
    }
  }

  void print_constraints() {
    for (std::size_t i = 0; i < system_.constraints.size(); ++i) {
      const Constraint& constraint = system_.constraints[i];
      const auto contact = std::find_if(system_.contacts.begin(), system_.contacts.end(),
                                        [&](const Contact& each) { return each.constraint == i; });
      if (contact != system_.contacts.end()) {
        print_contact(*contact);
        continue;
      }
      line("constraint {}: {}{}", constraint.name, relation(constraint.relation, "="),
           power_clause(constraint));
    }
    for (const Reaction& reaction : system_.reactions)
      line("reaction {}: {}", reaction.name, text(reaction.power));
    for (const Unilateral& unilateral : system_.unilaterals) {
      if (unilateral.contact) {
        print_opening_contact(unilateral);
      } else {
        line("unilateral {}", unilateral_text(unilateral.name, unilateral));
      }
    }
    for (const ContactFamily& family : system_.families) print_family(family);
  }

  std::string unilateral_text(const std::string& name, const Unilateral& unilateral) const {
    std::string clauses = power_clause(unilateral);
    if (unilateral.friction) clauses += " friction " + text(*unilateral.friction);
    if (unilateral.sticking) clauses += " sticking " + text(*unilateral.sticking);
    if (!unilateral.slip.empty()) clauses += " on " + vector(unilateral.slip);
    if (unilateral.restitution) clauses += " restitution " + text(*unilateral.restitution);
    return fmt::format("{}: {}{}", name, relation(unilateral.gap(), ">="), clauses);
  }

  /// Names of its own, in the order of the patterns, for the symbols that have indices.
  struct Indexed {
    Unilateral contact;
    std::vector<std::pair<std::string, std::string>> names;  ///< with what is written for each: "x_{i}"
  };
  Indexed with_indices(const ContactFamily& family) const {
    const ContactFamilyMembers& members = *family.members;
    std::vector<std::size_t> order(members.slots.size());
    for (std::size_t s = 0; s < order.size(); ++s) order[s] = s;
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return members.patterns[a] < members.patterns[b]; });
    Indexed result{family.contact, {}};
    Substitution indexed;
    for (const std::size_t s : order) {
      const std::string name = fmt::format("index__{:04}", result.names.size());
      result.names.emplace_back(name, members.patterns[s]);
      indexed.emplace(members.slots[s], system_.pool->symbol(name, members.slots[s].symbol().kind));
      for (const Direction& direction : system_.directions) {
        if (direction.coordinate != members.slots[s]) continue;
        indexed.emplace(direction.velocity,
                        system_.pool->symbol(name + "'", direction.velocity.symbol().kind));
      }
    }
    const auto change = [&](Expr& e) {
      if (!e.empty()) e = substitute(e, indexed);
    };
    change(result.contact.relation);
    change(result.contact.power);
    for (Expr& e : result.contact.slip) change(e);
    for (auto* clause : {&result.contact.friction, &result.contact.sticking, &result.contact.restitution}) {
      if (*clause) change(**clause);
    }
    return result;
  }

  void print_family(const ContactFamily& family) {
    const Indexed indexed = with_indices(family);
    std::string statement = unilateral_text(family.members->name, indexed.contact);
    for (const auto& [name, pattern] : indexed.names) {
      for (std::size_t at = 0; (at = statement.find(name, at)) != std::string::npos; at += pattern.size())
        statement.replace(at, name.size(), pattern);
    }
    line("for {}: unilateral {}", family.members->indices, statement);
  }

  void print_contact(const Contact& contact) {
    std::string clauses;
    const auto add = [&](std::string_view word, Expr coefficient) {
      if (!coefficient.is_zero()) clauses += fmt::format(" {} {}", word, text(coefficient));
    };
    add("friction", contact.coefficients.friction);
    add("rolling", contact.coefficients.rolling);
    add("pivoting", contact.coefficients.pivoting);
    line("contact {}: {} on {} at {} normal {}{}", system_.constraints[contact.constraint].name,
         contact.first, contact.second.empty() ? "ground" : contact.second, vector(contact.point),
         vector(contact.normal), clauses);
  }

  void print_opening_contact(const Unilateral& unilateral) {
    std::string clauses;
    const auto add = [&](std::string_view word, const std::optional<Expr>& value) {
      if (value) clauses += fmt::format(" {} {}", word, text(*value));
    };
    add("friction", unilateral.friction);
    add("sticking", unilateral.sticking);
    for (const ResistedTurning& turning : unilateral.turning) {
      add(turning.kind == ResistedTurning::Kind::rolling ? "rolling" : "pivoting", turning.slipping);
      add("sticking", turning.sticking);
    }
    add("restitution", unilateral.restitution);
    const OpeningContact& contact = *unilateral.contact;
    line("contact {}: {} on {} at {} normal {} unilateral gap {}{}", unilateral.name, contact.first,
         contact.second.empty() ? "ground" : contact.second, vector(contact.point), vector(contact.normal),
         text(unilateral.gap()), clauses);
  }

  std::string power_clause(const Constraint& constraint) const {
    switch (constraint.power_kind) {
      case PowerKind::ideal: return "";
      case PowerKind::given: return " power " + text(constraint.power);
      case PowerKind::actuated: return " by " + text(constraint.power);
      case PowerKind::along: break;
    }
    std::vector<std::string> terms;
    for (std::size_t i = 0; i < constraint.direction.size(); ++i) {
      if (constraint.direction[i].is_zero()) continue;
      terms.push_back(fmt::format("({})*{}", text(constraint.direction[i]), system_.directions[i].form));
    }
    return " along " + join(terms, " + ");
  }

  void print_event(const Event& event) {
    std::string clauses;
    if (event.direction == EventDirection::rising) clauses += " rising";
    if (event.direction == EventDirection::falling) clauses += " falling";
    if (event.action == EventAction::stop) clauses += " then stop";
    if (event.action == EventAction::reset) clauses += " then reset " + state(event.resets);
    line("event {}: {}{}", event.name, relation(event.when, "="), clauses);
  }

  std::string about_motions(const Claim& claim) {
    const auto question = structure_question(claim);
    if (!question) return "motions == " + claim.motions;
    return claim.conserved.empty() ? claim.motions
                                   : fmt::format("{}({})", claim.motions, text(claim.conserved));
  }

  void print_claim(const Claim& claim) {
    std::string statement = claim.misprint ? "misprint " : "claim ";
    if (!claim.name.empty()) statement += claim.name + ": ";
    const std::string constraints =
        claim.constraints.empty() ? std::string() : fmt::format("({})", join(claim.constraints));
    const std::string truth = claim.expected == claim.misprint ? " == false" : "";
    switch (claim.kind) {
      case ClaimKind::equality:
        statement += fmt::format("{} == {}", text(claim.left), text(claim.right));
        break;
      case ClaimKind::compatible: statement += "compatible" + constraints + truth; break;
      case ClaimKind::holonomic: statement += "holonomic" + constraints + truth; break;
      case ClaimKind::independent: statement += "independent" + constraints + truth; break;
      case ClaimKind::motions: statement += about_motions(claim) + truth; break;
      case ClaimKind::conserved:
        statement += fmt::format("conserved({}){}", text(claim.conserved), truth);
        break;
      case ClaimKind::equations: {
        std::vector<std::string> equations;
        for (const auto& [left, right] : claim.equations)
          equations.push_back(fmt::format("{} == {}", text(left), text(right)));
        statement += "equations { " + join(equations, "; ") + " }";
        break;
      }
    }
    if (!claim.at.empty()) statement += fmt::format(" at ({})", state(claim.at));
    if (!claim.after.empty()) statement += " after " + text(claim.after);
    if (claim.within) statement += " within " + text(system_.pool->number(*claim.within));
    line("{}", statement);
  }

  const System& system_;
  std::unordered_map<std::string, std::string> calls_;
  std::string out_;
};

}  // namespace

namespace {

bool has_units(const System& system) {
  const auto has_unit = [](const auto& each) { return each.unit.has_value(); };
  return std::any_of(system.parameters.begin(), system.parameters.end(), has_unit) ||
         std::any_of(system.directions.begin(), system.directions.end(), has_unit);
}

/// All values are in SI units.
System without_units(System system) {
  for (Parameter& parameter : system.parameters) parameter.unit.reset();
  for (Direction& direction : system.directions) direction.unit.reset();
  return system;
}

}  // namespace

std::string to_lia(const System& system) {
  std::string text = Printer(system).run();
  // The numbers of a table had the units of its columns, which no number in an expression can have.
  if (has_units(system) && !parse_model(Source("printed", text)).ok())
    return "# in SI units, which are left out: the numbers of tables have none\n" +
           Printer(without_units(system)).run();
  return text;
}

}  // namespace liaison
