#pragma once

#include <string_view>

namespace liaison::report {

/// A page of a document, on top of `page_look`. A formula ends its lines between its terms, and inside a term
/// that is wider than the line: nothing is scrolled, on no width and on no paper.
constexpr std::string_view html_style =
    R"style(main { max-width: 54rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 1rem; }
h2 { display: inline; font-size: 1.3rem; line-height: 1.3; margin: 0; }
p, ul, h1, h2 { overflow-wrap: anywhere; }
td, th { overflow-wrap: break-word; }
p, ul { margin: .75rem 0; }
.summary { font-size: 1.1rem; }
math { font-family: "STIX Two Math", "Latin Modern Math", "Cambria Math", "Libertinus Math",
  "DejaVu Math TeX Gyre", "STIX Math", "Asana Math", "Noto Sans Math", math; font-size: 1.04em; }
nav { font-size: .95rem; line-height: 1.45; }
nav ol { margin: 0; padding: 0; list-style: none; counter-reset: step; }
nav li { margin: .3rem 0; padding-left: 1.7rem; text-indent: -1.7rem; }
nav li::before { counter-increment: step; content: counter(step); display: inline-block; width: 1.7rem; text-indent: 0;
  color: var(--soft); }
nav a { text-decoration: none; }
nav a:hover { text-decoration: underline; }
section { margin-top: 2rem; border-top: 1px solid var(--line); padding-top: .9rem; }
section > details > summary { cursor: pointer; margin-bottom: .75rem; color: var(--soft); }
section > details > summary h2 { color: var(--ink); }
.formula { display: flex; align-items: baseline; margin: 1rem 0; padding-left: 1.5rem; }
.formula > .left { flex: none; max-width: 40%; }
.formula > .right { flex: 1 1 0; min-width: 0; line-height: 2.5; padding-left: 1.2em; text-indent: -1.2em; }
.formula > .right * { text-indent: 0; }
.term { display: inline-flex; max-width: 100%; vertical-align: baseline; }
.term > span { min-width: 0; }
.beside { display: inline-flex; align-items: baseline; max-width: 100%; vertical-align: baseline; text-indent: 0; }
.beside > math { flex: none; }
.fraction { display: inline-table; border-collapse: separate; border-spacing: 0; position: relative; top: -.28em; min-width: 0; max-width: 100%;
  margin: .3em .15em; text-align: center; line-height: 1.9; }
.fraction > span { display: table-row; }
.fraction > span > span { display: table-cell; vertical-align: bottom; padding: .1em .15em 0; }
.fraction > :first-child > span { border-bottom: .07em solid; padding: 0 .15em; }
.copy { flex: none; position: relative; margin-left: 1.25rem; color: var(--soft); font-size: .95rem; }
.copy summary { cursor: pointer; list-style: none; }
.copy summary::-webkit-details-marker { display: none; }
.copy summary:hover { color: var(--link); }
.copy > div { position: absolute; right: 0; z-index: 1; width: max-content; padding: .4rem; border: 1px solid var(--line);
  border-radius: .35rem; background: var(--box); line-height: 1.5; }
.copy button, .copy div a { display: block; width: 100%; box-sizing: border-box; padding: .15rem .6rem; border: 0; background: none; color: var(--ink);
  font: inherit; text-align: left; text-decoration: none; cursor: pointer; }
.copy button:hover, .copy div a:hover { background: var(--tint); color: var(--link); }
.note { color: var(--soft); font-size: .95rem; margin: -.6rem 0 0 1.5rem; }
.wide { margin: 1rem 0; }
table { border-collapse: collapse; }
th, td { text-align: left; vertical-align: baseline; padding: .35rem 1.25rem .35rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; border-bottom-color: var(--soft); }
th:last-child, td:last-child { padding-right: 0; }
@media (min-width: 78rem) {
  body { display: grid; grid-template-columns: 17rem minmax(0, 54rem); justify-content: center; }
  nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; box-sizing: border-box;
    padding: 2.7rem 0 2rem 1.25rem; }
}
@media (max-width: 77.99rem) { nav { max-width: 54rem; margin: 0 auto; padding: 2rem 1.25rem 0; }
  nav ol { columns: 16rem; } nav li { break-inside: avoid; } }
@media (max-width: 36rem) {
  body { font-size: 1rem; }
  main { padding: 1.5rem .9rem 3rem; } nav { padding: 1.5rem .9rem 0; }
  .formula { padding-left: .4rem; } .copy { margin-left: .5rem; font-size: .85rem; } .note { margin-left: .4rem; }
  .formula > .left { max-width: 32%; }
  th, td { padding-right: .7rem; }
  .long table, .long thead, .long tbody, .long tr, .long td { display: block; }
  .long th { display: none; } .long td { border: 0; padding: .1rem 0; } .long tr { border-bottom: 1px solid var(--line); padding: .35rem 0; }
}
@media print {
  body { display: block; font-size: 11pt; } main { max-width: none; padding: 0; } nav { display: none; }
  .formula, tr, li { break-inside: avoid; } section > details > summary { break-after: avoid; break-inside: avoid; }
  .formula + .note { break-before: avoid; } p { orphans: 3; widows: 3; }
  .copy > div { display: none; } section > details > summary { list-style: none; }
  section > details > summary::-webkit-details-marker { display: none; }
}
)style";

/// What a reader takes along: a menu behind each number; before printing all steps are open.
constexpr std::string_view html_script = R"script((() => {
  const written = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
  };
  for (const button of document.querySelectorAll(".copy button")) {
    button.addEventListener("click", async () => {
      await written(button.dataset.text);
      const label = button.textContent;
      button.textContent = "copied";
      setTimeout(() => { button.textContent = label; button.closest("details").open = false; }, 700);
    });
  }
  document.addEventListener("click", (event) => {
    for (const menu of document.querySelectorAll(".copy[open]"))
      if (!menu.contains(event.target)) menu.open = false;
  });
  const open = (id) => {
    const target = id && document.getElementById(id);
    const step = target && (target.closest("section > details") || target.querySelector("details"));
    if (step) step.open = true;
  };
  addEventListener("hashchange", () => open(decodeURIComponent(location.hash.slice(1))));
  open(decodeURIComponent(location.hash.slice(1)));
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("section > details:not([open])")];
    for (const step of closed) step.open = true;
  });
  addEventListener("afterprint", () => { for (const step of closed) step.open = false; });
})();
)script";

}  // namespace liaison::report
