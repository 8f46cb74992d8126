#include <fmt/format.h>

#include "liaison/expr/print_mathml.hpp"
#include "picture.hpp"

namespace liaison::scene {

std::string write_svg(const Picture& picture) {
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" role=\"img\" font-family=\"DejaVu Sans, Verdana, Helvetica, Arial, sans-serif\">\n",
      picture.width, picture.height);
  if (!picture.title.empty()) out += "<title>" + escape_xml(picture.title) + "</title>\n";
  out += fmt::format("<rect width=\"{:.0f}\" height=\"{:.0f}\" fill=\"#ffffff\"/>\n", picture.width,
                     picture.height);
  for (const Piece& piece : picture.pieces) {
    out += piece.closed ? "<polygon points=\"" : "<polyline points=\"";
    for (std::size_t i = 0; i < piece.points.size(); ++i)
      out += fmt::format("{}{:.2f},{:.2f}", i > 0 ? " " : "", piece.points[i].x, piece.points[i].y);
    out += "\"";
    out += piece.opacity > 0 ? fmt::format(" fill=\"#{:06x}\"", piece.fill) : " fill=\"none\"";
    if (piece.opacity > 0 && piece.opacity < 1) out += fmt::format(" fill-opacity=\"{:g}\"", piece.opacity);
    if (piece.stroke.width > 0)
      out += fmt::format(" stroke=\"#{:06x}\" stroke-width=\"{:g}\" stroke-linejoin=\"round\"",
                         piece.stroke.colour, piece.stroke.width);
    out += "/>\n";
  }
  for (const Word& word : picture.words)
    out += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" font-size=\"{:g}\" fill=\"#{:06x}\"{}{}>{}</text>\n",
                       word.at.x, word.at.y, word.size, word.colour,
                       word.ends_there ? " text-anchor=\"end\"" : "",
                       word.stands_out ? " stroke=\"#ffffff\" stroke-width=\"3\" paint-order=\"stroke\"" : "",
                       escape_xml(word.text));
  return out + "</svg>\n";
}

}  // namespace liaison::scene
