#pragma once

#include <string_view>

/// How the page of a scene looks.
namespace liaison::scene {

/// Of a page of its own.
constexpr std::string_view page_frame_style =
    R"css(:root { color-scheme: light dark; --page: #ffffff; --ink: #1c1c1e;
  --soft: #5f6368; --line: #d9d9de; }
@media (prefers-color-scheme: dark) { :root { --page: #17181b; --ink: #e6e6e3; --soft: #a0a4ab; --line: #3c3f45; } }
@media print { :root { --page: #ffffff; --ink: #000000; } }
body { margin: 0; background: var(--page); color: var(--ink); font: 1rem/1.45 "DejaVu Sans", Verdana, Helvetica,
  Arial, sans-serif; }
main .scene { padding: 0; }
main { margin: 0 auto; padding: .75rem; max-width: 70rem; }
h1 { font-size: 1.15rem; margin: 0 0 .2rem; }
.subtitle { color: var(--soft); font-size: .85rem; margin: 0 0 .5rem; }
)css";

/// Of the block alone.
constexpr std::string_view page_style =
    R"css(.scene { max-width: 70rem; margin: 0 auto; padding: .5rem; box-sizing: border-box; font: .85rem/1.4 "DejaVu Sans", Verdana, Helvetica, Arial, sans-serif;
  color: var(--ink, CanvasText); }
.scene canvas { display: block; width: 100%; touch-action: pan-y; border: 1px solid var(--line, #8885);
  border-radius: .3rem; box-sizing: border-box; cursor: grab; }
.scene canvas:active { cursor: grabbing; }
.scene canvas:focus-visible { outline: 2px solid #0072b2; }
.scene .modes { margin: .3rem 0; min-height: 1.4em; color: var(--soft, GrayText); }
.scene .modes b { font-weight: 600; }
.scene .note { margin: .3rem 0; color: var(--soft, GrayText); font-size: .8rem; }
.scene .controls { display: flex; flex-wrap: wrap; gap: .4rem .8rem; align-items: center; margin-top: .3rem; }
.scene .controls .time { flex: 1 1 12rem; position: relative; display: flex; align-items: center; }
.scene .controls input[type=range] { width: 100%; margin: 0; accent-color: #0072b2; }
.scene .controls .tick { position: absolute; top: -.25rem; width: 2px; height: .45rem; background: #d55e00; }
.scene .controls output { font-variant-numeric: tabular-nums; min-width: 8.5rem; }
.scene .controls button { font: inherit; min-width: 2.4rem; padding: .15rem .6rem; color: inherit;
  background: transparent; border: 1px solid var(--line, #8888); border-radius: .3rem; cursor: pointer; }
.scene .controls select { font: inherit; color: inherit; background: var(--page, Canvas);
  border: 1px solid var(--line, #8888); border-radius: .3rem; }
.scene .controls label { white-space: nowrap; cursor: pointer; }
.scene noscript svg { width: 100%; height: auto; }
.scene .strobe { display: none; }
@media print { .scene { max-width: none; padding: 0; } .scene .controls > :not(output) { display: none !important; }
  .scene canvas, .scene .note { break-inside: avoid; }
  .scene.strobes > canvas, .scene.strobes > .controls, .scene.strobes > .modes { display: none; }
  .scene .strobe { display: grid; grid-template-columns: 1fr 1fr; gap: .6rem; }
  .scene .strobe > div { break-inside: avoid; } }
)css";

}  // namespace liaison::scene
