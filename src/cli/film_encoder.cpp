#include "film_encoder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>
#include <vector>

#include "interrupt.hpp"
#include "liaison/simulate/output_file.hpp"
#include "problems.hpp"

extern char** environ;

namespace liaison::cli {

namespace {

constexpr const char* encoder = "ffmpeg";

[[noreturn]] void refuse_film(const std::string& path, const std::string& reason) {
  refuse(Status::numerical_failure, path, Problem::not_written,
         fmt::format("`{}` made no film: {}", encoder, reason), "-o FILE.gif needs no other program");
}

/// One that ends early is no reason to end.
class WithoutPipeSignal {
 public:
  WithoutPipeSignal() {
    struct sigaction ignored{};
    ignored.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &ignored, &before_);
  }
  ~WithoutPipeSignal() { sigaction(SIGPIPE, &before_, nullptr); }
  WithoutPipeSignal(const WithoutPipeSignal&) = delete;
  WithoutPipeSignal& operator=(const WithoutPipeSignal&) = delete;

 private:
  struct sigaction before_{};
};

std::string last_line(std::FILE* file) {
  std::string last, line;
  std::rewind(file);
  for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) {
    if (c != '\n') {
      line += static_cast<char>(c);
    } else if (!line.empty()) {
      last = std::exchange(line, {});
    }
  }
  return line.empty() ? last : line;
}

/// Nothing, or a file of one name that is no link: what is written beside it may take its name.
bool may_be_replaced(const std::string& path) {
  struct stat about{};
  if (lstat(path.c_str(), &about) != 0) return errno == ENOENT;
  return S_ISREG(about.st_mode) && about.st_nlink == 1;
}

/// Empty where the folder takes none.
std::string new_file_in(const std::filesystem::path& folder) {
  const std::string own(6, 'X');  // becomes a name that no other file has
  std::string path = (folder / (".film." + own)).string();
  const int file = mkostemp(path.data(), O_CLOEXEC);
  if (file < 0) return "";
  close(file);
  return path;
}

/// Of a file that stands there already, else those that a new one gets.
mode_t rights_of(const std::string& path) {
  struct stat about{};
  if (stat(path.c_str(), &about) == 0) return about.st_mode & 07777;
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

}  // namespace

bool has_film_encoder() {
  const char* folders = std::getenv("PATH");
  const std::string all = folders == nullptr ? "" : folders;
  for (std::size_t begin = 0; begin <= all.size();) {
    const std::size_t end = std::min(all.find(':', begin), all.size());
    const std::string folder = end > begin ? all.substr(begin, end - begin) : ".";
    const std::string file = folder + "/" + encoder;
    struct stat about{};
    if (stat(file.c_str(), &about) == 0 && S_ISREG(about.st_mode) && access(file.c_str(), X_OK) == 0)
      return true;
    begin = end + 1;
  }
  return false;
}

FilmEncoder::FilmEncoder(std::string path, unsigned pictures_a_second)
    : path_(std::move(path)),
      pictures_a_second_(pictures_a_second),
      complaints_(std::tmpfile(), &std::fclose) {}

FilmEncoder::~FilmEncoder() {
  if (process_ >= 0) wait();
  if (!draft_.empty()) unlink(draft_.c_str());
}

/// Beside the file, so that it can take its name; behind a link, a device, or in a folder that takes no new
/// file, its bytes are written as those of any other output are.
void FilmEncoder::make_draft() {
  if (may_be_replaced(path_)) draft_ = new_file_in(std::filesystem::path(path_).parent_path());
  is_beside_ = !draft_.empty();
  if (is_beside_) return;
  std::error_code none;
  draft_ = new_file_in(std::filesystem::temp_directory_path(none));
  if (draft_.empty()) refuse_film(path_, std::strerror(errno));
}

void FilmEncoder::put_in_place() {
  if (!is_beside_) {
    std::ifstream file(draft_, std::ios::binary);
    return write_output(path_, std::string(std::istreambuf_iterator<char>(file), {}));
  }
  chmod(draft_.c_str(), rights_of(path_));
  if (std::rename(draft_.c_str(), path_.c_str()) != 0) throw FileProblem{path_, std::strerror(errno)};
  draft_.clear();
}

void FilmEncoder::start(const ScenePixels& picture) {
  if (!complaints_) refuse_film(path_, std::strerror(errno));
  make_draft();
  // H.264 wants even sizes
  std::vector<std::string> words{encoder,
                                 "-nostdin",
                                 "-loglevel",
                                 "error",
                                 "-y",
                                 "-f",
                                 "rawvideo",
                                 "-pix_fmt",
                                 "rgb24",
                                 "-s",
                                 fmt::format("{}x{}", picture.width, picture.height),
                                 "-r",
                                 fmt::format("{}", pictures_a_second_),
                                 "-i",
                                 "pipe:0",
                                 "-vf",
                                 "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white",
                                 "-c:v",
                                 "libx264",
                                 "-pix_fmt",
                                 "yuv420p",
                                 "-movflags",
                                 "+faststart",
                                 "-f",
                                 "mp4",
                                 "file:" + draft_};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) refuse_film(path_, std::strerror(errno));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(complaints_.get()), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(complaints_.get()), STDERR_FILENO);
  pid_t process = -1;
  const int failed = posix_spawnp(&process, encoder, &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[0]);
  input_ = ends[1];
  if (failed != 0) {
    close(std::exchange(input_, -1));
    refuse_film(path_, std::strerror(failed));
  }
  process_ = process;
}

bool FilmEncoder::add(const ScenePixels& picture) {
  if (process_ < 0) start(picture);
  const WithoutPipeSignal quiet;
  for (std::size_t done = 0; done < picture.rgb.size();) {
    const ssize_t put = write(input_, picture.rgb.data() + done, picture.rgb.size() - done);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    done += static_cast<std::size_t>(put);
  }
  return true;
}

int FilmEncoder::wait() {
  if (input_ >= 0) close(std::exchange(input_, -1));
  int status = 0;
  const pid_t process = std::exchange(process_, -1);
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

void FilmEncoder::finish() {
  if (process_ < 0) return;  // interrupted before the first picture
  const int status = wait();
  if (InterruptScope::is_set()) return;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    const std::string said = last_line(complaints_.get());
    refuse_film(path_, !said.empty()         ? said
                       : WIFSIGNALED(status) ? fmt::format("it was ended by signal {}", WTERMSIG(status))
                                             : fmt::format("it ended with {}", WEXITSTATUS(status)));
  }
  std::error_code missing;
  const auto size = std::filesystem::file_size(draft_, missing);
  if (missing || size == 0) refuse_film(path_, "it said that all went well, and wrote nothing");
  put_in_place();
}

}  // namespace liaison::cli
