#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace liaison {

/// Machine code in a folder of this user alone, a file for each program under the name of its key. Processes
/// read and write at once as they like: a file appears whole or not at all, and one that is damaged is taken
/// away. What cannot be read or written is not kept.
class KeptCode {
 public:
  static constexpr std::uintmax_t default_limit = std::uintmax_t{256} << 20;

  /// All files together stay below `limit` bytes: those go first that were not asked for longest.
  explicit KeptCode(std::filesystem::path folder, std::uintmax_t limit = default_limit);

  /// `key` is a file's name.
  std::optional<std::string> find(const std::string& key);
  void keep(const std::string& key, std::string_view code);

 private:
  bool is_ours() const;  ///< a folder that nobody else can write to
  void make_room();

  std::filesystem::path folder_;
  std::uintmax_t limit_;
};

}  // namespace liaison
