#pragma once

#include <string_view>

/// One look for every page: colours by the reader's setting, type, and what paper changes.
namespace liaison::report {

constexpr std::string_view page_look =
    R"(:root { color-scheme: light dark; --page: #fdfdfc; --ink: #1c1c1e; --soft: #5f6368;
  --line: #d9d9de; --tint: #f2f2ef; --link: #0062a3; --box: #fffffff2; }
@media (prefers-color-scheme: dark) { :root { --page: #17181b; --ink: #e6e6e3; --soft: #a0a4ab; --line: #3c3f45;
  --tint: #222428; --link: #6cb8ee; --box: #222428f2; } }
@media print { :root { color-scheme: light; --page: #fff; --ink: #000; --soft: #444; --line: #bbb; --tint: #fff; --link: #000; } }
body { margin: 0; background: var(--page); color: var(--ink);
  font: 1.0625rem/1.6 "Iowan Old Style", "Palatino Linotype", Palatino, "Book Antiqua", Georgia, serif; }
a { color: var(--link); }
)";

}  // namespace liaison::report
