#include "liaison/model/language.hpp"

#include <fmt/format.h>

#include "builder.hpp"
#include "reader.hpp"
#include "text.hpp"

namespace liaison {

namespace {

/// A text that cannot be a model: empty, or not text at all.
bool check_text(const Source& source, const std::vector<Span>& statements, Reports& reports) {
  const std::string_view text = source.text();
  const std::size_t zero = text.find('\0');
  if (zero != std::string_view::npos) {
    reports.add("L0405", {zero, zero + 1}, "this is not a text: it holds a zero byte",
                "a model is plain text in UTF-8");
    return false;
  }
  if (statements.empty()) {
    reports.add("L0400", {0, 0}, "the model is empty",
                "a small one: `coord x`, then `kinetic x'^2/2`, then `potential x^2/2`");
    return false;
  }
  return true;
}

}  // namespace

ParsedModel parse_model(const Source& source, const ModelOptions& options) {
  ParsedModel model;
  Reports reports;
  const Source masked(source.name(), mask_comments(source.text()));
  const std::vector<Span> spans = cut_statements(source.text(), masked.text());
  if (check_text(source, spans, reports)) {
    std::vector<syntax::Statement> statements;
    std::vector<Span> unread;
    for (Span span : spans) {
      if (reports.full()) break;
      try {
        statements.push_back(syntax::Reader(masked.text(), span).read());
      } catch (syntax::Fault& fault) {
        reports.add(std::move(fault.diagnostic));
        unread.push_back(span);
      }
    }
    model.system = Builder(masked, options, reports).run(statements, unread);
  }
  model.diagnostics = reports.take();
  return model;
}

}  // namespace liaison
