#include "imports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

#include "liaison/expr/operator_table.hpp"
#include "liaison/expr/parse.hpp"
#include "liaison/model/quantity.hpp"
#include "liaison/model/unit.hpp"
#include "reader.hpp"
#include "renaming.hpp"
#include "table_text.hpp"
#include "text.hpp"

namespace liaison {

namespace {

constexpr std::size_t most_statements = 100'000;  // of a model with its parts
constexpr std::size_t deepest = 20;               // parts within parts

using syntax::Fault;
using syntax::Statement;

[[noreturn]] void fail(Span span, std::string message, std::string hint, std::string code = "L0453") {
  throw Fault{Diagnostic{std::move(code), std::move(message), span, {}, {}, std::move(hint)}};
}

/// The same file has the same path, however it is named.
std::string path_of(const std::filesystem::path& file) {
  std::error_code failed;
  const std::filesystem::path full = std::filesystem::weakly_canonical(file, failed);
  return failed ? file.string() : full.string();
}

std::string_view word_of(std::string_view text, Span statement, std::string& store) {
  const auto word = scan_name(text.substr(0, statement.end), statement.begin);
  store = word ? word->text : "";
  return store;
}

/// What the statements of the model give themselves: it takes the place of what parts say.
struct Given {
  std::set<std::string> started;
  bool gravity = false;
  std::set<std::string> positive, other;  ///< parameters with a sign, and without
};

Given given_by(const WrittenOut& written) {
  Given given;
  std::string store;
  for (const WrittenOut::Statement& each : written.statements) {
    const std::string_view word = word_of(written.text, each.span, store);
    if (word == "gravity") given.gravity = true;
    if (word != "start" && word != "param") continue;
    try {
      const Statement statement = syntax::Reader(written.text, each.span).read();
      if (const auto* start = std::get_if<syntax::Start>(&statement.data)) {
        for (const syntax::Assignment& value : start->values) given.started.insert(value.name.text);
        for (const syntax::Turned& turned : start->turned)
          for (char k = '0'; k < '4'; ++k) given.started.insert(turned.name.text + "_e" + k);
      } else if (const auto* params = std::get_if<syntax::Params>(&statement.data)) {
        for (const auto& item : params->items)
          (item.positive ? given.positive : given.other).insert(item.name.text);
      }
    } catch (const Fault&) {  // it is reported where it is read for itself
    }
  }
  return given;
}

/// A statement of a part as it is in the model.
struct Line {
  std::string text;
  std::optional<Span> source = {};  ///< of a value that the import gives
  std::string positive = {};        ///< the parameter whose value must be positive
};

/// One import: the statements of its part with the values that it gives.
class Importer {
 public:
  Importer(std::string_view model, const syntax::Import& import, const PartText& part, const Given& given)
      : model_(model),
        import_(import),
        part_(part),
        given_(given),
        renaming_(import.name.text + "_", std::filesystem::path(import.file.first).parent_path().string()) {}

  std::vector<Line> write() {
    std::vector<Statement> statements;
    for (const std::string& text : part_.statements)
      statements.push_back(syntax::Reader(text, {0, text.size()}).read());
    for (const Statement& statement : statements) renaming_.declare(statement);
    note_values(statements);
    std::vector<Line> out;
    for (std::size_t k = 0; k < statements.size(); ++k) write(part_.statements[k], statements[k], out);
    return out;
  }

 private:
  enum class Kind { parameter, coordinate, expression, function };
  struct Value {
    Span name, span;
    bool is_name = false, is_number = false;
  };

  /// Which names of the part may be given, and how.
  static std::map<std::string, Kind> open_names(const std::vector<Statement>& statements) {
    std::map<std::string, Kind> open;
    for (const Statement& statement : statements) {
      if (const auto* params = std::get_if<syntax::Params>(&statement.data)) {
        for (const auto& item : params->items) open.emplace(item.name.text, Kind::parameter);
      } else if (const auto* coords = std::get_if<syntax::Coords>(&statement.data)) {
        for (const auto& item : coords->items) open.emplace(item.name.text, Kind::coordinate);
      } else if (const auto* definition = std::get_if<syntax::Definition>(&statement.data)) {
        if (definition->kind != syntax::Definition::Kind::output)
          open.emplace(definition->assignment.name.text, Kind::expression);
      } else if (const auto* input = std::get_if<syntax::Input>(&statement.data)) {
        open.emplace(input->name.text, Kind::expression);
      } else if (const auto* function = std::get_if<syntax::Function>(&statement.data)) {
        open.emplace(function->name.text, Kind::function);
      } else if (const auto* table = std::get_if<syntax::TableDeclaration>(&statement.data)) {
        open.emplace(table->name.text, Kind::function);
      }
    }
    return open;
  }

