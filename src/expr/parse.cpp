#include "liaison/expr/parse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>

#include "parser.hpp"

namespace liaison {

namespace {

constexpr std::size_t max_diagnostics = 20;
constexpr std::size_t max_quoted = 40;    // code points of the user's text in a message
constexpr std::size_t max_message = 240;  // code points of a message of the build functions
constexpr std::size_t max_opener_notes = 3;

Span join(Span a, Span b) {
  return {a.begin, b.end};
}

/// Says what is wrong in terms of the power the user wrote, not of the logarithm it stands for.
Expr general_power(Expr base, Expr exponent) {
  if (!exponent.is_number() && base.is_number() && base.number().sign() <= 0) {
    throw Error(
        ErrorCode::undefined_constant,
        fmt::format("a power of {} is real only if its exponent is a number", base.number().to_string()),
        "any other exponent needs a base > 0");
  }
  return pow(base, exponent);
}

}  // namespace

Parser::Parser(Pool& pool, const Source& source, Span part, const ParseOptions& options, Sums* sums)
    : pool_(pool),
      source_(source),
      part_(part),
      options_(options),
      sums_(sums),
      lexer_(source.text(), part, options, diagnostics_) {}

ParsedExpression Parser::run() {
  advance();
  if (token_.kind == TokenKind::end) {
    Diagnostic& diagnostic = report("L0101", part_, "there is no expression here");
    diagnostic.hint = "write one, for example `m*g*l*cos(theta)`";
    done_ = true;
  }
  while (!done_ && diagnostics_.size() < max_diagnostics) {
    if (wants_operand_) {
      read_operand();
    } else {
      read_operator();
    }
  }
  ParsedExpression result;
  if (diagnostics_.empty()) {
    result.value = operands_.front().value;
    result.domain = domain_.take();
  }
  result.diagnostics = std::move(diagnostics_);
  if (result.diagnostics.size() > max_diagnostics) result.diagnostics.resize(max_diagnostics);
  std::sort(result.diagnostics.begin(), result.diagnostics.end(),
            [](const Diagnostic& a, const Diagnostic& b) {
              return std::tie(a.span.begin, a.span.end, a.code) < std::tie(b.span.begin, b.span.end, b.code);
            });
  return result;
}

void Parser::advance() {
  previous_ = std::move(token_);
  token_ = lexer_.next();
}

// ---- the state that wants an operand ----

void Parser::read_operand() {
  switch (token_.kind) {
    case TokenKind::number:
      push_operand(token_.broken ? Expr() : pool_.number(token_.value), token_.span);
      advance();
      return;
    case TokenKind::name: read_name(); return;
    case TokenKind::open: push_open(Kind::bracket); return;
    case TokenKind::minus: push_prefix(Kind::negate); return;
    case TokenKind::root: push_prefix(Kind::root); return;
    case TokenKind::plus: advance(); return;
    case TokenKind::invalid:
      muted_ = true;
      advance();
      return;
    case TokenKind::close:
      if (previous_.kind == TokenKind::open && !pending_.empty() && pending_.back().kind == Kind::call) {
        close_bracket();
        return;
      }
      break;
    default: break;
  }
  if (!muted_) report_missing_operand();
  push_operand(Expr(), {token_.span.begin, token_.span.begin});
}

void Parser::push_operand(Expr value, Span span) {
  operands_.push_back({value, span});
  wants_operand_ = false;
  muted_ = false;
}

void Parser::read_name() {
  if (lexer_.next_is('(')) {
    if (!options_.resolve_call) return open_call();
    const Span name = token_.span;
    auto resolved = options_.resolve_call(name_text(), name, lexer_.offset());
    const Span whole{name.begin, resolved ? resolved->end : name.end};
    if (resolved) lexer_.move_to(resolved->end);
    if (!take_resolved(std::move(resolved), whole)) open_call();
    return;
  }
  if (options_.resolve_name) {
    const Span name = token_.span;
    auto resolved = options_.resolve_name(name_text(), name);
    const bool is_longer = resolved && resolved->end > name.end;
    if (is_longer) lexer_.move_to(resolved->end);
    const Span whole{name.begin, is_longer ? resolved->end : name.end};
    if (take_resolved(std::move(resolved), whole)) return;
  }
  read_symbol();
}

/// Takes what the language around says of the name that is `token_`.
bool Parser::take_resolved(std::optional<ResolvedName> resolved, Span span) {
  if (!resolved) return false;
  for (Diagnostic& diagnostic : resolved->diagnostics) diagnostics_.push_back(std::move(diagnostic));
  domain_.need(resolved->domain);
  push_operand(resolved->value, span);
  advance();
  return true;
}

void Parser::read_symbol() {
  Expr value;
  if (token_.stem == "pi" && token_.primes == 0) {
    value = pool_.pi();
  } else if (const Expr known = pool_.find_symbol(name_text()); !known.empty()) {
    value = known;
  } else if (is_function_name()) {
    report_bare_function();
  } else if (options_.declare_unknown) {
    value = pool_.symbol(name_text());
  } else {
    report_unknown_name();
  }
  push_operand(value, token_.span);
  advance();
}

void Parser::open_call() {
  const Span name = token_.span;
  Callee callee = token_.stem == "D" && token_.primes == 0 ? read_derivative_head() : find_callee();
  if (done_) return;
  advance();
  push_open(Kind::call);
  if (done_) return;
  pending_.back().span.begin = name.begin;
  callees_.push_back(std::move(callee));
}

void Parser::push_open(Kind kind) {
  pending_.push_back({kind, token_.span, operands_.size()});
  if (++depth_ > options_.max_depth) return report_too_deep();
  wants_operand_ = true;
  advance();
}

void Parser::push_prefix(Kind kind) {
  pending_.push_back({kind, token_.span, 0});
  if (++depth_ > options_.max_depth) return report_too_deep();
  advance();
}

// ---- the state that wants an operator ----

void Parser::read_operator() {
  switch (token_.kind) {
    case TokenKind::plus: push_binary(Kind::plus); return;
    case TokenKind::minus: push_binary(Kind::minus); return;
    case TokenKind::times: push_binary(Kind::times); return;
    case TokenKind::divide: push_binary(Kind::divide); return;
    case TokenKind::power: push_binary(Kind::power); return;
    case TokenKind::superscript: apply_superscript(); return;
    case TokenKind::comma: next_argument(); return;
    case TokenKind::close: close_bracket(); return;
    case TokenKind::end: finish(); return;
    case TokenKind::invalid:
      push_binary(Kind::broken);
      muted_ = true;
      return;
    case TokenKind::number:
    case TokenKind::name:
    case TokenKind::open:
    case TokenKind::root: break;
  }
  if (!operands_.back().value.empty()) report_missing_operator();
  reduce_above(binding(Kind::broken));
  pending_.push_back({Kind::broken, token_.span, 0});
  wants_operand_ = true;
}

void Parser::push_binary(Kind kind) {
  reduce_above(binding(kind));
  pending_.push_back({kind, token_.span, 0});
  if (kind == Kind::power && ++depth_ > options_.max_depth) return report_too_deep();
  wants_operand_ = true;
  advance();
}

void Parser::apply_superscript() {
  reduce_above(binding(Kind::power));
  Operand& base = operands_.back();
  base.span.end = token_.span.end;
  if (token_.broken) base.value = Expr();
  const Expr value = base.value;
  if (!value.empty())
    base.value = guarded(base.span, [&] { return power(value, pool_.number(token_.value)); });
  advance();
}

void Parser::next_argument() {
  reduce_above(0);
  if (!pending_.empty() && pending_.back().kind == Kind::call) {
    settle_sign(operands_.back());
  } else {
    Diagnostic& diagnostic = report("L0113", token_.span, "a comma outside of a function's arguments");
    diagnostic.hint = "write a decimal point as `.`; only functions take several arguments: `max(x, y)`";
    operands_.back().value = Expr();
    pending_.push_back({Kind::broken, token_.span, 0});
  }
  wants_operand_ = true;
  advance();
}

void Parser::close_bracket() {
  if (!wants_operand_) reduce_above(0);
  if (pending_.empty()) {
    Diagnostic& diagnostic = report("L0109", token_.span, "this `)` closes nothing");
    diagnostic.label = "no bracket is open here";
    diagnostic.hint = "remove it, or open a bracket with `(` where it belongs";
    advance();
    return;
  }
  const Pending opener = pop_pending();
  const Span span = join(opener.span, token_.span);
  if (opener.kind == Kind::bracket) {
    settle_sign(operands_.back());
    operands_.back().span = span;
  } else {
    if (!wants_operand_) settle_sign(operands_.back());
    const Callee callee = std::move(callees_.back());
    callees_.pop_back();
    std::vector<Operand> arguments(operands_.begin() + static_cast<std::ptrdiff_t>(opener.first_operand),
                                   operands_.end());
    operands_.resize(opener.first_operand);
    push_operand(build_call(callee, arguments, span), span);
  }
  wants_operand_ = false;
  advance();
}

void Parser::finish() {
  reduce_above(0);
  if (pending_.empty()) {
    settle_sign(operands_.back());
  } else {
    report_unclosed();
  }
  done_ = true;
}

// ---- taking the stacks down ----

int Parser::binding(Kind kind) {
  switch (kind) {
    case Kind::bracket:
    case Kind::call: return 0;
    case Kind::plus:
    case Kind::minus: return 1;
    case Kind::times:
    case Kind::divide:
    case Kind::broken: return 2;
    case Kind::negate: return 3;
    case Kind::power: return 4;
    case Kind::root: return 5;
  }
  return 0;
}

/// Takes down what binds tighter than `level`; equal levels wait, for one n-ary sum or product, and for ^ to
/// the right.
void Parser::reduce_above(int level) {
  while (!pending_.empty() && binding(pending_.back().kind) > level) reduce_top();
}

void Parser::reduce_top() {
  const int level = binding(pending_.back().kind);
  if (level == binding(Kind::power)) return reduce_power();
  if (level == binding(Kind::negate) || level == binding(Kind::root)) return reduce_prefix();
  std::size_t n = 0;
  while (n < pending_.size() && binding(pending_[pending_.size() - 1 - n].kind) == level) ++n;
  if (level == binding(Kind::plus)) {
    reduce_sum(n);
  } else {
    reduce_product(n);
  }
}

void Parser::reduce_sum(std::size_t n_operators) {
  const std::size_t first = operands_.size() - n_operators - 1;
  const std::size_t first_operator = pending_.size() - n_operators;
  const Span span = join(operands_[first].span, operands_.back().span);
  bool complete = true;
  std::vector<Expr> terms;
  terms.reserve(n_operators + 1);
  for (std::size_t i = 0; i <= n_operators; ++i) {
    Operand& operand = operands_[first + i];
    if (i > 0 && pending_[first_operator + i - 1].kind == Kind::minus) operand.negative = !operand.negative;
    settle_sign(operand);
    complete = complete && !operand.value.empty();
    const bool is_apart = sums_ != nullptr && !operand.value.empty() && operand.value.is(Op::add);
    terms.push_back(is_apart ? apart(operand.value) : operand.value);
  }
  pending_.resize(first_operator);
  operands_.resize(first);
  operands_.push_back({complete ? guarded(span, [&] { return pool_.add(terms); }) : Expr(), span});
}

void Parser::reduce_product(std::size_t n_operators) {
  const std::size_t first = operands_.size() - n_operators - 1;
  const std::size_t first_operator = pending_.size() - n_operators;
  const Span span = join(operands_[first].span, operands_.back().span);
  bool complete = true;
  bool negative = false;
  std::vector<Expr> factors;
  factors.reserve(n_operators + 2);
  for (std::size_t i = 0; i <= n_operators; ++i) {
    const Operand& operand = operands_[first + i];
    const Kind kind = i == 0 ? Kind::times : pending_[first_operator + i - 1].kind;
    Expr factor = operand.value;
    negative = negative != operand.negative;
    if (kind == Kind::divide && !factor.empty()) {
      if (factor.is_zero()) {
        Diagnostic& diagnostic = report("L0001", operand.span, "division by zero");
        diagnostic.label = "this is 0";
        diagnostic.hint = "divide by something that is not exactly 0";
        factor = Expr();
      } else {
        factor = guarded(operand.span, [&] { return power(operand.value, pool_.number(-1)); });
      }
    }
    complete = complete && kind != Kind::broken && !factor.empty();
    factors.push_back(factor);
  }
  if (negative) factors.push_back(pool_.number(-1));
  pending_.resize(first_operator);
  operands_.resize(first);
  operands_.push_back({complete ? guarded(span, [&] { return pool_.mul(factors); }) : Expr(), span});
}

void Parser::reduce_power() {
  pop_pending();
  settle_sign(operands_.back());
  const Operand exponent = pop_operand();
  Operand& base = operands_.back();
  base.span.end = exponent.span.end;
  const Expr value = base.value;
  const bool complete = !value.empty() && !exponent.value.empty();
  base.value = complete ? guarded(base.span, [&] { return power(value, exponent.value); }) : Expr();
}

void Parser::reduce_prefix() {
  const Pending prefix = pop_pending();
  Operand& operand = operands_.back();
  operand.span.begin = prefix.span.begin;
  if (prefix.kind == Kind::negate) {
    operand.negative = !operand.negative;
    return;
  }
  settle_sign(operand);
  const Expr value = operand.value;
  if (!value.empty()) operand.value = guarded(operand.span, [&] { return root(value); });
}

Expr Parser::power(Expr base, Expr exponent) {
  const Expr value = general_power(base, exponent);
  domain_.need_of_power(base, exponent);
  return value;
}

Expr Parser::root(Expr radicand) {
  return power(radicand, pool_.number(Rational(1, 2)));
}

/// A sign waits for the product around it, as -(x + y)*z is -1*(x + y)*z and not (-x - y)*z.
void Parser::settle_sign(Operand& operand) {
  if (!operand.negative) return;
  operand.negative = false;
  const Expr value = operand.value;
  if (!value.empty()) operand.value = guarded(operand.span, [&] { return -value; });
}

Parser::Operand Parser::pop_operand() {
  const Operand operand = operands_.back();
  operands_.pop_back();
  return operand;
}

Parser::Pending Parser::pop_pending() {
  const Pending pending = pending_.back();
  pending_.pop_back();
  --depth_;
  return pending;
}

template <class Build>
Expr Parser::guarded(Span span, Build build) {
  try {
    return build();
  } catch (const Error& error) {
    Diagnostic& diagnostic = report(fmt::format("L{:04}", static_cast<int>(error.code())), span,
                                    utf8::shorten(error.what(), max_message));
    diagnostic.hint = utf8::shorten(error.hint(), max_message);
  }
  return {};
}

Expr Parser::build_call(const Callee& callee, std::vector<Operand>& arguments, Span span) {
  const bool known = callee.row != nullptr || callee.square_root || callee.function != nullptr;
  if (!known || !check_arity(callee, arguments.size(), span)) return {};
  std::vector<Expr> values;
  for (const Operand& argument : arguments) {
    if (argument.value.empty()) return {};
    values.push_back(argument.value);
  }
  return guarded(span, [&] {
    if (callee.square_root) return root(values[0]);
    if (callee.function != nullptr) {
      if (options_.domain_of_call) domain_.need(options_.domain_of_call(*callee.function, values));
      return pool_.apply(callee.function, values, callee.orders);
    }
    return build_elementary(callee, values);
  });
}

/// min and max of several arguments are folded from the left.
Expr Parser::build_elementary(const Callee& callee, std::span<const Expr> values) {
  if (callee.row->op != Op::min && callee.row->op != Op::max) {
    const Expr value = pool_.elementary(callee.row->op, values);
    domain_.need_of_elementary(callee.row->op, values);
    return value;
  }
  Expr result = values[0];
  for (Expr value : values.subspan(1)) {
    const std::array pair{result, value};
    result = pool_.elementary(callee.row->op, pair);
  }
  return result;
}

// ---- reports ----

Diagnostic& Parser::report(std::string code, Span span, std::string message) {
  Diagnostic diagnostic{std::move(code), std::move(message), span, {}, {}, {}};
  if (diagnostics_.size() >= max_diagnostics) return dropped_ = std::move(diagnostic);
  return diagnostics_.emplace_back(std::move(diagnostic));
}

std::string Parser::text_of(Span span) const {
  return utf8::shorten(source_.text().substr(span.begin, span.end - span.begin), max_quoted);
}

std::string Parser::quoted(Span span) const {
  return fmt::format("`{}`", text_of(span));
}

void Parser::report_missing_operand() {
  const bool at_start = previous_.span.end == 0 && previous_.kind == TokenKind::end;
  const bool at_end = token_.kind == TokenKind::end;
  const Span between{at_start ? token_.span.begin : previous_.span.begin,
                     at_end ? previous_.span.end : token_.span.end};
  if (previous_.kind == TokenKind::comma && token_.kind != TokenKind::end) {
    Diagnostic& diagnostic = report("L0113", previous_.span, "nothing stands behind this comma");
    diagnostic.hint = "remove the comma, or write the argument that is missing";
    return;
  }
  if (token_.kind == TokenKind::comma) {
    Diagnostic& diagnostic = report("L0113", token_.span, "nothing stands before this comma");
    diagnostic.hint = "remove the comma, or write the argument that is missing";
    return;
  }
  if (previous_.kind == TokenKind::open && token_.kind == TokenKind::close) {
    Diagnostic& diagnostic = report("L0106", between, "there is nothing between these brackets");
    diagnostic.hint = "write an expression between them, or remove them";
    return;
  }
  std::string where = at_start ? "before " + quoted(token_.span)
                      : at_end ? "behind " + quoted(previous_.span)
                               : "between " + quoted(previous_.span) + " and " + quoted(token_.span);
  Diagnostic& diagnostic = report("L0106", between, "an operand is missing " + where);
  diagnostic.hint = "write a number, a name or a bracket there";
}

void Parser::report_missing_operator() {
  const std::string left = text_of(operands_.back().span);
  std::string right = token_.kind == TokenKind::open ? "(...)" : text_of(token_.span);
  if (token_.kind == TokenKind::name && lexer_.next_is('(')) right += "(...)";
  Diagnostic& diagnostic = report("L0107", token_.span, "two operands with no operator between them");
  diagnostic.label = "an operator is missing before this";
  diagnostic.hint = fmt::format("write `{}*{}`", left, right);
}

void Parser::report_unclosed() {
  std::vector<Span> openers;
  for (auto it = pending_.rbegin(); it != pending_.rend(); ++it) {
    if (is_open(it->kind)) openers.push_back({it->span.end - 1, it->span.end});
  }
  const std::size_t n = openers.size();
  Diagnostic& diagnostic = report(
      "L0108", token_.span, n == 1 ? "a `)` is missing" : fmt::format("{} closing brackets are missing", n));
  diagnostic.label = "the text ends here";
  for (std::size_t i = 0; i < std::min(n, max_opener_notes); ++i) {
    diagnostic.notes.push_back({openers[i], "a bracket was opened"});
  }
  diagnostic.hint = n <= max_quoted ? fmt::format("write `{}` where it belongs", std::string(n, ')'))
                                    : std::string("close each bracket where it belongs");
}

void Parser::report_too_deep() {
  done_ = true;
  Diagnostic& diagnostic =
      report("L0114", token_.span,
             fmt::format("brackets, signs and powers are nested more than {} deep", options_.max_depth));
  diagnostic.hint = "give names to parts of the expression, and build it from those";
}

// ---- the entrances ----

ParsedExpression parse_expression(Pool& pool, const Source& source, const ParseOptions& options) {
  return parse_expression(pool, source, Span{0, source.text().size()}, options);
}

ParsedExpression parse_expression(Pool& pool, const Source& source, Span part, const ParseOptions& options) {
  part.end = std::min(part.end, source.text().size());
  part.begin = std::min(part.begin, part.end);
  return Parser(pool, source, part, options).run();
}

std::optional<ScannedName> scan_name(std::string_view text, std::size_t offset) {
  std::vector<Diagnostic> ignored;
  const ParseOptions options;
  Lexer lexer(text, Span{offset, text.size()}, options, ignored);
  if (offset >= text.size() || !lexer.at_name()) return std::nullopt;
  const Token token = lexer.next();
  return ScannedName{token.stem + std::string(token.primes, '\''), token.span.end};
}

Expr parse(Pool& pool, std::string_view text) {
  const Source source("expression", std::string(text));
  const ParsedExpression parsed = parse_expression(pool, source, {.declare_unknown = true});
  if (parsed.diagnostics.empty()) return parsed.value;
  throw Error(ErrorCode::invalid_text, render(parsed.diagnostics, source), parsed.diagnostics.front().hint);
}

}  // namespace liaison
