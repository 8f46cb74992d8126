#include "liaison/model/language.hpp"

#include <fmt/format.h>

#include "builder.hpp"
#include "follow_ups.hpp"
#include "imports.hpp"
#include "liaison/model/extended_system.hpp"
#include "liaison/model/scenery.hpp"
#include "reader.hpp"
#include "repeat.hpp"
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
  if (const auto other = other_text(text, statements)) {
    const Span first = statements.front();
    reports.add("L0405", {first.begin, std::min(first.end, first.begin + 1)},
                fmt::format("this is no model: {}", other->what), other->hint);
    return false;
  }
  return true;
}

/// Every place in the text that a system remembers.
template <class Change>
void for_each_span(System& system, const Change& change) {
  for (Parameter& each : system.parameters) change(each.span);
  for (Direction& each : system.directions) change(each.span);
  for (Rotation& each : system.rotations) change(each.span);
  for (Particle& each : system.particles) change(each.span);
  for (Body& each : system.bodies) change(each.span);
  const auto change_constraint = [&](Constraint& each) {
    change(each.span);
    change(each.relation_span);
  };
  for (Constraint& each : system.constraints) change_constraint(each);
  for (Contact& each : system.contacts) change(each.span);
  for (Reaction& each : system.reactions) change(each.span);
  for (Unilateral& each : system.unilaterals) change_constraint(each);
  for (ContactFamily& each : system.families) change_constraint(each.contact);
  const auto change_values = [&](std::vector<InitialValue>& values) {
    for (InitialValue& each : values) change(each.span);
  };
  for (Event& each : system.events) {
    change(each.span);
    change_values(each.resets);
  }
  change_values(system.start);
  for (Claim& each : system.claims) {
    change(each.span);
    change_values(each.at);
  }
}

/// In a new pool, or in the one where it was read before; then with its drives as directions too.
ParsedModel read_text(const Source& source, const ModelOptions& options, std::shared_ptr<Pool> pool,
                      std::shared_ptr<const System>& extended, PartFiles& files, PartText* as_part = nullptr,
                      Scenery* scenery = nullptr, ToldDimensions* told = nullptr) {
  ParsedModel model;
  Reports reports;
  const std::string without_comments = mask_comments(source.text());
  const std::vector<Span> spans = cut_statements(source.text(), without_comments);
  WrittenOut written;
  if (check_text(source, spans, reports)) {
    written = write_out(without_comments, spans);
    write_imports(written, source.name(), files, [&options](const Source& part, PartFiles& parts) {
      std::shared_ptr<const System> ignored;
      PartText read;
      read.problems = read_text(part, options, nullptr, ignored, parts, &read).diagnostics;
      return read;
    });
    for (Diagnostic& problem : written.problems) reports.add(std::move(problem));
    const Source text(source.name(), written.text);
    std::vector<syntax::Statement> statements;
    std::vector<Span> unread = written.unread;
    for (const WrittenOut::Statement& each : written.statements) {
      if (reports.full()) break;
      try {
        statements.push_back(syntax::Reader(text.text(), each.span).read());
        statements.back().repeated = each.repeated;
        statements.back().part = each.part;
        statements.back().positive = each.positive;
      } catch (syntax::Fault& fault) {
        reports.add(std::move(fault.diagnostic));
        unread.push_back(each.span);
      }
    }
    Builder builder(text, options, reports, std::move(pool));
    model.system = builder.run(statements, unread, written.repeated);
    extended = builder.extended();
    if (scenery != nullptr) {
      *scenery = builder.take_scenery();
      for (SceneShape& shape : scenery->shapes) shape.span = written.place(shape.span);
    }
    if (told != nullptr) *told = builder.take_dimensions();
    for_each_span(model.system, [&](Span& span) { span = written.place(span); });
  }
  model.diagnostics = reports.take([&](Span span) { return written.place(span); });
  drop_follow_ups(model.diagnostics, source, spans);
  if (as_part != nullptr) {
    as_part->has_families = !written.repeated.empty();
    for (const WrittenOut::Statement& each : written.statements)
      as_part->statements.emplace_back(text_at(written.text, each.span));
  }
  return model;
}

}  // namespace

ParsedModel parse_model(const Source& source, const ModelOptions& options) {
  std::shared_ptr<const System> extended;
  PartFiles files;
  return read_text(source, options, nullptr, extended, files);
}

std::shared_ptr<const System> extended_system(const Source& source, const System& system) {
  if (system.rheonomic.empty()) return nullptr;
  std::shared_ptr<const System> extended;
  PartFiles files;
  read_text(source, {}, system.pool, extended, files);
  return extended;
}

/// The text has been read without errors before; what is wrong with a file since then draws nothing.
Scenery scenery_of(const Source& source, const System& system) {
  std::shared_ptr<const System> extended;
  Scenery scenery;
  PartFiles files;
  read_text(source, {}, system.pool, extended, files, nullptr, &scenery);
  return scenery;
}

ToldDimensions told_dimensions(const Source& source, const System& system) {
  std::shared_ptr<const System> extended;
  ToldDimensions told;
  PartFiles files;
  read_text(source, {}, system.pool, extended, files, nullptr, nullptr, &told);
  return told;
}

}  // namespace liaison
