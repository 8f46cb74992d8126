#pragma once

#include <memory>
#include <span>
#include <vector>

#include "liaison/compile/jit.hpp"
#include "liaison/simulate/evaluator.hpp"

namespace liaison {

/// A program and the way it is run. Machine code is made at the first call. Where that needs LLVM, code of
/// short programs is made after some calls, in another thread, while the interpreter goes on with the same
/// bits: what a run hardly asks for costs nothing.
class Runner {
 public:
  Runner();
  Runner(Program program, Engine engine);
  Runner(std::span<const Expr> inputs, std::span<const Expr> outputs, Engine engine);
  const double* operator()(const double* in) {
    if (!compiled_) return run_or_compile(in);
    (*compiled_)(in, values_.data());
    return values_.data();
  }
  /// `count` states, all values of a variable together.
  void batch(const double* in, double* out, std::size_t count);
  std::span<const double> values() const { return values_; }
  const Program& program() const { return *program_; }

 private:
  const double* run_or_compile(const double* in);
  bool has_code();
  bool is_worth_waiting();
  void compile();
  bool is_short() const;

  std::shared_ptr<const Program> program_;
  Engine engine_ = Engine::interpreted;
  std::size_t calls_ = 0;
  std::vector<double> values_, scratch_;
  std::unique_ptr<CodeInMaking> making_;
  std::unique_ptr<CompiledProgram> compiled_;
};

}  // namespace liaison
