#include <gtest/gtest.h>

#include <algorithm>
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
  const std::string body = after(html, "<nav");
  EXPECT_EQ(body.substr(0, body.find("<script>")),
            R"page(<nav aria-label="contents">
<ol>
<li><a href="#factors">Factors</a></li>
</ol>
</nav>
<main>
<h1>Pendulum &amp; rod</h1>
<p class="summary">It swings: <math><mrow><mi>θ</mi></mrow></math>.</p>
<section id="factors">
<details open="open">
<summary><h2>Factors</h2></summary>
<p>The rod pulls.</p>
<div class="formula" id="factor.rod"><div class="left"><math displaystyle="true"><mrow><msub><mi>λ</mi><mrow><mi>rod</mi></mrow></msub></mrow></math></div><div class="right"><math displaystyle="true"><mrow><mo form="infix">=</mo><mi>m</mi><mi>l</mi><msup><mover><mrow><mi>θ</mi></mrow><mo>˙</mo></mover><mrow><mn>2</mn></mrow></msup></mrow></math><wbr><math displaystyle="true"><mrow><mo form="infix">+</mo><mi>m</mi><mi>g</mi><mspace width="0.167em"/><mi>cos</mi><mspace width="0.167em"/><mi>θ</mi></mrow></math></div><details class="copy" id="equation-1"><summary aria-label="equation 1, copy">(1)</summary><div><button type="button" data-text="\lambda_{\mathrm{rod}} = m l \dot{\theta}^{2} + m g \cos \theta">LaTeX</button><button type="button" data-text="lambda(rod) = m*l*theta'^2 + m*g*cos(theta)">text</button><a href="#equation-1">link</a></div></details></div>
<p class="note">proved</p>
<div class="wide" id="where"><table>
<thead><tr><th>name</th><th>holds</th></tr></thead>
<tbody>
<tr><td>rod_1</td><td><math><mrow><mi>θ</mi></mrow></math><wbr><math><mrow><mo form="infix">&lt;</mo><mfrac><mrow><mn>1</mn></mrow><mrow><mn>2</mn></mrow></mfrac><mspace width="0.167em"/><mi>π</mi></mrow></math></td></tr>
</tbody>
</table></div>
<ul>
<li>one &lt; two</li>
<li><math><mrow><mi>θ</mi></mrow></math><wbr><math><mrow><mo form="infix">&lt;</mo><mfrac><mrow><mn>1</mn></mrow><mrow><mn>2</mn></mrow></mfrac><mspace width="0.167em"/><mi>π</mi></mrow></math></li>
</ul>
</details>
</section>
</main>
)page");
}

// On 500 pixels there is room for about 14 em beside the left side: what is wider has parts of its own.
TEST(Render, wide_formulas_of_a_page_can_end_their_lines_inside) {
  Pool pool;
  const Expr wide = parse(
      pool,
      "(alpha*x1 + beta*x2 + gamma*x3 + delta*x4 + epsilon*x5 + zeta*x6)*sin(x1)/(alpha + beta + gamma)");
  const Document document{
      "Wide", {}, {{"", "S", {Display{"", relate(symbol("f", "f", "f"), "=", math(wide))}}}}};
  const std::string html = render_html(document);
  EXPECT_EQ(test::xml_fault(html), "");
  EXPECT_NE(html.find("<span class=\"fraction\"><span>"), std::string::npos);
  EXPECT_NE(html.find("<wbr>"), std::string::npos);
  EXPECT_EQ(html.find("overflow-x"), std::string::npos);
  std::size_t longest = 0;
  for (std::size_t at = html.find("<math"); at != std::string::npos; at = html.find("<math", at + 1))
    longest = std::max(longest, html.find("</math>", at) - at);
  EXPECT_LT(longest, 400U) << "one element holds more than a line";
}

TEST(Render, formulas_are_taken_along_in_four_languages) {
  Pool pool;
  const Code code = assignment("theta''", parse(pool, "-g*sin(theta)/l + max(x, 1)^2"));
  EXPECT_EQ(code.python.find("theta_ddot = "), 0U);
  EXPECT_NE(code.c.find("fmax("), std::string::npos);
  EXPECT_EQ(code.python.find("fmax("), std::string::npos);
  EXPECT_EQ(code.c.back(), ';');
  EXPECT_EQ(assignment("lambda(rod)", parse(pool, "1")).c, "lambda_rod = 1.0;");
  EXPECT_EQ(assignment("y", parse(pool, "lambda")).python, "y = lambda_");
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
