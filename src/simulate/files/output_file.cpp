#include "liaison/simulate/output_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

namespace liaison {

namespace {

/// A file of this process, closed in the end.
class Descriptor {
 public:
  explicit Descriptor(int file) : file_(file) {}
  ~Descriptor() {
    if (file_ >= 0) close(file_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return file_; }
  int release() { return std::exchange(file_, -1); }

 private:
  int file_;
};

[[noreturn]] void fail(const std::string& path) {
  throw FileProblem{path, std::strerror(errno)};
}

bool is_regular(const struct stat& status) {
  return S_ISREG(status.st_mode);
}

bool is_same(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

}  // namespace

int open_output(const std::string& path, bool create) {
  while (true) {
    Descriptor file(open(path.c_str(), O_WRONLY | O_CLOEXEC | (create ? O_CREAT : 0), 0666));
    struct stat opened{}, there{};
    if (file.get() < 0 || fstat(file.get(), &opened) != 0) fail(path);
    if (!is_regular(opened)) return file.release();  // a device or a pipe is nobody's
    if (flock(file.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
      throw FileProblem{path, "another run is writing it", true};
    // whoever had the lock before may have removed the file meanwhile
    if (stat(path.c_str(), &there) == 0 && is_same(opened, there)) return file.release();
  }
}

void write_output(const std::string& path, const std::string& bytes) {
  const Descriptor file(open_output(path, true));
  struct stat status{};
  if (fstat(file.get(), &status) != 0) fail(path);
  if (is_regular(status) && ftruncate(file.get(), 0) != 0) fail(path);
  std::size_t written = 0;
  while (written < bytes.size()) {
    const ssize_t count = write(file.get(), bytes.data() + written, bytes.size() - written);
    if (count < 0 && errno != EINTR) fail(path);
    if (count > 0) written += static_cast<std::size_t>(count);
  }
}

void require_writable(const std::string& path) {
  struct stat status{};
  if (stat(path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) errno = EISDIR;
    if (S_ISDIR(status.st_mode) || access(path.c_str(), W_OK) != 0) fail(path);
    return;
  }
  if (errno != ENOENT) fail(path);
  const std::filesystem::path parent = std::filesystem::path(path).parent_path();
  if (access(parent.empty() ? "." : parent.c_str(), W_OK | X_OK) != 0) fail(path);
}

bool is_same_file(const std::string& a, const std::string& b) {
  struct stat first{}, second{};
  const bool has_first = stat(a.c_str(), &first) == 0, has_second = stat(b.c_str(), &second) == 0;
  if (has_first && has_second) return is_same(first, second);
  if (has_first || has_second) return false;
  const auto whole = [](const std::string& path) {
    std::error_code ignored;
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path, ignored), ignored);
  };
  return whole(a) == whole(b);
}

}  // namespace liaison
