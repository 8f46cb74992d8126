#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "syntax.hpp"

/// The names of a part as they are in the model that imports it.
namespace liaison {

/// A part's names: those that it declares begin with the name of the part, or are names of the model.
class Renaming {
 public:
  Renaming(std::string prefix, std::string folder) : prefix_(std::move(prefix)), folder_(std::move(folder)) {}

  void declare(const syntax::Statement& statement);
  bool knows(const std::string& name) const { return names_.contains(name); }
  std::vector<std::string> known() const;
  /// The name of the model that stands for one of the part.
  void replace(const std::string& name, std::string by) { names_[name] = std::move(by); }

  /// A name of the part, with its primes, in the model; as it is where the part does not declare it.
  std::string renamed(const std::string& name) const;
  /// The statement with the names of the model. Files of tables are seen from `folder`.
  std::string write(std::string_view text, const syntax::Statement& statement);

 private:
  std::optional<std::string> generated(const std::string& stem, bool in_form) const;

  std::string prefix_, folder_;
  std::unordered_map<std::string, std::string> names_;
  std::set<std::string> functions_, rotations_, joints_, unilaterals_;
  std::size_t rotation_count_ = 0, written_rotations_ = 0;
};

}  // namespace liaison
