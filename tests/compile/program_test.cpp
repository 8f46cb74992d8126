#include "liaison/compile/program.hpp"

#include "compile_support.hpp"
#include "liaison/expr/parse.hpp"

namespace liaison::test {
namespace {

class ProgramTest : public ::testing::Test {
 protected:
  Expr e(std::string_view text) { return parse(pool, text); }
  Program make(std::initializer_list<std::string_view> texts, const ProgramOptions& options = {}) {
    std::vector<Expr> outputs, inputs;
    for (std::string_view text : texts) outputs.push_back(e(text));
    for (std::string_view name : {"a", "b", "c", "d", "x", "y"}) inputs.push_back(pool.symbol(name));
    return make_program(inputs, outputs, options);
  }
  ErrorCode code_of(std::initializer_list<std::string_view> texts, std::string* message = nullptr) {
    try {
      make(texts);
    } catch (const Error& error) {
      if (message != nullptr) *message = error.what();
      return error.code();
    }
    ADD_FAILURE() << "nothing was thrown";
    return ErrorCode::invalid_text;
  }
  Pool pool;
};

TEST_F(ProgramTest, SharedSubexpressionsAreComputedOnce) {
  const Program program = make({"exp(x*y) + a", "exp(x*y)*b", "sin(exp(x*y))"});
  EXPECT_EQ(count(program, Operation::exp), 1u);
  EXPECT_EQ(arithmetic_count(program), 5u);
}

TEST_F(ProgramTest, OnePassGivesSineAndCosine) {
  const Program program = make({"cos(x) + a*sin(x)", "cos(x)*sin(y)"});
  EXPECT_EQ(count(program, Operation::sincos), 1u);
  EXPECT_EQ(count(program, Operation::sin), 1u);
  EXPECT_EQ(count(program, Operation::cos), 0u);
}

TEST_F(ProgramTest, PartialSumsAndProductsAreShared) {
  EXPECT_EQ(arithmetic_count(make({"a*x*y", "b*x*y", "c*x*y"})), 4u);  // one x*y
  EXPECT_EQ(arithmetic_count(make({"a*x*y", "b*x*y", "c*x*y"}, {.share_parts = false})), 6u);
  // a - b in all of them, once with the other sign
  EXPECT_EQ(arithmetic_count(make({"a - b + exp(x)", "b - a + exp(y)", "sin(a - b)"})), 6u);
}

TEST_F(ProgramTest, CommonFactorsStandBeforeTheSum) {
  const Program program = make({"a*b*x + a*b*y - a*b*c"});
  EXPECT_EQ(count(program, Operation::mul), 2u);
  EXPECT_EQ(arithmetic_count(program), 4u);
}

TEST_F(ProgramTest, FactorsOfSomeTermsAreTakenOutAndWhatCancelsThenIsGone) {
  EXPECT_EQ(arithmetic_count(make({"a*x + b*x + c"})), 3u);  // (a + b)*x + c
  // x*(a + b + c) - x*(a + b) is x*c
  const Program program = make({"x*(a + b + c) - x*(a + b) + y"});
  EXPECT_EQ(arithmetic_count(program), 2u);
  EXPECT_EQ(interpret(program, {1, 2, 3, 0, 5, 7}), std::vector<double>{22});
  EXPECT_EQ(interpret(make({"x*(a + b) - x*(a + b + 1) + x"}), {1, 2, 3, 4, 5, 6}), std::vector<double>{0});
}

TEST_F(ProgramTest, SumsOfAThousandTerms) {
  std::vector<Expr> inputs, terms;
  std::vector<double> state;
  double expected = 0;
  for (int i = 0; i < 1000; ++i) {
    inputs.push_back(pool.symbol("u" + std::to_string(i)));
    terms.push_back(Rational(i % 3 - 1) * inputs.back() * pow(inputs[static_cast<std::size_t>(i / 2)], 2));
    state.push_back(i % 7);
    expected += (i % 3 - 1) * state.back() * state[static_cast<std::size_t>(i / 2)] *
                state[static_cast<std::size_t>(i / 2)];
  }
  const Expr sum = pool.add(terms);
  EXPECT_EQ(interpret(make_program(inputs, std::span(&sum, 1)), state), std::vector<double>{expected});
}

TEST_F(ProgramTest, ADenominatorOfManyIsOneReciprocal) {
  const Program one = make({"a/x"});
  EXPECT_EQ(arithmetic_count(one), 1u);
  EXPECT_EQ(count(one, Operation::div), 1u);
  const Program many = make({"a/x", "b*c/x", "d/x^2"});
  EXPECT_EQ(count(many, Operation::div), 1u);
  const Program roots = make({"a/sqrt(x)", "b*x^(-3/2)", "sqrt(x)"});
  EXPECT_EQ(count(roots, Operation::div), 1u);
  EXPECT_EQ(count(roots, Operation::sqrt), 1u);
  EXPECT_EQ(count(roots, Operation::pow), 0u);
}

TEST_F(ProgramTest, WholePowersAreProducts) {
  const Program program = make({"x^13"});  // 2, 3, 6, 12, 13
  EXPECT_EQ(count(program, Operation::mul), 5u);
  EXPECT_EQ(arithmetic_count(program), 5u);
  EXPECT_EQ(count(make({"x^1000"}), Operation::pow), 1u);
  EXPECT_EQ(count(make({"x^(1/3)"}), Operation::pow), 1u);
}

TEST_F(ProgramTest, SignsCostNothing) {
  EXPECT_EQ(arithmetic_count(make({"b - a", "a*x - b*y - c*x"})), 5u);
  EXPECT_EQ(count(make({"a - b", "x - a*b - c", "-2*x"}), Operation::neg), 0u);
}

TEST_F(ProgramTest, ConstantsAreRoundedOnce) {
  const Program program = make({"sqrt(2)*pi*x/3", "exp(1) + y + log(2)"});
  EXPECT_EQ(arithmetic_count(program), 2u);
  const std::vector<double> values = interpret(program, {0, 0, 0, 0, 1, 0});
  EXPECT_EQ(values[0], 1.480960979386122);   // sqrt(2)*pi/3 to 17 digits
  EXPECT_EQ(values[1], 3.4114290090189905);  // e + log(2)
}

TEST_F(ProgramTest, InputsConstantsAndDoublesMayBeOutputs) {
  const Program program = make({"x", "3/4", "x", "0"});
  EXPECT_EQ(arithmetic_count(program), 0u);
  EXPECT_EQ(interpret(program, {0, 0, 0, 0, 5, 0}), (std::vector<double>{5, 0.75, 5, 0}));
  EXPECT_EQ(program.outputs[0], "x");
  EXPECT_EQ(program.outputs[1], "y1");
}

TEST_F(ProgramTest, WhatHasNoValueIsRefusedByName) {
  std::string message;
  EXPECT_EQ(code_of({"x + speed"}, &message), ErrorCode::missing_value);
  EXPECT_NE(message.find("speed"), std::string::npos);
  const Expr x = pool.symbol("x");
  const Expr unknown = pool.apply(pool.function("drag", 1), std::span(&x, 1));
  try {
    make_program(std::span(&x, 1), std::span(&unknown, 1));
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::missing_value);
    EXPECT_NE(std::string(error.what()).find("drag"), std::string::npos);
  }
  EXPECT_EQ(code_of({"x + 10^400"}), ErrorCode::number_too_large);
  const Expr no_symbol = x + 1;
  EXPECT_THROW(make_program(std::span(&no_symbol, 1), std::span(&x, 1)), Error);
}

/// A comb: many terms, each of which is ready long before it is needed if all are made first.
TEST_F(ProgramTest, FewValuesAreAliveAtOnce) {
  std::vector<Expr> inputs, outputs;
  for (int i = 0; i < 40; ++i) inputs.push_back(pool.symbol("u" + std::to_string(i)));
  Expr first = pool.number(0), second = pool.number(0);
  for (int i = 0; i < 40; ++i) {
    first += sin(inputs[static_cast<std::size_t>(i)]);
    second += Rational(i + 2) * exp(sin(inputs[static_cast<std::size_t>(i)]));
  }
  outputs = {first, second};
  const Program plain = make_program(inputs, outputs, {.order = EvaluationOrder::as_written});
  const Program ordered = make_program(inputs, outputs);
  EXPECT_GT(max_live(plain), 35u);  // every sine waits for the second sum
  EXPECT_LE(max_live(ordered), 10u);
  EXPECT_EQ(max_live(ordered), ordered.slot_count);
  EXPECT_EQ(max_live(plain), plain.slot_count);
  const std::vector<double> state(40, 0.3);
  EXPECT_EQ(interpret(plain, state), interpret(ordered, state));
}

TEST_F(ProgramTest, EverySlotIsWrittenBeforeItIsReadAndEveryOutputStoredOnce) {
  for (std::uint64_t seed : test::seeds(60)) {
    SCOPED_TRACE(test::seed_note(seed));
    RandomSystem system(seed);
    const Program program = make_program(system.inputs, system.outputs);
    std::vector<bool> written(program.slot_count, false), stored(program.outputs.size(), false);
    for (const Instruction& instruction : program.instructions) {
      const auto is_ready = [&written](Operand operand) {
        return operand.kind != Operand::Kind::slot || written.at(operand.index);
      };
      ASSERT_TRUE(is_ready(instruction.a));
      ASSERT_TRUE(operand_count(instruction.operation) < 2 || is_ready(instruction.b));
      if (instruction.operation == Operation::store) {
        ASSERT_FALSE(stored.at(instruction.destination));
        stored[instruction.destination] = true;
      } else {
        written.at(instruction.destination) = true;
        if (instruction.second != Instruction::no_slot) written.at(instruction.second) = true;
      }
    }
    EXPECT_EQ(std::count(stored.begin(), stored.end(), false), 0);
    EXPECT_EQ(max_live(program), program.slot_count);
  }
}

TEST_F(ProgramTest, TheSameExpressionsGiveTheSameProgramInAnotherPool) {
  for (std::uint64_t seed : test::seeds(20)) {
    RandomSystem first(seed), second(seed);
    const Program a = make_program(first.inputs, first.outputs),
                  b = make_program(second.inputs, second.outputs);
    ASSERT_EQ(a.instructions.size(), b.instructions.size());
    EXPECT_EQ(a.constants, b.constants);
  }
}

TEST_F(ProgramTest, FixedInputsAreFoldedIn) {
  const Expr x = pool.symbol("x"), m = pool.symbol("m"), l = pool.symbol("l");
  const Expr inputs[] = {x, m, l}, outputs[] = {e("m*l^2*sin(x)/(m + l) + sqrt(m)")};
  const Program folded = make_program(inputs, outputs, {.fixed = {{m, 2}, {l, 3}}});
  const Program open = make_program(inputs, outputs);
  EXPECT_LT(arithmetic_count(folded), arithmetic_count(open));
  EXPECT_LE(arithmetic_count(folded), 4u);  // sine, product, quotient, sum
  const double in[] = {0.7, 2, 3}, other[] = {0.7, -1, NAN};
  double a = 0, b = 0, c = 0;
  std::vector<double> scratch(open.slot_count + folded.slot_count);
  run(open, in, &a, scratch.data());
  run(folded, in, &b, scratch.data());
  run(folded, other, &c, scratch.data());
  EXPECT_NEAR(a, b, 1e-14);
  EXPECT_EQ(b, c);
}

}  // namespace
}  // namespace liaison::test
