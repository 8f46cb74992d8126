#include "renaming.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "name_places.hpp"
#include "text.hpp"

namespace liaison {

namespace {

bool all_in(std::string_view text, std::string_view letters) {
  return !text.empty() && text.find_first_not_of(letters) == std::string_view::npos;
}

/// R_e0 .. R_e3, R11 .. R33 behind the name of the rotation
bool is_part_of_rotation(std::string_view tail) {
  if (tail.size() == 3) return tail.starts_with("_e") && tail[2] >= '0' && tail[2] <= '3';
  return tail.size() == 2 && all_in(tail, "123");
}

/// The ending of a name that a joint or the side of a gap brings with it.
bool is_part_of_constraint(std::string_view tail, bool is_joint) {
  if (tail.size() < 2 || tail.front() != '_') return false;
  tail.remove_prefix(1);
  if (!is_joint) return all_in(tail, "0123456789");
  constexpr std::string_view joint_letters = "xyzfms";
  return joint_letters.find(tail.front()) != std::string_view::npos &&
         (tail.size() == 1 || all_in(tail.substr(1), "0123456789"));
}

}  // namespace

void Renaming::declare(const syntax::Statement& statement) {
  using namespace syntax;
  for (const Name& name : declared_names(statement)) names_.emplace(name.text, prefix_ + name.text);
  if (const auto* rotation = std::get_if<RotationDeclaration>(&statement.data)) {
    ++rotation_count_;
    // one without a name is numbered among all of a system: it gets its number here as its name
    const std::string name = rotation->name ? rotation->name->text : fmt::format("rot{}", rotation_count_);
    names_.emplace(name, prefix_ + name);
    rotations_.insert(name);
  } else if (const auto* joint = std::get_if<JointDeclaration>(&statement.data)) {
    joints_.insert(joint->name.text);
  } else if (const auto* wheel = std::get_if<WheelDeclaration>(&statement.data)) {
    joints_.insert(wheel->name.text);
  } else if (const auto* bushing = std::get_if<Bushing>(&statement.data)) {
    joints_.insert(bushing->name.text);
  } else if (const auto* unilateral = std::get_if<UnilateralDeclaration>(&statement.data)) {
    unilaterals_.insert(unilateral->name.text);
  } else if (const auto* function = std::get_if<Function>(&statement.data)) {
    functions_.insert(function->name.text);
  } else if (const auto* table = std::get_if<TableDeclaration>(&statement.data)) {
    functions_.insert(table->name.text);
  }
}

std::vector<std::string> Renaming::known() const {
  std::vector<std::string> names;
  for (const auto& [name, by] : names_) names.push_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

/// Names that a declaration brings with it; dx and w_p stand in the form of a force only.
std::optional<std::string> Renaming::generated(const std::string& stem, bool in_form) const {
  const auto behind = [&](const std::string& front) -> std::optional<std::string> {
    const auto known = stem.starts_with(front) ? names_.find(stem.substr(front.size())) : names_.end();
    return known == names_.end() ? std::nullopt : std::optional(front + known->second);
  };
  if (in_form) {
    for (const std::string front : {"d", "w_"}) {
      if (auto found = behind(front)) return found;
    }
  }
  if (auto factor = behind("lambda_")) return factor;
  for (std::size_t cut = stem.size(); cut-- > 1;) {
    const std::string front = stem.substr(0, cut);
    const std::string_view tail = std::string_view(stem).substr(cut);
    const bool belongs = (rotations_.contains(front) && is_part_of_rotation(tail)) ||
                         (joints_.contains(front) && is_part_of_constraint(tail, true)) ||
                         (unilaterals_.contains(front) && is_part_of_constraint(tail, false));
    if (belongs) return names_.at(front) + std::string(tail);
  }
  return std::nullopt;
}

std::string Renaming::renamed(const std::string& name) const {
  const std::string stem = stem_of(name);
  if (const auto known = names_.find(stem); known != names_.end())
    return known->second + name.substr(stem.size());
  if (auto brought = generated(stem, false)) return *brought + name.substr(stem.size());
  return name;
}

std::string Renaming::write(std::string_view text, const syntax::Statement& statement) {
  using namespace syntax;
  std::map<std::size_t, std::pair<std::size_t, std::string>> edits;  // by where they begin
  const auto edit = [&](Span span, std::string by) {
    if (text_at(text, span) != by) edits[span.begin] = {span.end, std::move(by)};
  };
  const auto* constraint = std::get_if<ConstraintDeclaration>(&statement.data);
  if (const auto* unilateral = std::get_if<UnilateralDeclaration>(&statement.data)) constraint = unilateral;
  const bool has_form = constraint != nullptr && constraint->power_kind == PowerKind::along;
  const auto in_expression = [&](Span span) {
    const bool is_form = has_form && constraint->power && constraint->power->begin == span.begin;
    for (const Sign& sign : all_signs(text, span)) {
      if (sign.kind != SignKind::word) continue;
      if (sign.span.begin > span.begin && text[sign.span.begin - 1] == '.') continue;  // P.x
      // `length(S)` is the language's where the part has a parameter `length`
      if (sign.call && !functions_.contains(stem_of(sign.word))) continue;
      std::string by = renamed(sign.word);
      if (is_form && by == sign.word) {
        if (auto brought = generated(sign.word, true)) by = *brought;
      }
      if (by != sign.word) edit(sign.span, std::move(by));
    }
  };
  visit_names(statement, {[&](const Name& name) {
                            if (std::string by = renamed(name.text); by != name.text)
                              edit(name.span, std::move(by));
                          },
                          in_expression});
  const auto in_folder = [&](const std::optional<std::pair<std::string, Span>>& given) {
    if (!given || folder_.empty()) return;
    const std::filesystem::path file(given->first);
    if (!file.is_absolute())
      edit(given->second, '"' + (std::filesystem::path(folder_) / file).string() + '"');
  };
  if (const auto* rotation = std::get_if<RotationDeclaration>(&statement.data)) {
    ++written_rotations_;
    if (!rotation->name) {
      const std::size_t end = statement.keyword.end;
      edits[end] = {end, " " + names_.at(fmt::format("rot{}", written_rotations_)) + " "};
    }
  } else if (const auto* table = std::get_if<TableDeclaration>(&statement.data)) {
    in_folder(table->file);
  } else if (const auto* shape = std::get_if<ShapeDeclaration>(&statement.data)) {
    in_folder(shape->file);
  }
  std::string out;
  std::size_t at = statement.span.begin;
  for (const auto& [begin, change] : edits) {
    out += text.substr(at, begin - at);
    out += change.second;
    at = change.first;
  }
  out += text.substr(at, statement.span.end - at);
  return out;
}

}  // namespace liaison
