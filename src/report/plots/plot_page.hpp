#pragma once

#include <string_view>

namespace liaison::plot {

/// On top of `report::page_look`.
constexpr std::string_view page_style = R"style(figure { margin: 0 auto; padding: 1rem; max-width: 70rem; }
svg { display: block; width: 100%; height: auto; max-height: none; }
.picture.narrow, .sheets { display: none; }
@media screen and (max-width: 37rem) { .picture.wide { display: none; } .picture.narrow { display: block; } figure { padding: .4rem; } }
.live .legend { cursor: pointer; }
.live .legend:hover text { text-decoration: underline; }
.live.moving { cursor: grabbing; }
.legend:focus-visible { outline: 2px solid var(--soft); outline-offset: 2px; }
.curve.off, .pointer.off, .mark.off, .span.off { display: none; }
.legend.off { opacity: .35; }
.tools { display: none; gap: .35rem; align-items: center; flex-wrap: wrap; margin: .3rem 0 0; color: var(--soft);
  font: .8rem/1.4 "DejaVu Sans", Verdana, Helvetica, Arial, sans-serif; }
.ready .tools { display: flex; }
.tools button { min-width: 2rem; padding: .2rem .5rem; border: 1px solid var(--line); border-radius: .3rem;
  background: var(--tint); color: var(--ink); font: inherit; cursor: pointer; }
.tools button:hover { border-color: var(--soft); }
.band { fill: var(--link); fill-opacity: .14; }
#values { position: fixed; z-index: 1; pointer-events: none; padding: .35rem .6rem; border: 1px solid var(--line);
  border-radius: .3rem; background: var(--box); font: .8rem/1.5 "DejaVu Sans", Verdana, Helvetica, Arial, sans-serif; }
#values table { border-collapse: collapse; }
#values td { padding: 0 .35rem 0 0; white-space: nowrap; }
#values td:last-child { padding: 0; color: var(--soft); }
#values .number { text-align: right; font-variant-numeric: tabular-nums; }
#values i { display: inline-block; width: 1rem; border-top: 3px solid currentColor; vertical-align: middle; }
@media print { .tools, #values { display: none !important; } figure { padding: 0; max-width: none; break-before: auto; }
  .picture.wide { display: none; } .sheets { display: block; }
  figure svg { break-inside: avoid; max-height: 24cm; overflow: hidden; } }
)style";

