#include "letters.hpp"

#include <algorithm>
#include <array>

namespace liaison::letters {

namespace {

constexpr char32_t first_beyond_ascii = 0x80;

constexpr std::array greek_table{
    Greek{U'α', "alpha"},      Greek{U'β', "beta"},  Greek{U'γ', "gamma"},   Greek{U'δ', "delta"},
    Greek{U'ε', "epsilon"},    Greek{U'ζ', "zeta"},  Greek{U'η', "eta"},     Greek{U'θ', "theta"},
    Greek{U'ι', "iota"},       Greek{U'κ', "kappa"}, Greek{U'λ', "lambda"},  Greek{U'μ', "mu"},
    Greek{U'ν', "nu"},         Greek{U'ξ', "xi"},    Greek{U'π', "pi"},      Greek{U'ρ', "rho"},
    Greek{U'σ', "sigma"},      Greek{U'τ', "tau"},   Greek{U'υ', "upsilon"}, Greek{U'φ', "phi"},
    Greek{U'χ', "chi"},        Greek{U'ψ', "psi"},   Greek{U'ω', "omega"},   Greek{U'Γ', "Gamma"},
    Greek{U'Δ', "Delta"},      Greek{U'Θ', "Theta"}, Greek{U'Λ', "Lambda"},  Greek{U'Ξ', "Xi"},
    Greek{U'Π', "Pi"},         Greek{U'Σ', "Sigma"}, Greek{U'Υ', "Upsilon"}, Greek{U'Φ', "Phi"},
    Greek{U'Ψ', "Psi"},        Greek{U'Ω', "Omega"}, Greek{U'ϕ', "phi"},     Greek{U'ϑ', "theta"},
    Greek{U'ϵ', "epsilon"},    Greek{U'ϱ', "rho"},   Greek{U'ς', "sigma"},   Greek{U'\u00B5', "mu"},
    Greek{U'\u2126', "Omega"},
};

constexpr std::array dotted_table{
    Dotted{U'\u1E8B', 'x', 1}, Dotted{U'\u1E8F', 'y', 1}, Dotted{U'\u017C', 'z', 1},
    Dotted{U'\u1E59', 'r', 1}, Dotted{U'\u1E61', 's', 1}, Dotted{U'\u0227', 'a', 1},
    Dotted{U'\u1E03', 'b', 1}, Dotted{U'\u010B', 'c', 1}, Dotted{U'\u1E0B', 'd', 1},
    Dotted{U'\u0117', 'e', 1}, Dotted{U'\u1E1F', 'f', 1}, Dotted{U'\u0121', 'g', 1},
    Dotted{U'\u1E23', 'h', 1}, Dotted{U'\u1E41', 'm', 1}, Dotted{U'\u1E45', 'n', 1},
    Dotted{U'\u022F', 'o', 1}, Dotted{U'\u1E57', 'p', 1}, Dotted{U'\u1E6B', 't', 1},
    Dotted{U'\u1E87', 'w', 1}, Dotted{U'\u1E8D', 'x', 2}, Dotted{U'\u00FF', 'y', 2},
    Dotted{U'\u1E97', 't', 2}, Dotted{U'\u1E27', 'h', 2}, Dotted{U'\u1E85', 'w', 2},
    Dotted{U'\u00E4', 'a', 2}, Dotted{U'\u00EB', 'e', 2}, Dotted{U'\u00FC', 'u', 2},
    Dotted{U'\u00F6', 'o', 2},
};

constexpr std::array<char32_t, 10> superscripts{U'⁰', U'¹', U'²', U'³', U'⁴', U'⁵', U'⁶', U'⁷', U'⁸', U'⁹'};

constexpr std::array vulgar_table{
    Vulgar{U'½', 1, 2}, Vulgar{U'⅓', 1, 3}, Vulgar{U'⅔', 2, 3}, Vulgar{U'¼', 1, 4}, Vulgar{U'¾', 3, 4},
    Vulgar{U'⅕', 1, 5}, Vulgar{U'⅖', 2, 5}, Vulgar{U'⅗', 3, 5}, Vulgar{U'⅘', 4, 5}, Vulgar{U'⅙', 1, 6},
    Vulgar{U'⅚', 5, 6}, Vulgar{U'⅛', 1, 8}, Vulgar{U'⅜', 3, 8}, Vulgar{U'⅝', 5, 8}, Vulgar{U'⅞', 7, 8},
};

}  // namespace

std::span<const Greek> greek() {
  return greek_table;
}

std::optional<std::string_view> greek_name(char32_t letter) {
  if (letter < first_beyond_ascii) return std::nullopt;
  const auto* row = std::find_if(greek_table.begin(), greek_table.end(),
                                 [letter](const Greek& g) { return g.letter == letter; });
  return row == greek_table.end() ? std::nullopt : std::optional(row->name);
}

std::optional<char32_t> greek_letter(std::string_view name) {
  const auto* row =
      std::find_if(greek_table.begin(), greek_table.end(), [name](const Greek& g) { return g.name == name; });
  return row == greek_table.end() ? std::nullopt : std::optional(row->letter);
}

std::optional<Dotted> dotted(char32_t letter) {
  if (letter < first_beyond_ascii) return std::nullopt;
  const auto* row = std::find_if(dotted_table.begin(), dotted_table.end(),
                                 [letter](const Dotted& d) { return d.letter == letter; });
  return row == dotted_table.end() ? std::nullopt : std::optional(*row);
}

std::optional<unsigned> subscript_digit(char32_t letter) {
  if (letter < U'₀' || letter > U'₉') return std::nullopt;
  return static_cast<unsigned>(letter - U'₀');
}

std::optional<unsigned> superscript_digit(char32_t letter) {
  if (letter < first_beyond_ascii) return std::nullopt;
  const auto* found = std::find(superscripts.begin(), superscripts.end(), letter);
  if (found == superscripts.end()) return std::nullopt;
  return static_cast<unsigned>(found - superscripts.begin());
}

char32_t subscript(unsigned digit) {
  return U'₀' + digit;
}

char32_t superscript(unsigned digit) {
  return superscripts[digit];
}

std::span<const Vulgar> vulgar_fractions() {
  return vulgar_table;
}

}  // namespace liaison::letters
