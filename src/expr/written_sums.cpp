#include "liaison/expr/written_sums.hpp"

#include <algorithm>

#include "liaison/expr/print.hpp"
#include "liaison/expr/substitute.hpp"
#include "parser.hpp"

namespace liaison {

namespace {

/// A space before a name may be a product, before a bracket it would be a call.
bool is_product(const std::string& shown, std::size_t space) {
  const std::string_view before = std::string_view(shown).substr(0, space);
  return !before.empty() && !before.ends_with('+') && !before.ends_with('-') && !before.ends_with("−") &&
         !before.ends_with(',');
}

std::string with_sums(std::string shown, std::span<const std::pair<std::string, std::string>> sums) {
  for (const auto& [name, sum] : sums) {
    for (std::size_t at = shown.find(name); at != std::string::npos; at = shown.find(name, at + sum.size())) {
      shown.replace(at, name.size(), sum);
      if (at > 0 && shown[at - 1] == ' ' && is_product(shown, at - 1)) shown.replace(at - 1, 1, "·");
    }
  }
  return shown;
}

}  // namespace

Expr Parser::apart(Expr sum) {
  const auto known =
      std::find_if(sums_->begin(), sums_->end(), [&](const auto& one) { return one.second == sum; });
  if (known != sums_->end()) return known->first;
  // the last letter ends the name: none is the beginning of another
  const Expr symbol = pool_.symbol("#s" + std::to_string(sums_->size() + 1) + "x", SymbolKind::auxiliary);
  sums_->emplace_back(symbol, sum);
  return symbol;
}

Expr WrittenText::merged() const {
  Expr result = value;
  for (auto sum = sums.rbegin(); sum != sums.rend(); ++sum)
    result = substitute(result, {{sum->first, sum->second}});
  return result;
}

WrittenText read_with_sums(Pool& pool, const Source& source) {
  const ParseOptions options{.declare_unknown = true};
  WrittenText result;
  ParsedExpression parsed = Parser(pool, source, Span{0, source.text().size()}, options, &result.sums).run();
  result.value = parsed.value;
  result.domain = std::move(parsed.domain);
  return result;
}

std::string to_unicode(const WrittenText& text) {
  std::vector<std::pair<std::string, std::string>> shown;
  for (const auto& [symbol, sum] : text.sums)
    shown.emplace_back(unicode_name(symbol.symbol().name), "(" + with_sums(to_unicode(sum), shown) + ")");
  return with_sums(to_unicode(text.value), shown);
}

std::string to_infix(const WrittenText& text) {
  std::vector<std::pair<std::string, std::string>> shown;
  for (const auto& [symbol, sum] : text.sums)
    shown.emplace_back(symbol.symbol().name, "(" + with_sums(to_infix(sum), shown) + ")");
  return with_sums(to_infix(text.value), shown);
}

}  // namespace liaison
