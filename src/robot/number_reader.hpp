#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "expr/utf8.hpp"
#include "liaison/robot/robot.hpp"

/// What readers of robot files share: numbers in attributes, names that do not exist, and what is wrong.
namespace liaison::robot {

std::vector<std::string> words_of(const std::string& text);

/// What is wrong is kept, and reading goes on.
class NumberReader {
 public:
  explicit NumberReader(std::vector<Diagnostic>& problems) : problems_(problems) {}

  void add(std::string code, Span span, std::string message, std::string hint);
  std::optional<Decimal> decimal(const std::string& word, Span where);
  /// A number, else `fallback`.
  Decimal number(const std::string& text, Span where, const std::string& attribute, Decimal fallback);
  DecimalVector vector(const std::string& text, Span where, const std::string& attribute,
                       DecimalVector fallback);

 private:
  std::vector<Diagnostic>& problems_;
};

inline std::string quoted(const std::string& text) {
  return utf8::shorten(text, 40);
}
/// "did you mean `arm`?", or what there is: "the links are ..".
std::string hint_for(const std::string& name, std::vector<std::string> known, const std::string& what);

}  // namespace liaison::robot
