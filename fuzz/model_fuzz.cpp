// Any text either reads as a model or gets diagnostics inside it; what reads prints as a text that reads as
// an equal model.
#include <cstddef>
#include <cstdint>
#include <string>

#include "liaison/model/language.hpp"
#include "require.hpp"

namespace {

using liaison::fuzz::check_diagnostics;
using liaison::fuzz::max_input;
using liaison::fuzz::require;

/// Without the remark above them: a system whose units were left out is read again as one without units.
std::string statements_of(const std::string& text) {
  return text.starts_with('#') ? text.substr(text.find('\n') + 1) : text;
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
    require(model.diagnostics.size() <= 20, "too many diagnostics", "");
    check_diagnostics(model.diagnostics, source);
    return 0;
  }
  const std::string printed = statements_of(to_lia(model.system));
  const Source again("printed", printed);
  const ParsedModel second = parse_model(again, wide);
  require(second.ok(), "does not read back", printed + "\n" + render(second.diagnostics, again));
  require(statements_of(to_lia(second.system)) == printed, "reads back as another model", printed);
  return 0;
}
