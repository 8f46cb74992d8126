#include <fmt/format.h>

#include <algorithm>

#include "builder.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/model/integrals.hpp"
#include "text.hpp"

namespace liaison {

namespace {

const Context event_context{"an event", true, true, true, true, true};
const Context reset_context{"a value after an event", true, true};

bool is_state(const NameEntry& entry) {
  return entry.kind == NameKind::coordinate || entry.kind == NameKind::velocity ||
         entry.kind == NameKind::rate || entry.kind == NameKind::velocity_parameter ||
         entry.kind == NameKind::quaternion;
}

}  // namespace

void Builder::build(const syntax::EventDeclaration& syntax, const Statement& statement) {
  Event event;
  event.name = syntax.name.text;
  event.direction = syntax.direction;
  event.action = syntax.action;
  event.span = statement.span;
  const auto [known, is_new] = events_.emplace(event.name, syntax.name.span);
  if (!is_new) {
    Diagnostic& diagnostic =
        reports_.add("L0407", syntax.name.span, fmt::format("two events are named `{}`", excerpt(event.name)),
                     "choose another name");
    diagnostic.notes.push_back({known->second, "the first one is"});
  }
  const Expr left = scope_.read(syntax.left, event_context);
  const Expr right = scope_.read(syntax.right, event_context);
  for (const syntax::Assignment& reset : syntax.resets) {
    if (auto value = read_reset(reset)) event.resets.push_back(std::move(*value));
  }
  if (left.empty() || right.empty() || !is_new) return;
  if (holds_integral(left) || holds_integral(right)) {
    reports_.add("L0430", holds_integral(left) ? syntax.left : syntax.right,
                 "an integral cannot stand in an event", std::string(place_of_integrals));
    return;
  }
  obligations_.same(left, syntax.left, "the left side", right, "the right side");
  event.when = left - right;
  const std::vector<Expr> symbols = symbols_in(event.when);
  const bool moves = std::any_of(symbols.begin(), symbols.end(),
                                 [](Expr symbol) { return symbol.symbol().kind != SymbolKind::parameter; });
  if (!moves) {
    reports_.add("L0439", {syntax.left.begin, syntax.right.end},
                 fmt::format("the event `{}` never changes: nothing in it moves", excerpt(event.name)),
                 "compare a coordinate, a velocity, a factor or the time with a value");
    return;
  }
  system_.events.push_back(std::move(event));
}

std::optional<InitialValue> Builder::read_reset(const syntax::Assignment& assignment) {
  const syntax::Name& name = assignment.name;
  const NameEntry* entry = scope_.find(name.text);
  if (entry == nullptr || !is_state(*entry)) {
    Diagnostic& diagnostic =
        reports_.add("L0424", name.span, fmt::format("`{}` is not a part of the state", excerpt(name.text)));
    if (entry != nullptr) diagnostic.label = fmt::format("it is {}", describe(entry->kind));
    diagnostic.hint = "an event resets coordinates `x`, velocities `x'` and rates";
    return std::nullopt;
  }
  const Expr value = scope_.read(assignment.value, reset_context);
  if (value.empty()) return std::nullopt;
  obligations_.same(entry->value, assignment.value, "`" + name.text + "`", value, "its value");
  return InitialValue{entry->value, value, name.span};
}

/// Where the system chose velocity parameters, these are the state, and an event resets them.
void Builder::check_resets() {
  const std::vector<Expr>& parameters = system_.chart.parameters;
  if (parameters.empty()) return;
  for (const Event& event : system_.events) {
    for (const InitialValue& reset : event.resets) {
      const bool velocity = direction_of_velocity_.contains(reset.symbol);
      if (!velocity || std::find(parameters.begin(), parameters.end(), reset.symbol) != parameters.end())
        continue;
      reports_.add("L0424", reset.span,
                   fmt::format("`{}` follows from the velocity parameters", reset.symbol.symbol().name),
                   "reset the parameters that the `velocity` statement names");
    }
  }
}

}  // namespace liaison
