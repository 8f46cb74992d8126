#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "liaison/expr/parse.hpp"
#include "liaison/report/document.hpp"
#include "sample.hpp"
#include "xml_check.hpp"

namespace liaison {
namespace {

/// A pendulum: one block of each kind.
Document pendulum(Pool& pool) {
  const Expr theta = pool.symbol("theta", SymbolKind::coordinate);
  pool.symbol("theta'", SymbolKind::velocity);
  const Math lambda = symbol("lambda(rod)", "λ(rod)", "\\lambda_{\\mathrm{rod}}");
  const Math factor = math(parse(pool, "m*g*cos(theta) + m*l*theta'^2"));
  const Inline where(relate(math(theta), "<", math(parse(pool, "pi/2"))));
  Document document{"Pendulum & rod", Inline("It swings: ") + Inline(math(theta)) + ".", {}};
  document.sections.push_back(
      {"factors",
       "Factors",
       {Paragraph{"The rod pulls."}, Display{"factor.rod", relate(lambda, "=", factor), "proved"},
        Table{"where", {"name", "holds"}, {{"rod_1", where}}}, Listing{{"one < two", where}}}});
  return document;
}

std::string after(const std::string& text, const std::string& mark) {
  const std::size_t at = text.find(mark);
  return at == std::string::npos ? "no " + mark : text.substr(at);
}

TEST(Render, text_word_for_word) {
  Pool pool;
  EXPECT_EQ(render_text(pendulum(pool)), R"(Pendulum & rod
══════════════

It swings: θ.

Factors
───────

The rod pulls.

  (1)  λ(rod) = m l θ̇² + m g cos(θ)
       proved

  name   holds
  ─────  ───────
  rod_1  θ < ½ π

  • one < two
  • θ < ½ π
)");
}

TEST(Render, latex_word_for_word) {
  Pool pool;
  const std::string latex = render_latex(pendulum(pool));
  EXPECT_EQ(latex.find("\\documentclass[11pt,a4paper]{article}\n\\usepackage{amsmath}\n"), 0u);
  EXPECT_EQ(after(latex, "\\begin{document}"), R"(\begin{document}
\begin{center}
{\LARGE Pendulum \& rod\par}
\end{center}

It swings: $\theta$.

\section{Factors}

The rod pulls.
\begin{equation}
\lambda_{\mathrm{rod}} = m l \dot{\theta}^{2} + m g \cos \theta
\end{equation}
\note{proved}
\begin{flushleft}
\begin{tabular}{@{}ll@{}}
\hline
\cell name & \cell holds \tabularnewline
\hline
\cell rod\_1 & \cell $\theta < \frac{1}{2} \pi$ \tabularnewline
\hline
\end{tabular}
\end{flushleft}
\begin{itemize}
\item {}one \ensuremath{<} two
\item {}$\theta < \frac{1}{2} \pi$
\end{itemize}
\end{document}
)");
}

TEST(Render, html_word_for_word) {
  Pool pool;
  const std::string html = render_html(pendulum(pool));
  EXPECT_EQ(test::xml_fault(html), "");
  EXPECT_EQ(html.find("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"), 0u);
  const std::string where =
      "<math><mrow><mi>θ</mi></mrow></math><wbr><math><mrow><mo form=\"infix\">&lt;</mo>"
      "<mfrac><mn>1</mn><mn>2</mn></mfrac><mo>\u2062</mo><mi>π</mi></mrow></math>";
  EXPECT_EQ(
      after(html, "<main>"),
      R"(<main>
<h1>Pendulum &amp; rod</h1>
<p class="summary">It swings: <math><mrow><mi>θ</mi></mrow></math>.</p>
<section id="factors">
<h2>Factors</h2>
<p>The rod pulls.</p>
<div class="formula" id="factor.rod"><div><math displaystyle="true"><mrow><msub><mi>λ</mi><mrow><mi>rod</mi></mrow></msub></mrow></math></div><div class="right"><math displaystyle="true"><mrow><mo form="infix">=</mo><mi>m</mi><mo>)"
      "\u2062</mo><mi>l</mi><mo>\u2062</mo>"
      R"(<msup><mover><mi>θ</mi><mo>˙</mo></mover><mn>2</mn></msup></mrow></math><wbr><math displaystyle="true"><mrow><mo form="infix">+</mo><mi>m</mi><mo>)"
      "\u2062</mo><mi>g</mi><mo>\u2062</mo>"
      R"(<mspace width="0.167em"/><mi>cos</mi><mo>)"
      "\u2061"
      R"(</mo><mspace width="0.167em"/><mi>θ</mi></mrow></math></div><div class="number">(1)</div></div>
<p class="note">proved</p>
<div class="wide" id="where"><table>
<thead><tr><th>name</th><th>holds</th></tr></thead>
<tbody>
<tr><td>rod_1</td><td>)" +
          where + R"(</td></tr>
</tbody>
</table></div>
<ul>
<li>one &lt; two</li>
<li>)" + where +
          R"(</li>
</ul>
</section>
</main>
</body>
</html>
)");
}

