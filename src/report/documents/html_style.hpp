#pragma once

#include <string_view>

namespace liaison::report {

/// Light and dark by the reader's setting; wide formulas wrap at their pieces and scroll where one is too
/// wide.
constexpr std::string_view html_style =
    R"(:root { color-scheme: light dark; --ink: #1c1c1e; --soft: #5f6368; --line: #d9d9de; --page: #fdfdfc; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e6e3; --soft: #a0a4ab; --line: #3c3f45; --page: #17181b; } }
body { margin: 0; background: var(--page); color: var(--ink);
  font: 1.0625rem/1.6 "Iowan Old Style", "Palatino Linotype", Palatino, "Book Antiqua", Georgia, serif; }
main { max-width: 60rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 1rem; }
h2 { font-size: 1.3rem; line-height: 1.3; margin: 2.5rem 0 .75rem; padding-top: .75rem; border-top: 1px solid var(--line); }
p, ul { margin: .75rem 0; }
.summary { font-size: 1.1rem; }
math { font-family: "STIX Two Math", "Latin Modern Math", "Cambria Math", "Libertinus Math", math; }
.formula { display: flex; align-items: baseline; margin: 1rem 0; padding: .25rem 0 .4rem 1.5rem; overflow-x: auto; overflow-y: hidden; }
.formula div { flex: none; }
.formula .right { flex: 1 1 0; min-width: min-content; line-height: 2.6; }
.formula .number { color: var(--soft); padding-left: 1.5rem; font-size: .95rem; position: sticky; right: 0; background: var(--page); }
.note { color: var(--soft); font-size: .95rem; margin: -.6rem 0 0 1.5rem; }
.wide { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; }
th, td { text-align: left; vertical-align: baseline; padding: .35rem 1.25rem .35rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; border-bottom-color: var(--soft); }
@media print { :root { --ink: #000; --page: #fff; } main { max-width: none; padding: 0; } .formula { break-inside: avoid; } }
)";

}  // namespace liaison::report
