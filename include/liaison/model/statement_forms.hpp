#ifndef LIAISON_MODEL_STATEMENT_FORMS_HPP
#define LIAISON_MODEL_STATEMENT_FORMS_HPP

#include <string_view>
#include <vector>

namespace liaison::syntax {

/// What is known of a statement before it is read.
struct KeywordRow {
  std::string_view keyword;
  std::string_view form;  ///< an example that would compile; or two, with "` or `" between them
};
const std::vector<KeywordRow>& keyword_table();

}  // namespace liaison::syntax

#endif  // LIAISON_MODEL_STATEMENT_FORMS_HPP
