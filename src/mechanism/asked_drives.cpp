#include "liaison/mechanism/asked_drives.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/substitute.hpp"

namespace liaison {

namespace {

/// A constraint works by its factor, and so does it in the power of each drive that moves it: what is there
/// is not counted again.
void take_out_constraints(Algebra& algebra, const System& system, const std::vector<FoundDrive>& found,
                          AskedDrives& asked) {
  const auto kind_of = [&](const AskedDrive& drive) {
    for (const FoundDrive& one : found)
      if (one.name == drive.name) return one.kind;
    return FoundDrive::Kind::time;
  };
  std::vector<AskedDrive> kept;
  for (AskedDrive drive : asked.drives) {
    const auto constraint = std::find_if(system.constraints.begin(), system.constraints.end(),
                                         [&](const Constraint& one) { return one.name == drive.name; });
    if (kind_of(drive) != FoundDrive::Kind::constraint || constraint == system.constraints.end()) {
      kept.push_back(std::move(drive));
      continue;
    }
    Expr named = algebra.pool().number(0), by_time = named;
    for (const AskedDrive& other : asked.drives) {
      const Expr part = derivative(other.power, constraint->factor);
      if (kind_of(other) == FoundDrive::Kind::rheonomic) named += part;
      if (kind_of(other) == FoundDrive::Kind::time) by_time += part;
    }
    const Expr own = derivative(drive.power, constraint->factor);
    const auto vanishes = [&](Expr e) { return e.is_zero() || algebra.is_zero(e).is_proved(); };
    if (vanishes(own - named) && !vanishes(own)) continue;
    if (vanishes(own - named - by_time)) {
      drive.is_counted = false;
    } else if (!vanishes(named + by_time)) {
      asked.has_law = false;  // a part of it is in others
    }
    kept.push_back(std::move(drive));
  }
  asked.drives = std::move(kept);
}

/// A system that was derived from the model, as a variational problem, has other unknowns than its text.
bool is_same_kind(const System& one, const System& two) {
  return std::equal(one.directions.begin(), one.directions.end(), two.directions.begin(),
                    two.directions.end(),
                    [](const Direction& a, const Direction& b) {
                      return a.velocity.symbol().name == b.velocity.symbol().name;
                    }) &&
         std::equal(one.constraints.begin(), one.constraints.end(), two.constraints.begin(),
                    two.constraints.end(),
                    [](const Constraint& a, const Constraint& b) { return a.name == b.name; });
}

}  // namespace

AskedDrives asked_drives(MechanismParts& parts) {
  AskedDrives result;
  const System& system = parts.system();
  const std::string text(parts.source().text());
  std::string fresh = "asked";
  while (text.find(fresh) != std::string::npos) fresh += "_";
  const std::vector<FoundDrive> found = drives_of(system);
  Substitution open;  // what is told of drives is told of open contacts
  for (const Unilateral& unilateral : system.unilaterals)
    open.emplace(unilateral.factor, system.pool->number(0));
  for (const FoundDrive& drive : found) {
    const std::string question =
        fmt::format("{0}\n\noutput {1}_force = drive_force({2})\noutput {1}_power = drive_power({2})\n", text,
                    fresh, drive.name);
    AskedDrive told{.name = drive.name, .force = {}, .power = {}};
    try {
      const MechanismParts asked(parts.name(), question);
      if (!is_same_kind(asked.system(), system)) return {.drives = {}, .has_law = false};
      for (const Output& output : asked.system().outputs) {
        if (output.name == fresh + "_force")
          told.force = substitute(copy_to(*system.pool, output.value), open);
        if (output.name == fresh + "_power")
          told.power = substitute(copy_to(*system.pool, output.value), open);
      }
    } catch (const Refused&) {  // a drive that pushes in a way that is not said
      result.has_law = false;
      continue;
    }
    if (!told.force.empty() && !told.power.empty()) result.drives.push_back(std::move(told));
  }
  take_out_constraints(parts.algebra(), system, found, result);
  return result;
}

}  // namespace liaison
