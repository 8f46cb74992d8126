#include "liaison/compile/c_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

#include "liaison/expr/print.hpp"

namespace liaison {
namespace {

constexpr std::size_t longest_part =
    72;  ///< a value that is used once is written in its place up to this length

bool is_identifier(const std::string& name) {
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0]))) return false;
  return std::all_of(name.begin(), name.end(), [](char c) {
    return c == '_' || (static_cast<unsigned char>(c) < 128 && std::isalnum(static_cast<unsigned char>(c)));
  });
}

std::string in_comment(std::string text) {
  for (const std::string_view mark : {"*/", "/*"})
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark))
      text.insert(at + 1, " ");
  return text;
}

/// Names for local variables: those of the model, made into identifiers that mean nothing else.
class Identifiers {
 public:
  explicit Identifiers(const std::string& function_name) {
    taken_ = {"in", "out", "NAN", "INFINITY", "HUGE_VAL", "HUGE_VALF", "HUGE_VALL", function_name};
    for (int i = 0; i <= static_cast<int>(Operation::store); ++i)
      taken_.insert(std::string(operation_name(static_cast<Operation>(i))));
  }

  std::string make(const std::string& name) {
    std::string result = c_name(name);
    for (char& c : result)
      if (!is_identifier(std::string{'x', c})) c = '_';
    if (!is_identifier(result)) result = "x" + result;
    const bool macro = result.starts_with("M_") || result.starts_with("FP_") || result.starts_with("MATH_");
    if (macro || is_temporary(result)) result += '_';
    while (!taken_.insert(result).second) result += '_';
    return result;
  }

 private:
  static bool is_temporary(const std::string& name) {
    return name.size() > 1 && name[0] == 't' &&
           std::all_of(name.begin() + 1, name.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
  }
  std::set<std::string> taken_;
};

/// How tightly the text of a value holds together.
enum class Binding { sum, product, atom };
struct Text {
  std::string text;
  Binding binding = Binding::atom;
  std::string at_least(Binding wanted) const { return binding >= wanted ? text : "(" + text + ")"; }
};

Text number(double x) {
  std::string text = fmt::format("{}", std::abs(x));
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return {std::signbit(x) ? "(-" + text + ")" : text};
}

class SourceWriter {
 public:
  SourceWriter(const Program& program, const std::string& function_name)
      : program_(program), name_(function_name), slots_(program.slot_count) {}

  std::string write() {
    count_uses();
    name_inputs();
    for (std::size_t i = 0; i < program_.instructions.size(); ++i) step(i);
    return header() + body_ + "}\n";
  }

 private:
  /// How often each result is read, by the instruction that makes it (the cosine of a sincos apart).
  void count_uses() {
    uses_.assign(program_.instructions.size(), 0);
    second_uses_.assign(program_.instructions.size(), 0);
    input_used_.assign(program_.inputs.size(), false);
    std::vector<unsigned*> count(program_.slot_count, nullptr);
    for (std::size_t i = 0; i < program_.instructions.size(); ++i) {
      const Instruction& instruction = program_.instructions[i];
      const bool two = operand_count(instruction.operation) == 2;
      for (const Operand* operand : {&instruction.a, two ? &instruction.b : nullptr}) {
        if (operand == nullptr) continue;
        if (operand->kind == Operand::Kind::slot) ++*count[operand->index];
        if (operand->kind == Operand::Kind::input) input_used_[operand->index] = true;
      }
      if (instruction.operation == Operation::store) continue;
      count[instruction.destination] = &uses_[i];
      if (instruction.second != Instruction::no_slot) count[instruction.second] = &second_uses_[i];
    }
  }

  void name_inputs() {
    Identifiers identifiers(name_);
    for (const std::string& input : program_.inputs) inputs_.push_back(identifiers.make(input));
    for (std::size_t i = 0; i < inputs_.size(); ++i)
      if (input_used_[i])
        body_ += fmt::format("  const double {} = in[{}]; /* {} */\n", inputs_[i], i,
                             in_comment(program_.inputs[i]));
  }

