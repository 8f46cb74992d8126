#include <filesystem>
#include <set>

#include "model_support.hpp"

namespace liaison::test {

namespace {

std::vector<std::filesystem::path> wrong_models() {
  std::vector<std::filesystem::path> paths;
  std::filesystem::current_path(LIAISON_SOURCE_DIR "/tests/diagnostics");  // from where parts are seen
  for (const auto& entry : std::filesystem::directory_iterator(LIAISON_SOURCE_DIR "/tests/diagnostics")) {
    if (entry.path().extension() == ".lia") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace

// Each wrong model stands beside what is said of it, word for word.
TEST(Diagnostics, are_word_for_word_as_stored) {
  const auto paths = wrong_models();
  ASSERT_GT(paths.size(), 100u);
  for (const auto& path : paths) {
    const Source source(path.filename().string(), read_file(path.string()));
    const ParsedModel model = parse_model(source);
    EXPECT_FALSE(model.ok()) << path;
    std::filesystem::path expected = path;
    EXPECT_EQ(render(model.diagnostics, source), read_file(expected.replace_extension(".txt").string()))
        << path;
  }
}

TEST(Diagnostics, have_the_code_of_their_file_and_a_hint) {
  for (const auto& path : wrong_models()) {
    const std::string code = path.stem().string().substr(0, 5);
    const Source source(path.filename().string(), read_file(path.string()));
    for (const Diagnostic& diagnostic : parse_model(source).diagnostics) {
      EXPECT_FALSE(diagnostic.hint.empty()) << path;
      if (code.front() == 'L') {
        EXPECT_EQ(diagnostic.code, code) << path;
      }
    }
  }
}

TEST(Diagnostics, every_code_has_an_entry_in_the_reference) {
  const std::string reference = read_file(LIAISON_SOURCE_DIR "/docs/reference/errors.md");
  std::set<std::string> codes;
  for (const auto& path : wrong_models()) codes.insert(path.stem().string().substr(0, 5));
  for (const std::string& code : codes) {
    if (code.starts_with("L04")) {
      EXPECT_NE(reference.find("| " + code + " |"), std::string::npos) << code;
    }
  }
}

TEST(Diagnostics, come_in_order_of_place_and_not_too_many) {
  std::string text = "coord x\nkinetic x'^2\n";
  for (int i = 0; i < 50; ++i) text += "potential unknown" + std::to_string(i) + "*x\n";
  const ParsedModel model = parse_model(Source("model", text));
  ASSERT_EQ(model.diagnostics.size(), 20u);
  for (std::size_t i = 1; i < 20; ++i) {
    EXPECT_LT(model.diagnostics[i - 1].span.begin, model.diagnostics[i].span.begin);
  }
}

TEST(Diagnostics, an_expression_is_pointed_at_in_its_own_line) {
  EXPECT_EQ(read_errors("coord x\nkinetic x'^2 +   # a comment\n  3*(x'\n"),
            "model:3:8: error: a `)` is missing [L0108]\n"
            "    3 |   3*(x'\n"
            "      |        ^ the text ends here\n"
            "   note: a bracket was opened at 3:5\n"
            "   hint: write `)` where it belongs\n");
}

}  // namespace liaison::test
