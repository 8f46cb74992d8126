#include <fmt/format.h>

#include <algorithm>

#include "builder.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"
#include "text.hpp"

namespace liaison {

std::string ContactFamilyMembers::name_of(std::size_t k) const {
  std::string result = name;
  for (std::size_t i = 0; i < index_names.size(); ++i) {
    const std::string index = "{" + index_names[i] + "}";
    for (std::size_t at; (at = result.find(index)) != std::string::npos;)
      result.replace(at, index.size(), std::to_string(values[k * index_names.size() + i]));
  }
  return result;
}

/// What a name with indices stands for: a symbol.
std::optional<Expr> Builder::member(const RepeatedStatement& repeated,
                                    const RepeatedStatement::Pattern& pattern, const std::int32_t* values) {
  const auto written = name_at(pattern, repeated.index_names, values);
  const auto name = written ? scan_name(*written, 0) : std::nullopt;
  const NameEntry* entry = name ? scope_.find(name->text) : nullptr;
  if (entry != nullptr && !entry->value.empty() && entry->value.is(Op::symbol)) return entry->value;
  std::string where;
  for (std::size_t i = 0; i < repeated.index_names.size(); ++i)
    where += fmt::format("{}{} = {}", i == 0 ? "" : ", ", repeated.index_names[i], values[i]);
  Diagnostic& diagnostic = reports_.add(
      "L0442", pattern.span,
      entry == nullptr
          ? fmt::format("there is no `{}`, which this is at {}", written.value_or(pattern.text), where)
          : fmt::format("`{}` is {}", name->text, describe(entry->kind)));
  diagnostic.hint = entry == nullptr
                        ? "declare one for each value of the index, before it is used"
                        : "in so many contacts a name with an index is a coordinate, a velocity, a rate "
                          "or a parameter: write the formula itself";
  return std::nullopt;
}

bool Builder::fill_slots(const RepeatedStatement& repeated, ContactFamilyMembers& members) {
  const std::size_t indices = repeated.index_names.size(), count = members.size();
  std::unordered_map<Expr, std::uint32_t> places;
  members.filled.resize(count * repeated.patterns.size());
  for (std::size_t s = 0; s < repeated.patterns.size(); ++s) {
    const RepeatedStatement::Pattern& pattern = repeated.patterns[s];
    members.patterns.push_back(pattern.text);
    // A name is looked up once: most have one index of the several.
    std::vector<std::size_t> used;
    for (std::size_t i = 0; i < indices; ++i) {
      const auto holds = [&](const NamePiece& piece) {
        return piece.is_index && piece.text.find(repeated.index_names[i]) != std::string::npos;
      };
      if (std::any_of(pattern.pieces.begin(), pattern.pieces.end(), holds)) used.push_back(i);
    }
    std::unordered_map<std::int32_t, std::uint32_t> known;
    for (std::size_t k = 0; k < count; ++k) {
      const std::int32_t* values = &members.values[k * indices];
      const auto seen = used.size() == 1 ? known.find(values[used[0]]) : known.end();
      std::uint32_t place = 0;
      if (seen != known.end()) {
        place = seen->second;
      } else {
        const auto symbol = member(repeated, pattern, values);
        if (!symbol) return false;
        const auto [at, is_new] = places.emplace(*symbol, static_cast<std::uint32_t>(members.symbols.size()));
        if (is_new) members.symbols.push_back(*symbol);
        place = at->second;
        if (used.size() == 1) known.emplace(values[used[0]], place);
      }
      members.filled[k * repeated.patterns.size() + s] = place;
      if (k == 0) members.slots.push_back(members.symbols[place]);
    }
  }
  return true;
}

/// Each contact is the first with other symbols: of the same kind and unit, and what is one symbol in the
/// first is one in all.
bool Builder::check_members(const RepeatedStatement& repeated, const ContactFamilyMembers& members) {
  const std::size_t slots = members.slots.size();
  std::unordered_map<Expr, const Unit*> units;
  for (const Parameter& each : system_.parameters) units[each.symbol] = each.unit ? &*each.unit : nullptr;
  for (const Direction& each : system_.directions) {
    if (!each.coordinate.empty()) units[each.coordinate] = each.unit ? &*each.unit : nullptr;
  }
  const auto unit_of = [&](Expr symbol) {
    const auto found = units.find(symbol);
    return found == units.end() ? nullptr : found->second;
  };
  const auto refuse = [&](std::size_t s, std::size_t k, const std::string& what) {
    reports_.add("L0442", repeated.patterns[s].span, fmt::format("in `{}` {}", members.name_of(k), what),
                 "a `for` of its own for what is different; pairs are `i in 1..N, j in i+1..N`");
    return false;
  };
  const auto place = [&](std::size_t k, std::size_t s) { return members.filled[k * slots + s]; };
  std::vector<std::vector<bool>> seen(slots, std::vector<bool>(members.symbols.size(), false));
  for (std::size_t k = 0; k < members.size(); ++k) {
    for (std::size_t s = 0; s < slots; ++s) {
      for (std::size_t other = 0; other < s; ++other) {
        if (place(0, s) == place(0, other) && place(k, s) != place(k, other)) {
          return refuse(s, k,
                        fmt::format("`{}` and `{}` are different, unlike in `{}`", members.patterns[other],
                                    members.patterns[s], members.name_of(0)));
        }
      }
      if (seen[s][place(k, s)]) continue;
      seen[s][place(k, s)] = true;
      const Expr symbol = members.symbol(k, s), first = members.slots[s];
      const Unit *unit = unit_of(symbol), *first_unit = unit_of(first);
      const bool same_unit = unit == nullptr
                                 ? first_unit == nullptr
                                 : first_unit != nullptr && unit->dimension == first_unit->dimension;
      if (symbol.symbol().kind != first.symbol().kind || !same_unit ||
          symbol.symbol().positive != first.symbol().positive) {
        return refuse(s, k,
                      fmt::format("`{}` is of another kind, unit or sign than `{}` in `{}`",
                                  symbol.symbol().name, first.symbol().name, members.name_of(0)));
      }
    }
  }
  return true;
}

/// The last contact, as it was read, is the first one with other symbols: no name without an index is one of
/// those with indices.
void Builder::check_last_member(const RepeatedStatement& repeated, const Unilateral& last) {
  const ContactFamily& family = system_.families.back();
  const ContactFamilyMembers& members = *family.members;
  Substitution others;
  const auto velocity_of = [&](Expr coordinate) {
    for (const Direction& direction : system_.directions) {
      if (direction.coordinate == coordinate) return direction.velocity;
    }
    return Expr();
  };
  for (std::size_t s = 0; s < members.slots.size(); ++s) {
    const Expr first = members.slots[s], symbol = members.symbol(members.size() - 1, s);
    others[first] = symbol;
    if (const Expr velocity = velocity_of(first); !velocity.empty()) others[velocity] = velocity_of(symbol);
  }
  const auto are_alike = [&](Expr one, Expr other) {
    return one.empty() || other.empty() ? one.empty() == other.empty() : substitute(one, others) == other;
  };
  const auto value = [](const std::optional<Expr>& clause) { return clause ? *clause : Expr(); };
  const Unilateral& first = family.contact;
  bool alike = are_alike(first.relation, last.relation) && are_alike(first.power, last.power) &&
               are_alike(value(first.friction), value(last.friction)) &&
               are_alike(value(first.sticking), value(last.sticking)) &&
               are_alike(value(first.restitution), value(last.restitution)) &&
               first.slip.size() == last.slip.size();
  for (std::size_t i = 0; alike && i < first.slip.size(); ++i) alike = are_alike(first.slip[i], last.slip[i]);
  if (alike) return;
  reports_.add(
      "L0442", repeated.name.span, fmt::format("`{}` is not `{}` with other names", last.name, first.name),
      "a name without an index that is one of those with indices, by itself or in a `let`, stays the "
      "same in all: write its contact apart");
  system_.families.pop_back();
}

void Builder::build_family(const RepeatedStatement& repeated, const Statement& statement) {
  // The statement itself has been read as the contact of the first values, and then as that of the last.
  if (system_.unilaterals.empty() || system_.unilaterals.back().span.begin != statement.span.begin) return;
  const bool is_known = !system_.families.empty() &&
                        system_.families.back().members->name == repeated.name.text &&
                        system_.families.back().members->indices == repeated.indices;
  if (is_known) {
    const Unilateral last = std::move(system_.unilaterals.back());
    system_.unilaterals.pop_back();
    check_last_member(repeated, last);
    return;
  }
  ContactFamily family{std::move(system_.unilaterals.back()), {}};
  system_.unilaterals.pop_back();
  if (family.contact.power_kind == PowerKind::along) {
    reports_.add("L0442", repeated.name.span, "so many contacts do not press `along` forms of their own",
                 "write `power X`, with the velocity that the force moves");
    return;
  }
  ContactFamilyMembers members;
  members.name = repeated.name.text;
  members.indices = repeated.indices;
  members.index_names = repeated.index_names;
  members.values = repeated.values;
  if (!fill_slots(repeated, members) || !check_members(repeated, members)) return;
  family.members = std::make_shared<const ContactFamilyMembers>(std::move(members));
  system_.families.push_back(std::move(family));
}

}  // namespace liaison