  /// A name of the model as a value is that name; anything else is a value.
  Value read_value(const syntax::Assignment& assignment) const {
    Value value{assignment.name.span, assignment.value};
    const auto name = scan_name(model_.substr(0, value.span.end), value.span.begin);
    value.is_name = name && name->end == value.span.end && name->text.find('\'') == std::string::npos &&
                    name->text != "t" && name->text != "pi";
    const Span number = split_unit(model_, value.span).value;
    value.is_number = !value.is_name;
    for (const Sign& sign : all_signs(model_, number)) {
      if (sign.kind == SignKind::word && sign.word != "pi" && sign.word != "sqrt" &&
          find_operator(sign.word) == nullptr)
        value.is_number = false;
    }
    return value;
  }

  void note_values(const std::vector<Statement>& statements) {
    const std::map<std::string, Kind> open = open_names(statements);
    bool stands_on_ground = false;
    for (const Statement& statement : statements) stands_on_ground |= uses_ground(statement);
    for (const syntax::Assignment& assignment : import_.values) {
      const std::string& name = assignment.name.text;
      const Value value = read_value(assignment);
      const std::string shown(text_at(model_, value.span));
      if (!values_.emplace(name, value).second)
        fail(assignment.name.span, fmt::format("{} is given twice", quote(name)), "keep one of the two",
             "L0407");
      if (name == "ground") {
        if (!value.is_name)
          fail(value.span, "`ground` is given as the name of a body or of a frame",
               "a frame on the place where the part stands: `frame F on B at [a, 0, 0]`, then `ground = F`");
        if (!stands_on_ground)
          fail(assignment.name.span, "nothing of this part stands on the ground",
               "only what it puts `on ground` can stand on something else");
        renaming_.replace(name, shown);
        continue;
      }
      const auto known = open.find(name);
      if (known == open.end()) report_closed(assignment.name, open);
      if (value.is_name) {
        const bool is_signed = known->second == Kind::parameter && is_positive(name, statements);
        if (is_signed && given_.other.contains(shown))
          fail(value.span,
               fmt::format("{} of the part is positive, and {} is not said to be", quote(name), quote(shown)),
               fmt::format("declare it so: `param {} > 0`", shown), "L0434");
        if (is_signed && !given_.positive.contains(shown))
          values_[name].is_name = false;  // a `let` or a parameter of a part: its sign is asked for
        else
          renaming_.replace(name, shown);
      } else if (known->second == Kind::function) {
        fail(value.span,
             fmt::format("{} of the part is a function: it is given by the name of one", quote(name)),
             "declare a `function` or a `table` above and name it");
      }
    }
  }

  [[noreturn]] void report_closed(const syntax::Name& name, const std::map<std::string, Kind>& open) const {
    std::vector<std::string> names;
    for (const auto& [each, kind] : open) names.push_back(each);
    const auto near = nearest_name(name.text, names);
    const bool known = renaming_.knows(name.text);
    fail(name.span,
         known ? fmt::format("{} of this part is nothing that can be given", quote(name.text))
               : fmt::format("the part has no {}", quote(name.text)),
         near ? fmt::format("did you mean `{}`?", *near)
         : names.empty()
             ? std::string("the part has neither parameters nor coordinates")
             : fmt::format("what can be given: `{}`",
                           fmt::join(names.begin(),
                                     names.begin() + std::min<std::ptrdiff_t>(std::ssize(names), 8), "`, `")),
         known ? "L0453" : "L0408");
  }

  static bool uses_ground(const Statement& statement) {
    const auto is_ground = [](const syntax::Mount& mount) { return mount.parent.text == "ground"; };
    if (const auto* body = std::get_if<syntax::BodyDeclaration>(&statement.data))
      return body->joint && is_ground(body->joint->first);
    if (const auto* frame = std::get_if<syntax::FrameDeclaration>(&statement.data))
      return is_ground(frame->mount);
    if (const auto* joint = std::get_if<syntax::JointDeclaration>(&statement.data))
      return is_ground(joint->first) || is_ground(joint->second);
    if (const auto* bushing = std::get_if<syntax::Bushing>(&statement.data))
      return is_ground(bushing->first) || is_ground(bushing->second);
    if (const auto* wheel = std::get_if<syntax::WheelDeclaration>(&statement.data))
      return wheel->on && wheel->on->text == "ground";
    return false;
  }

