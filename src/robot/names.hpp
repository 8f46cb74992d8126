#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace liaison::robot {

/// Names of a file as names of the language: letters, digits and `_`, no word of the language, none twice.
class NameTable {
 public:
  /// A name for `wanted`; `kind` ("joint", "link") is put to it where it could not be one by itself.
  std::string take(const std::string& wanted, const std::string& kind);
  /// NAME_part for something that belongs to a name which was taken.
  std::string take_part(const std::string& name, const std::string& part);
  void reserve(const std::string& name) { taken_.insert(name); }
  /// (in the file, here) of those that are not the same.
  const std::vector<std::pair<std::string, std::string>>& renamed() const { return renamed_; }

 private:
  std::string unique(const std::string& name);
  std::set<std::string> taken_;
  std::vector<std::pair<std::string, std::string>> renamed_;
};

}  // namespace liaison::robot
