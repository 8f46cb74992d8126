#include "model_file.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace liaison::cli {

const std::string& standard_input() {
  static const std::string text = [] {
    std::string all;
    std::array<char, 65536> piece{};
    while (const std::size_t count = std::fread(piece.data(), 1, piece.size(), stdin))
      all.append(piece.data(), count);
    if (std::ferror(stdin) != 0)
      refuse(Status::bad_input, name_of_standard_input, Problem::unreadable,
             std::string("cannot be read: ") + std::strerror(errno), "pipe a model into it, or name a file");
    return all;
  }();
  return text;
}

std::unique_ptr<MechanismParts> read_model(const std::string& path, AlgebraOptions options) {
  if (path == "-") return std::make_unique<MechanismParts>(name_of_standard_input, standard_input(), options);
  return MechanismParts::from_file(path, options);
}

}  // namespace liaison::cli
