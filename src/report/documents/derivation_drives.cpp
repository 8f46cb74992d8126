#include <fmt/format.h>

#include <algorithm>

#include "derivation_parts.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/drive_energy.hpp"

/// What the extended equations add to those of the coordinates: forces and powers of drives, energies.
namespace liaison {

namespace {

class Drives {
 public:
  explicit Drives(const DerivationContext& context)
      : context_(context), motion_(context.motion), system_(*context.motion.space.system) {
    for (const Direction& direction : system_.directions) velocities_.push_back(direction.velocity);
    energy_ = drive_energy(context.algebra, motion_, context.manifold, context.options.drives);
  }

  Section section() {
    // rows V6.extended-equations, V6.gallissot-map, V8.dalembert-lagrange
    result_.blocks.push_back(Paragraph{
        "The equations above are those of the coordinates, with the laws of the drives in them. Kept as a "
        "direction q0 of its own, each drive adds one equation, d/dt ∂T/∂q0' − ∂T/∂q0 + ∂V/∂q0 − Q₀ = R₀: "
        "d'Alembert's principle has the term R₀ δq0 beside those of δq. The first formula of a drive is that "
        "equation, a second one its value along the motion."});
    add_momenta();
    add_forces();
    add_energies();
    add_potential();
    return std::move(result_);
  }

 private:
  const std::vector<AskedDrive>& drives() const { return context_.options.drives.drives; }
  /// Applied forces, and constraints that are not ideal.
  bool others_work() const {
    return std::any_of(system_.forces.begin(), system_.forces.end(),
                       [](Expr force) { return !force.is_zero(); }) ||
           !system_.reactions.empty() ||
           std::any_of(system_.constraints.begin(), system_.constraints.end(),
                       [](const Constraint& one) { return one.power_kind != PowerKind::ideal; });
  }

  Expr readable(Expr e) const { return context_.algebra.readable(e); }

  void display(const std::string& key, const Math& left, Expr value, const std::string& note) {
    const Expr shown[] = {value};
    if (is_readable(context_, shown))
      result_.blocks.push_back(Display{key, relate(left, "=", math(tidy(value))), note});
    else
      result_.blocks.push_back(Paragraph{fmt::format("{}: too long to be read.", note)});
  }

  /// p_0 and whether the tensor on the drives and the coordinates has an inverse.
  void add_momenta() {
    if (system_.rheonomic.empty() || !system_.chart.parameters.empty()) return;
    std::vector<Expr> all = velocities_;
    for (const Rheonomic& chosen : system_.rheonomic) {
      all.push_back(chosen.velocity);
      display("momentum." + chosen.name, indexed("p", "p", "p", chosen.name),
              readable(derivative(system_.kinetic_extended, chosen.velocity)), "its momentum ∂T/∂q0'");
    }
    if (all.size() > 6) return;
    Matrix tensor(context_.algebra.pool(), all.size(), all.size());
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t j = 0; j < all.size(); ++j)
        tensor(i, j) = derivative(derivative(system_.kinetic_extended, all[i]), all[j]);
    const DeterminantResult found = determinant(context_.algebra, tensor);
    const Expr size = readable(found.value);
    if (found.grade == Grade::proved && (size.is_zero() || context_.algebra.is_zero(size).is_proved()))
      result_.blocks.push_back(Paragraph{
          "The tensor of inertia on the drives and the coordinates together is singular (proved): it has no "
          "inverse, and R₀ is taken from its own equation, which needs none."});
  }

  Expr along_motion(Expr e) const {
    return liaison::along_motion(context_.algebra, motion_, context_.manifold, e);
  }

  void add_forces() {
    for (const AskedDrive& drive : drives()) {
      const Math name_of_force = indexed("R", "R", "R", drive.name);
      display("drive." + drive.name, name_of_force, readable(drive.force),
              fmt::format("drive_force({})", drive.name));
      const Expr along = along_motion(drive.force);
      if (!along.empty() && along != readable(drive.force))
        display("drive." + drive.name + ".value", name_of_force, along, "along the motion");
    }
  }

