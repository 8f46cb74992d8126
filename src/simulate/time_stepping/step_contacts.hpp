#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "liaison/unilateral/many_contacts.hpp"

namespace liaison {

/// The contacts of a run by steps of time: the gaps of all of them, and the rows of those that press.
class StepContacts {
 public:
  virtual ~StepContacts() = default;

  virtual std::size_t size() const = 0;
  virtual std::string name(std::size_t contact) const = 0;
  virtual bool is_place(std::size_t contact) const = 0;  ///< its gap is no speed
  virtual std::size_t factor_count() const = 0;          ///< of all forces that the rows of a run have

  /// All gaps at a state. False where something has no value; failure() says what.
  virtual bool take(double t, const std::vector<double>& y) = 0;
  /// As `take`, but gaps of these contacts alone may be new; they are in order.
  virtual bool take_some(double t, const std::vector<double>& y, const std::vector<std::size_t>&) {
    return take(t, y);
  }
  std::span<const double> gaps() const { return gaps_; }
  std::span<const double> sizes() const { return sizes_; }  ///< of the terms of each gap
  const std::string& failure() const { return failure_; }

  /// The rows of some contacts at the state that was taken last, for a step that would end with these
  /// velocities; `before` of the contacts is left to who knows it.
  virtual std::optional<ManyContacts> step(const std::vector<std::size_t>& contacts,
                                           std::span<const double> velocities) = 0;
  /// Impulses of those contacts, and what they ask of the constraints that cannot open, to all factors.
  virtual void add_factors(const std::vector<std::size_t>& contacts, const std::vector<double>& impulses,
                           double* factors) = 0;

 protected:
  std::vector<double> gaps_, sizes_;
  std::string failure_;
};

}  // namespace liaison
