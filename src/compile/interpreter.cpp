#include "liaison/compile/interpreter.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "batch.hpp"
#include "kernels.hpp"

namespace liaison {
namespace {

/// States that one pass over the instructions works on.
constexpr std::size_t block_lanes = 8;

/// Runs `lanes` states at once; arrays hold all lanes of a variable together.
template <std::size_t lanes>
class Interpreter {
 public:
  Interpreter(const Program& program, const double* in, double* out, double* scratch)
      : program_(program), out_(out), scratch_(scratch) {
    // A constant is the same in all lanes: it does not move on from lane to lane.
    bases_ = {Base{scratch, lanes, 1}, Base{in, lanes, 1}, Base{program.constants.data(), 1, 0}};
  }

  void run() {
    for (const Instruction& instruction : program_.instructions) step(instruction);
  }

 private:
  struct Base {
    const double* first;
    std::size_t variable_step;
    std::size_t lane_step;
  };
  struct View {
    const double* first;
    std::size_t lane_step;
    double operator[](std::size_t lane) const { return first[lane * lane_step]; }
  };

  View view(Operand operand) const {
    const Base& base = bases_[static_cast<std::size_t>(operand.kind)];
    return {base.first + operand.index * base.variable_step, base.lane_step};
  }

  template <class Kernel>
  void each(const Instruction& instruction, Kernel kernel) {
    const View a = view(instruction.a);
    double* result = scratch_ + instruction.destination * lanes;
    for (std::size_t lane = 0; lane < lanes; ++lane) result[lane] = kernel(a[lane]);
  }
  template <class Kernel>
  void each_pair(const Instruction& instruction, Kernel kernel) {
    const View a = view(instruction.a), b = view(instruction.b);
    double* result = scratch_ + instruction.destination * lanes;
    for (std::size_t lane = 0; lane < lanes; ++lane) result[lane] = kernel(a[lane], b[lane]);
  }

  void step(const Instruction& instruction) {
    switch (instruction.operation) {
      case Operation::add: return each_pair(instruction, [](double a, double b) { return a + b; });
      case Operation::sub: return each_pair(instruction, [](double a, double b) { return a - b; });
      case Operation::mul: return each_pair(instruction, [](double a, double b) { return a * b; });
      case Operation::div: return each_pair(instruction, [](double a, double b) { return a / b; });
      case Operation::neg: return each(instruction, [](double a) { return -a; });
      case Operation::sqrt: return each(instruction, [](double a) { return std::sqrt(a); });
      case Operation::abs: return each(instruction, [](double a) { return std::abs(a); });
      case Operation::sign: return each(instruction, kernels::sign);
      case Operation::min: return each_pair(instruction, kernels::min);
      case Operation::max: return each_pair(instruction, kernels::max);
      case Operation::sincos: return sine_and_cosine(instruction);
      case Operation::store: return store(instruction);
      case Operation::atan2:
      case Operation::pow: return each_pair(instruction, kernels::binary_function(instruction.operation));
      default: return each(instruction, kernels::unary_function(instruction.operation));
    }
  }

  void sine_and_cosine(const Instruction& instruction) {
    const View a = view(instruction.a);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      double sine = 0, cosine = 0;
      kernels::sincos(a[lane], &sine, &cosine);  // the angle may lie in the slot of a result
      scratch_[instruction.destination * lanes + lane] = sine;
      scratch_[instruction.second * lanes + lane] = cosine;
    }
  }

  void store(const Instruction& instruction) {
    const View a = view(instruction.a);
    for (std::size_t lane = 0; lane < lanes; ++lane) out_[instruction.destination * lanes + lane] = a[lane];
  }

  const Program& program_;
  double* out_;
  double* scratch_;
  std::array<Base, 3> bases_;
};

}  // namespace

void run(const Program& program, const double* in, double* out, double* scratch) {
  Interpreter<1>(program, in, out, scratch).run();
}

std::size_t batch_scratch_size(const Program& program) {
  return block_lanes * (program.inputs.size() + program.outputs.size() + program.slot_count);
}

void run_batch(const Program& program, const double* in, double* out, std::size_t count, double* scratch,
               BatchLayout layout) {
  double* in_block = scratch;
  double* out_block = in_block + block_lanes * program.inputs.size();
  double* slots = out_block + block_lanes * program.outputs.size();
  const BatchSteps in_steps = batch_steps(layout, program.inputs.size(), count);
  const BatchSteps out_steps = batch_steps(layout, program.outputs.size(), count);
  for (std::size_t first = 0; first < count; first += block_lanes) {
    const std::size_t present = std::min(block_lanes, count - first);
    gather_block<block_lanes>(in, in_steps, program.inputs.size(), first, present, in_block);
    Interpreter<block_lanes>(program, in_block, out_block, slots).run();
    scatter_block<block_lanes>(out_block, out_steps, program.outputs.size(), first, present, out);
  }
}

bool all_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

}  // namespace liaison
