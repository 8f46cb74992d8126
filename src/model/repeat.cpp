#include "repeat.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "liaison/expr/parse.hpp"
#include "text.hpp"

namespace liaison {

namespace {

/// Contacts of one `for` beyond this are not written out.
constexpr std::size_t most_written_contacts = 500;
constexpr std::size_t most_written = 100'000;     ///< statements of one `for`
constexpr std::size_t most_contacts = 2'000'000;  ///< of one `for`
constexpr std::int64_t largest_index = 1'000'000'000;

struct Trouble {
  Diagnostic diagnostic;
};

[[noreturn]] void fail(Span span, std::string message, std::string hint) {
  throw Trouble{{"L0443", std::move(message), span, {}, {}, std::move(hint)}};
}

constexpr const char* form = "write `for i in 1..10: coord x_{i}`, or `for i in 1..10, j in i+1..10: ...`";

bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

/// Sums and products of whole numbers and indices.
class IndexSum {
 public:
  IndexSum(std::string_view text, const std::vector<std::string>& names, const std::int32_t* values)
      : text_(text), names_(names), values_(values) {}

  /// Nothing where it is none, or too large.
  std::optional<std::int64_t> value() {
    const auto result = sum();
    skip();
    if (!result || at_ < text_.size()) return std::nullopt;
    return result;
  }

 private:
  void skip() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }
  bool take(char c) {
    skip();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  static std::optional<std::int64_t> bounded(std::int64_t value) {
    if (value > largest_index || value < -largest_index) return std::nullopt;
    return value;
  }

  std::optional<std::int64_t> sum() {
    const bool negative = take('-');
    auto total = product();
    if (total && negative) total = -*total;
    while (total) {
      const bool plus = take('+');
      if (!plus && !take('-')) break;
      const auto next = product();
      if (!next) return std::nullopt;
      total = bounded(plus ? *total + *next : *total - *next);
    }
    return total;
  }

  std::optional<std::int64_t> product() {
    auto total = factor();
    while (total && take('*')) {
      const auto next = factor();
      if (!next) return std::nullopt;
      total = bounded(*total * *next);
    }
    return total;
  }

  std::optional<std::int64_t> factor() {
    if (take('(')) {
      if (++depth_ > 100) return std::nullopt;
      const auto inside = sum();
      --depth_;
      return inside && take(')') ? inside : std::nullopt;
    }
    skip();
    if (const auto name = scan_name(text_, at_)) {
      const auto found = std::find(names_.begin(), names_.end(), name->text);
      if (found == names_.end()) return std::nullopt;
      at_ = name->end;
      return values_[found - names_.begin()];
    }
    std::int64_t number = 0;
    const std::size_t begin = at_;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
      number = 10 * number + (text_[at_] - '0');
      if (number > largest_index) return std::nullopt;
    }
    return at_ > begin ? std::optional(number) : std::nullopt;
  }

