#pragma once

#include <map>
#include <string>

#include "liaison/model/system.hpp"
#include "liaison/report/document.hpp"

namespace liaison {

/// What a derivation calls its own things: Omega, E, theta^i, ... A letter that is a name of the model gives
/// way to another, so that nothing on a page has two meanings.
class Letters {
 public:
  explicit Letters(const System& system);

  /// A formula in which @O, @E, @e, @r, @t, @v, @p, @l, @Q, @a and @f stand for Omega, E, e, r, theta, v, p,
  /// l, Q, a and f. The infix text keeps the usual letters: programs read it.
  Math set(const std::string& infix, const std::string& unicode, const std::string& latex) const;
  std::string unicode(const std::string& text) const;
  std::string latex(const std::string& text) const;

 private:
  struct Letter {
    std::string unicode, latex;
  };
  std::map<char, Letter> letters_;
};

}  // namespace liaison
