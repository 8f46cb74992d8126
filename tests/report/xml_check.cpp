#include "xml_check.hpp"

#include <array>
#include <utility>
#include <vector>

namespace liaison::test {

namespace {

struct Open {
  std::string name;
  std::size_t children = 0;
};

std::size_t wanted_children(const std::string& name) {
  constexpr std::array<std::pair<std::string_view, std::size_t>, 6> counts{
      {{"mfrac", 2}, {"msup", 2}, {"msub", 2}, {"mover", 2}, {"munder", 2}, {"msubsup", 3}}};
  for (const auto& [element, count] : counts)
    if (name == element) return count;
  return std::string::npos;
}

bool is_void(const std::string& name) {
  return name == "meta" || name == "wbr" || name == "br";
}

bool is_entity(std::string_view text) {
  for (std::string_view entity : {"&amp;", "&lt;", "&gt;", "&quot;"})
    if (text.starts_with(entity)) return true;
  return false;
}

/// name="value" again and again, or nothing.
bool are_attributes(std::string_view text) {
  while (true) {
    const std::size_t start = text.find_first_not_of(" \n");
    if (start == std::string_view::npos) return true;
    const std::size_t equals = text.find("=\"", start);
    if (equals == std::string_view::npos || equals == start) return false;
    if (text.substr(start, equals - start).find_first_of(" <>&") != std::string_view::npos) return false;
    const std::size_t end = text.find('"', equals + 2);
    if (end == std::string_view::npos) return false;
    text = text.substr(end + 1);
  }
}

}  // namespace

std::string xml_fault(std::string_view text) {
  std::vector<Open> open;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '&' && !is_entity(text.substr(i)))
      return "bare & before " + std::string(text.substr(i, 20));
    if (text[i] == '>') return "bare > after " + std::string(text.substr(i < 20 ? 0 : i - 20, 20));
    if (text[i] != '<') continue;
    constexpr std::string_view any_text = "<![CDATA[", its_end = "]]>";
    if (text.substr(i).starts_with(any_text)) {
      i = text.find(its_end, i);
      if (i == std::string_view::npos) return "a section of any text that does not end";
      i += its_end.size() - 1;
      continue;
    }
    const std::size_t end = text.find('>', i);
    if (end == std::string_view::npos) return "a tag that does not end";
    std::string tag(text.substr(i + 1, end - i - 1));
    i = end;
    if (tag.starts_with("!") && open.empty()) continue;
    if (tag.starts_with("/")) {
      if (open.empty() || open.back().name != tag.substr(1)) return "unexpected </" + tag.substr(1) + ">";
      const std::size_t wanted = wanted_children(open.back().name);
      if (wanted != std::string::npos && open.back().children != wanted) {
        return open.back().name + " with " + std::to_string(open.back().children) + " children";
      }
      open.pop_back();
      continue;
    }
    const bool closed = tag.ends_with("/");
    if (closed) tag.pop_back();
    const std::string name = tag.substr(0, tag.find_first_of(" \n"));
    if (name.empty()) return "a bare <";
    if (!are_attributes(std::string_view(tag).substr(name.size()))) return "attributes of <" + tag + ">";
    if (!open.empty()) ++open.back().children;
    if (!closed && !is_void(name)) open.push_back({name});
  }
  return open.empty() ? std::string() : "<" + open.back().name + "> is not closed";
}

}  // namespace liaison::test
