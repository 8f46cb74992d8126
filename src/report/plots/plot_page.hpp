#pragma once

#include <string_view>

namespace liaison::plot {

constexpr std::string_view page_style = R"(:root { color-scheme: light dark; --page: #ffffff; --ink: #1c1c1e;
  --soft: #5f6368; --line: #d9d9de; --box: #ffffffee; }
@media (prefers-color-scheme: dark) { :root { --page: #17181b; --ink: #e6e6e3; --soft: #a0a4ab;
  --line: #3c3f45; --box: #222428ee; } }
body { margin: 0; background: var(--page); color: var(--ink); }
figure { margin: 0 auto; padding: 1rem; max-width: 70rem; }
svg { display: block; width: 100%; height: auto; max-height: none; }
.live .legend { cursor: pointer; }
.live .legend:hover text { text-decoration: underline; }
.legend:focus-visible { outline: 2px solid var(--soft); outline-offset: 2px; }
.curve.off, #pointer.off { display: none; }
.legend.off { opacity: .35; }
#values { position: fixed; z-index: 1; pointer-events: none; padding: .35rem .6rem; border: 1px solid var(--line);
  border-radius: .3rem; background: var(--box); font: .8rem/1.5 "DejaVu Sans", Verdana, Helvetica, Arial, sans-serif; }
#values table { border-collapse: collapse; }
#values td { padding: 0 .35rem 0 0; white-space: nowrap; }
#values td:last-child { padding: 0; color: var(--soft); }
#values .number { text-align: right; font-variant-numeric: tabular-nums; }
#values i { display: inline-block; width: 1rem; border-top: 3px solid currentColor; vertical-align: middle; }
@media print { :root { --page: #ffffff; --ink: #000000; } }
)";

/// Legend entries hide and show their curves; the pointer finds the nearest row and its values.
constexpr std::string_view page_script = R"((() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const svg = document.querySelector("svg"), values = document.getElementById("values");
  const hidden = new Set();
  const make = (name, attributes, parent) => {
    const element = document.createElementNS(svg.namespaceURI, name);
    for (const key in attributes) element.setAttribute(key, attributes[key]);
    parent.appendChild(element);
    return element;
  };
  const text = (value) => String(value).replace(/-/g, "\u2212").replace(/e\+?/, "e");
  const place = (value, scale) => (value - scale[2] - scale[0]) / (scale[1] - scale[0]);

  svg.classList.add("live");
  for (const entry of svg.querySelectorAll(".legend")) {
    const key = entry.dataset.key;
    const box = entry.getBBox();
    make("rect", { x: box.x, y: box.y - 1, width: box.width, height: box.height + 2, fill: "transparent" }, entry);
    entry.setAttribute("role", "button");
    entry.setAttribute("tabindex", "0");
    entry.setAttribute("aria-pressed", "true");
    const toggle = () => {
      const off = !hidden.delete(key);
      if (off) hidden.add(key);
      entry.setAttribute("aria-pressed", String(!off));
      for (const part of svg.querySelectorAll(`[data-key="${key}"]`)) part.classList.toggle("off", off);
      hide();
    };
    entry.addEventListener("click", toggle);
    entry.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      toggle();
    });
  }

  const pointer = make("g", { id: "pointer", class: "off", "pointer-events": "none" }, svg);
  const first = data.panels[0].box, last = data.panels[data.panels.length - 1].box;
  const line = make("line", { y1: first[1], y2: last[1] + last[3], class: "soft", "stroke-width": 0.8 }, pointer);
  let dots = [];
  const hide = () => {
    pointer.classList.add("off");
    values.hidden = true;
  };

  const nearest = (at) => {
    let best = 0;
    data.x.forEach((x, i) => {
      if (Math.abs(place(x, data.scale) - at) < Math.abs(place(data.x[best], data.scale) - at)) best = i;
    });
    return best;
  };
  const cell = (row, content, name) => {
    const made = row.insertCell();
    made.textContent = content;
    if (name) made.className = name;
    return made;
  };

  const show = (event) => {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    const p = data.panels.findIndex(({ box }) => at.x >= box[0] - 4 && at.x <= box[0] + box[2] + 4 &&
      at.y >= box[1] - 8 && at.y <= box[1] + box[3] + 8);
    if (p < 0) return hide();
    const { box, scale, series } = data.panels[p];
    const row = nearest((at.x - box[0]) / box[2]);
    const x = box[0] + box[2] * place(data.x[row], data.scale);
    line.setAttribute("x1", x);
    line.setAttribute("x2", x);
    dots.forEach((dot) => dot.remove());
    dots = [];
    const table = document.createElement("table");
    const head = table.insertRow();
    cell(head, "");
    cell(head, data.name);
    cell(head, text(data.x[row]), "number");
    cell(head, data.unit);
    series.forEach((one, s) => {
      if (hidden.has(`${p}-${s}`)) return;
      const value = one.values[row];
      const line = table.insertRow();
      cell(line, "", one.paint).appendChild(document.createElement("i"));
      cell(line, one.name);
      cell(line, value === null ? "no value" : text(value), "number");
      cell(line, one.unit);
      if (value === null) return;
      const y = box[1] + box[3] * (1 - place(value, scale));
      dots.push(make("circle", { cx: x, cy: y, r: 2.8, class: "f-" + one.paint }, pointer));
    });
    values.replaceChildren(table);
    values.hidden = false;
    pointer.classList.remove("off");
    const width = values.offsetWidth, height = values.offsetHeight;
    const right = event.clientX + 16 + width < window.innerWidth;
    values.style.left = Math.max(0, right ? event.clientX + 16 : event.clientX - 16 - width) + "px";
    values.style.top = Math.max(0, Math.min(event.clientY + 12, window.innerHeight - height - 4)) + "px";
  };
  svg.addEventListener("pointermove", show);
  svg.addEventListener("pointerdown", show);
  svg.addEventListener("pointerleave", hide);
})();
)";

}  // namespace liaison::plot
