#pragma once

#include <string_view>

/// What a page needs to move a scene: plain JavaScript on a canvas, no library, so that a page stays small,
/// opens in any browser and without a graphics processor, and shows what the pictures of this layer show.
namespace liaison::scene {

constexpr std::string_view page_script = R"js((() => {
  "use strict";
  const root = document.getElementById("scene");
  const S = JSON.parse(document.getElementById("scene-data").textContent);
  for (const column of S.columns) column.forEach((x, i) => { if (x === null) column[i] = NaN; });
  const canvas = root.querySelector("canvas"), ctx = canvas.getContext("2d");
  const space = S.dimension === 3, T = S.t, first = T[0], last = T[T.length - 1], moving = T.length > 1;
  const palettes = {
    light: { paints: ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a8a8e", "#3a3a3c", "#5f6368"],
      paper: "#ffffff", ink: "#1c1c1e", soft: "#5f6368", grid: "#e2e2e7", shade: "#000000" },
    dark: { paints: ["#3a9fdc", "#f07c2c", "#1fbf93", "#dc94bb", "#f0b429", "#8fd0f7", "#9a9a9e", "#d0d0cc", "#a0a4ab"],
      paper: "#17181b", ink: "#e6e6e3", soft: "#a0a4ab", grid: "#303338", shade: "#000000" } };
  const wantsDark = matchMedia("(prefers-color-scheme: dark)");
  let printing = false, share = 1;  // of the width, that one picture takes
  const palette = () => (wantsDark.matches && !printing ? palettes.dark : palettes.light);

