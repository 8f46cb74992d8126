#include "liaison/compile/taylor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "code_builder.hpp"
#include "liaison/expr/error.hpp"

namespace liaison {

namespace {

/// A coefficient; nothing: zero.
using Coefficient = std::optional<Operand>;

/// A value of the program with its coefficients.
struct Jet {
  Operation operation = Operation::store;  ///< store: an input or a constant
  std::size_t a = 0, b = 0;                ///< jets
  std::size_t partner = 0;                 ///< of a sine its cosine and the other way round, or a helper
  bool needed = false;
  std::vector<Coefficient> at;  ///< known so far
};

class TaylorWriter {
 public:
  TaylorWriter(const Program& rates, std::size_t size) : rates_(rates), size_(size) {
    for (std::uint32_t i = 0; i < rates.inputs.size(); ++i) {
      jets_.push_back({.at = {CodeBuilder::input(i)}});
    }
    for (double constant : rates.constants) jets_.push_back({.at = {code_.constant(constant)}});
    read_instructions();
    mark_needed();
  }

  Program write(std::size_t order, std::size_t most) {
    for (std::size_t k = 0; k < order; ++k) {
      for (std::size_t j = rates_.inputs.size() + rates_.constants.size(); j < jets_.size(); ++j) {
        if (jets_[j].needed) set(j, k, coefficient(jets_[j], j, k));
      }
      if (k == 0) set(0, 1, code_.constant(1));  // the time
      for (std::size_t i = 0; i < size_; ++i)
        set(1 + i, k + 1, scaled(get(outputs_[i], k), 1 / static_cast<double>(k + 1)));
      if (code_.instructions().size() > most) {
        throw Error(ErrorCode::limit_reached,
                    fmt::format("its Taylor series would take more than {} instructions", most),
                    "use dop853");
      }
    }
    std::vector<std::string> names;
    for (std::size_t k = 1; k <= order; ++k) {
      for (std::size_t i = 0; i < size_; ++i) {
        const auto value = get(1 + i, k);
        code_.store(static_cast<std::uint32_t>(names.size()), value ? *value : code_.constant(0));
        names.push_back(fmt::format("{}_{}", rates_.inputs[1 + i], k));
      }
    }
    return finish_program(code_, rates_.inputs, names, EvaluationOrder::least_live);
  }

 private:
  // ---- the program as values of their own ----

  std::size_t add(Operation operation, std::size_t a, std::size_t b = 0) {
    jets_.push_back({.operation = operation, .a = a, .b = b, .at = {}});
    return jets_.size() - 1;
  }

  /// Two values that need each other.
  std::size_t add_pair(Operation first, Operation second, std::size_t a) {
    const std::size_t one = add(first, a), two = add(second, a);
    jets_[one].partner = two;
    jets_[two].partner = one;
    return one;
  }

  void read_instructions() {
    std::vector<std::size_t> slots(rates_.slot_count, 0);
    const auto jet_of = [&](Operand operand) -> std::size_t {
      switch (operand.kind) {
        case Operand::Kind::input: return operand.index;
        case Operand::Kind::constant: return rates_.inputs.size() + operand.index;
        case Operand::Kind::slot: break;
      }
      return slots[operand.index];
    };
    outputs_.resize(size_);
    for (const Instruction& instruction : rates_.instructions) {
      const std::size_t a = jet_of(instruction.a);
      if (instruction.operation == Operation::store) {
        if (instruction.destination < size_) outputs_[instruction.destination] = a;
        continue;
      }
      const std::size_t b = operand_count(instruction.operation) == 2 ? jet_of(instruction.b) : 0;
      const std::size_t made = read_instruction(instruction, a, b);
      slots[instruction.destination] = made;
      if (instruction.operation == Operation::sincos) slots[instruction.second] = jets_[made].partner;
    }
  }

