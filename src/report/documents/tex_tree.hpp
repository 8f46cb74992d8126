#pragma once

#include <string>
#include <string_view>
#include <vector>

/// A formula in LaTeX read back, as far as its layout needs: what stands beside what, how wide it is.
namespace liaison::report {

/// Sizes of type in TeX. A fraction sets its parts one smaller, an index in script or smaller.
enum class TexStyle { display, text, script, tiny };

struct TexItem;
using TexRow = std::vector<TexItem>;

struct TexItem {
  enum class Kind {
    letter,    ///< any symbol that stands for itself; `head` is a character or a command
    word,      ///< \mathrm{word}, \text{word}; `head` is the word
    function,  ///< \sin, \operatorname{word}; `head` is the name
    binary,    ///< + and its like between two others
    relation,  ///< = and its like
    comma,
    space,     ///< \, and \quad
    group,     ///< {row}
    accent,    ///< \dot{row}; `head` is the command
    fence,     ///< \left( row \right); `head` and `tail` are the delimiters
    fraction,  ///< two rows
    root,
    matrix,  ///< cells row by row, `columns` a row
  };
  Kind kind = Kind::letter;
  std::string head;
  std::string tail;
  std::vector<TexRow> parts;
  std::size_t columns = 0;
  TexRow below;         ///< index
  TexRow above;         ///< exponent
  std::string scripts;  ///< source of both
  std::string source;   ///< all of it
  double width = 0;     ///< estimated, in em of the text size, on the wide side
};

TexRow parse_tex(std::string_view source, TexStyle style);
double width_of(const TexRow& row);
bool has_fraction(const TexRow& row);
/// Whether TeX sets a thin space between two that follow each other: around the name of a function, beside
/// brackets that grow and fractions.
bool stands_apart(const TexItem& left, const TexItem& right);
/// Children of an <mrow>.
std::string to_mathml(const TexRow& row);

}  // namespace liaison::report
