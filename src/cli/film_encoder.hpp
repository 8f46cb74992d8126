#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include "liaison/report/scene.hpp"

namespace liaison::cli {

/// Whether there is a program `ffmpeg` to be run.
bool has_film_encoder();

/// An MP4 film (H.264) that `ffmpeg` makes of pictures of one size, which it is given one after the other.
/// The file is what it was until there is a film.
class FilmEncoder {
 public:
  FilmEncoder(std::string path, unsigned pictures_a_second);
  ~FilmEncoder();
  FilmEncoder(const FilmEncoder&) = delete;
  FilmEncoder& operator=(const FilmEncoder&) = delete;

  /// False where it takes no more.
  bool add(const ScenePixels& picture);
  /// Waits for the film and puts it in its place; nothing after an interruption. Throws Refused with what
  /// `ffmpeg` says where there is none, FileProblem where the place takes none.
  void finish();

 private:
  void start(const ScenePixels& picture);
  int wait();
  void make_draft();
  void put_in_place();

  std::string path_, draft_;
  bool is_beside_ = false;  ///< the draft: it becomes the file by its name
  unsigned pictures_a_second_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> complaints_;
  int input_ = -1;  ///< the end of the pipe that is written to
  int process_ = -1;
};

}  // namespace liaison::cli
