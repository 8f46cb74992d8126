#ifndef LIAISON_COMPILE_JIT_HPP
#define LIAISON_COMPILE_JIT_HPP

#include <atomic>
#include <cstddef>
#include <exception>
#include <memory>
#include <stdexcept>
#include <thread>

#include "liaison/compile/interpreter.hpp"
#include "liaison/compile/program.hpp"

namespace liaison {

struct JitOptions {
  /// One state by code that is written at once, without LLVM, where has_native_code. Off: by LLVM too.
  bool native = true;
  /// a*b + c rounded once where the machine can. Off: the same bits as the interpreter.
  bool contract = false;
  /// Vector sin, exp, ... of the system in batches, within 4 ulp each. Off: the same bits as one by one.
  bool vector_math = true;
  unsigned batch_width = 0;       ///< states at once: 1, 2, 4 or 8; 0: what the machine's registers hold
  std::size_t chunk_size = 1500;  ///< LLVM: instructions in one machine function
  /// LLVM translates longer programs without optimisation: ten times as fast to make, up to twice as slow to
  /// run.
  std::size_t thorough_limit = 20000;
};

/// A program as machine code of this host. Calls from several threads at once are fine.
class CompiledProgram {
 public:
  /// Throws std::runtime_error if this machine cannot make code at run time, MissingLibrary.
  explicit CompiledProgram(const Program& program, const JitOptions& options = {});
  ~CompiledProgram();
  CompiledProgram(CompiledProgram&&) noexcept;
  CompiledProgram& operator=(CompiledProgram&&) noexcept;

  /// One state. Outputs do not overlap inputs.
  void operator()(const double* in, double* out) const;
  /// `count` states, several at once in vector registers. The code for it is made at the first call.
  void batch(const double* in, double* out, std::size_t count,
             BatchLayout layout = BatchLayout::by_state) const;

  const Program& program() const;
  unsigned batch_width() const;
  /// Whether one state is computed without LLVM.
  bool is_native() const;
  /// Machine functions of LLVM: none before there is any.
  std::size_t chunk_count() const;

 private:
  friend class CodeInMaking;
  struct Implementation;
  explicit CompiledProgram(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

/// A program that another thread makes into machine code.
class CodeInMaking {
 public:
  /// Throws std::system_error where no thread is to be had.
  CodeInMaking(std::shared_ptr<const Program> program, const JitOptions& options);
  ~CodeInMaking();
  CodeInMaking(const CodeInMaking&) = delete;
  CodeInMaking& operator=(const CodeInMaking&) = delete;

  bool is_done() const { return is_done_.load(std::memory_order_acquire); }
  /// Waits for it; once. Throws what CompiledProgram throws.
  CompiledProgram take();

 private:
  void make(const JitOptions& options);

  std::shared_ptr<const Program> program_;
  std::unique_ptr<CompiledProgram::Implementation> made_;
  std::exception_ptr error_;
  std::atomic<bool> is_done_ = false;
  std::thread thread_;
};

/// Whether scalar code takes some microseconds to make and no LLVM: on an x86-64 with AVX where the system
/// lets memory be executed.
bool has_native_code();

/// How many programs this process has made into machine code so far, or has begun to.
std::size_t machine_code_count();

/// The batch width that the registers of this machine suggest: 8 with AVX-512, 4 with AVX2, else 2.
unsigned host_batch_width();

}  // namespace liaison

#endif  // LIAISON_COMPILE_JIT_HPP
