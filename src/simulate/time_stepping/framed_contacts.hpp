#pragma once

#include "simulate/contacts/contact_frame.hpp"
#include "step_contacts.hpp"

namespace liaison {

/// Contacts that are written out one by one, with dense rows.
class FramedContacts final : public StepContacts {
 public:
  FramedContacts(ContactFrame& frame, const ContactModes& modes);

  std::size_t size() const override { return modes_.size(); }
  std::string name(std::size_t contact) const override { return modes_.name(contact); }
  bool is_place(std::size_t contact) const override { return modes_.laws()[contact].held.holonomic; }
  std::size_t factor_count() const override { return frame_.equations().factors.size(); }
  bool take(double t, const std::vector<double>& y) override;
  std::optional<ManyContacts> step(const std::vector<std::size_t>& contacts,
                                   std::span<const double> velocities) override;
  void add_factors(const std::vector<std::size_t>& contacts, const std::vector<double>& impulses,
                   double* factors) override {
    frame_.add_factors(contacts, impulses, factors);
  }

 private:
  ContactFrame& frame_;
  const ContactModes& modes_;
};

}  // namespace liaison