  std::string_view text_;
  const std::vector<std::string>& names_;
  const std::int32_t* values_;
  std::size_t at_ = 0, depth_ = 0;
};

struct Range {
  Span first, last;
};
struct Header {
  std::vector<std::string> names;
  std::vector<Range> ranges;
  Span indices, body;
};

/// `for` has been seen.
Header read_header(std::string_view text, Span statement) {
  Header header;
  std::size_t colon = statement.begin;
  while (colon < statement.end && text[colon] != ':') ++colon;
  if (colon == statement.end) fail({statement.end, statement.end}, "`:` behind the indices is missing", form);
  header.indices = trim(text, {statement.begin + 3, colon});
  header.body = trim(text, {colon + 1, statement.end});
  if (header.body.begin == header.body.end)
    fail({colon, colon + 1}, "nothing stands behind the indices", form);
  std::size_t at = header.indices.begin;
  while (true) {
    const Span rest = trim(text, {at, header.indices.end});
    const auto name = scan_name(text.substr(0, header.indices.end), rest.begin);
    if (!name) fail({rest.begin, rest.begin}, "an index is missing", form);
    const Span named{rest.begin, name->end};
    if (name->text.find('\'') != std::string::npos)
      fail(named, fmt::format("`{}` is no name of an index", name->text), "a letter: `i`");
    if (std::find(header.names.begin(), header.names.end(), name->text) != header.names.end())
      fail(named, fmt::format("the index `{}` is there twice", name->text), "choose another letter");
    const Span behind = trim(text, {name->end, header.indices.end});
    const auto in = scan_name(text.substr(0, header.indices.end), behind.begin);
    if (!in || in->text != "in") fail({behind.begin, behind.begin}, "`in` is missing", form);
    const std::size_t end = std::min(text.find(',', in->end), header.indices.end);
    const std::size_t dots = text.find("..", in->end);
    if (dots >= end) fail({end, end}, "the values of an index are `FIRST..LAST`", form);
    header.names.push_back(name->text);
    header.ranges.push_back({trim(text, {in->end, dots}), trim(text, {dots + 2, end})});
    if (end >= header.indices.end) return header;
    at = end + 1;
  }
}

/// A statement with places for the indices.
struct Body {
  struct Part {
    Span span;
    bool is_index = false;  ///< without its braces
    bool in_name = false;
  };
  std::vector<Part> parts;
};

bool is_name_letter(char c) {
  const auto u = static_cast<unsigned char>(c);
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || u >= 0x80;
}

Body read_body(std::string_view text, Span span) {
  Body body;
  std::size_t begin = span.begin;
  bool in_name = false, number = true;  // what stands before is a name; only digits so far
  for (std::size_t i = span.begin; i < span.end; ++i) {
    if (text[i] == '}') fail({i, i + 1}, "`}` closes nothing", "indices stand in braces: `x_{i}`");
    if (text[i] != '{') {
      const bool letter = is_name_letter(text[i]);
      if (!letter) number = true;
      if (letter && (text[i] < '0' || text[i] > '9')) number = false;
      in_name = letter && !number;
      continue;
    }
    const std::size_t close = text.find('}', i);
    if (close >= span.end) fail({i, i + 1}, "`}` is missing", "indices stand in braces: `x_{i}`");
    if (!in_name && i > span.begin && is_name_letter(text[i - 1]))
      fail({i, close + 1}, "a number does not go on with an index", "write `10*{i}`, or a name: `x_{i}`");
    if (i > begin) body.parts.push_back({{begin, i}});
    body.parts.push_back({trim(text, {i + 1, close}), true, in_name});
    if (!in_name && close + 1 < span.end && is_name_letter(text[close + 1]))
      fail({i, close + 1}, "a name does not begin with a number", "put letters before it: `x_{i}`");
    begin = close + 1;
    i = close;
  }
  if (begin < span.end) body.parts.push_back({{begin, span.end}});
  return body;
}

class Writer {
 public:
  Writer(std::string_view masked, WrittenOut& out) : masked_(masked), out_(out) {}

  void write(Span statement) {
    const Header header = read_header(masked_, statement);
    const auto word = scan_name(masked_.substr(0, header.body.end), header.body.begin);
    const std::string keyword = word ? word->text : "";
    if (keyword == "for")
      fail({header.body.begin, word->end}, "a `for` within another",
           "both indices in one: `for i in 1..3, j in 1..3:`");
    if (keyword == "system")
      fail({header.body.begin, word->end}, "a model has one name", "write `system` once, without `for`");
    const Body body = read_body(masked_, header.body);
    values_.clear();
    std::vector<std::int32_t> chosen(header.names.size());
    const bool contacts = keyword == "unilateral";
    list_values(header, statement, 0, chosen, contacts ? most_contacts : most_written);
    const std::size_t count = values_.size() / header.names.size();
    if (contacts && count > most_written_contacts) return keep(header, body);
    for (std::size_t k = 0; k < count; ++k) {
      const Span span = instance(header, body, &values_[k * header.names.size()]);
      out_.statements.push_back({span, {}});
    }
  }

 private:
  std::int32_t bound(const Header& header, Span span, std::size_t known, const std::int32_t* values) const {
    const std::vector<std::string> names(header.names.begin(),
                                         header.names.begin() + static_cast<std::ptrdiff_t>(known));
    const auto value = IndexSum(text_at(masked_, span), names, values).value();
    if (!value)
      fail(span, fmt::format("`{}` is not a whole number here", excerpt(text_at(masked_, span))),
           "a bound is made of whole numbers and of indices before it, with +, - and *: `1..20`, `i+1..20`");
    return static_cast<std::int32_t>(*value);
  }