  std::size_t read_instruction(const Instruction& instruction, std::size_t a, std::size_t b) {
    switch (instruction.operation) {
      case Operation::sincos:
      case Operation::sin: return add_pair(Operation::sin, Operation::cos, a);
      case Operation::cos: return add_pair(Operation::cos, Operation::sin, a);
      case Operation::sinh: return add_pair(Operation::sinh, Operation::cosh, a);
      case Operation::cosh: return add_pair(Operation::cosh, Operation::sinh, a);
      case Operation::tan:   // r' = (1 + r^2) a'
      case Operation::tanh:  // r' = (1 - r^2) a'
        return add_with_square(instruction.operation, a, true);
      case Operation::atan:  // (1 + a^2) r' = a'
        return add_with_square(instruction.operation, a, false);
      case Operation::asin:
      case Operation::acos: {  // sqrt(1 - a^2) r' = +- a'
        const std::size_t square = add(Operation::mul, a, a);
        const std::size_t rest = add(Operation::sub, one(), square);
        const std::size_t root = add(Operation::sqrt, rest);
        const std::size_t made = add(instruction.operation, a);
        jets_[made].partner = root;
        return made;
      }
      case Operation::min:
      case Operation::max: {  // (a + b -+ |a - b|)/2
        const std::size_t sum = add(Operation::add, a, b);
        const std::size_t distance = add(Operation::abs, add(Operation::sub, a, b));
        const std::size_t twice =
            add(instruction.operation == Operation::min ? Operation::sub : Operation::add, sum, distance);
        return add(Operation::mul, half(), twice);
      }
      case Operation::atan2:
        throw Error(ErrorCode::limit_reached, "there is no Taylor series of atan2 here", "use dop853");
      default: return add(instruction.operation, a, b);
    }
  }

  /// A value with 1 +- the square of itself (`own`) or of its argument as helper.
  std::size_t add_with_square(Operation operation, std::size_t a, bool own) {
    const std::size_t early = own ? add(operation, a) : 0;
    const std::size_t squared = own ? early : a;
    const std::size_t square = add(Operation::mul, squared, squared);
    const std::size_t weight =
        add(operation == Operation::tanh ? Operation::sub : Operation::add, one(), square);
    const std::size_t made = own ? early : add(operation, a);
    jets_[made].partner = weight;
    return made;
  }

  std::size_t constant_jet(double value) {
    jets_.push_back({.at = {code_.constant(value)}});
    return jets_.size() - 1;
  }
  std::size_t one() { return one_ != 0 ? one_ : one_ = constant_jet(1); }
  std::size_t half() { return half_ != 0 ? half_ : half_ = constant_jet(0.5); }

  void mark_needed() {
    std::vector<std::size_t> waiting = outputs_;
    while (!waiting.empty()) {
      const std::size_t j = waiting.back();
      waiting.pop_back();
      Jet& jet = jets_[j];
      if (jet.needed || jet.operation == Operation::store) continue;
      jet.needed = true;
      waiting.push_back(jet.a);
      if (operand_count(jet.operation) == 2) waiting.push_back(jet.b);
      if (jet.partner != 0) waiting.push_back(jet.partner);
    }
  }

  // ---- coefficients ----

  void set(std::size_t j, std::size_t k, Coefficient value) {
    Jet& jet = jets_[j];
    if (jet.at.size() <= k) jet.at.resize(k + 1);
    jet.at[k] = value;
  }
  Coefficient get(std::size_t j, std::size_t k) const {
    const Jet& jet = jets_[j];
    return k < jet.at.size() ? jet.at[k] : std::nullopt;
  }

  Coefficient plus(Coefficient x, Coefficient y) {
    if (!x) return y;
    return y ? Coefficient(code_.add(*x, *y)) : x;
  }
  Coefficient minus(Coefficient x, Coefficient y) {
    if (!y) return x;
    return x ? code_.sub(*x, *y) : code_.neg(*y);
  }
  Coefficient times(Coefficient x, Coefficient y) {
    return x && y ? Coefficient(code_.mul(*x, *y)) : std::nullopt;
  }
  Coefficient scaled(Coefficient x, double factor) {
    if (!x || factor == 0) return std::nullopt;
    return code_.mul(code_.constant(factor), *x);
  }
  Coefficient over(Coefficient x, Coefficient y) { return x ? Coefficient(code_.div(*x, *y)) : std::nullopt; }