TEST(Render, json_word_for_word) {
  Pool pool;
  EXPECT_EQ(render_json(pendulum(pool)), R"text({
  "schema": 1,
  "title": "Pendulum & rod",
  "summary": [
    "It swings: ",
    {
      "infix": "theta",
      "latex": "\\theta"
    },
    "."
  ],
  "sections": [
    {
      "key": "factors",
      "title": "Factors",
      "items": [
        {
          "kind": "paragraph",
          "text": [
            "The rod pulls."
          ]
        },
        {
          "kind": "formula",
          "key": "factor.rod",
          "number": 1,
          "formula": {
            "infix": "lambda(rod) = m*l*theta'^2 + m*g*cos(theta)",
            "latex": "\\lambda_{\\mathrm{rod}} = m l \\dot{\\theta}^{2} + m g \\cos \\theta"
          },
          "note": [
            "proved"
          ]
        },
        {
          "kind": "table",
          "key": "where",
          "header": [
            [
              "name"
            ],
            [
              "holds"
            ]
          ],
          "rows": [
            [
              [
                "rod_1"
              ],
              [
                {
                  "infix": "theta < pi/2",
                  "latex": "\\theta < \\frac{1}{2} \\pi"
                }
              ]
            ]
          ]
        },
        {
          "kind": "list",
          "items": [
            [
              "one < two"
            ],
            [
              {
                "infix": "theta < pi/2",
                "latex": "\\theta < \\frac{1}{2} \\pi"
              }
            ]
          ]
        }
      ]
    }
  ]
}
)text");
}

TEST(Render, an_empty_document_is_a_document) {
  const Document empty;
  EXPECT_EQ(test::xml_fault(render_html(empty)), "");
  EXPECT_EQ(render_text(empty), "\n");
  EXPECT_EQ(render_json(empty),
            "{\n  \"schema\": 1,\n  \"title\": \"\",\n  \"summary\": [],\n  \"sections\": []\n}\n");
}

TEST(Render, text_for_latex_is_escaped_and_known_signs_become_mathematics) {
  Document document;
  document.summary = "50% of #1 & {x_1} ~ a\\b^2: x\u0307 ≠ θ\u0307², é, 中";
  EXPECT_NE(
      render_latex(document).find("50\\% of \\#1 \\& \\{x\\_1\\} \\textasciitilde{} a\\textbackslash{}b"
                                  "\\textasciicircum{}2: \\ensuremath{\\dot{x}} \\ensuremath{\\neq} "
                                  "\\ensuremath{\\dot{\\theta}}\\ensuremath{^{2}}, é, \\texttt{U+4E2D}\n"),
      std::string::npos)
      << render_latex(document);
}

TEST(Render, html_of_wide_formulas_is_well_formed) {
  Pool pool;
  EXPECT_EQ(test::xml_fault(render_html(test::wide_document(pool))), "");
  EXPECT_EQ(test::xml_fault(render_html(test::disc_document(pool))), "");
}

#ifdef LIAISON_PDFLATEX
/// What pdflatex says of a document: errors, and boxes that stand out by more than 10 pt.
std::string complaints(const std::string& name, const std::string& latex) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / ("liaison_report_" + name);
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "report.tex") << latex;
  const std::string command = "cd '" + folder.string() +
                              "' && '" LIAISON_PDFLATEX
                              "' -interaction=nonstopmode -halt-on-error report.tex > /dev/null 2>&1";
  const int status = std::system(command.c_str());
  std::stringstream log;
  log << std::ifstream(folder / "report.log").rdbuf();
  std::string found = status == 0 ? "" : "status " + std::to_string(status) + "\n";
  const std::regex wanted(R"(^! .*|^Missing character.*|^Overfull \\hbox \(([0-9.]+)pt.*)");
  for (std::string line; std::getline(log, line);) {
    std::smatch match;
    if (!std::regex_match(line, match, wanted)) continue;
    if (!match[1].matched || std::stod(match[1]) > 10) found += line + "\n";
  }
  std::filesystem::remove_all(folder);
  return found;
}

TEST(Render, pdflatex_takes_the_documents_without_complaint) {
  Pool pool;
  EXPECT_EQ(complaints("small", render_latex(pendulum(pool))), "");
  EXPECT_EQ(complaints("disc", render_latex(test::disc_document(pool))), "");
  EXPECT_EQ(complaints("wide", render_latex(test::wide_document(pool))), "");
}
#endif

}  // namespace
}  // namespace liaison