  void list_values(const Header& header, Span statement, std::size_t depth, std::vector<std::int32_t>& chosen,
                   std::size_t most) {
    if (depth == header.names.size()) {
      if (values_.size() / depth >= most)
        fail(header.indices, fmt::format("this is said more than {} times", most),
             "fewer values of the indices");
      values_.insert(values_.end(), chosen.begin(), chosen.end());
      return;
    }
    const std::int32_t first = bound(header, header.ranges[depth].first, depth, chosen.data());
    const std::int32_t last = bound(header, header.ranges[depth].last, depth, chosen.data());
    if (depth == 0 && first > last)
      fail(header.indices, fmt::format("no number is from {} to {}", first, last),
           "the smaller one first: `1..10`");
    for (std::int32_t value = first; value <= last; ++value) {
      if (++visited_ > 4 * most)  // also of an index whose others have no value
        fail(header.indices, fmt::format("this is said more than {} times", most),
             "fewer values of the indices");
      chosen[depth] = value;
      list_values(header, statement, depth + 1, chosen, most);
    }
  }

  Span instance(const Header& header, const Body& body, const std::int32_t* values) {
    out_.text += '\n';
    const std::size_t begin = out_.text.size();
    for (const Body::Part& part : body.parts) {
      out_.origins.push_back({out_.text.size(), part.span, !part.is_index});
      out_.text += part.is_index ? number(header, part, values) : std::string(text_at(masked_, part.span));
    }
    return {begin, out_.text.size()};
  }

  std::string number(const Header& header, const Body::Part& part, const std::int32_t* values) const {
    const auto value = IndexSum(text_at(masked_, part.span), header.names, values).value();
    if (!value)
      fail(part.span, fmt::format("`{}` is no sum of indices", excerpt(text_at(masked_, part.span))),
           fmt::format("here there are {}, whole numbers, and +, -, *", fmt::join(header.names, ", ")));
    if (*value >= 0) return std::to_string(*value);
    if (part.in_name)
      fail(part.span, fmt::format("a name would hold the number {}", *value),
           "begin the index at a larger one");
    return fmt::format("({})", *value);
  }

  /// The first one is written and the last, and of the others what stands in its place.
  void keep(const Header& header, const Body& body) {
    RepeatedStatement repeated;
    repeated.indices = std::string(text_at(masked_, header.indices));
    std::replace_if(repeated.indices.begin(), repeated.indices.end(), is_space, ' ');
    repeated.index_names = header.names;
    for (std::size_t p = 0; p < body.parts.size(); ++p) {
      const Body::Part& part = body.parts[p];
      if (!part.is_index) continue;
      number(header, part, values_.data());  // it is a sum of indices
      if (!part.in_name)
        fail(part.span,
             fmt::format("so many contacts are one contact with other names: the number `{}` is no name",
                         excerpt(text_at(masked_, part.span))),
             "a parameter for each: `for i in 1..9: param r_{i} = ...`, and `r_{i}` here");
      if (p > 0 && body.parts[p - 1].is_index) continue;  // within a name that has been read
      add_pattern(body, p, repeated);
    }
    if (!names_every_index(repeated)) {
      fail(
          repeated.patterns.empty() ? header.body : repeated.patterns.front().span,
          "the name of these contacts does not tell them apart",
          fmt::format("each index in it, with a letter between: `d_{{{}}}`", fmt::join(header.names, "}_{")));
    }
    repeated.name = std::move(repeated.patterns.front());
    repeated.patterns.erase(repeated.patterns.begin());
    repeated.values = values_;
    out_.statements.push_back({instance(header, body, values_.data()), out_.repeated.size()});
    // And the last, which is to be the first with other names.
    const std::size_t count = values_.size() / header.names.size();
    out_.statements.push_back(
        {instance(header, body, values_.data() + (count - 1) * header.names.size()), out_.repeated.size()});
    out_.repeated.push_back(std::move(repeated));
  }

