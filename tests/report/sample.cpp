#include "sample.hpp"

#include "liaison/expr/parse.hpp"

namespace liaison::test {

namespace {

void declare(Pool& pool, std::initializer_list<const char*> coordinates) {
  for (const std::string name : coordinates) {
    pool.symbol(name, SymbolKind::coordinate);
    pool.symbol(name + "'", SymbolKind::velocity);
  }
}

const Math omega = symbol("Omega", "Ω", "\\Omega");

/// s = m*(x1*cos(theta1) + ...) with `count` terms, no two alike.
Expr long_sum(Pool& pool, int count) {
  std::string text;
  for (int i = 1; i <= count; ++i) {
    const std::string n = std::to_string(i);
    text += (i > 1 ? (i % 3 == 0 ? " - " : " + ") : "") + std::string("l_") + n + "*theta" + n +
            "'^2*sin(theta" + n + " - phi)/(m + " + n + ")";
  }
  return parse(pool, text);
}

}  // namespace

Document disc_document(Pool& pool) {
  declare(pool, {"x", "y", "phi", "theta"});
  const Expr time = pool.symbol("t", SymbolKind::time);
  const std::vector<Expr> symbols{
      pool.symbol("x'", SymbolKind::velocity), pool.symbol("theta'", SymbolKind::velocity),
      pool.symbol("x", SymbolKind::coordinate), pool.symbol("theta", SymbolKind::coordinate), time};
  const CoframePtr frame = Coframe::coordinates(pool, symbols);
  const auto d = [&](const char* name) { return Form::basis(frame, name); };
  const Expr m = parse(pool, "m");
  const auto product = [&](Expr f, std::size_t i, std::size_t j) {
    return Form(frame, 2, {{IndexSet().set(i).set(j), f}});
  };
  const Form form = product(m, 0, 2) + product(parse(pool, "m*R^2/2"), 1, 3) -
                    product(parse(pool, "m*x'"), 0, 4) - product(parse(pool, "m*R^2*theta'/2"), 1, 4);
  Document document;
  document.title = "Vertical disc: 100% rolling & no slip";
  document.summary = Inline("One disc, ") + Inline(math(parse(pool, "m"))) + " its mass, <rolls> on a plane.";
  Section first{"omega", "The 2-form Ω", {}};
  first.blocks.push_back(Paragraph{
      Inline("With ") +
      Inline(relate(math(parse(pool, "T")), "=", math(parse(pool, "m*x'^2/2 + m*R^2*theta'^2/4")))) + ":"});
  first.blocks.push_back(Display{"form", relate(omega, "=", math(form)), Inline("proved")});
  first.blocks.push_back(
      Display{"contact", relate(math(d("dx")), "=", math(parse(pool, "R*theta'") * d("dt"))), {}});
  Section second{"reactions", "Reactions", {}};
  second.blocks.push_back(
      Table{"factors",
            {"constraint", "factor", "holds where"},
            {{"roll_x", Inline(math(parse(pool, "-m*R*phi'*theta'*cos(phi)"))), "always"},
             {"roll_y", Inline(math(parse(pool, "-m*R*phi'*theta'*sin(phi)"))),
              Inline(relate(math(parse(pool, "sin(phi)")), "!=", math(pool.number(0))))}}});
  second.blocks.push_back(
      Listing{{"no friction is used up", Inline("so ") + Inline(math(parse(pool, "theta'"))) + " stays"}});
  second.blocks.push_back(Display{
      "r",
      relate(symbol("r", "r", "r"), "=",
             math(Matrix(
                 2, 2, {parse(pool, "1/m"), parse(pool, "0"), parse(pool, "0"), parse(pool, "(m + R)/m")}))),
      Inline("compatible where ") + Inline(relate(math(m), "!=", math(pool.number(0))))});
  document.sections = {first, second};
  return document;
}

Document wide_document(Pool& pool) {
  declare(pool,
          {"theta1", "theta2", "theta3", "theta4", "theta5", "theta6", "theta7", "theta8", "theta9", "phi"});
  const Expr sum = long_sum(pool, 9);
  std::vector<Expr> symbols;
  for (int i = 1; i <= 6; ++i)
    symbols.push_back(pool.symbol("theta" + std::to_string(i), SymbolKind::coordinate));
  const CoframePtr frame = Coframe::coordinates(pool, symbols);
  Form form(frame, 2);
  for (std::size_t i = 0; i + 1 < symbols.size(); ++i)
    form = form +
           Form(frame, 2, {{IndexSet().set(i).set(i + 1), i % 2 == 0 ? sum * symbols[i] : sum + symbols[i]}});
  const Expr fraction = pow(sum + symbols[0], -1) * (long_sum(pool, 8) + symbols[1]) * parse(pool, "M");
  const Math f = symbol("f", "f", "f");
  Document document;
  document.title = "Formulas wider than the page";
  document.summary = Inline("A sum in a sentence: ") + Inline(math(sum)) + ", and a fraction in one, " +
                     Inline(math(fraction)) + ", and it goes on.";
  Section section{"wide", "Each kind", {}};
  section.blocks.push_back(Display{"sum", relate(f, "=", math(sum)), "a sum"});
  section.blocks.push_back(Display{"form", relate(omega, "=", math(form)), "a form"});
  section.blocks.push_back(
      Display{"product", relate(f, "=", math(sum * (sum + symbols[0]) * symbols[1])), "brackets"});
  section.blocks.push_back(Display{"fraction", relate(f, "=", math(fraction)), "a fraction"});
  section.blocks.push_back(Display{"root", relate(f, "=", math(sqrt(sum))), "a root"});
  section.blocks.push_back(Display{"call", relate(f, "=", math(sin(sum) + cos(sum))), "functions"});
  section.blocks.push_back(Display{
      "chain", relate(relate(math(sum), "=", math(sum - symbols[2])), "=", math(fraction)), "two relations"});
  section.blocks.push_back(
      Display{"matrix", relate(f, "=", math(Matrix(2, 2, {sum, symbols[1], symbols[0], sum}))), {}});
  section.blocks.push_back(
      Table{"table",
            {"name", "value", "remark"},
            {{"first", Inline(math(sum)), "a long remark that says in many words what could be short"},
             {"second", Inline(math(fraction)), Inline(math(symbols[0]))}}});
  document.sections = {section};
  return document;
}

}  // namespace liaison::test