  std::string header() const {
    std::string text =
        fmt::format("/* {}: {} inputs, {} outputs, {} operations. */\n#include <math.h>\n\n", name_,
                    program_.inputs.size(), program_.outputs.size(), arithmetic_count(program_));
    if (uses_sign_) text += helper("sign(double x)", "(double)(x > 0) - (double)(x < 0)");
    if (uses_min_) text += helper("min(double a, double b)", "a < b || a != a ? a : b");
    if (uses_max_) text += helper("max(double a, double b)", "a > b || a != a ? a : b");
    text += fmt::format(
        "void {0}(const double *in, double *out);\nvoid {0}(const double *in, double *out)\n{{\n", name_);
    if (program_.inputs.empty() ||
        std::find(input_used_.begin(), input_used_.end(), true) == input_used_.end())
      text += "  (void)in;\n";
    if (program_.outputs.empty()) text += "  (void)out;\n";
    return text;
  }
  std::string helper(std::string_view signature, std::string_view formula) const {
    return fmt::format("static double {}_{} {{ return {}; }}\n", name_, signature, formula);
  }

  Text operand(Operand operand) const {
    switch (operand.kind) {
      case Operand::Kind::input: return {inputs_[operand.index]};
      case Operand::Kind::constant: return number(program_.constants[operand.index]);
      case Operand::Kind::slot: break;
    }
    return slots_[operand.index];
  }

  void step(std::size_t i) {
    const Instruction& instruction = program_.instructions[i];
    if (instruction.operation == Operation::store) {
      body_ += fmt::format("  out[{}] = {}; /* {} */\n", instruction.destination, operand(instruction.a).text,
                           in_comment(program_.outputs[instruction.destination]));
    } else if (instruction.operation == Operation::sincos) {
      const Text angle = operand(instruction.a);
      slots_[instruction.destination] = keep({"sin(" + angle.text + ")"}, uses_[i]);
      slots_[instruction.second] = keep({"cos(" + angle.text + ")"}, second_uses_[i]);
    } else {
      slots_[instruction.destination] = keep(value(instruction), uses_[i]);
    }
  }

  /// A value used once stays as it is written; others become a variable.
  Text keep(Text text, unsigned uses) {
    if (uses == 1 && text.text.size() <= longest_part) return text;
    Text variable{fmt::format("t{}", ++temporaries_)};
    body_ += fmt::format("  const double {} = {};\n", variable.text, text.text);
    return variable;
  }

  Text value(const Instruction& instruction) {
    Text a = operand(instruction.a);
    Text b = operand_count(instruction.operation) == 2 ? operand(instruction.b) : Text();
    // Numbers stand first, as on paper: a product is the same both ways.
    if (instruction.operation == Operation::mul && instruction.b.kind == Operand::Kind::constant)
      std::swap(a, b);
    const auto joined = [&](std::string_view sign, Binding binding) {
      const Binding right = binding == Binding::sum ? Binding::product : Binding::atom;
      return Text{fmt::format("{}{}{}", a.at_least(binding), sign, b.at_least(right)), binding};
    };
    switch (instruction.operation) {
      case Operation::add: return joined(" + ", Binding::sum);
      case Operation::sub: return joined(" - ", Binding::sum);
      case Operation::mul: return joined("*", Binding::product);
      case Operation::div: return joined("/", Binding::product);
      case Operation::neg: return {"-" + a.at_least(Binding::product), Binding::product};
      case Operation::sign: uses_sign_ = true; return {fmt::format("{}_sign({})", name_, a.text)};
      case Operation::min: uses_min_ = true; return {fmt::format("{}_min({}, {})", name_, a.text, b.text)};
      case Operation::max: uses_max_ = true; return {fmt::format("{}_max({}, {})", name_, a.text, b.text)};
      case Operation::atan2:
      case Operation::pow:
        return {fmt::format("{}({}, {})", operation_name(instruction.operation), a.text, b.text)};
      default: return {fmt::format("{}({})", operation_name(instruction.operation), a.text)};
    }
  }

  const Program& program_;
  const std::string& name_;
  std::vector<Text> slots_;
  std::vector<unsigned> uses_, second_uses_;
  std::vector<bool> input_used_;
  std::vector<std::string> inputs_;
  std::string body_;
  std::size_t temporaries_ = 0;
  bool uses_sign_ = false, uses_min_ = false, uses_max_ = false;
};

}  // namespace

std::string to_c99(const Program& program, const std::string& function_name) {
  if (!is_identifier(function_name) || c_name(function_name) != function_name)
    throw Error(ErrorCode::invalid_name, fmt::format("{} cannot be the name of a C function", function_name));
  return SourceWriter(program, function_name).write();
}

}  // namespace liaison