  /// The name around an index.
  void add_pattern(const Body& body, std::size_t p, RepeatedStatement& repeated) const {
    const auto letters = [&](Span span, bool front) {
      std::size_t from = span.end, to = span.begin;
      if (front) {
        while (from > span.begin && is_name_letter(masked_[from - 1])) --from;
        for (const std::string_view sign : {"≥", "≤"}) {  // letters but for their bytes
          const std::size_t at = text_at(masked_, {from, span.end}).rfind(sign);
          if (at != std::string_view::npos) from += at + sign.size();
        }
        return Span{from, span.end};
      }
      while (to < span.end && is_name_letter(masked_[to]) && static_cast<unsigned char>(masked_[to]) != 0xE2)
        ++to;
      return Span{span.begin, to};
    };
    RepeatedStatement::Pattern pattern;
    const Span front = letters(body.parts[p - 1].span, true);
    // A name with several indices is read at the first.
    if (front.begin == body.parts[p - 1].span.begin && p >= 2 && body.parts[p - 2].is_index) return;
    pattern.span = {front.begin, body.parts[p].span.end + 1};
    pattern.pieces.push_back({std::string(text_at(masked_, front)), false});
    for (std::size_t q = p; q < body.parts.size(); ++q) {
      if (body.parts[q].is_index) {
        pattern.pieces.push_back({std::string(text_at(masked_, body.parts[q].span)), true});
        continue;
      }
      const Span behind = letters(body.parts[q].span, false);
      if (behind.end > behind.begin) pattern.pieces.push_back({std::string(text_at(masked_, behind)), false});
      if (behind.end < body.parts[q].span.end) break;
    }
    for (const NamePiece& piece : pattern.pieces)
      pattern.text += piece.is_index ? "{" + piece.text + "}" : piece.text;
    const auto same = [&](const auto& known) { return known.text == pattern.text; };
    if (std::none_of(repeated.patterns.begin(), repeated.patterns.end(), same))
      repeated.patterns.push_back(std::move(pattern));
  }

  static bool names_every_index(const RepeatedStatement& repeated) {
    if (repeated.patterns.empty()) return false;
    const std::vector<NamePiece>& pieces = repeated.patterns.front().pieces;
    for (std::size_t k = 0; k + 1 < pieces.size(); ++k) {
      const auto digit = [](char c) { return c >= '0' && c <= '9'; };
      if (pieces[k].is_index && (pieces[k + 1].is_index || digit(pieces[k + 1].text.front()))) return false;
      if (!pieces[k].is_index && digit(pieces[k].text.back())) return false;
    }
    return std::all_of(
        repeated.index_names.begin(), repeated.index_names.end(), [&](const std::string& name) {
          return std::any_of(pieces.begin(), pieces.end(),
                             [&](const NamePiece& piece) { return piece.is_index && piece.text == name; });
        });
  }

  std::string_view masked_;
  WrittenOut& out_;
  std::vector<std::int32_t> values_;
  std::size_t visited_ = 0;
};

}  // namespace

WrittenOut write_out(std::string_view masked, const std::vector<Span>& statements) {
  WrittenOut out;
  out.text = masked;
  for (const Span statement : statements) {
    const auto word = scan_name(masked.substr(0, statement.end), statement.begin);
    if (!word || word->text != "for") {
      out.statements.push_back({statement, {}});
      continue;
    }
    try {
      Writer(masked, out).write(statement);
    } catch (Trouble& trouble) {
      out.problems.push_back(std::move(trouble.diagnostic));
      out.unread.push_back(statement);
    }
  }
  return out;
}

Span WrittenOut::place(Span span) const {
  const auto origin_of = [&](std::size_t offset) {
    const auto next =
        std::upper_bound(origins.begin(), origins.end(), offset,
                         [](std::size_t at, const Origin& origin) { return at < origin.begin; });
    return next == origins.begin() ? nullptr : &*(next - 1);
  };
  const Origin* first = origin_of(span.begin);
  if (first == nullptr) return span;
  const Origin* last = origin_of(span.end > span.begin ? span.end - 1 : span.begin);
  const auto within = [](const Origin& origin, std::size_t offset, std::size_t otherwise) {
    if (!origin.verbatim) return otherwise;
    return std::min(origin.source.begin + (offset - origin.begin), origin.source.end);
  };
  const std::size_t begin = within(*first, span.begin, first->source.begin);
  return {begin, std::max(begin, within(*last, span.end, last->source.end + 1))};
}

std::optional<std::string> name_at(const RepeatedStatement::Pattern& pattern,
                                   const std::vector<std::string>& index_names, const std::int32_t* values) {
  std::string name;
  for (const NamePiece& piece : pattern.pieces) {
    if (!piece.is_index) {
      name += piece.text;
      continue;
    }
    const auto value = IndexSum(piece.text, index_names, values).value();
    if (!value || *value < 0) return std::nullopt;
    name += std::to_string(*value);
  }
  return name;
}

}  // namespace liaison
