#pragma once

#include <string_view>

namespace liaison::report {

/// A4, 11 pt, a text block 16 cm wide.
constexpr std::string_view latex_preamble = R"(\documentclass[11pt,a4paper]{article}
\usepackage{amsmath}
\setlength{\textwidth}{16cm}
\setlength{\oddsidemargin}{0pt}
\setlength{\textheight}{23.5cm}
\setlength{\topmargin}{-1cm}
\setlength{\parindent}{0pt}
\setlength{\parskip}{0.6em plus 0.2em}
\predisplaypenalty=5000
\tolerance=9999
\setlength{\emergencystretch}{25em}
\setcounter{MaxMatrixCols}{64}
\allowdisplaybreaks
\newcommand{\note}[1]{\par\nopagebreak{\small\itshape #1\par}}
\newcommand{\cell}{\raggedright}
\renewcommand{\arraystretch}{1.35}
\renewcommand{\labelitemi}{$\bullet$}
)";

}  // namespace liaison::report
