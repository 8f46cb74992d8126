#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "liaison/unilateral/contact_law.hpp"
#include "simulate/equations/runner.hpp"

namespace liaison {

/// Where the symbols of a system stand among the inputs of programs: the time, the state, the parameters.
struct InputPlaces {
  std::unordered_map<Expr, std::uint32_t> places;
  std::unordered_map<Expr, Expr> velocity_of;        ///< of each coordinate
  std::unordered_map<Expr, std::size_t> directions;  ///< of each velocity
};

/// One contact as programs, run over many contacts that differ by their symbols alone.
class FamilyKernels {
 public:
  /// `members` may be null: a contact by itself. Throws Error where the model does not say what contacts
  /// need, or says what is not followed for so many.
  FamilyKernels(const System& system, const Unilateral& contact, const ContactFamilyMembers* members,
                const InputPlaces& inputs, Engine engine);

  std::size_t size() const { return members_ == nullptr ? 1 : members_->size(); }
  std::string name(std::size_t k) const {
    return members_ == nullptr ? law_.held.name : members_->name_of(k);
  }
  bool is_place() const { return law_.held.holonomic; }

  /// Gaps of all, and the sizes of their terms.
  void gaps(const double* in, double* gaps, double* sizes);
  /// Of some members, at their places.
  void gaps_of(const double* in, const std::vector<std::size_t>& members, double* gaps, double* sizes);

  /// What the rows of one contact have.
  struct Rows {
    double value = 0, size = 0;          ///< the rate of the gap, and of its terms
    const double *gradient, *direction;  ///< one a velocity
    const double* slips;                 ///< of each component: its value, then its gradient
    const double* coefficients;          ///< slipping and sticking of each resistance, then restitution
  };
  /// Of some contacts of the family.
  void evaluate(const double* in, const std::vector<std::size_t>& members);
  Rows rows(std::size_t place) const;
  std::size_t velocity_count() const { return velocities_.size(); }
  std::size_t direction(std::size_t k, std::size_t velocity) const;           ///< of a velocity of contact k
  const std::vector<std::size_t>& components() const { return components_; }  ///< of each resistance
  bool all_finite_rows() const;

 private:
  /// An input of a program: a slot of the contact, or the same for all.
  struct Input {
    std::optional<std::size_t> slot;
    bool is_velocity = false;
    std::uint32_t fixed = 0;
  };
  Input input_for(Expr symbol) const;
  std::uint32_t place(const Input& input, std::size_t k) const;
  void make_gaps(Engine engine);
  void make_rows(const System& system, Engine engine);
  std::vector<Expr> direction_of(const System& system, Expr rate) const;

  ContactLaw law_;
  Expr restitution_;
  const ContactFamilyMembers* members_;
  const InputPlaces& inputs_;
  std::vector<std::uint32_t> places_, velocity_places_;  ///< of each symbol of the members
  std::vector<std::size_t> directions_;                  ///< of its velocity, or of itself where it is one
  Runner gap_program_, row_program_;
  std::vector<Input> gap_inputs_, row_inputs_;
  std::vector<std::uint32_t> gap_places_;  ///< input by input, contact by contact
  std::vector<Expr> velocities_;
  std::vector<Input> velocity_inputs_;
  std::vector<std::size_t> components_;
  std::size_t width_ = 0;  ///< of what is known of one contact
  std::vector<double> gathered_, results_, rows_;
};

}  // namespace liaison