  static bool is_positive(const std::string& name, const std::vector<Statement>& statements) {
    for (const Statement& statement : statements) {
      const auto* params = std::get_if<syntax::Params>(&statement.data);
      if (params == nullptr) continue;
      for (const auto& item : params->items)
        if (item.name.text == name) return item.positive;
    }
    return false;
  }

  /// What is given in the place of a declaration; says no where nothing is given.
  bool put_in(const syntax::Name& name, std::vector<Line>& out, bool positive = false) const {
    const auto value = values_.find(name.text);
    if (value == values_.end()) return false;
    if (!value->second.is_name) {
      out.push_back(
          {fmt::format("let {} = {}", renaming_.renamed(name.text), text_at(model_, value->second.span)),
           value->second.span, positive ? name.text : ""});
    }
    return true;
  }

  void write_parameter(std::string_view text, const syntax::Params::Item& item, std::vector<Line>& out) {
    const auto value = values_.find(item.name.text);
    if (value != values_.end() && !value->second.is_number) {
      put_in(item.name, out, item.positive);
      return;
    }
    std::string line = "param " + renaming_.renamed(item.name.text) + (item.positive ? " > 0" : "");
    std::string unit = item.unit ? fmt::format(" [{}]", text_at(text, *item.unit)) : "";
    if (value != values_.end()) {
      const QuantityText quantity = split_unit(model_, value->second.span);
      line += fmt::format(" = {}", text_at(model_, trim(model_, quantity.value)));
      if (quantity.unit) {
        const std::string_view given = text_at(model_, *quantity.unit);
        if (item.unit) check_unit(text_at(text, *item.unit), given, *quantity.unit, item.name.text);
        unit = fmt::format(" [{}]", given);
      }
    } else if (item.value) {
      line += " = ";
      Statement only;
      only.span = *item.value;
      only.data = syntax::Energy{syntax::Energy::Kind::potential, *item.value};
      line += renaming_.write(text, only);
    }
    out.push_back({line + unit});
  }

  void check_unit(std::string_view declared, std::string_view given, Span span,
                  const std::string& name) const {
    const auto ours = parse_unit(declared), theirs = parse_unit(given);
    if (ours && theirs && ours->dimension != theirs->dimension)
      fail(span,
           fmt::format("{} of the part is in `{}`, and `{}` is no such unit", quote(name), declared, given),
           fmt::format("give a value in `{}`", declared), "L0412");
  }

  /// Values that the model starts with itself, and those of what is given, are not the part's to say.
  void write_start(std::string_view text, const syntax::Start& start, std::vector<Line>& out) {
    for (const syntax::Assignment& value : start.values) {
      if (values_.contains(stem_of(value.name.text))) continue;
      if (given_.started.contains(renaming_.renamed(value.name.text))) continue;
      Statement only;
      only.span = {value.name.span.begin, value.value.end};
      only.data = syntax::Start{{value}, {}};
      out.push_back({"start " + renaming_.write(text, only)});
    }
    for (const syntax::Turned& turned : start.turned) {
      const std::string name = renaming_.renamed(turned.name.text);
      bool is_started = false;
      for (char k = '0'; k < '4'; ++k) is_started = is_started || given_.started.contains(name + "_e" + k);
      if (is_started) continue;
      Statement only;
      only.span = turned.span;
      only.data = syntax::Start{{}, {turned}};
      out.push_back({"start " + renaming_.write(text, only)});
    }
  }

  void write(std::string_view text, const Statement& statement, std::vector<Line>& out) {
    if (const auto* params = std::get_if<syntax::Params>(&statement.data)) {
      for (const auto& item : params->items) write_parameter(text, item, out);
    } else if (const auto* coords = std::get_if<syntax::Coords>(&statement.data)) {
      for (const auto& item : coords->items) {
        if (put_in(item.name, out)) continue;
        out.push_back({fmt::format("coord {}{}", renaming_.renamed(item.name.text),
                                   item.unit ? fmt::format(" [{}]", text_at(text, *item.unit)) : "")});
      }
    } else if (const auto* definition = std::get_if<syntax::Definition>(&statement.data);
               definition && put_in(definition->assignment.name, out)) {
    } else if (const auto* input = std::get_if<syntax::Input>(&statement.data);
               input && put_in(input->name, out)) {
    } else if (const auto* function = std::get_if<syntax::Function>(&statement.data);
               function && put_in(function->name, out)) {
    } else if (const auto* table = std::get_if<syntax::TableDeclaration>(&statement.data);
               table && put_in(table->name, out)) {
    } else if (const auto* start = std::get_if<syntax::Start>(&statement.data)) {
      write_start(text, *start, out);
    } else if (std::holds_alternative<syntax::Title>(statement.data) ||
               std::holds_alternative<syntax::ClaimStatement>(statement.data) ||
               (std::holds_alternative<syntax::Gravity>(statement.data) && given_.gravity)) {
      // the part's own
    } else {
      out.push_back({renaming_.write(text, statement)});
    }
  }