  // ---- the scene at a time: straight between rows ----
  let now = new Float64Array(S.columns.length);
  const rowBefore = (t) => {
    let low = 0, high = T.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (T[middle] <= t) low = middle; else high = middle - 1;
    }
    return low;
  };
  const valuesAt = (t) => {
    const a = rowBefore(t), b = Math.min(a + 1, T.length - 1);
    const width = T[b] - T[a], part = width > 0 ? Math.max(0, Math.min(1, (t - T[a]) / width)) : 0;
    const values = new Float64Array(S.columns.length);
    S.columns.forEach((column, c) => { values[c] = part === 0 ? column[a] : column[a] * (1 - part) + column[b] * part; });
    return values;
  };
  const value = (v) => (typeof v === "string" ? now[v] : v);
  const point = (p) => [value(p[0]), value(p[1]), value(p[2])];
  const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
  const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
  const times = (s, a) => [s * a[0], s * a[1], s * a[2]];
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const size = (a) => Math.hypot(a[0], a[1], a[2]);
  const mix = (m, k, axes) => add(add(times(m[0][k], axes[0]), times(m[1][k], axes[1])), times(m[2][k], axes[2]));
  const turned = (axes, s, [x, y, z]) => {
    const n = s * s + x * x + y * y + z * z;
    if (!(n > 0)) return axes;
    const m = [[s * s + x * x - y * y - z * z, 2 * (x * y - s * z), 2 * (x * z + s * y)],
      [2 * (x * y + s * z), s * s - x * x + y * y - z * z, 2 * (y * z - s * x)],
      [2 * (x * z - s * y), 2 * (y * z + s * x), s * s - x * x - y * y + z * z]].map((row) => row.map((e) => e / n));
    return [0, 1, 2].map((k) => mix(m, k, axes));
  };
  const placement = (solid) => {
    if (!solid.from) {
      let axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
      for (const turn of solid.turns) {
        if (turn.q) {
          const q = turn.q.map(value);
          axes = turned(axes, q[0], q.slice(1));
        } else {
          const half = value(turn.angle) / 2;
          axes = turned(axes, Math.cos(half), times(Math.sin(half) / size(turn.axis), turn.axis));
        }
      }
      return { origin: point(solid.at), axes };
    }
    const from = point(solid.from), along = sub(point(solid.to), from), length = size(along);
    if (!(length > 0)) return { origin: from, axes: [[0, 0, 0], [0, 1, 0], [0, 0, 1]] };
    const e = times(1 / length, along), reference = Math.abs(e[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0];
    const side = cross(reference, e), f = times(1 / size(side), side);
    return { origin: from, axes: [along, f, cross(e, f)] };
  };
  const vertices = (solid, part = 1) => {
    const { origin, axes } = placement(solid), v = solid.mesh.v, out = [];
    for (let i = 0; i < v.length; i += 3)
      out.push(add(origin, times(part, add(times(v[i], axes[0]), add(times(v[i + 1], axes[1]), times(v[i + 2], axes[2]))))));
    return out;
  };
  // a particle is a dot of some pixels: it takes no room
  const isDot = (solid) => solid.kind === "particle";
  const dotReach = (solid) => (solid.reach ??= Math.max(...solid.mesh.v.map((_, i, v) => (i % 3 ? 0 : Math.hypot(v[i], v[i + 1], v[i + 2])))));
  const corners = (solid) => (isDot(solid) ? [placement(solid).origin] : vertices(solid));
  const drawn = (solid) => {
    if (!isDot(solid)) return vertices(solid);
    const pixels = dotReach(solid) * frame.scale;
    return vertices(solid, pixels > 0 ? Math.max(3.5, Math.min(7, 0.016 * width, pixels)) / pixels : 1);
  };

  // ---- how large all of it is ----
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  const own = { low: [Infinity, Infinity, Infinity], high: [-Infinity, -Infinity, -Infinity] };
  const widen = (p, box) => {
    for (let k = 0; k < 3; ++k) {
      if (!Number.isFinite(p[k])) return;
      box.low[k] = Math.min(box.low[k], p[k]);
      box.high[k] = Math.max(box.high[k], p[k]);
    }
  };
  const middleNow = () => {
    const box = { low: [Infinity, Infinity, Infinity], high: [-Infinity, -Infinity, -Infinity] };
    for (const track of S.tracks) widen(point(track.at), box);
    if (!S.tracks.length) for (const solid of S.solids) widen(placement(solid).origin, box);
    return box.low[0] <= box.high[0] ? times(0.5, add(box.low, box.high)) : [0, 0, 0];
  };
  const stride = Math.max(1, Math.floor(T.length / 200));
  const longest = { velocity: 0, reaction: 0 }, lengths = S.arrows.map(() => []);
  for (let i = 0; i < T.length; i += stride) {
    now = valuesAt(T[i]);
    const one = { low: [Infinity, Infinity, Infinity], high: [-Infinity, -Infinity, -Infinity] };
    for (const solid of S.solids) for (const p of corners(solid)) widen(p, one);
    for (const track of S.tracks) widen(point(track.at), one);
    const middle = middleNow();
    for (const corner of [one.low, one.high]) {
      widen(corner, { low, high });
      widen(sub(corner, middle), own);
    }
  }
  const inRow = (v, row) => (typeof v === "string" ? S.columns[v][row] : v);
  for (const [which, arrow] of S.arrows.entries()) {
    for (let i = 0; i < T.length; ++i) {
      const length = size(arrow.vector.map((v) => inRow(v, i)));
      if (!Number.isFinite(length) || !(length > 0)) continue;
      longest[arrow.kind] = Math.max(longest[arrow.kind], length);
      lengths[which].push(length);
    }
  }
  // where one is many times the others these would vanish beside it: then a root of the lengths is drawn, and said
  const rootOf = (kind) => {
    const usual = lengths.filter((own, which) => own.length && S.arrows[which].kind === kind)
      .map((own) => own.sort((a, b) => a - b)[own.length >> 1]).filter((length) => length > 1e-4 * longest[kind]);
    const ratio = longest[kind] / Math.min(longest[kind], ...usual);
    return ratio > 60 ? 3 : ratio > 6 ? 2 : 1;
  };
  const power = { velocity: rootOf("velocity"), reaction: rootOf("reaction") };
  if (!(low[0] <= high[0])) { low.fill(-1); high.fill(1); own.low.fill(-1); own.high.fill(1); }
  const floor = low[2], sides = (box) => box.high.map((x, k) => x - box.low[k]);
  // what stays in one place but for the last digits
  const rests = !(Math.max(...sides({ low, high })) > 1e-6 * Math.max(...low.map(Math.abs), ...high.map(Math.abs)));
  const least = 0.3 * (rests ? S.size : Math.max(...sides({ low, high }))) || 1;
  const alone = !(Math.max(...sides(own)) > 1e-6 * least);  // without a size of its own: a dot
  for (const box of [{ low, high }, own]) {
    for (let k = 0; k < (space ? 3 : 2); ++k) {
      const missing = (box === own && !alone ? 0 : rests ? S.size : least) - (box.high[k] - box.low[k]);
      if (missing > 0) { box.low[k] -= missing / 2; box.high[k] += missing / 2; }
    }
  }
  // who travels is seen with some of the way around
  for (let k = 0; k < 3; ++k) { own.low[k] *= 1.7; own.high[k] *= 1.7; }
  const travels = !alone && size(sub(high, low)) > 6 * size(sub(own.high, own.low));

  // ---- state, also by the address: #t=1.5&view=30,20&velocities&reactions&names ----
  // what the page was made with comes first
  const asked = new URLSearchParams(root.dataset.asked);
  for (const [key, value] of new URLSearchParams(location.hash.slice(1))) asked.set(key, value);
  const shown = { traces: !asked.has("plain"), velocities: asked.has("velocities"), reactions: asked.has("reactions"),
    names: asked.has("names"), follow: travels, repeat: true };
  const [azimuth, elevation] = (asked.get("view") || "-55,22").split(",").map(Number);
  const home = () => ({ azimuth, elevation, zoom: 1, pan: [0, 0] });
  let view = home();
  let t = asked.has("t") ? Math.max(first, Math.min(last, Number(asked.get("t")) || 0)) : first;
  let playing = false, speed = 1, before = 0;

  // ---- projection ----
  let width = 600, height = 360, frame;
  // how far what is seen in a run goes to the side and up in the first view
  const found = {};
  const reaches = (follow, flat) => {
    if (found[follow]) return found[follow];
    const kept = now, here = middleNow();
    let wide = 0, tall = 0;
    for (let i = 0; i < T.length; i += stride) {
      now = valuesAt(T[i]);
      const shift = follow ? sub(here, middleNow()) : [0, 0, 0];
      const look = (p) => {
        const q = flat(add(p, shift));
        if (!Number.isFinite(q[0] + q[1])) return;
        wide = Math.max(wide, Math.abs(q[0]));
        tall = Math.max(tall, Math.abs(q[1]));
      };
      for (const solid of S.solids) for (const p of corners(solid)) look(p);
      for (const track of S.tracks) look(point(track.at));
    }
    now = kept;
    if (follow) { wide *= 1.7; tall *= 1.7; }
    return (found[follow] = [wide, tall]);
  };
  const makeFrame = () => {
    const box = shown.follow ? own : { low, high };
    const centre = add(shown.follow ? middleNow() : [0, 0, 0], times(0.5, add(box.low, box.high)));
    const margin = 26;
    if (!space) {
      const scale = view.zoom * Math.min((width - 2 * margin) / (box.high[0] - box.low[0] || 1),
        (height - 2 * margin) / (box.high[1] - box.low[1] || 1));
      return { scale, centre, project: (p) => [width / 2 + view.pan[0] + scale * (p[0] - centre[0]),
        height / 2 + view.pan[1] - scale * (p[1] - centre[1]), 0] };
    }
    const basis = ({ azimuth, elevation }) => {
      const a = azimuth * Math.PI / 180, e = elevation * Math.PI / 180;
      const forward = [-Math.cos(a) * Math.cos(e), -Math.sin(a) * Math.cos(e), -Math.sin(e)];
      const right = [-Math.sin(a), Math.cos(a), 0];
      return { forward, right, up: cross(right, forward) };
    };
    const radius = size(sub(box.high, box.low)) / 2 || 1, away = 4 * radius;
    const flat = (p, { forward, right, up }) => {
      const d = sub(p, centre), depth = dot(d, forward), near = away / (away + depth);
      return [near * dot(d, right), near * dot(d, up), depth];
    };
    const [wide, tall] = reaches(shown.follow, (p) => flat(p, basis(home()))).map((x) => Math.max(x, 0.3 * radius));
    const scale = view.zoom * Math.min((width / 2 - margin) / wide, (height / 2 - margin) / tall);
    const axes = basis(view);
    return { scale, centre, radius, axes, project: (p) => {
      const q = flat(p, axes);
      return [width / 2 + view.pan[0] + scale * q[0], height / 2 + view.pan[1] - scale * q[1], q[2]];
    } };
  };
  const fit = () => {
    const wide = canvas.parentElement.clientWidth * share, ratio = printing ? 3 : Math.min(window.devicePixelRatio || 1, 3);
    const box = shown.follow ? own : { low, high };
    const shape = space ? 0.62 : (box.high[1] - box.low[1]) / (box.high[0] - box.low[0] || 1);
    width = Math.max(wide, 200);
    const most = printing ? 0.6 * width : (document.querySelector("figure") ? 0.5 : 0.7) * Math.max(window.innerHeight, 400);
    height = Math.max(200, Math.min(width * Math.max(0.38, Math.min(shape, 0.8)), most));
    canvas.style.aspectRatio = width + " / " + height;  /* paper has another width */
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  };

  // ---- colours ----
  const channels = (c) => [1, 3, 5].map((i) => parseInt(c.slice(i, i + 2), 16));
  const tinted = (c, brightness) => {
    const target = brightness < 1 ? 0 : 255, part = Math.min(1, Math.abs(1 - brightness));
    return "rgb(" + channels(c).map((x) => Math.round(x + (target - x) * part)).join(",") + ")";
  };

  // ---- drawing ----
  const path = (points, closed) => {
    ctx.beginPath();
    points.forEach((p, i) => (i ? ctx.lineTo(p[0], p[1]) : ctx.moveTo(p[0], p[1])));
    if (closed) ctx.closePath();
  };
  const step = (range) => {
    const power = 10 ** Math.floor(Math.log10(range || 1)), lead = range / power;
    return power * (lead >= 5 ? 5 : lead >= 2 ? 2 : 1);
  };
  const drawGrid = (colours) => {
    const ground = S.grounds[0] || { normal: [0, 0, 1], height: floor };
    const n = ground.normal, reference = Math.abs(n[0]) < 0.9 && Math.abs(n[2]) > 0.5 ? [1, 0, 0] : Math.abs(n[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0];
    const side = sub(reference, times(dot(reference, n), n)), e = times(1 / size(side), side), f = cross(n, e);
    const middle = frame.centre, c = add(middle, times(ground.height - dot(middle, n), n));
    const space_ = step(frame.radius / 2.5), count = Math.ceil(1.25 * frame.radius / space_), reach = count * space_;
    const ue = Math.round(dot(c, e) / space_) * space_, uf = Math.round(dot(c, f) / space_) * space_;
    const on = (a, b) => frame.project(add(times(ground.height, n), add(times(a, e), times(b, f))));
    ctx.lineWidth = 1;
    ctx.strokeStyle = colours.grid;
    for (let i = -count; i <= count; ++i) {
      path([on(ue + i * space_, uf - reach), on(ue + i * space_, uf + reach)]);
      ctx.stroke();
      path([on(ue - reach, uf + i * space_), on(ue + reach, uf + i * space_)]);
      ctx.stroke();
    }
    return { ground, space: space_ };
  };
  const drawGrounds = (colours) => {
    for (const { normal: n, height: h } of S.grounds) {
      const foot = add(frame.centre, times(h - dot(frame.centre, n), n)), along = [n[1], -n[0], 0];
      const reach = 1.2 * (width + height) / frame.scale, space_ = 9 / frame.scale;
      ctx.strokeStyle = colours.soft;
      ctx.lineWidth = 1.5;
      path([frame.project(add(foot, times(-reach, along))), frame.project(add(foot, times(reach, along)))]);
      ctx.stroke();
      ctx.lineWidth = 0.8;
      ctx.globalAlpha = 0.6;
      ctx.beginPath();
      const shift = dot(foot, along) % space_;
      for (let s = -reach - shift; s < reach; s += space_) {
        const p = frame.project(add(foot, times(s, along)));
        const q = frame.project(add(foot, add(times(s - 0.7 * space_, along), times(-0.8 * space_, n))));
        ctx.moveTo(p[0], p[1]);
        ctx.lineTo(q[0], q[1]);
      }
      ctx.stroke();
      ctx.globalAlpha = 1;
    }
  };
  const drawPlane = (colours) => {
    for (const solid of S.solids) {
      const p = drawn(solid).map(frame.project), colour = colours.paints[solid.paint];
      if (p.some((q) => !Number.isFinite(q[0] + q[1]))) continue;
      solid.mesh.f.forEach((face, i) => {
        path(face.map((v) => p[v]), true);
        ctx.fillStyle = tinted(colour, solid.mesh.tone[i]);
        ctx.globalAlpha = solid.kind === "joint" || solid.kind === "particle" ? 1 : 0.62;
        ctx.fill();
      });
      ctx.globalAlpha = 1;
      ctx.strokeStyle = solid.kind === "spring" || solid.kind === "damper" || solid.kind === "line" ? colour : tinted(colour, palette() === palettes.dark ? 1.25 : 0.7);
      ctx.lineWidth = solid.kind === "spring" || solid.kind === "damper" ? 1.8 : 1.3;
      ctx.lineJoin = "round";
      for (const line of solid.mesh.l) {
        path(line.map((v) => p[v]));
        ctx.stroke();
      }
    }
  };
  const light = (() => { const l = [0.35, 0.55, -0.76]; return times(1 / size(l), l); })();
  const drawSpace = (colours, ground) => {
    const pieces = [], shadow = [];
    for (const solid of S.solids) {
      const v = drawn(solid), p = v.map(frame.project), colour = colours.paints[solid.paint];
      if (p.some((q) => !Number.isFinite(q[0] + q[1]))) continue;
      solid.mesh.f.forEach((face, i) => {
        let depth = 0;
        for (const k of face) depth += p[k][2];
        let n = [0, 0, 0];  // Newell's: also where two corners are one
        for (let k = 1; k + 1 < face.length; ++k) n = add(n, cross(sub(v[face[k]], v[face[0]]), sub(v[face[k + 1]], v[face[0]])));
        const m = size(n) || 1, seen = [dot(n, frame.axes.right) / m, dot(n, frame.axes.up) / m, dot(n, frame.axes.forward) / m];
        const lit = 0.62 + 0.42 * Math.abs(dot(seen, light));
        pieces.push({ depth: depth / face.length, points: face.map((k) => p[k]), fill: tinted(colour, lit * solid.mesh.tone[i]) });
        if (v.length < 900) shadow.push(face.map((k) => frame.project(add(v[k], times(ground.height - dot(v[k], ground.normal), ground.normal)))));
      });
      const bias = 0.01 * frame.radius, thin = solid.kind === "spring" || solid.kind === "line" || solid.kind === "damper";
      for (const line of solid.mesh.l)
        for (let i = 0; i + 1 < line.length; ++i)
          pieces.push({ depth: (p[line[i]][2] + p[line[i + 1]][2]) / 2 - bias, points: [p[line[i]], p[line[i + 1]]],
            stroke: thin ? colour : tinted(colour, 0.6), width: thin ? 2 : 1 });
    }
    ctx.beginPath();
    for (const points of shadow) {
      let area = 0;
      points.forEach((p, i) => { const q = points[(i + 1) % points.length]; area += p[0] * q[1] - q[0] * p[1]; });
      (area < 0 ? points.slice().reverse() : points).forEach((p, i) => (i ? ctx.lineTo(p[0], p[1]) : ctx.moveTo(p[0], p[1])));
      ctx.closePath();
    }
    ctx.fillStyle = colours.shade;
    ctx.globalAlpha = palette() === palettes.dark ? 0.35 : 0.1;
    ctx.fill();
    ctx.globalAlpha = 1;
    pieces.sort((a, b) => b.depth - a.depth);
    ctx.lineCap = "round";
    for (const piece of pieces) {
      path(piece.points, Boolean(piece.fill));
      if (piece.fill) {
        ctx.fillStyle = ctx.strokeStyle = piece.fill;
        ctx.lineWidth = 0.6;
        ctx.fill();
        ctx.stroke();
      } else {
        ctx.strokeStyle = piece.stroke;
        ctx.lineWidth = piece.width;
        ctx.stroke();
      }
    }
    ctx.lineCap = "butt";
  };
  const drawTraces = (colours) => {
    const end = rowBefore(t), jump = Math.max(1, Math.ceil(end / 1500));
    for (const track of S.tracks) {
      if (!track.traced) continue;
      const at = (row) => track.at.map((v) => inRow(v, row));
      const points = [];
      for (let i = 0; i < end; i += jump) points.push(frame.project(at(i)));
      points.push(frame.project(at(end)), frame.project(point(track.at)));
      path(points.filter((p) => Number.isFinite(p[0] + p[1])));
      ctx.strokeStyle = colours.paints[track.paint];
      ctx.lineWidth = 1.2;
      ctx.globalAlpha = 0.65;
      ctx.stroke();
      ctx.globalAlpha = 1;
    }
  };
  const drawArrow = (from, to, colour) => {
    const dx = to[0] - from[0], dy = to[1] - from[1], length = Math.hypot(dx, dy);
    if (!(length > 1.5)) return;
    const head = Math.min(9, 0.45 * length), u = [dx / length, dy / length];
    ctx.strokeStyle = ctx.fillStyle = colour;
    ctx.lineWidth = 2;
    path([from, [to[0] - head * 0.8 * u[0], to[1] - head * 0.8 * u[1]]]);
    ctx.stroke();
    path([to, [to[0] - head * u[0] - 0.45 * head * u[1], to[1] - head * u[1] + 0.45 * head * u[0]],
      [to[0] - head * u[0] + 0.45 * head * u[1], to[1] - head * u[1] - 0.45 * head * u[0]]], true);
    ctx.fill();
  };
  const drawWord = (text, x, y, colour, paper, endsThere) => {
    ctx.font = '12px "DejaVu Sans", Verdana, sans-serif';
    ctx.textBaseline = "bottom";
    ctx.textAlign = endsThere ? "right" : "left";
    ctx.lineWidth = 3;
    ctx.strokeStyle = paper;
    ctx.fillStyle = colour;
    ctx.strokeText(text, x, y);
    ctx.fillText(text, x, y);
    ctx.textAlign = "left";
  };
  const unitOf = (kind) => (S.unit ? (kind === "velocity" ? " m/s" : " N") : "");
  const short = (x) => String(Number(x.toPrecision(3))).replace("-", "\u2212").replace("e+", "e");
  const drawArrows = (colours) => {
    const reach = 0.2 * Math.min(width, height) / frame.scale;
    for (const arrow of S.arrows) {
      if (!shown[arrow.kind === "reaction" ? "reactions" : "velocities"] || !(longest[arrow.kind] > 0)) continue;
      const at = point(arrow.at), vector = point(arrow.vector), length = size(vector);
      if (!(length > 0)) continue;
      const tip = add(at, times(reach * (length / longest[arrow.kind]) ** (1 / power[arrow.kind]) / length, vector));
      if (![...at, ...tip].every(Number.isFinite)) continue;
      const colour = colours.paints[arrow.kind === "reaction" ? 1 : 2], end = frame.project(tip);
      const begin = frame.project(at);
      drawArrow(begin, end, colour);
      if (!shown.names) continue;
      // beyond the tip; where two lie side by side the one above the other
      const dx = end[0] - begin[0], dy = end[1] - begin[1], seen = Math.hypot(dx, dy) || 1;
      const aside = Math.abs(dy) < 0.6 * seen ? (arrow.kind === "reaction" ? -6 : 6) : 0;
      drawWord(short(length) + unitOf(arrow.kind), end[0] + (dx < 0 ? -6 : 6), end[1] + 7 + 9 * dy / seen + aside, colour, colours.paper, dx < 0);
    }
  };
  const modeOf = (contact) => {
    let mode = "";
    for (const [begin, end, name] of contact.modes) if (t >= begin && t <= end) mode = name;
    return mode;
  };
  const modePaint = { open: 8, sticks: 2, closed: 2, touches: 0, rolls: 0, slips: 1 };
  const drawContacts = (colours) => {
    for (const contact of S.contacts) {
      const p = frame.project(point(contact.at)), mode = modeOf(contact);
      if (!Number.isFinite(p[0] + p[1])) continue;
      ctx.beginPath();
      ctx.arc(p[0], p[1], 4.5, 0, 2 * Math.PI);
      ctx.fillStyle = ctx.strokeStyle = colours.paints[modePaint[mode] ?? 8];
      ctx.lineWidth = 1.6;
      if (mode && mode !== "open") ctx.fill(); else ctx.stroke();
      if (contact.impacts.some((at) => t >= at && t - at < 0.25 * speed)) {
        ctx.beginPath();
        ctx.arc(p[0], p[1], 11, 0, 2 * Math.PI);
        ctx.strokeStyle = colours.paints[1];
        ctx.lineWidth = 2.5;
        ctx.stroke();
      }
    }
  };
  const drawNames = (colours) => {
    for (const track of S.tracks) {
      const p = frame.project(point(track.at));
      drawWord(track.name, p[0] + 7, p[1] - 5, colours.ink, colours.paper);
    }
  };
  const drawScaleBar = (colours, grid) => {
    const unit = S.unit ? " m" : "";
    ctx.font = '11px "DejaVu Sans", Verdana, sans-serif';
    ctx.fillStyle = ctx.strokeStyle = colours.soft;
    ctx.textBaseline = "bottom";
    ctx.lineWidth = 1.4;
    if (space) {
      const c = [34, height - 30];
      for (const [k, name] of [[0, "x"], [1, "y"], [2, "z"]]) {
        const e = [0, 0, 0];
        e[k] = 1;
        const p = [c[0] + 21 * dot(e, frame.axes.right), c[1] - 21 * dot(e, frame.axes.up)];
        path([c, p]);
        ctx.stroke();
        ctx.fillText(name, p[0] - 3 + 0.35 * (p[0] - c[0]), p[1] + 6 + 0.35 * (p[1] - c[1]));
      }
      const text = "grid " + short(grid.space) + unit;
      ctx.fillText(text, width - 8 - ctx.measureText(text).width, height - 6);
      return;
    }
    const length = step(0.28 * width / frame.scale), wide = length * frame.scale, x = width - 12 - wide, y = height - 10;
    path([[x, y - 4], [x, y], [x + wide, y], [x + wide, y - 4]]);
    ctx.stroke();
    ctx.fillText(short(length) + unit, x + 3, y - 3);
  };
  const modesText = root.querySelector(".modes");
  const tell = () => {
    const parts = S.contacts.map((contact) => [contact.name, modeOf(contact)]).filter(([, mode]) => mode);
    const arrows = [["velocities", "velocity"], ["reactions", "reaction"]].filter(([key, kind]) => shown[key] && longest[kind] > 0)
      .map(([key, kind]) => [key, "longest " + short(longest[kind]) + unitOf(kind) + ["", "", ", lengths by the square root", ", lengths by the cube root"][power[kind]]]);
    const recent = S.events.filter((event) => t >= event.t && t - event.t < 0.4 * speed).map((event) => ["event", event.name]);
    modesText.replaceChildren(...[...parts.slice(0, 8), ...arrows, ...recent].flatMap(([name, mode], i) => {
      const bold = document.createElement("b");
      bold.textContent = name;
      return [(i ? " \u00b7 " : ""), bold, " " + mode];
    }));
  };
  const draw = () => {
    const colours = palette();
    now = valuesAt(t);
    frame = makeFrame();
    ctx.fillStyle = colours.paper;
    ctx.fillRect(0, 0, width, height);
    const grid = space ? drawGrid(colours) : drawGrounds(colours);
    if (shown.traces) drawTraces(colours);
    if (space) drawSpace(colours, grid.ground); else drawPlane(colours);
    drawContacts(colours);
    drawArrows(colours);
    if (shown.names) drawNames(colours);
    drawScaleBar(colours, grid);
    tell();
  };

)js";

}  // namespace liaison::scene
