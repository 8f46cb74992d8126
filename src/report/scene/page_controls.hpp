#pragma once

#include <string_view>

/// The second half of the script of a page: buttons, mouse, keys, and what the curves say.
namespace liaison::scene {

constexpr std::string_view page_controls = R"js(  // ---- controls ----
  const controls = root.querySelector(".controls");
  const make = (name, properties, parent = controls) => parent.appendChild(Object.assign(document.createElement(name), properties));
  const span = last - first;
  const speeds = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 1000, 10000];
  if (moving) {
    const wanted = span < 2 ? span / 8 : span > 40 ? span / 15 : 1;
    speed = speeds.reduce((a, b) => (Math.abs(Math.log(b / wanted)) < Math.abs(Math.log(a / wanted)) ? b : a));
  }
  let button, range, output;
  const set = (time, told) => {
    t = Math.max(first, Math.min(last, time));
    if (moving) {
      range.value = span > 0 ? (t - first) / span : 0;
      output.value = "t = " + t.toPrecision(5) + (S.unit ? " " + S.unit : "");
    }
    draw();
    if (!told) document.dispatchEvent(new CustomEvent("liaison:time", { detail: { x: t } }));
  };
  const tick = (stamp) => {
    if (!playing) return;
    const passed = Math.min(0.1, (stamp - before) / 1000);
    before = stamp;
    if (t >= last) {
      if (!shown.repeat) return play(false);
      set(first);
    } else {
      set(t + passed * speed);
    }
    requestAnimationFrame(tick);
  };
  const play = (on) => {
    playing = on;
    button.textContent = on ? "\u275a\u275a" : "\u25b6";
    button.setAttribute("aria-label", on ? "pause" : "play");
    if (!on) return;
    if (t >= last) t = first;
    before = performance.now();
    requestAnimationFrame(tick);
  };
  if (moving) {
    button = make("button", { type: "button" });
    button.addEventListener("click", () => play(!playing));
    const strip = make("span", { className: "time" });
    range = make("input", { type: "range", min: 0, max: 1, step: "any" }, strip);
    range.setAttribute("aria-label", "time");
    range.addEventListener("input", () => { play(false); set(first + span * range.value); });
    for (const event of S.events.slice(0, 60)) {
      const mark = make("i", { className: "tick", title: event.name }, strip);
      mark.style.left = 100 * (event.t - first) / span + "%";
    }
    output = make("output", {});
    const select = make("select", {});
    select.setAttribute("aria-label", "speed");
    for (const one of speeds) make("option", { value: one, textContent: "\u00d7 " + one, selected: one === speed }, select);
    select.addEventListener("change", () => { speed = Number(select.value); });
  }
  const toggle = (key, text, there = true) => {
    if (!there) return;
    const label = make("label", {});
    const box = make("input", { type: "checkbox", checked: shown[key] }, label);
    label.append(" " + text);
    box.addEventListener("change", () => { shown[key] = box.checked; fit(); draw(); });
  };
  toggle("traces", "traces", moving && S.tracks.length > 0);
  toggle("velocities", "velocities", S.arrows.some((arrow) => arrow.kind === "velocity"));
  toggle("reactions", "reactions", S.arrows.some((arrow) => arrow.kind === "reaction"));
  toggle("names", "names", S.tracks.length > 0);
  toggle("follow", "follow", moving);
  toggle("repeat", "repeat", moving);
  const reset = make("button", { type: "button", textContent: "\u2302" });
  reset.setAttribute("aria-label", "the first view");
  reset.addEventListener("click", () => { view = home(); draw(); });

  // ---- mouse, touch, keys ----
  const fingers = new Map();
  canvas.addEventListener("pointerdown", (event) => {
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    const from = fingers.get(event.pointerId);
    if (!from) return;
    const to = [event.clientX, event.clientY], dx = to[0] - from[0], dy = to[1] - from[1];
    if (fingers.size === 2) {
      const other = [...fingers.entries()].find(([id]) => id !== event.pointerId)[1];
      const apart = (p) => Math.hypot(p[0] - other[0], p[1] - other[1]);
      view.zoom *= apart(to) / (apart(from) || 1);
    } else if (space && !event.shiftKey && event.buttons !== 4) {
      view.azimuth -= 0.4 * dx;
      view.elevation = Math.max(-89, Math.min(89, view.elevation + 0.4 * dy));
    } else {
      view.pan = [view.pan[0] + dx, view.pan[1] + dy];
    }
    fingers.set(event.pointerId, to);
    draw();
  });
  for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, (event) => fingers.delete(event.pointerId));
  canvas.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && document.activeElement !== canvas) return;
    event.preventDefault();
    view.zoom = Math.max(0.05, Math.min(100, view.zoom * Math.exp(-0.0015 * event.deltaY)));
    draw();
  }, { passive: false });
  canvas.addEventListener("dblclick", () => { view = home(); draw(); });
  canvas.addEventListener("keydown", (event) => {
    const key = event.key;
    if (key === " " && moving) play(!playing);
    else if (key === "ArrowLeft" || key === "ArrowRight") {
      const side = key === "ArrowLeft" ? -1 : 1;
      if (event.shiftKey && space) { view.azimuth += 5 * side; draw(); } else if (moving) { play(false); set(t + side * span / 100); }
    } else if (key === "+" || key === "-") { view.zoom *= key === "+" ? 1.2 : 1 / 1.2; draw(); } else return;
    event.preventDefault();
  });
  document.addEventListener("liaison:cursor", ({ detail }) => {
    if (!moving || detail.x === null) return;
    if (playing) play(false);
    set(detail.x, true);
  });
  let seen = 0;
  new ResizeObserver(() => requestAnimationFrame(() => {
    if (root.clientWidth === seen) return;
    seen = root.clientWidth;
    fit();
    draw();
  })).observe(root);
  wantsDark.addEventListener("change", draw);
  // Paper does not move: it has the motion at six times.
  const frames = 6, strobe = root.insertBefore(make("div", { className: "strobe" }, root), controls);
  const onPaper = (on) => {
    if (on === printing) return;
    const kept = t;
    printing = on;
    share = on && moving ? 0.48 : 1;
    root.classList.toggle("strobes", on && moving);
    strobe.replaceChildren();
    fit();
    for (let i = 0; on && moving && i < frames; ++i) {
      t = first + span * i / (frames - 1);
      draw();
      const box = make("div", {}, strobe), copy = make("canvas", { width: canvas.width, height: canvas.height }, box);
      copy.getContext("2d").drawImage(canvas, 0, 0);
      make("span", { textContent: "t = " + short(t) + (S.unit ? " " + S.unit : "") }, box);
      if (modesText.textContent) make("span", { textContent: " \u00b7 " + modesText.textContent }, box);
    }
    t = kept;
    draw();
  };
  window.addEventListener("beforeprint", () => onPaper(true));
  window.addEventListener("afterprint", () => onPaper(false));
  const paper = matchMedia("print");
  paper.addEventListener("change", () => onPaper(paper.matches));
  canvas.setAttribute("aria-label", "the mechanism " + S.title);
  fit();
  set(t, !asked.has("t"));  // the curves show a time that the address asks for
  if (moving) play(asked.has("play"));
  if (paper.matches) onPaper(true);
})();
)js";

}  // namespace liaison::scene