  /// T + V, Jacobi's function, and what is between them.
  void add_energies() {
    const bool works = others_work();
    const Verdict homogeneous = is_homogeneous();
    if (context_.options.drives.has_law) {
      std::vector<std::string> powers;
      for (const AskedDrive& drive : drives())
        if (drive.is_counted) powers.push_back(fmt::format("drive_power({})", drive.name));
      const Verdict& law = energy_.law;
      const std::string rate = fmt::format("d(T + V)/dt = {}", fmt::join(powers, " + "));
      if (homogeneous.is_refuted())
        result_.blocks.push_back(Paragraph{
            fmt::format("T + V is not the energy: T is not of degree two in the velocities and those of "
                        "the drives. {}: {}.",
                        rate, describe(law))});
      else if (works && !law.is_proved())
        result_.blocks.push_back(Paragraph{fmt::format(
            "The law of energy: {}, and the power of applied forces and of constraints that are not ideal.",
            rate)});
      else
        result_.blocks.push_back(Paragraph{
            fmt::format("{}{} ({}).", law.is_refuted() ? "" : "The law of energy: ", rate, describe(law))});
    }
    if (!system_.chart.parameters.empty()) return;
    const std::vector<Expr> momenta = gradient(system_.kinetic, velocities_);
    std::vector<Expr> terms;
    for (std::size_t i = 0; i < momenta.size(); ++i) terms.push_back(velocities_[i] * momenta[i]);
    const Expr radial = system_.pool->add(terms);
    const Expr between = readable(Rational(2) * system_.kinetic - radial);
    if (between.is_zero() || context_.algebra.is_zero(between).is_proved()) return;
    display("jacobi", indexed("H", "H", "H", "J"), readable(radial - system_.kinetic + system_.potential),
            "Jacobi's function T₂ − T₀ + V, of the coordinates alone");
    display("jacobi.difference", name("T + V - H_J", "T + V − H_J", "T + V - H_J"), between,
            homogeneous.holds() && !system_.rheonomic.empty()
                ? "what the energy has beside it: Σ p₀ q0'"
                : "what T + V has beside it: the part of T of degree one, and twice that of degree zero");
    const Expr rate = readable(derivative(system_.potential - system_.kinetic, system_.time));
    if (rate.is_zero() || context_.algebra.is_zero(rate).is_proved())
      result_.blocks.push_back(Paragraph{
          works ? "The time enters neither T nor V by itself (proved): H_J changes by the applied forces, "
                  "and by "
                  "constraints that move or are not ideal."
                : "The time enters neither T nor V by itself (proved): ideal constraints at rest keep H_J."});
    else
      display("jacobi.rate", name("∂H_J/∂t", "∂H_J/∂t", "\\partial H_J/\\partial t"), rate,
              "by which the time changes it: ∂V/∂t − ∂T/∂t");
  }

  /// T of degree two in the velocities and those of the drives: no part of it is a field's.
  Verdict is_homogeneous() const {
    std::vector<Expr> all = velocities_;
    for (const Rheonomic& chosen : system_.rheonomic) all.push_back(chosen.velocity);
    if (system_.rheonomic.empty() || depends_on(system_.kinetic_extended, system_.time))
      return Verdict::of(
          Grade::unknown);  // the time is a drive whose velocity is one: its degree is not seen
    std::vector<Expr> terms{Rational(-2) * system_.kinetic_extended};
    for (Expr velocity : all) terms.push_back(velocity * derivative(system_.kinetic_extended, velocity));
    return context_.algebra.is_zero(system_.pool->add(terms));
  }

  /// Minus the integral of the powers is a potential of the drives (row V2.first-integral-test).
  void add_potential() {
    for (const std::string& drive : energy_.of_state)
      result_.blocks.push_back(
          Paragraph{fmt::format("R of {} depends on the state: it has no potential P.", drive)});
    if (energy_.rate.empty()) {
      if (energy_.of_time && others_work())
        result_.blocks.push_back(Paragraph{
            "The forces of the drives are functions of the time alone (proved); other forces work too."});
      return;
    }
    const std::string note =
        "a potential of the drives: R₀ is a function of the time alone (proved), of q0 alone where q0 goes "
        "one way; T + V + P is kept on all motions";
    if (energy_.potential.empty())
      display("potential.rate", name("dP/dt", "dP/dt", "\\mathrm{d}P/\\mathrm{d}t"), energy_.rate, note);
    else
      display("potential", name("P", "P", "P"), energy_.potential, note);
  }

  const DerivationContext& context_;
  const Motion& motion_;
  const System& system_;
  std::vector<Expr> velocities_;
  DriveEnergy energy_;
  Section result_{"drives", "What the drives add", {}};
};

}  // namespace

Section drives_section(const DerivationContext& context) {
  return Drives(context).section();
}

}  // namespace liaison
