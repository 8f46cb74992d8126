#include "runner.hpp"

#include <algorithm>
#include <system_error>

#include "liaison/compile/interpreter.hpp"

namespace liaison {

namespace {

/// Measured on the eliminations of chains of 20 and 50 links, 7,885 and 71,940 instructions, on a busy
/// machine of two cores, processor time. Chunks of 300 instead of 1500: 0.24 s to make instead of 0.35 s, 2.3
/// us a call instead of 2.6. Code of 71,940 instructions made thoroughly takes 3.0 to 3.6 s and 24 to 28 us a
/// call, without optimisation 0.4 s and 37 to 44 us. An elimination is a chain of a - b*c; rounded once, 20
/// links take 2.6 to 3.1 us instead of 3.0 to 3.6, and 50 links 18 to 26 us where it was 24 to 30. One
/// machine still gives the same bits each time; the interpreter agrees to rounding.
constexpr JitOptions how{.contract = true, .chunk_size = 300, .thorough_limit = 12000};
/// Short programs gain nothing by rounding once, a chain of ten links with 1,758 instructions among them;
/// without it machine code has the bits of the interpreter, which does the first calls where LLVM makes the
/// code: a short run asks for none (15 ms for a double pendulum, 80 ms for ten links), and a longer one waits
/// for it at its end at most.
constexpr JitOptions how_short{.contract = false, .chunk_size = 300, .thorough_limit = 12000};
constexpr std::size_t short_program = 2000;

/// Where LLVM makes the code the interpreter may work some five milliseconds first, 2 to 3 ns an instruction:
/// a third of what the shortest code takes to be made.
std::size_t calls_before_code(std::size_t instructions) {
  return std::clamp<std::size_t>(2'000'000 / (instructions + 1), 300, 20'000);
}

}  // namespace

Runner::Runner() : Runner(Program{}, Engine::interpreted) {}

Runner::Runner(Program program, Engine engine)
    : program_(std::make_shared<const Program>(std::move(program))),
      engine_(engine),
      values_(program_->outputs.size()),
      scratch_(program_->slot_count) {}

Runner::Runner(std::span<const Expr> inputs, std::span<const Expr> outputs, Engine engine)
    : Runner(make_program(inputs, outputs), engine) {}

bool Runner::is_short() const {
  return program_->instructions.size() <= short_program;
}

void Runner::compile() {
  if (compiled_) return;
  if (making_) {
    const std::unique_ptr<CodeInMaking> making = std::move(making_);
    compiled_ = std::make_unique<CompiledProgram>(making->take());
  } else {
    compiled_ = std::make_unique<CompiledProgram>(*program_, is_short() ? how_short : how);
  }
}

/// Whether LLVM shall be waited for: it has had its time in another thread.
bool Runner::is_worth_waiting() {
  if (++calls_ <= calls_before_code(program_->instructions.size())) return false;
  if (making_) return making_->is_done();
  try {
    making_ = std::make_unique<CodeInMaking>(program_, how_short);
    return false;
  } catch (const std::system_error&) {  // no thread is to be had
    return true;
  }
}

/// Whether machine code does this call.
bool Runner::has_code() {
  if (compiled_) return true;
  if (!has_native_code() && is_short() && !is_worth_waiting()) return false;
  compile();
  return true;
}

const double* Runner::run_or_compile(const double* in) {
  if (engine_ == Engine::compiled && has_code())
    (*compiled_)(in, values_.data());
  else
    run(*program_, in, values_.data(), scratch_.data());
  return values_.data();
}

void Runner::batch(const double* in, double* out, std::size_t count) {
  if (engine_ == Engine::compiled) {
    compile();
    compiled_->batch(in, out, count, BatchLayout::by_variable);
    return;
  }
  scratch_.resize(std::max(scratch_.size(), batch_scratch_size(*program_)));
  run_batch(*program_, in, out, count, scratch_.data(), BatchLayout::by_variable);
}

}  // namespace liaison
