#ifndef LIAISON_COMPILE_JIT_HPP
#define LIAISON_COMPILE_JIT_HPP

#include <cstddef>
#include <memory>
#include <stdexcept>

#include "liaison/compile/interpreter.hpp"
#include "liaison/compile/program.hpp"

namespace liaison {

struct JitOptions {
  /// a*b + c rounded once where the machine can. Off: the same bits as the interpreter.
  bool contract = false;
  /// Vector sin, exp, ... of the system in batches, within 4 ulp each. Off: the same bits as one by one.
  bool vector_math = true;
  unsigned batch_width = 0;       ///< states at once: 1, 2, 4 or 8; 0: what the machine's registers hold
  std::size_t chunk_size = 1500;  ///< instructions in one machine function
  /// Longer programs are translated without optimisation: ten times as fast to make, up to twice as slow to
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
  std::size_t chunk_count() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// How many programs this process has made into machine code so far.
std::size_t machine_code_count();

/// The batch width that the registers of this machine suggest: 8 with AVX-512, 4 with AVX2, else 2.
unsigned host_batch_width();

}  // namespace liaison

#endif  // LIAISON_COMPILE_JIT_HPP
