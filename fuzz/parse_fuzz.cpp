// Any text either parses or gets diagnostics inside it; what parses prints as text that parses to the same
// expression.
#include <cstddef>
#include <cstdint>
#include <string>

#include "liaison/expr/parse.hpp"
#include "liaison/expr/print.hpp"
#include "require.hpp"

namespace {

using liaison::fuzz::check_diagnostics;
using liaison::fuzz::max_input;
using liaison::fuzz::require;

void declare_names(liaison::Pool& pool) {
  using liaison::SymbolKind;
  pool.function("f", 1);
  pool.function("g", 2);
  pool.symbol("m", SymbolKind::parameter, true);
  pool.symbol("l", SymbolKind::parameter, true);
  pool.symbol("a");
  pool.symbol("t", SymbolKind::time);
  for (const std::string name : {"x", "y", "theta"}) {
    pool.symbol(name, SymbolKind::coordinate);
    pool.symbol(name + "'", SymbolKind::velocity);
  }
}

void check_prints(liaison::Expr e) {
  using namespace liaison;
  const std::string printed = to_infix(e);
  // What a short text builds may be longer than what may be read.
  const ParseOptions wide{.declare_unknown = false, .max_depth = 1'000'000, .max_number_digits = 1'000'000};
  const ParsedExpression again = parse_expression(e.pool(), Source("printed", printed), wide);
  require(again.value == e, "does not parse back", printed);
  require(!to_unicode(e).empty() && !to_latex(e).empty(), "prints nothing", printed);
  try {
    require(!to_c(e).empty(), "prints no C", printed);
  } catch (const Error& error) {  // a number beyond the range of a double
    require(error.code() == ErrorCode::number_too_large, error.what(), printed);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace liaison;
  if (size > max_input) return 0;
  // Small limits keep each run short; tests/expr covers the large ones.
  Pool pool({.max_number_bits = 4096});
  declare_names(pool);
  const Source source("input", std::string(reinterpret_cast<const char*>(data), size));
  for (const bool declare_unknown : {false, true}) {
    const ParseOptions options{
        .declare_unknown = declare_unknown, .max_depth = 1000, .max_number_digits = 1000};
    const ParsedExpression parsed = parse_expression(pool, source, options);
    require(parsed.value.empty() != parsed.diagnostics.empty(), "neither a value nor a reason", "");
    if (!parsed.value.empty()) {
      check_shape(parsed.value);
      check_prints(parsed.value);
      return 0;
    }
    if (declare_unknown) check_diagnostics(parsed.diagnostics, source);
  }
  return 0;
}
