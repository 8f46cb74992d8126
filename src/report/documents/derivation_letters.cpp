#include "derivation_letters.hpp"

#include <set>
#include <string_view>
#include <vector>

#include "liaison/expr/print.hpp"

namespace liaison {

namespace {

/// Names as the language spells them, the first that is free.
struct Choice {
  char key;
  bool indexed;  ///< also theta1 of a model is read as one of its theta^i
  std::vector<std::string> names;
};

const std::vector<Choice>& choices() {
  static const std::vector<Choice> all{{'O', false, {"Omega", "Psi", "Xi"}},
                                       {'E', false, {"E", "X", "Z"}},
                                       {'e', true, {"e", "xi", "eta", "zeta"}},
                                       {'r', false, {"r", "rho", "sigma", "G"}},
                                       {'t', true, {"theta", "omega", "sigma", "chi"}},
                                       {'v', true, {"v", "u", "w", "c"}},
                                       {'p', true, {"p", "k", "y", "B"}},
                                       {'l', true, {"l", "b", "n", "h"}},
                                       {'Q', true, {"Q", "F", "N"}},
                                       {'a', true, {"a", "alpha", "beta", "kappa"}},
                                       {'f', true, {"f", "g", "phi", "chi"}}};
  return all;
}

std::string stem_of(const std::string& name) {
  std::string stem = name.substr(0, name.find_first_of("'_("));
  while (stem.size() > 1 && stem.back() >= '0' && stem.back() <= '9') stem.pop_back();
  return stem;
}

/// Names in the formulas of a page, and what they begin with.
std::set<std::string> names_in(const System& system, bool stems) {
  std::set<std::string> names;
  const auto add = [&](Expr symbol) {
    if (symbol.empty()) return;
    const std::string& name = symbol.symbol().name;
    names.insert(stems ? stem_of(name) : name.substr(0, name.find('\'')));
  };
  for (const Parameter& parameter : system.parameters) add(parameter.symbol);
  for (const Direction& direction : system.directions) {
    add(direction.coordinate);
    add(direction.velocity);
  }
  for (Expr parameter : system.chart.parameters) add(parameter);
  for (const Rotation& rotation : system.rotations)
    for (Expr e : rotation.quaternion) add(e);
  for (const Rheonomic& chosen : system.rheonomic) add(chosen.symbol);
  for (const FunctionInfo* function : system.unknown_functions)
    names.insert(stems ? stem_of(function->name) : function->name);
  return names;
}

std::string replaced(const std::string& text, const auto& letter_of) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '@' && i + 1 < text.size()) {
      out += letter_of(text[++i]);
    } else {
      out += text[i];
    }
  }
  return out;
}

}  // namespace

Letters::Letters(const System& system) {
  const std::set<std::string> whole = names_in(system, false), stems = names_in(system, true);
  std::set<std::string> taken;
  const auto is_free = [&](const Choice& choice, const std::string& name) {
    return !whole.contains(name) && !taken.contains(name) && !(choice.indexed && stems.contains(name));
  };
  const auto take = [&](const Choice& choice, const std::string& name) {
    taken.insert(name);
    letters_[choice.key] = {unicode_name(name), latex_name(name)};
  };
  // The usual letters first, so that no other takes them.
  for (const Choice& choice : choices())
    if (is_free(choice, choice.names[0])) take(choice, choice.names[0]);
  for (const Choice& choice : choices()) {
    for (std::size_t i = 1; i < choice.names.size() && !letters_.contains(choice.key); ++i)
      if (is_free(choice, choice.names[i])) take(choice, choice.names[i]);
    if (!letters_.contains(choice.key)) take(choice, choice.names[0]);
  }
}

std::string Letters::unicode(const std::string& text) const {
  return replaced(text, [&](char key) { return letters_.at(key).unicode; });
}

/// Behind a command a letter needs a blank.
std::string Letters::latex(const std::string& text) const {
  return replaced(text, [&](char key) {
    const std::string& letter = letters_.at(key).latex;
    return letter.size() > 1 ? "{" + letter + "}" : letter;
  });
}

Math Letters::set(const std::string& infix, const std::string& unicode_text,
                  const std::string& latex_text) const {
  return symbol(infix, unicode(unicode_text), latex(latex_text));
}

}  // namespace liaison
