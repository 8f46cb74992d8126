#include "liaison/compile/c_source.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "compile_support.hpp"
#include "liaison/expr/parse.hpp"

namespace liaison::test {
namespace {

/// The text compiled by the C compiler as a library and loaded.
class CLibrary {
 public:
  explicit CLibrary(const std::string& text) {
    folder_ = std::filesystem::temp_directory_path() / fmt::format("liaison_c_{}_{}", getpid(), ++count_);
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "program.c") << text;
    const std::string command =
        fmt::format("{} -std=c99 -Wall -Wextra -Werror -pedantic -O2 -shared -fPIC -o '{}' '{}' -lm",
                    LIAISON_C_COMPILER, (folder_ / "program.so").string(), (folder_ / "program.c").string());
    if (std::system(command.c_str()) == 0) handle_ = dlopen((folder_ / "program.so").c_str(), RTLD_NOW);
  }
  ~CLibrary() {
    if (handle_ != nullptr) dlclose(handle_);
    std::filesystem::remove_all(folder_);
  }
  using Function = void (*)(const double*, double*);
  Function find(const char* name) const {
    return handle_ == nullptr ? nullptr : reinterpret_cast<Function>(dlsym(handle_, name));
  }

 private:
  static inline int count_ = 0;  ///< a library of the same path would not be loaded again
  std::filesystem::path folder_;
  void* handle_ = nullptr;
};

TEST(CSource, CompiledByACCompilerItGivesTheBitsOfTheInterpreter) {
  for (std::uint64_t seed : test::seeds(8)) {
    SCOPED_TRACE(test::seed_note(seed));
    RandomSystem system(seed, 20);
    const Program program = make_program(system.inputs, system.outputs);
    const CLibrary library(to_c99(program, "values"));
    const CLibrary::Function function = library.find("values");
    ASSERT_NE(function, nullptr);
    for (int k = 0; k < 20; ++k) {
      const std::vector<double> state = system.state();
      std::vector<double> out(program.outputs.size());
      function(state.data(), out.data());
      EXPECT_TRUE(all_same_bits(out, interpret(program, state)));
    }
  }
}

TEST(CSource, ReadsLikeTheModel) {
  Pool pool;
  const std::vector<Expr> inputs{pool.symbol("m"), pool.symbol("q1'", SymbolKind::velocity),
                                 pool.symbol("g")};
  const std::vector<Expr> outputs{parse(pool, "m*q1'^2/2"), parse(pool, "-m*g")};
  const std::string text = to_c99(make_program(inputs, outputs, {.output_names = {"T", "force"}}), "energy");
  EXPECT_NE(text.find("const double q1_dot = in[1]; /* q1' */"), std::string::npos) << text;
  EXPECT_NE(text.find("0.5*m"), std::string::npos) << text;
  EXPECT_NE(text.find("/* T */"), std::string::npos) << text;
  EXPECT_NE(text.find("/* force */"), std::string::npos) << text;
}

/// Names that C or the writer itself uses for something else.
TEST(CSource, AwkwardNamesAndUnusedInputs) {
  Pool pool;
  std::vector<Expr> inputs;
  for (const char* name : {"t1", "in", "out", "isnan", "double", "NAN", "M_PI", "y0", "f", "unused", "t1_"})
    inputs.push_back(pool.symbol(name));
  Expr sum = pool.number(0);
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (i != 9) sum += Rational(static_cast<long>(i) + 1) * sin(inputs[i]) * exp(inputs[i]);
  const std::vector<Expr> outputs{sum, max(abs(sum), sign(sum)), min(sum, inputs[2])};
  const Program program = make_program(inputs, outputs, {.output_names = {"a */ b", "/* c", ""}});
  const CLibrary library(to_c99(program, "f"));
  const CLibrary::Function function = library.find("f");
  ASSERT_NE(function, nullptr);
  std::vector<double> state, out(3);
  for (std::size_t i = 0; i < inputs.size(); ++i) state.push_back(0.1 * static_cast<double>(i));
  function(state.data(), out.data());
  EXPECT_TRUE(all_same_bits(out, interpret(program, state)));
  EXPECT_THROW(to_c99(program, "2f"), Error);
  EXPECT_THROW(to_c99(program, "double"), Error);
  EXPECT_NE(CLibrary(to_c99(Program{}, "nothing")).find("nothing"), nullptr);
}

}  // namespace
}  // namespace liaison::test
