#include "liaison/compile/jit.hpp"

#include <atomic>
#include <mutex>
#include <stdexcept>

#include "batch.hpp"
#include "code_maker.hpp"

namespace liaison {
namespace {

std::atomic<std::size_t> programs_made = 0;

/// Scratch memory of this thread: it grows to what the largest program needs and stays.
double* thread_scratch(std::size_t size) {
  thread_local std::vector<double> memory;
  if (memory.size() < size) memory.resize(size);
  return memory.data();
}

}  // namespace

struct CompiledProgram::Implementation {
  Implementation(const Program& given, const JitOptions& wanted)
      : program(given),
        options(wanted),
        width(wanted.batch_width == 0 ? host_batch_width() : wanted.batch_width),
        chunks(plan_chunks(program, options.chunk_size)),
        is_one_function(chunks.size() == 1),
        maker(open_code_maker(program.instructions.size() <= options.thorough_limit)) {
    if (width != 1 && width != 2 && width != 4 && width != 8)
      throw std::invalid_argument("the batch width of a compiled program is 1, 2, 4 or 8");
    scalar = maker->make("scalar", program, chunks,
                         {.lanes = 1, .contract = options.contract, .vector_math = nullptr});
  }

  Kernel batch_kernel() {
    std::call_once(batch_once, [this] {
      const VectorMath functions(width);
      const bool vectors = options.vector_math && functions.lanes() > 1;
      vector = width == 1 ? scalar
                          : maker->make("vector", program, chunks,
                                        {.lanes = width,
                                         .contract = options.contract,
                                         .vector_math = vectors ? &functions : nullptr});
    });
    return vector;
  }

  std::size_t scratch_size() const { return chunks.size() > 1 ? program.slot_count : 0; }

  Program program;
  JitOptions options;
  unsigned width;
  std::vector<Chunk> chunks;
  bool is_one_function;  ///< which keeps everything in registers and on the stack
  std::unique_ptr<CodeMaker> maker;
  Kernel scalar = nullptr;
  Kernel vector = nullptr;
  std::once_flag batch_once;
};

unsigned host_batch_width() {
  return host_vector_lanes();
}

CompiledProgram::CompiledProgram(const Program& program, const JitOptions& options)
    : implementation_(std::make_unique<Implementation>(program, options)) {
  programs_made.fetch_add(1, std::memory_order_relaxed);
}
CompiledProgram::CompiledProgram(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}
std::size_t machine_code_count() {
  return programs_made.load(std::memory_order_relaxed);
}
CompiledProgram::~CompiledProgram() = default;
CompiledProgram::CompiledProgram(CompiledProgram&&) noexcept = default;
CompiledProgram& CompiledProgram::operator=(CompiledProgram&&) noexcept = default;

const Program& CompiledProgram::program() const {
  return implementation_->program;
}
unsigned CompiledProgram::batch_width() const {
  return implementation_->width;
}
std::size_t CompiledProgram::chunk_count() const {
  return implementation_->chunks.size();
}

CodeInMaking::CodeInMaking(std::shared_ptr<const Program> program, const JitOptions& options)
    : program_(std::move(program)), thread_([this, options] { make(options); }) {
  programs_made.fetch_add(1, std::memory_order_relaxed);
}
CodeInMaking::~CodeInMaking() {
  if (thread_.joinable()) thread_.join();
}

void CodeInMaking::make(const JitOptions& options) {
  try {
    made_ = std::make_unique<CompiledProgram::Implementation>(*program_, options);
  } catch (...) {
    error_ = std::current_exception();
  }
  is_done_.store(true, std::memory_order_release);
}

CompiledProgram CodeInMaking::take() {
  thread_.join();
  if (error_) std::rethrow_exception(error_);
  return CompiledProgram(std::move(made_));
}

void CompiledProgram::operator()(const double* in, double* out) const {
  const Implementation& self = *implementation_;
  self.scalar(in, 1, out, 1, self.is_one_function ? nullptr : thread_scratch(self.scratch_size()));
}

namespace {

struct BatchCall {
  Kernel kernel;
  const double* in;
  double* out;
  std::size_t count;
  BatchSteps in_steps, out_steps;
  std::size_t n_in, n_out;
  double* memory;  ///< one block of inputs, one of outputs, then the scratch memory of the kernel
};

template <std::size_t lanes>
void run_blocks(const BatchCall& call) {
  double* in_block = call.memory;
  double* out_block = in_block + lanes * call.n_in;
  double* scratch = out_block + lanes * call.n_out;
  std::size_t first = 0;
  if (lanes > 1 && call.in_steps.state == 1 &&
      call.out_steps.state == 1)  // full blocks lie as the code wants them
    for (; first + lanes <= call.count; first += lanes)
      call.kernel(call.in + first, call.in_steps.variable, call.out + first, call.out_steps.variable,
                  scratch);
  for (; first < call.count; first += lanes) {
    const std::size_t present = std::min(lanes, call.count - first);
    gather_block<lanes>(call.in, call.in_steps, call.n_in, first, present, in_block);
    call.kernel(in_block, lanes, out_block, lanes, scratch);
    scatter_block<lanes>(out_block, call.out_steps, call.n_out, first, present, call.out);
  }
}

}  // namespace

void CompiledProgram::batch(const double* in, double* out, std::size_t count, BatchLayout layout) const {
  const std::size_t n_in = program().inputs.size(), n_out = program().outputs.size();
  const std::size_t width = implementation_->width;
  const BatchCall call{.kernel = implementation_->batch_kernel(),
                       .in = in,
                       .out = out,
                       .count = count,
                       .in_steps = batch_steps(layout, n_in, count),
                       .out_steps = batch_steps(layout, n_out, count),
                       .n_in = n_in,
                       .n_out = n_out,
                       .memory = thread_scratch(width * (n_in + n_out + implementation_->scratch_size()))};
  switch (width) {
    case 1: return run_blocks<1>(call);
    case 2: return run_blocks<2>(call);
    case 4: return run_blocks<4>(call);
    default: return run_blocks<8>(call);
  }
}

}  // namespace liaison
