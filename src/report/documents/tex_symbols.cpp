#include "tex_symbols.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "liaison/expr/print.hpp"

namespace liaison::report {

namespace {

std::vector<TexSymbol> make_table() {
  std::vector<TexSymbol> table;
  for (const char* name : {"alpha", "beta",  "gamma",   "delta", "epsilon", "zeta", "eta",  "theta",
                           "iota",  "kappa", "lambda",  "mu",    "nu",      "xi",   "pi",   "rho",
                           "sigma", "tau",   "upsilon", "phi",   "chi",     "psi",  "omega"}) {
    table.push_back({name, unicode_name(name), TexClass::letter});
  }
  for (const char* name :
       {"Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi", "Sigma", "Upsilon", "Phi", "Psi", "Omega"}) {
    table.push_back({name, unicode_name(name), TexClass::capital});
  }
  for (const char* name : {"sin", "cos", "tan", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "exp",
                           "log", "min", "max", "det", "ker", "dim"}) {
    table.push_back({name, name, TexClass::function});
  }
  using enum TexClass;
  const std::vector<TexSymbol> others{{"varphi", "ϕ", letter},
                                      {"vartheta", "ϑ", letter},
                                      {"varepsilon", "ϵ", letter},
                                      {"ell", "ℓ", letter},
                                      {"partial", "∂", sign},
                                      {"nabla", "∇", sign},
                                      {"infty", "∞", sign},
                                      {"ldots", "…", sign},
                                      {"cdots", "⋯", sign},
                                      {"dots", "…", sign},
                                      {"prime", "′", sign},
                                      {"forall", "∀", sign},
                                      {"exists", "∃", sign},
                                      {"emptyset", "∅", sign},
                                      {"sum", "∑", sign},
                                      {"int", "∫", sign},
                                      {"surd", "√", sign},
                                      {"wedge", "∧", binary},
                                      {"cdot", "⋅", binary},
                                      {"cdot", "·", binary},
                                      {"times", "×", binary},
                                      {"pm", "±", binary},
                                      {"circ", "∘", binary},
                                      {"cup", "∪", binary},
                                      {"cap", "∩", binary},
                                      {"otimes", "⊗", binary},
                                      {"oplus", "⊕", binary},
                                      {"neq", "≠", relation},
                                      {"leq", "≤", relation},
                                      {"geq", "≥", relation},
                                      {"to", "→", relation},
                                      {"mapsto", "↦", relation},
                                      {"Rightarrow", "⇒", relation},
                                      {"iff", "⇔", relation},
                                      {"in", "∈", relation},
                                      {"notin", "∉", relation},
                                      {"equiv", "≡", relation},
                                      {"approx", "≈", relation},
                                      {"sim", "∼", relation},
                                      {"propto", "∝", relation},
                                      {"perp", "⊥", relation},
                                      {"subset", "⊂", relation},
                                      {"subseteq", "⊆", relation},
                                      {"ll", "≪", relation},
                                      {"gg", "≫", relation},
                                      {"langle", "⟨", opening},
                                      {"rangle", "⟩", closing},
                                      {"leftarrow", "←", relation},
                                      {"leftrightarrow", "↔", relation}};
  table.insert(table.end(), others.begin(), others.end());
  return table;
}

const std::vector<TexSymbol>& table() {
  static const std::vector<TexSymbol> symbols = make_table();
  return symbols;
}

struct Row {
  std::string_view from;
  std::string_view to;
};

constexpr std::array text_characters{Row{"\\", "\\textbackslash{}"},
                                     Row{"{", "\\{"},
                                     Row{"}", "\\}"},
                                     Row{"#", "\\#"},
                                     Row{"$", "\\$"},
                                     Row{"%", "\\%"},
                                     Row{"&", "\\&"},
                                     Row{"_", "\\_"},
                                     Row{"~", "\\textasciitilde{}"},
                                     Row{"^", "\\textasciicircum{}"},
                                     Row{"<", "\\ensuremath{<}"},
                                     Row{">", "\\ensuremath{>}"},
                                     Row{"|", "\\ensuremath{|}"},
                                     Row{"\"", "{\\ttfamily\\char34}"},
                                     Row{"−", "\\ensuremath{-}"},
                                     Row{"\u00A0", "~"},
                                     Row{"\u2009", "\\,"},
                                     Row{"\u202F", "\\,"},
                                     Row{"\u1E8B", "\\.{x}"},
                                     Row{"\u1E8D", "\\\"{x}"},
                                     Row{"\u1E8F", "\\.{y}"},
                                     Row{"½", "\\ensuremath{\\tfrac{1}{2}}"},
                                     Row{"⅓", "\\ensuremath{\\tfrac{1}{3}}"},
                                     Row{"⅔", "\\ensuremath{\\tfrac{2}{3}}"},
                                     Row{"¼", "\\ensuremath{\\tfrac{1}{4}}"},
                                     Row{"¾", "\\ensuremath{\\tfrac{3}{4}}"},
                                     Row{"ς", "\\ensuremath{\\varsigma}"},
                                     Row{"ϱ", "\\ensuremath{\\varrho}"},
                                     Row{"µ", "\\ensuremath{\\mu}"},
                                     Row{"⁻", "\\ensuremath{^{-}}"},
                                     Row{"ₛ", "\\ensuremath{_{s}}"},
                                     Row{"ᵣ", "\\ensuremath{_{r}}"},
                                     Row{"ₙ", "\\ensuremath{_{n}}"},
                                     Row{"ᵢ", "\\ensuremath{_{i}}"},
                                     Row{"ⱼ", "\\ensuremath{_{j}}"},
                                     Row{"ₜ", "\\ensuremath{_{t}}"},
                                     Row{"ₖ", "\\ensuremath{_{k}}"}};

constexpr std::array marks{Row{"\u0307", "\\dot"},    Row{"\u0308", "\\ddot"}, Row{"\u20DB", "\\dddot"},
                           Row{"\u20DC", "\\ddddot"}, Row{"\u0302", "\\hat"},  Row{"\u0304", "\\bar"},
                           Row{"\u20D7", "\\vec"}};

/// Letters and signs between ¡ and ž that pdflatex sets with its first fonts.
constexpr std::string_view plain_letters =
    "¡£§©ª¬®°¶º¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝßàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿĀāĂăĆćĈĉĊċČčĎďĒēĔĕĖėĚěĜĝĞğĠġĤĥĨĩĪīĬ"
    "ĭİıĴĵ"
    "ĹĺĽľŁłŃńŇňŌōŎŏŐőŒœŔŕŘřŚśŜŝŞşŠšŤťŨũŪūŬŭŮůŰűŴŵŶŷŸŹźŻżŽž–—‘’“”…†‡•";

const Row* find_row(std::span<const Row> rows, std::string_view character) {
  const auto row = std::find_if(rows.begin(), rows.end(), [=](const Row& r) { return r.from == character; });
  return row == rows.end() ? nullptr : &*row;
}

/// ₀..₉ and ⁰..⁹ as _{0} and ^{0}; empty for all else.
std::string script_digit(std::string_view character) {
  for (int digit = 0; digit < 10; ++digit) {
    const std::string text = std::to_string(digit);
    if (unicode_name("x" + text).substr(1) == character) return "_{" + text + "}";
  }
  constexpr std::array<std::string_view, 10> superscripts{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  const auto* found = std::find(superscripts.begin(), superscripts.end(), character);
  if (found == superscripts.end()) return {};
  return "^{" + std::to_string(found - superscripts.begin()) + "}";
}

bool is_ascii(std::string_view character) {
  return character.size() == 1 && character[0] >= ' ' && character[0] < 0x7F;
}

std::string code_point(std::string_view character) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  unsigned value = static_cast<unsigned char>(character[0]);
  if (character.size() > 1) value &= 0x7Fu >> character.size();
  for (std::size_t i = 1; i < character.size(); ++i) value = (value << 6) | (character[i] & 0x3F);
  std::string hex;
  for (; value > 0 || hex.size() < 4; value /= 16) hex.insert(hex.begin(), digits[value % 16]);
  return "\\texttt{U+" + hex + "}";
}

std::string text_character(std::string_view character) {
  if (const Row* row = find_row(text_characters, character)) return std::string(row->to);
  if (is_ascii(character)) return std::string(character);
  if (character == "\n" || character == "\t") return " ";
  if (const TexSymbol* symbol = find_printed(character)) return "\\ensuremath{\\" + symbol->command + "}";
  if (const std::string script = script_digit(character); !script.empty()) {
    return "\\ensuremath{" + script + "}";
  }
  if (character.size() > 1 && plain_letters.find(character) != std::string_view::npos) {
    return std::string(character);
  }
  return code_point(character);
}

/// A letter under a mark, in mathematics: ẋ as x and a mark.
std::string marked(std::string_view letter, std::string_view accent) {
  const TexSymbol* symbol = find_printed(letter);
  const std::string base = symbol != nullptr ? "\\" + symbol->command : text_character(letter);
  return "\\ensuremath{" + std::string(accent) + "{" + base + "}}";
}

}  // namespace

const TexSymbol* find_command(std::string_view command) {
  for (const TexSymbol& symbol : table())
    if (symbol.command == command) return &symbol;
  return nullptr;
}

const TexSymbol* find_printed(std::string_view character) {
  for (const TexSymbol& symbol : table())
    if (symbol.unicode == character && symbol.kind != TexClass::function) return &symbol;
  return nullptr;
}

std::size_t character_length(std::string_view text, std::size_t offset) {
  const auto is_tail = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
  std::size_t length = 1;
  if (static_cast<unsigned char>(text[offset]) < 0xC0) return length;
  while (length < 4 && offset + length < text.size() && is_tail(text[offset + length])) ++length;
  return length;
}

std::string escape_latex_text(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view character = text.substr(i, character_length(text, i));
    i += character.size();
    const std::string_view next = i < text.size() ? text.substr(i, character_length(text, i)) : "";
    if (const Row* mark = next.empty() ? nullptr : find_row(marks, next)) {
      out += marked(character, mark->to);
      i += next.size();
    } else {
      out += text_character(character);
    }
  }
  return out;
}

}  // namespace liaison::report
