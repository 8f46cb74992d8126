#include "family_kernels.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "liaison/compile/interpreter.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/term_sizes.hpp"
#include "liaison/model/kinematics.hpp"
#include "liaison/simulate/variational.hpp"
#include "simulate/equations/switches.hpp"

namespace liaison {

namespace {

/// Contacts that are gathered and evaluated at once: they stay near the processor.
constexpr std::size_t chunk = 1024;
constexpr std::uint32_t nowhere = 0xFFFFFFFF;
constexpr const char* fewer = "up to 500 contacts of one `for` are written out, and then this is followed";

}  // namespace

FamilyKernels::FamilyKernels(const System& system, const Unilateral& contact,
                             const ContactFamilyMembers* members, const InputPlaces& inputs, Engine engine)
    : law_(contact_law(system, contact)),
      restitution_(contact.restitution.value_or(system.pool->number(0))),
      members_(members),
      inputs_(inputs) {
  if (!law_.missing.empty()) {
    throw Error(ErrorCode::missing_value, law_.missing,
                "write `friction F on U` with the velocity U along the surface, `on [U, V]` in space");
  }
  if (members != nullptr) {
    for (const Expr symbol : members->symbols) {
      places_.push_back(inputs.places.at(symbol));
      const auto velocity = inputs.velocity_of.find(symbol);
      velocity_places_.push_back(velocity == inputs.velocity_of.end() ? nowhere
                                                                      : inputs.places.at(velocity->second));
      const Expr moving = velocity == inputs.velocity_of.end() ? symbol : velocity->second;
      const auto direction = inputs.directions.find(moving);
      directions_.push_back(direction == inputs.directions.end() ? 0 : direction->second);
      if (symbol.symbol().kind == SymbolKind::coordinate && velocity == inputs.velocity_of.end()) {
        throw Error(not_for_method,
                    fmt::format("`{}` turns with a rotation, which contacts of a `for` do not follow yet",
                                members->name),
                    fewer);
      }
    }
  }
  make_gaps(engine);
  make_rows(system, engine);
}

FamilyKernels::Input FamilyKernels::input_for(Expr symbol) const {
  for (std::size_t s = 0; members_ != nullptr && s < members_->slots.size(); ++s) {
    const Expr slot = members_->slots[s];
    if (slot == symbol) return {s, false, 0};
    const auto velocity = inputs_.velocity_of.find(slot);
    if (velocity != inputs_.velocity_of.end() && velocity->second == symbol) return {s, true, 0};
  }
  const auto found = inputs_.places.find(symbol);
  if (found == inputs_.places.end()) {
    throw Error(not_for_method,
                fmt::format("`{}` depends on `{}`, which is known between steps only",
                            members_ == nullptr ? law_.held.name : members_->name, symbol.symbol().name),
                "a coefficient of parameters, coordinates and velocities");
  }
  return {{}, false, found->second};
}

std::uint32_t FamilyKernels::place(const Input& input, std::size_t k) const {
  if (!input.slot) return input.fixed;
  const std::uint32_t symbol = members_->filled[k * members_->slots.size() + *input.slot];
  return input.is_velocity ? velocity_places_[symbol] : places_[symbol];
}

void FamilyKernels::make_gaps(Engine engine) {
  const std::vector<Expr> outputs{law_.held.relation, size_of_terms(law_.held.relation)};
  const std::vector<Expr> symbols = symbols_in(outputs);
  for (const Expr symbol : symbols) gap_inputs_.push_back(input_for(symbol));
  gap_program_ = Runner(symbols, outputs, engine);
  gap_places_.reserve(gap_inputs_.size() * size());
  for (const Input& input : gap_inputs_) {
    for (std::size_t k = 0; k < size(); ++k) gap_places_.push_back(place(input, k));
  }
}

void FamilyKernels::gaps(const double* in, double* gaps, double* sizes) {
  gathered_.resize(std::max(gathered_.size(), chunk * gap_inputs_.size()));
  results_.resize(std::max(results_.size(), 2 * chunk));
  for (std::size_t begin = 0; begin < size(); begin += chunk) {
    const std::size_t count = std::min(chunk, size() - begin);
    for (std::size_t i = 0; i < gap_inputs_.size(); ++i) {
      const std::uint32_t* places = &gap_places_[i * size() + begin];
      double* to = &gathered_[i * count];
      for (std::size_t k = 0; k < count; ++k) to[k] = in[places[k]];
    }
    gap_program_.batch(gathered_.data(), results_.data(), count);
    std::copy_n(results_.begin(), count, gaps + begin);
    std::copy_n(results_.begin() + static_cast<std::ptrdiff_t>(count), count, sizes + begin);
  }
}

void FamilyKernels::gaps_of(const double* in, const std::vector<std::size_t>& members, double* gaps,
                            double* sizes) {
  const std::size_t count = members.size();
  if (count == 0) return;
  gathered_.resize(std::max(gathered_.size(), count * gap_inputs_.size()));
  results_.resize(std::max(results_.size(), 2 * count));
  for (std::size_t i = 0; i < gap_inputs_.size(); ++i) {
    for (std::size_t k = 0; k < count; ++k)
      gathered_[i * count + k] = in[gap_places_[i * size() + members[k]]];
  }
  gap_program_.batch(gathered_.data(), results_.data(), count);
  for (std::size_t k = 0; k < count; ++k) {
    gaps[members[k]] = results_[k];
    sizes[members[k]] = results_[count + k];
  }
}

/// l of the force that keeps the gap, one a velocity.
std::vector<Expr> FamilyKernels::direction_of(const System& system, Expr rate) const {
  const Constraint& held = law_.held;
  if (held.power_kind == PowerKind::ideal) return gradient(rate, velocities_);
  if (held.power_kind != PowerKind::along) {
    if (auto components = power_gradient(held.power, velocities_)) return *components;
  }
  std::vector<Expr> direction(velocities_.size(), system.pool->number(0));
  for (std::size_t a = 0; a < velocities_.size() && held.power_kind == PowerKind::along; ++a)
    direction[a] = held.direction[inputs_.directions.at(velocities_[a])];
  return direction;
}

void FamilyKernels::make_rows(const System& system, Engine engine) {
  const Constraint& held = law_.held;
  const Expr rate = held.holonomic ? time_derivative(system, held.relation) : held.relation;
  std::vector<Expr> moving{rate};
  if (!held.power.empty()) moving.push_back(held.power);
  for (const Resistance& resistance : law_.resistances)
    moving.insert(moving.end(), resistance.velocity.begin(), resistance.velocity.end());
  for (const Expr symbol : symbols_in(moving)) {
    if (inputs_.directions.contains(symbol)) velocities_.push_back(symbol);
  }
  for (const Expr velocity : velocities_) velocity_inputs_.push_back(input_for(velocity));
  std::vector<Expr> outputs{rate, size_of_terms(rate)};
  const auto add = [&](const std::vector<Expr>& es) { outputs.insert(outputs.end(), es.begin(), es.end()); };
  add(gradient(rate, velocities_));
  add(direction_of(system, rate));
  for (const Resistance& resistance : law_.resistances) {
    components_.push_back(resistance.velocity.size());
    for (const Expr component : resistance.velocity) {
      outputs.push_back(component);
      add(gradient(component, velocities_));
    }
  }
  for (const Resistance& resistance : law_.resistances) add({resistance.slipping, resistance.sticking});
  outputs.push_back(restitution_);
  width_ = outputs.size();
  const std::vector<Expr> symbols = symbols_in(outputs);
  for (const Expr symbol : symbols) row_inputs_.push_back(input_for(symbol));
  row_program_ = Runner(symbols, outputs, engine);
}

void FamilyKernels::evaluate(const double* in, const std::vector<std::size_t>& members) {
  const std::size_t count = members.size();
  gathered_.resize(std::max(gathered_.size(), count * row_inputs_.size()));
  results_.resize(std::max(results_.size(), count * width_));
  for (std::size_t i = 0; i < row_inputs_.size(); ++i) {
    for (std::size_t k = 0; k < count; ++k) gathered_[i * count + k] = in[place(row_inputs_[i], members[k])];
  }
  if (count > 0) row_program_.batch(gathered_.data(), results_.data(), count);
  rows_.resize(count * width_);
  for (std::size_t o = 0; o < width_; ++o) {
    for (std::size_t k = 0; k < count; ++k) rows_[k * width_ + o] = results_[o * count + k];
  }
}

bool FamilyKernels::all_finite_rows() const {
  return all_finite(rows_);
}

FamilyKernels::Rows FamilyKernels::rows(std::size_t place) const {
  const double* all = &rows_[place * width_];
  const std::size_t n = velocities_.size();
  Rows rows{all[0], all[1], all + 2, all + 2 + n, all + 2 + 2 * n, nullptr};
  std::size_t slips = 0;
  for (const std::size_t components : components_) slips += components;
  rows.coefficients = rows.slips + slips * (n + 1);
  return rows;
}

std::size_t FamilyKernels::direction(std::size_t k, std::size_t velocity) const {
  const Input& input = velocity_inputs_[velocity];
  if (!input.slot) return inputs_.directions.at(velocities_[velocity]);
  return directions_[members_->filled[k * members_->slots.size() + *input.slot]];
}

}  // namespace liaison
