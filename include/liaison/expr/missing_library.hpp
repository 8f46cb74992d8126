#ifndef LIAISON_EXPR_MISSING_LIBRARY_HPP
#define LIAISON_EXPR_MISSING_LIBRARY_HPP

#include <stdexcept>
#include <string>
#include <utility>

namespace liaison {

/// A library that few runs need is opened when it is, and is not there.
class MissingLibrary : public std::runtime_error {
 public:
  explicit MissingLibrary(const std::string& message, std::string without = {})
      : std::runtime_error(message), without_(std::move(without)) {}
  /// What can be asked for that does not need it; may be empty.
  const std::string& without() const { return without_; }

 private:
  std::string without_;
};

}  // namespace liaison

#endif  // LIAISON_EXPR_MISSING_LIBRARY_HPP
