#include "liaison/compile/code_cache.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "compile/kept_code.hpp"
#include "compile_support.hpp"
#include "liaison/compile/jit.hpp"

namespace liaison::test {
namespace {

namespace fs = std::filesystem;

/// An empty folder of this test, which does not stay.
class CodeCache : public ::testing::Test {
 protected:
  CodeCache() : folder_(fs::temp_directory_path() / fmt::format("liaison-code-{}", ::getpid())) {
    fs::remove_all(folder_);
  }
  ~CodeCache() override {
    set_code_cache({});
    fs::remove_all(folder_);
  }

  std::vector<fs::path> files() const {
    std::vector<fs::path> found;
    if (fs::exists(folder_))
      for (const fs::directory_entry& entry : fs::directory_iterator(folder_)) found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
  }
  std::uintmax_t size() const {
    std::uintmax_t total = 0;
    for (const fs::path& file : files()) total += fs::file_size(file);
    return total;
  }

  fs::path folder_;
};

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
void write(const fs::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

double value_of(Pool& pool, Expr e) {
  const std::vector<Expr> in{pool.symbol("x")}, out{e};
  const CompiledProgram compiled(make_program(in, out), {.native = false});
  const double x = 0.7;
  double y = 0;
  compiled(&x, &y);
  return y;
}

TEST_F(CodeCache, WhatIsKeptIsFoundAsItWas) {
  const std::string code("\0code\n\n\n\n\xff", 10);
  KeptCode(folder_).keep("key", code);
  EXPECT_EQ(KeptCode(folder_).find("key"), code);
  EXPECT_EQ(KeptCode(folder_).find("other"), std::nullopt);
  EXPECT_EQ(fs::status(folder_).permissions() & fs::perms::all, fs::perms::owner_all);
}

TEST_F(CodeCache, WhatIsDamagedIsNoCodeAndGoes) {
  const std::string code(300, 'c');
  KeptCode kept(folder_);
  kept.keep("key", code);
  const fs::path file = files().at(0);
  const std::string whole = read(file);
  for (std::size_t at = 0; at < whole.size(); at += 7) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    for (const std::string& text : {damaged, whole.substr(0, at), whole + damaged.substr(0, at + 1)}) {
      write(file, text);
      EXPECT_EQ(kept.find("key"), std::nullopt) << at;
      EXPECT_TRUE(files().empty()) << at;
    }
  }
  write(file, whole);
  EXPECT_EQ(kept.find("key"), code);
  fs::rename(file, folder_ / "other.code");
  EXPECT_EQ(kept.find("other"), std::nullopt);
}

TEST_F(CodeCache, AFolderThatOthersMayWriteToIsNotUsed) {
  KeptCode kept(folder_);
  kept.keep("key", "code");
  fs::permissions(folder_, fs::perms::group_write | fs::perms::others_write, fs::perm_options::add);
  EXPECT_EQ(kept.find("key"), std::nullopt);
  kept.keep("another", "code");
  EXPECT_EQ(files().size(), 1u);
}

TEST_F(CodeCache, WhatWasNotAskedForLongestGoesFirst) {
  KeptCode kept(folder_, 10'000);
  const std::string code(1000, 'c');
  for (int k = 0; k < 9; ++k) {
    kept.keep(fmt::format("{}", k), code);
    // files made within one tick of the clock have no order
    fs::last_write_time(folder_ / fmt::format("{}.code", k),
                        fs::file_time_type::clock::now() - std::chrono::seconds(100 - k));
  }
  EXPECT_EQ(kept.find("0"), code);
  kept.keep("9", code);
  EXPECT_LE(size(), 7'500u);
  EXPECT_EQ(kept.find("0"), code);
  EXPECT_EQ(kept.find("1"), std::nullopt);
  EXPECT_EQ(kept.find("9"), code);
  kept.keep("large", std::string(3000, 'c'));
  EXPECT_EQ(kept.find("large"), std::nullopt);
}

TEST_F(CodeCache, ThreadsThatReadWriteAndThrowAwaySeeWholeFiles) {
  std::vector<std::thread> threads;
  std::atomic<int> found = 0, wrong = 0;
  for (int k = 0; k < 6; ++k)
    threads.emplace_back([&, k] {
      KeptCode kept(folder_, 20'000);
      for (int n = 0; n < 150; ++n) {
        const int which = (n * 7 + k) % 12;
        const std::string code(static_cast<std::size_t>(500 + 300 * which), static_cast<char>('a' + which));
        if (const auto text = kept.find(fmt::format("{}", which))) {
          ++found;
          wrong += *text != code;
        } else {
          kept.keep(fmt::format("{}", which), code);
        }
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(found, 0);
  EXPECT_LE(size(), 20'000u + 6 * 4'000u);
}

TEST_F(CodeCache, AProgramHasTheSameBitsWhenItsCodeIsFound) {
  RandomSystem system(test::seeds(1)[0], 10);
  const Program program = make_program(system.inputs, system.outputs);
  const std::vector<double> state = system.state(), expected = interpret(program, state);
  set_code_cache(folder_);
  for (int k = 0; k < 3; ++k) {
    const CompiledProgram compiled(program, {.native = false});
    std::vector<double> out(expected.size());
    compiled(state.data(), out.data());
    EXPECT_TRUE(all_same_bits(out, expected));
    EXPECT_EQ(files().size(), 1u);
    if (k == 1) write(files()[0], "damaged");
  }
}

/// The code of one program under the key of another gives the values of the one.
TEST_F(CodeCache, CodeThatIsFoundIsRun) {
  Pool pool;
  const Expr x = pool.symbol("x");
  set_code_cache(folder_);
  EXPECT_EQ(value_of(pool, x + 1), 0.7 + 1);
  const std::string first = files().at(0).stem().string();
  EXPECT_EQ(value_of(pool, x * x), 0.7 * 0.7);
  const std::vector<fs::path> both = files();
  ASSERT_EQ(both.size(), 2u);
  const std::string second = both[both[0].stem().string() == first ? 1 : 0].stem().string();
  KeptCode kept(folder_);
  kept.keep(second, kept.find(first).value());
  EXPECT_EQ(value_of(pool, x * x), 0.7 + 1);
  set_code_cache({});
  EXPECT_EQ(value_of(pool, x * x), 0.7 * 0.7);
}

TEST_F(CodeCache, EachWayToTranslateHasItsOwnCode) {
  Pool pool;
  const std::vector<Expr> in{pool.symbol("x"), pool.symbol("y")}, out{in[0] * in[1] + in[0]};
  const Program program = make_program(in, out);
  set_code_cache(folder_);
  for (const JitOptions& how :
       {JitOptions{.native = false}, JitOptions{.native = false, .contract = true},
        JitOptions{.native = false, .thorough_limit = 0}, JitOptions{.native = false}})
    const CompiledProgram compiled(program, how);
  EXPECT_EQ(files().size(), 3u);
}

}  // namespace
}  // namespace liaison::test
