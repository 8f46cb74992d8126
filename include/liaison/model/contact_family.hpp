#ifndef LIAISON_MODEL_CONTACT_FAMILY_HPP
#define LIAISON_MODEL_CONTACT_FAMILY_HPP

#include <cstdint>
#include <string>
#include <vector>

#include "liaison/expr/expr.hpp"

namespace liaison {

/// Names of a statement that is said for many values of its indices: "x_{i}", "d_{i}_{j}".
struct ContactFamilyMembers {
  std::string name;     ///< of the contacts: "d_{i}_{j}"
  std::string indices;  ///< as written: "i in 1..200, j in i+1..200"
  std::vector<std::string> index_names;
  std::vector<std::int32_t> values;   ///< of the indices, contact by contact
  std::vector<Expr> slots;            ///< symbols of the first contact that are others in others
  std::vector<std::string> patterns;  ///< "x_{i}", one a slot
  std::vector<Expr> symbols;          ///< all that stand in slots
  std::vector<std::uint32_t> filled;  ///< the place in `symbols` of each slot, contact by contact

  std::size_t size() const { return index_names.empty() ? 0 : values.size() / index_names.size(); }
  /// In place of slot s in contact k.
  Expr symbol(std::size_t k, std::size_t s) const { return symbols[filled[k * slots.size() + s]]; }
  std::string name_of(std::size_t k) const;
};

}  // namespace liaison

#endif  // LIAISON_MODEL_CONTACT_FAMILY_HPP
