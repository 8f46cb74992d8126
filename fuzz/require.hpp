#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "liaison/expr/diagnostic.hpp"

/// What the fuzz targets share.
namespace liaison::fuzz {

constexpr std::size_t max_input = 4096;

inline void require(bool holds, const char* what, const std::string& text) {
  if (holds) return;
  std::fprintf(stderr, "%s: %s\n", what, text.c_str());
  std::abort();
}

/// Each diagnostic says something about a place inside of the text.
inline void check_diagnostics(const std::vector<Diagnostic>& diagnostics, const Source& source) {
  for (const Diagnostic& diagnostic : diagnostics) {
    require(!diagnostic.code.empty() && !diagnostic.message.empty(), "a diagnostic says nothing",
            diagnostic.message);
    require(diagnostic.span.begin <= diagnostic.span.end && diagnostic.span.end <= source.text().size(),
            "a span leaves the text", diagnostic.message);
  }
  require(!render(diagnostics, source).empty(), "nothing is rendered", std::string(source.text()));
}

}  // namespace liaison::fuzz
