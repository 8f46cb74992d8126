#include "kept_code.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <vector>

#include "liaison/expr/text_hash.hpp"

namespace liaison {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view ending = ".code";
constexpr std::string_view unfinished = ".part-";

/// What stands before the code: that it is one, of which program, how long, and its sum.
std::string heading(const std::string& key, std::string_view code) {
  return fmt::format("liaison machine code 1\n{}\n{}\n{:016x}\n", key, code.size(), hash_of_text(code));
}

class File {
 public:
  explicit File(int number) : number_(number) {}
  ~File() {
    if (number_ >= 0) ::close(number_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  bool is_open() const { return number_ >= 0; }

  std::optional<std::string> read_all() const {
    struct stat about{};
    if (::fstat(number_, &about) != 0 || !S_ISREG(about.st_mode) || about.st_uid != ::geteuid())
      return std::nullopt;
    std::string text(static_cast<std::size_t>(about.st_size), '\0');
    for (std::size_t done = 0; done < text.size();) {
      const ssize_t got = ::read(number_, text.data() + done, text.size() - done);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return std::nullopt;
      done += static_cast<std::size_t>(got);
    }
    return text;
  }

  bool write_all(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t put = ::write(number_, text.data(), text.size());
      if (put < 0 && errno == EINTR) continue;
      if (put <= 0) return false;
      text.remove_prefix(static_cast<std::size_t>(put));
    }
    return true;
  }

 private:
  int number_;
};

struct Entry {
  fs::path path;
  std::uintmax_t size = 0;
  fs::file_time_type used;
};

void remove_quietly(const fs::path& path) {
  std::error_code ignored;
  fs::remove(path, ignored);
}

/// The finished files of a folder; unfinished ones that nobody has written to for an hour are removed.
std::vector<Entry> entries_of(const fs::path& folder) {
  std::vector<Entry> entries;
  std::error_code error;
  const fs::file_time_type old = fs::file_time_type::clock::now() - std::chrono::hours(1);
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    std::error_code gone;
    const fs::file_time_type used = at->last_write_time(gone);
    const std::string name = at->path().filename().string();
    if (gone) continue;
    if (name.ends_with(ending)) {
      const std::uintmax_t size = at->file_size(gone);
      if (!gone) entries.push_back({.path = at->path(), .size = size, .used = used});
    } else if (name.find(unfinished) != std::string::npos && used < old) {
      remove_quietly(at->path());
    }
  }
  return entries;
}

}  // namespace

KeptCode::KeptCode(fs::path folder, std::uintmax_t limit) : folder_(std::move(folder)), limit_(limit) {}

bool KeptCode::is_ours() const {
  struct stat about{};
  return ::stat(folder_.c_str(), &about) == 0 && S_ISDIR(about.st_mode) && about.st_uid == ::geteuid() &&
         (about.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

std::optional<std::string> KeptCode::find(const std::string& key) {
  const fs::path path = folder_ / (key + std::string(ending));
  if (!is_ours()) return std::nullopt;
  const File file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!file.is_open()) return std::nullopt;
  std::optional<std::string> text = file.read_all();
  std::size_t begin = 0;
  for (int line = 0; text && line < 4 && begin != std::string::npos; ++line) {
    begin = text->find('\n', begin);
    if (begin != std::string::npos) ++begin;
  }
  if (!text || begin == std::string::npos ||
      std::string_view(*text).substr(0, begin) != heading(key, std::string_view(*text).substr(begin))) {
    remove_quietly(path);
    return std::nullopt;
  }
  std::error_code ignored;
  fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);  // when it was last asked for
  return text->substr(begin);
}

void KeptCode::keep(const std::string& key, std::string_view code) {
  if (code.size() > limit_ / 4) return;
  std::error_code error;
  if (!fs::exists(folder_, error)) {
    fs::create_directories(folder_.parent_path(), error);
    ::mkdir(folder_.c_str(), S_IRWXU);
  }
  if (!is_ours()) return;
  const std::string own(6, 'X');  // becomes a name that no other file has
  std::string name = (folder_ / fmt::format("{}{}{}", key, unfinished, own)).string();
  {
    const File file(::mkostemp(name.data(), O_CLOEXEC));
    if (!file.is_open()) return;
    if (!file.write_all(heading(key, code)) || !file.write_all(code)) {
      remove_quietly(name);
      return;
    }
  }
  fs::rename(name, folder_ / (key + std::string(ending)), error);
  if (error) remove_quietly(name);
  make_room();
}

void KeptCode::make_room() {
  std::vector<Entry> entries = entries_of(folder_);
  std::uintmax_t total = 0;
  for (const Entry& entry : entries) total += entry.size;
  if (total <= limit_) return;
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.used < b.used; });
  for (const Entry& entry : entries) {
    if (total <= limit_ / 4 * 3) return;
    remove_quietly(entry.path);
    total -= entry.size;
  }
}

}  // namespace liaison