/// Legend entries hide and show their curves, a drag looks closer, and each panel takes the scale of what it
/// shows; the pointer finds the nearest row and its values. The picture that came with the page stands until
/// the view changes. Who shows the same time elsewhere listens to "liaison:cursor" (detail.x, null where the
/// pointer leaves) and says "liaison:time" (detail.x).
constexpr std::string_view page_script = R"script((() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const values = document.getElementById("values"), figure = document.querySelector("figure");
  const hidden = new Set();
  const full = [data.x[0] + data.x[2], data.x[1] + data.x[2]];
  let view = full.slice(), touched = false;

  const text = (value) => String(value).replace(/-/g, "\u2212").replace(/e\+?/, "e");
  const raised = (n) => String(n).replace(/./g, (c) => "\u207b\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"["-0123456789".indexOf(c)]);
  const first = (list, at) => {  /* of the first value that is not below */
    let low = 0, high = list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (list[middle] < at) low = middle + 1; else high = middle;
    }
    return low;
  };

  /* Steps of 1, 2 or 5; an offset where the values differ in their last digits alone. */
  const axis = (low, high, enough) => {
    const size = Math.max(Math.abs(low), Math.abs(high));
    let offset = 0;
    if (high - low < 1e-5 * size)
      for (let digits = 1; digits <= 17; ++digits) {
        offset = Number(((low + high) / 2).toPrecision(digits));
        if (offset >= low && offset <= high) break;
      }
    low -= offset;
    high -= offset;
    let step = 10 ** (Math.floor(Math.log10(high - low)) + 1);
    for (let i = 0; Math.floor(high / step + 1e-9) - Math.ceil(low / step - 1e-9) + 1 < enough && i < 40; ++i)
      step *= i % 3 === 1 ? 0.4 : 0.5;
    const largest = Math.floor(Math.log10(Math.max(Math.abs(low), Math.abs(high)) * (1 + 1e-9)));
    const places = -Math.floor(Math.log10(step * (1 + 1e-9)));
    const exponent = largest >= 5 || (largest < 0 && places > 3) ? largest : 0;
    const ticks = [];
    for (let k = Math.ceil(low / step - 1e-9); k <= high / step + 1e-9 && ticks.length < 60; ++k)
      ticks.push([k * step, k === 0 ? "0" : text((k * step / 10 ** exponent).toFixed(Math.max(0, Math.min(20, places + exponent))))]);
    const note = (exponent ? "\u00d710" + raised(exponent) : "") +
      (offset ? (offset < 0 ? " \u2212 " : " + ") + text(Math.abs(offset)) : "");
    return { low, high, offset, ticks, note: note.trim(), place: (value) => (value - offset - low) / (high - low) };
  };

  /* What a panel shows of its curves in the view, with a margin. */
  const scale_of = (panel, p, enough) => {
    let low = Infinity, high = -Infinity;
    panel.series.forEach((one, s) => {
      if (hidden.has(`${p}-${s}`)) return;
      const end = Math.min(one.x.length, first(one.x, view[1]) + 1);
      for (let i = Math.max(0, first(one.x, view[0]) - 1); i < end; ++i) {
        const value = one.values[i];
        if (value === null) continue;
        if (value < low) low = value;
        if (value > high) high = value;
      }
    });
    if (low > high) return null;
    const margin = high - low > 1e-15 * Math.abs(high) ? 0.06 * (high - low) : Math.abs(high) / 10 || 1;
    return axis(low - margin, high + margin, enough);
  };

  class Picture {
    constructor(svg, place) {
      this.svg = svg;
      this.boxes = place.boxes;
      this.bottom = place.axis;
      this.left = this.boxes[0][0];
      this.width = this.boxes[0][2];
      svg.classList.add("live");
      this.marks = [...svg.querySelectorAll("[data-x]")].map((group) => ({ group, at: Number(group.dataset.x),
        path: group.classList.contains("span") ? group.querySelector("path, polygon") : null }));
      for (const mark of this.marks) if (mark.path) mark.box = mark.path.getBBox();
      this.looks = new Map();
      for (const curve of svg.querySelectorAll(".curve")) {
        const line = curve.querySelector("polyline"), disc = curve.querySelector("circle");
        const look = { fill: "none", "stroke-width": 1.5, "stroke-linejoin": "round" };
        for (const name of ["class", "stroke-width", "stroke-dasharray"])
          if (line && line.hasAttribute(name)) look[name] = line.getAttribute(name);
        if (!line && disc) look.class = disc.getAttribute("class").replace("f-", "");
        this.looks.set(curve.dataset.key, look);
      }
      const last = this.boxes[this.boxes.length - 1];
      this.pointer = this.make("g", { class: "pointer off", "pointer-events": "none" }, svg);
      this.line = this.make("line", { y1: this.boxes[0][1], y2: last[1] + last[3], class: "soft", "stroke-width": 0.8 }, this.pointer);
      this.dots = [];
      this.scales = data.panels.map((panel) => {
        const [low, high, offset] = panel.scale;
        return { place: (value) => (value - offset - low) / (high - low) };
      });
      this.name_curves();
      svg.addEventListener("pointermove", (event) => this.move(event));
      svg.addEventListener("pointerdown", (event) => this.press(event));
      svg.addEventListener("pointerup", (event) => this.release(event));
      svg.addEventListener("pointerleave", () => { if (!this.from) hide(); });
      svg.addEventListener("dblclick", () => look_at(full));
    }

    make(name, attributes, parent) {
      const element = document.createElementNS(this.svg.namespaceURI, name);
      for (const key in attributes) element.setAttribute(key, attributes[key]);
      parent.appendChild(element);
      return element;
    }

    name_curves() {
      for (const entry of this.svg.querySelectorAll(".legend")) {
        const box = entry.getBBox();
        this.make("rect", { x: box.x, y: box.y - 1, width: box.width, height: box.height + 2, fill: "transparent" }, entry);
        entry.setAttribute("role", "button");
        entry.setAttribute("tabindex", "0");
        entry.setAttribute("aria-pressed", "true");
        entry.addEventListener("click", () => toggle(entry.dataset.key));
        entry.addEventListener("keydown", (event) => {
          if (event.key !== "Enter" && event.key !== " ") return;
          event.preventDefault();
          toggle(entry.dataset.key);
        });
      }
    }

    x(value) { return this.left + this.width * (value - view[0]) / (view[1] - view[0]); }

    draw() {
      /* The lines from names to the ends of their curves are those of the first view. */
      for (const entry of this.svg.querySelectorAll(".legend")) {
        const lines = entry.querySelectorAll("line");
        if (lines.length > 1) lines[0].remove();
      }
      const across = axis(view[0], view[1], 5);
      data.panels.forEach((panel, p) => this.draw_panel(panel, p, across));
      const under = this.svg.querySelector(`.ticks[data-key="${data.panels.length}-0"]`);
      if (under) {
        under.replaceChildren();
        for (const [at] of across.ticks) {
          const x = this.left + this.width * (at - across.low) / (across.high - across.low);
          this.make("line", { x1: x, x2: x, y1: this.bottom, y2: this.bottom + 4, class: "soft", "stroke-width": 0.9 }, under);
        }
      }
      const from = (at) => full[0] + (at - this.left) / this.width * (full[1] - full[0]);
      for (const mark of this.marks) {
        if (mark.path) {
          const left = Math.max(this.left, this.x(from(mark.box.x)));
          const right = Math.min(this.left + this.width, this.x(from(mark.box.x + mark.box.width)));
          mark.group.classList.toggle("off", right <= left);
          mark.path.setAttribute("d", `M${left},${mark.box.y}H${right}V${mark.box.y + mark.box.height}H${left}Z`);
          continue;
        }
        const x = this.x(from(mark.at));
        mark.group.classList.toggle("off", x < this.left - 0.5 || x > this.left + this.width + 0.5);
        mark.group.setAttribute("transform", `translate(${x - mark.at},0)`);
      }
    }

    draw_panel(panel, p, across) {
      const [left, top, width, height] = this.boxes[p];
      const scale = scale_of(panel, p, Math.floor(height / 50));
      if (scale) this.scales[p] = scale;
      const grid = this.svg.querySelector(`.grid[data-key="${p}-0"]`), ticks = this.svg.querySelector(`.ticks[data-key="${p}-0"]`);
      grid.replaceChildren();
      ticks.replaceChildren();
      const label = (x, y, content, anchor) => {
        this.make("text", { x, y, "font-size": 9.5, "text-anchor": anchor, class: "f-soft" }, ticks).textContent = content;
      };
      for (const [at, words] of across.ticks) {
        const x = left + width * (at - across.low) / (across.high - across.low);
        this.make("line", { x1: x, x2: x, y1: top, y2: top + height, class: "grid", "stroke-width": 0.7 }, grid);
        this.make("line", { x1: x, x2: x, y1: top + height, y2: top + height + 4, class: "soft", "stroke-width": 0.9 }, ticks);
        if (p + 1 === data.panels.length) label(x, this.bottom + 14.5, words, "middle");
      }
      if (p + 1 === data.panels.length && across.note) label(left + width, this.bottom + 27, across.note, "end");
      if (!scale) return;
      for (const [at, words] of scale.ticks) {
        const y = top + height * (1 - (at - scale.low) / (scale.high - scale.low));
        this.make("line", { x1: left, x2: left + width, y1: y, y2: y, class: at === 0 && !scale.offset ? "soft" : "grid",
          "stroke-width": at === 0 && !scale.offset ? 0.5 : 0.7 }, grid);
        this.make("line", { x1: left - 4, x2: left, y1: y, y2: y, class: "soft", "stroke-width": 0.9 }, ticks);
        label(left - 7, y + 3.4, words, "end");
      }
      if (scale.note) label(left - 7, top - 6.5, scale.note, "end");
      panel.series.forEach((one, s) => this.draw_curve(one, p, s));
    }

    /* From the row before the view to the row behind it, cut at its sides. */
    draw_curve(one, p, s) {
      const curve = this.svg.querySelector(`.curve[data-key="${p}-${s}"]`);
      curve.replaceChildren();
      if (hidden.has(`${p}-${s}`)) return;
      const [left, top, width, height] = this.boxes[p], scale = this.scales[p];
      const cut = (i, j, at) => one.values[i] + (one.values[j] - one.values[i]) * (at - one.x[i]) / (one.x[j] - one.x[i]);
      const begin = Math.max(0, first(one.x, view[0]) - 1), end = Math.min(one.x.length, first(one.x, view[1]) + 1);
      let path = "", alone = null, pen = false;
      const add = (x, value) => {
        const at = `${(left + width * (x - view[0]) / (view[1] - view[0])).toFixed(2)},${(top + height * (1 - scale.place(value))).toFixed(2)}`;
        path += (pen ? "L" : "M") + at;
        alone = pen ? null : at;
        pen = true;
      };
      const lone = () => {
        if (alone) this.make("circle", { cx: alone.split(",")[0], cy: alone.split(",")[1], r: 2.2, class: "f-" + one.paint }, curve);
        alone = null;
        pen = false;
      };
      for (let i = begin; i < end; ++i) {
        const value = one.values[i], x = one.x[i];
        if (value === null) { lone(); continue; }
        const next = one.values[i + 1], before = one.values[i - 1];
        if (x < view[0]) {
          if (next !== null && next !== undefined && one.x[i + 1] > view[0]) add(view[0], cut(i, i + 1, view[0]));
        } else if (x > view[1]) {
          if (before !== null && before !== undefined && one.x[i - 1] < view[1]) add(view[1], cut(i - 1, i, view[1]));
        } else {
          add(x, value);
        }
      }
      lone();
      this.make("path", { d: path, ...this.looks.get(`${p}-${s}`) }, curve);
    }

    at(event) {
      return new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    }
    /* The x under the pointer, kept inside. */
    value_at(at) {
      return view[0] + Math.min(1, Math.max(0, (at.x - this.left) / this.width)) * (view[1] - view[0]);
    }

    press(event) {
      const at = this.at(event), last = this.boxes[this.boxes.length - 1];
      const inside = at.x >= this.left && at.x <= this.left + this.width && at.y >= this.boxes[0][1] && at.y <= last[1] + last[3];
      if (!inside || event.button !== 0 || event.pointerType === "touch") return this.show(event);
      this.from = { x: at.x, value: this.value_at(at), view: view.slice(), pans: event.shiftKey };
      this.svg.setPointerCapture(event.pointerId);
    }

    move(event) {
      if (!this.from) return this.show(event);
      const at = this.at(event);
      if (this.from.pans) {
        const by = (this.from.x - at.x) / this.width * (this.from.view[1] - this.from.view[0]);
        this.svg.classList.add("moving");
        return look_at([this.from.view[0] + by, this.from.view[1] + by]);
      }
      const last = this.boxes[this.boxes.length - 1];
      if (!this.band) this.band = this.make("rect", { class: "band", y: this.boxes[0][1], height: last[1] + last[3] - this.boxes[0][1] }, this.svg);
      const x = Math.min(this.left + this.width, Math.max(this.left, at.x));
      this.band.setAttribute("x", Math.min(x, this.from.x));
      this.band.setAttribute("width", Math.abs(x - this.from.x));
    }

    release(event) {
      const from = this.from, at = this.at(event);
      this.from = null;
      this.svg.classList.remove("moving");
      if (this.band) this.band.remove();
      this.band = null;
      if (!from || from.pans || Math.abs(at.x - from.x) < 5) return;
      const to = this.value_at(at);
      look_at([Math.min(from.value, to), Math.max(from.value, to)]);
    }

    point(x) {
      const at = this.x(x);
      this.line.setAttribute("x1", at);
      this.line.setAttribute("x2", at);
      this.pointer.classList.toggle("off", !(at >= this.left - 0.5 && at <= this.left + this.width + 0.5));
    }

    show(event) {
      const at = this.at(event);
      const p = this.boxes.findIndex((box) => at.x >= box[0] - 4 && at.x <= box[0] + box[2] + 4 &&
        at.y >= box[1] - 8 && at.y <= box[1] + box[3] + 8);
      if (p < 0) return hide();
      const box = this.boxes[p], wanted = this.value_at(at);
      const nearest = (list) => {
        const i = first(list, wanted);
        return i > 0 && (i === list.length || wanted - list[i - 1] < list[i] - wanted) ? i - 1 : i;
      };
      const { series } = data.panels[p];
      let lead = series.findIndex((one, s) => one.x.length && !hidden.has(`${p}-${s}`));
      if (lead < 0) return hide();
      const x = series[lead].x[nearest(series[lead].x)];
      this.point(x);
      this.dots.forEach((dot) => dot.remove());
      this.dots = [];
      const table = document.createElement("table");
      const cell = (row, content, name) => {
        const made = row.insertCell();
        made.textContent = content;
        if (name) made.className = name;
        return made;
      };
      const head = table.insertRow();
      cell(head, "");
      cell(head, data.name);
      cell(head, text(x), "number");
      cell(head, data.unit);
      series.forEach((one, s) => {
        if (hidden.has(`${p}-${s}`) || !one.x.length) return;
        const row = nearest(one.x), value = one.values[row];
        const line = table.insertRow();
        cell(line, "", one.paint).appendChild(document.createElement("i"));
        cell(line, one.name);
        cell(line, value === null ? "no value" : text(value), "number");
        cell(line, one.unit);
        if (value === null) return;
        const y = box[1] + box[3] * (1 - this.scales[p].place(value));
        this.dots.push(this.make("circle", { cx: this.x(one.x[row]), cy: y, r: 2.8, class: "f-" + one.paint }, this.pointer));
      });
      values.replaceChildren(table);
      values.hidden = false;
      const width = values.offsetWidth, height = values.offsetHeight;
      const right = event.clientX + 16 + width < window.innerWidth;
      values.style.left = Math.max(0, right ? event.clientX + 16 : event.clientX - 16 - width) + "px";
      values.style.top = Math.max(0, Math.min(event.clientY + 12, window.innerHeight - height - 4)) + "px";
      document.dispatchEvent(new CustomEvent("liaison:cursor", { detail: { x } }));
    }
  }

  const boxes_of = (which) => document.querySelector(`.picture.${which}`);
  /* A picture that is not displayed has no boxes of its text: it is made live when it is first seen. */
  const made = [null, null];
  const picture = () => {
    const which = getComputedStyle(boxes_of("narrow")).display === "none" ? 0 : 1;
    if (!made[which]) {
      made[which] = new Picture(boxes_of(which ? "narrow" : "wide").querySelector("svg"), data.pictures[which]);
      if (touched) made[which].draw();
      dim();
    }
    return made[which];
  };
  const each = (act) => { for (const one of made) if (one) act(one); };
  const hide = () => {
    each((one) => one.pointer.classList.add("off"));
    values.hidden = true;
    document.dispatchEvent(new CustomEvent("liaison:cursor", { detail: { x: null } }));
  };
  const dim = () => {
    for (const part of document.querySelectorAll(".legend, .curve")) {
      const off = hidden.has(part.dataset.key);
      part.classList.toggle("off", off);
      if (part.classList.contains("legend")) part.setAttribute("aria-pressed", String(!off));
    }
  };
  const draw = () => {
    touched = true;
    hide();
    dim();
    each((one) => one.draw());
  };
  const toggle = (key) => {
    if (!hidden.delete(key)) hidden.add(key);
    draw();
  };
  const look_at = ([low, high]) => {
    const least = 1e-9 * (full[1] - full[0]), span = Math.min(full[1] - full[0], Math.max(least, high - low));
    const begin = Math.min(full[1] - span, Math.max(full[0], low));
    view = [begin, begin + span];
    draw();
  };
  const size = () => view[1] - view[0];
  const about = (factor) => {
    const middle = (view[0] + view[1]) / 2;
    look_at([middle - size() * factor / 2, middle + size() * factor / 2]);
  };
  const actions = {
    in: () => about(0.5), out: () => about(2), all: () => look_at(full),
    left: () => look_at([view[0] - size() / 2, view[1] - size() / 2]),
    right: () => look_at([view[0] + size() / 2, view[1] + size() / 2]),
  };
  for (const button of document.querySelectorAll(".tools button")) button.addEventListener("click", actions[button.dataset.do]);
  document.addEventListener("liaison:time", ({ detail }) => each((one) => one.point(detail.x)));
  addEventListener("resize", picture);
  figure.classList.add("ready");
  picture();
})();
)script";

}  // namespace liaison::plot