  /// Sum of a(i) b(k - i) w(i) for i = first .. last, as two sums side by side: they do not wait for each
  /// other.
  template <class Weight>
  Coefficient convolve(std::size_t a, std::size_t b, std::size_t k, std::size_t first, std::size_t last,
                       const Weight& weight) {
    Coefficient sums[2];
    for (std::size_t i = first; i <= last && i <= k; ++i) {
      const Coefficient left = scaled(get(a, i), weight(i));
      sums[i % 2] = plus(sums[i % 2], times(left, get(b, k - i)));
    }
    return plus(sums[0], sums[1]);
  }
  Coefficient convolve(std::size_t a, std::size_t b, std::size_t k, std::size_t first, std::size_t last) {
    return convolve(a, b, k, first, last, [](std::size_t) { return 1.0; });
  }
  /// (1/k) sum of i a(i) b(k - i) for i = 1 .. last: the coefficient k of the integral of a' b.
  Coefficient integral(std::size_t a, std::size_t b, std::size_t k, std::size_t last) {
    return scaled(convolve(a, b, k, 1, last, [](std::size_t i) { return static_cast<double>(i); }),
                  1 / static_cast<double>(k));
  }

  Coefficient square(std::size_t a, std::size_t k) {
    Coefficient twice = convolve(a, a, k, 0, (k + 1) / 2 - (k > 0 ? 1 : 0));
    if (k == 0) return times(get(a, 0), get(a, 0));
    twice = scaled(twice, 2);
    return k % 2 == 0 ? plus(twice, times(get(a, k / 2), get(a, k / 2))) : twice;
  }

  Coefficient first_coefficient(const Jet& jet) {
    const Coefficient a = get(jet.a, 0);
    if (operand_count(jet.operation) == 1) return code_.unary(jet.operation, *a);
    const Coefficient b = get(jet.b, 0);
    switch (jet.operation) {
      case Operation::add: return plus(a, b);
      case Operation::sub: return minus(a, b);
      case Operation::mul: return times(a, b);
      case Operation::div: return over(a, b);
      default: return code_.binary(jet.operation, *a, *b);
    }
  }

  /// The coefficient k of a value from those of its arguments and its own before.
  Coefficient coefficient(const Jet& jet, std::size_t self, std::size_t k) {
    if (k == 0) return first_coefficient(jet);
    const std::size_t a = jet.a, b = jet.b;
    switch (jet.operation) {
      case Operation::add: return plus(get(a, k), get(b, k));
      case Operation::sub: return minus(get(a, k), get(b, k));
      case Operation::neg: return scaled(get(a, k), -1);
      case Operation::mul: return a == b ? square(a, k) : convolve(a, b, k, 0, k);
      case Operation::div: return over(minus(get(a, k), convolve(b, self, k, 1, k)), get(b, 0));
      case Operation::sqrt:  // 2 r(0) r(k) = a(k) - sum of r(i) r(k - i)
        return over(scaled(minus(get(a, k), convolve(self, self, k, 1, k - 1)), 0.5), get(self, 0));
      case Operation::abs: return times(code_.unary(Operation::sign, *get(a, 0)), get(a, k));
      case Operation::sign: return std::nullopt;
      case Operation::sin:
      case Operation::sinh:
      case Operation::cosh:
      case Operation::tan:
      case Operation::tanh: return integral(a, jet.partner, k, k);
      case Operation::cos: return scaled(integral(a, jet.partner, k, k), -1);
      case Operation::exp: return integral(a, self, k, k);
      case Operation::log: return over(minus(get(a, k), integral(self, a, k, k - 1)), get(a, 0));
      case Operation::atan:
      case Operation::asin:
        return over(minus(get(a, k), integral(self, jet.partner, k, k - 1)), get(jet.partner, 0));
      case Operation::acos:
        return over(minus(scaled(get(a, k), -1), integral(self, jet.partner, k, k - 1)), get(jet.partner, 0));
      case Operation::pow: {  // a r' = p a' r
        const double p = rates_.constants[b - rates_.inputs.size()];
        const auto weight = [&](std::size_t i) {
          return (p * static_cast<double>(i) - static_cast<double>(k - i)) / static_cast<double>(k);
        };
        return over(convolve(a, self, k, 1, k, weight), get(a, 0));
      }
      default: throw Error(ErrorCode::limit_reached, "an operation without a Taylor series");
    }
  }

  const Program& rates_;
  std::size_t size_;
  CodeBuilder code_;
  std::vector<Jet> jets_;
  std::vector<std::size_t> outputs_;
  std::size_t one_ = 0, half_ = 0;
};

}  // namespace

Program make_taylor_program(const Program& rates, std::size_t size, std::size_t order,
                            std::size_t max_instructions) {
  return TaylorWriter(rates, size).write(order, max_instructions);
}

}  // namespace liaison
