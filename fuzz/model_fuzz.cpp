// Any text either reads as a model or gets diagnostics inside it; what reads prints as a text that reads as
// an equal model.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "liaison/expr/diagnostic.hpp"
#include "liaison/model/language.hpp"

namespace {

constexpr std::size_t max_input = 4096;

void require(bool holds, const char* what, const std::string& text) {
  if (holds) return;
  std::fprintf(stderr, "%s: %s\n", what, text.c_str());
  std::abort();
}

void check_diagnostics(const std::vector<liaison::Diagnostic>& diagnostics, const liaison::Source& source) {
  require(diagnostics.size() <= 20, "too many diagnostics", "");
  for (const liaison::Diagnostic& diagnostic : diagnostics) {
    require(!diagnostic.code.empty() && !diagnostic.message.empty(), "a diagnostic says nothing",
            diagnostic.message);
    require(diagnostic.span.begin <= diagnostic.span.end && diagnostic.span.end <= source.text().size(),
            "a span leaves the text", diagnostic.message);
  }
  require(!render(diagnostics, source).empty(), "nothing is rendered", std::string(source.text()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace liaison;
  if (size > max_input) return 0;
  // Small limits keep each run short; tests/model covers the large ones.
  const ModelOptions small{.pool = {.max_number_bits = 4096}, .max_depth = 1000, .max_number_digits = 1000};
  // What a short text builds may be longer than what may be read.
  const ModelOptions wide{
      .pool = {.max_number_bits = 65536}, .max_depth = 1'000'000, .max_number_digits = 1'000'000};
  const Source source("input", std::string(reinterpret_cast<const char*>(data), size));
  const ParsedModel model = parse_model(source, small);
  if (!model.ok()) {
    check_diagnostics(model.diagnostics, source);
    return 0;
  }
  const std::string printed = to_lia(model.system);
  const Source again("printed", printed);
  const ParsedModel second = parse_model(again, wide);
  require(second.ok(), "does not read back", printed + "\n" + render(second.diagnostics, again));
  require(to_lia(second.system) == printed, "reads back as another model", printed);
  return 0;
}
