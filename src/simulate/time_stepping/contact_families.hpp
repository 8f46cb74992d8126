#pragma once

#include "family_kernels.hpp"
#include "mass_blocks.hpp"
#include "step_contacts.hpp"

namespace liaison {

/// Contacts of which most are one contact with other symbols (`for ...: unilateral ...`), with sparse rows:
/// the gaps of all are evaluated by one program a family, rows are made for those that press.
class ContactFamilies final : public StepContacts {
 public:
  /// `open`: the equations with all contacts open, which outlive it. Throws Error where the model does not
  /// say what contacts need, Error(not_for_method) for what is not followed for so many.
  ContactFamilies(const System& system, const AssembledEquations& open, const DoublePoint& parameters,
                  Engine engine);

  std::size_t size() const override { return first_.back(); }
  std::string name(std::size_t contact) const override;
  bool is_place(std::size_t contact) const override { return families_[family_of(contact)].is_place(); }
  std::size_t factor_count() const override { return factor_count_; }
  bool take(double t, const std::vector<double>& y) override;
  bool take_some(double t, const std::vector<double>& y, const std::vector<std::size_t>& contacts) override;
  std::optional<ManyContacts> step(const std::vector<std::size_t>& contacts,
                                   std::span<const double> velocities) override;
  void add_factors(const std::vector<std::size_t>& contacts, const std::vector<double>& impulses,
                   double* factors) override;

 private:
  std::size_t family_of(std::size_t contact) const;
  void set_state(double t, const std::vector<double>& y);
  /// The shares of the families in contacts that are in order.
  void share(const std::vector<std::size_t>& contacts);
  bool has_no_value(std::size_t contact);
  /// Rows of each family for its share of the contacts.
  bool evaluate(const std::vector<std::size_t>& contacts);
  bool add_rows(FamilyKernels& family, std::size_t place, std::size_t member, ManyContacts& problem);
  bool add_row(FamilyKernels& family, std::size_t member, double value, const double* gradient,
               const double* direction, ManyContacts& problem);
  bool have_sense(const FamilyKernels& family, std::size_t member, const FamilyKernels::Rows& rows);

  InputPlaces inputs_;
  std::vector<FamilyKernels> families_;
  std::vector<std::size_t> first_;  ///< contact of each family, and the number of all
  MassBlocks masses_;
  std::size_t positions_ = 0, state_size_ = 0, factor_count_ = 0;
  std::vector<double> in_;  ///< time, state, parameters
  std::vector<std::vector<std::size_t>> members_;
  std::vector<MassBlocks::Row> asked_;  ///< of the constraints, by each row of the last step
  MassBlocks::Response response_;
};

}  // namespace liaison