  std::string_view model_;
  const syntax::Import& import_;
  const PartText& part_;
  const Given& given_;
  Renaming renaming_;
  std::map<std::string, Value> values_;
};

/// A part need not be a whole model: it may have nothing that moves, or move what the model gives inertia.
bool is_of_the_whole(const Diagnostic& diagnostic) {
  return diagnostic.code == "L0432" || diagnostic.code == "L0415" || diagnostic.code == "L0416";
}

const PartText& find_part(const syntax::Import& import, const std::string& model, PartFiles& files,
                          const ReadPart& read) {
  const auto& [name, place] = import.file;
  const std::filesystem::path given(name);
  const std::filesystem::path file =
      given.is_absolute() ? given : std::filesystem::path(model).parent_path() / given;
  const std::string path = path_of(file);
  if (std::find(files.open.begin(), files.open.end(), path) != files.open.end())
    fail(place, fmt::format("`{}` imports itself", excerpt(name, 80)),
         "a part cannot hold the model that it is a part of");
  if (const auto known = files.known.find(path); known != files.known.end()) return known->second;
  if (files.open.size() > deepest)
    fail(place, fmt::format("parts lie more than {} deep within parts", deepest),
         "import it further outside");
  std::string problem;
  auto content = read_text_file(file.string(), problem);
  if (!content)
    fail(place, fmt::format("`{}` cannot be read: {}", excerpt(file.string(), 80), problem),
         "the name of a file is seen from the folder of the model");
  const Source source(file.string(), std::move(*content));
  files.open.push_back(path);
  PartText part = read(source, files);
  files.open.pop_back();
  for (const Diagnostic& each : part.problems) {
    if (is_of_the_whole(each)) continue;
    const Source::Place at = source.place(each.span.begin);
    constexpr std::string_view wrong = "the part is wrong at ";
    fail(place,
         each.message.starts_with(wrong)  // the innermost place is the one to mend
             ? each.message
             : fmt::format("{}{}:{}:{}: {} ({})", wrong, excerpt(name, 80), at.line, at.column, each.message,
                           each.code),
         each.hint);
  }
  if (part.has_families)
    fail(place, "the contacts of a part are written out one by one, and these are too many",
         "say them in the model itself: `for i in 1..N, j in i+1..N: unilateral ...`");
  return files.known.emplace(path, std::move(part)).first->second;
}

}  // namespace

void write_imports(WrittenOut& written, const std::string& model, PartFiles& files, const ReadPart& read) {
  std::string store;
  const auto is_import = [&](const WrittenOut::Statement& each) {
    return word_of(written.text, each.span, store) == "import";
  };
  if (std::none_of(written.statements.begin(), written.statements.end(), is_import)) return;
  if (files.open.empty()) files.open.push_back(path_of(model));
  const Given given = given_by(written);
  std::vector<WrittenOut::Statement> statements;
  for (const WrittenOut::Statement& each : std::exchange(written.statements, {})) {
    if (!is_import(each)) {
      statements.push_back(each);
      continue;
    }
    const Span source = written.place(each.span);
    try {
      const syntax::Import import = syntax::Reader(written.text, each.span).read_import();
      const PartText& part = find_part(import, model, files, read);
      for (const Line& line : Importer(written.text, import, part, given).write()) {
        if (statements.size() >= most_statements)
          fail(each.span,
               fmt::format("with this part the model has more than {} statements", most_statements),
               "import fewer parts");
        written.text += '\n';
        Span said = line.source ? written.place(*line.source) : source;
        --said.end;  // of what is not there letter by letter, the place is one letter longer
        written.origins.push_back({written.text.size(), said, false});
        statements.push_back({{written.text.size(), written.text.size() + line.text.size()},
                              {},
                              import.name.text,
                              line.positive});
        written.text += line.text;
      }
    } catch (Fault& fault) {
      written.problems.push_back(std::move(fault.diagnostic));
      written.unread.push_back(each.span);
    }
  }
  written.statements = std::move(statements);
}

}  // namespace liaison
