#include <fmt/format.h>

#include <array>

#include "commands.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/parse.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/forms/calculus.hpp"
#include "liaison/forms/ideal.hpp"
#include "liaison/forms/pullback.hpp"
#include "liaison/forms/two_form.hpp"
#include "problems.hpp"

namespace liaison::cli {

namespace {

/// What the tour tells, section by section.
struct Tour {
  struct Section {
    std::string title;
    std::vector<std::string> lines;
  };
  std::vector<Section> sections;
};
Tour& tour() {
  static Tour one;
  return one;
}

template <class... Values>
void tell(fmt::format_string<Values...> form, Values&&... values) {
  std::string text = fmt::format(form, std::forward<Values>(values)...);
  while (text.ends_with('\n')) text.pop_back();
  tour().sections.back().lines.push_back(std::move(text));
}

void title(const char* text) {
  tour().sections.push_back({text, {}});
}

void print(const Tour::Section& section) {
  const std::string& text = section.title;
  fmt::print("\n── {} {}\n", text, std::string(76 - std::min<std::size_t>(76, text.size()), '-'));
  for (const std::string& line : section.lines) fmt::print("{}\n", line);
}

void show(const std::string& left, const std::string& right) {
  tell("  {:<26} = {}\n", left, right);
}

/// The one idea: a 2-form whose characteristic field is the motion (row G1.I-newton).
void show_form_and_field() {
  title("One 2-form, and the motion it contains");
  Pool pool;
  Algebra algebra(pool);
  const Expr x = pool.symbol("x", SymbolKind::coordinate), v = pool.symbol("v", SymbolKind::velocity);
  const Expr t = pool.symbol("t", SymbolKind::time);
  const std::array symbols{x, v, t};
  const CoframePtr chart = Coframe::coordinates(pool, symbols);
  const Form dx = Form::basis(chart, "dx"), dt = Form::basis(chart, "dt");
  const Expr kinetic = parse(pool, "m*v^2/2"), force = parse(pool, "-k*x - c*v");

  tell("  A mass on a spring with drag: T = {}, F = {}\n", to_unicode(kinetic), to_unicode(force));
  const Form action = derivative(kinetic, v) * dx - kinetic * dt;
  const Form omega = simplified(algebra, d(action) + wedge(force * dx, dt));
  show("Ω = d(m v dx − T dt) + F dx∧dt", to_unicode(omega));
  show("dΩ", to_unicode(simplified(algebra, d(omega))));
  tell("  dΩ is not zero: the drag keeps Ω from being an integral invariant.\n");
  const CharacteristicField motion = characteristic_field(algebra, omega, dt);
  show("E with i(E)Ω = 0, i(E)dt = 1", to_unicode(*motion.field));
  show("i(E)Ω", to_unicode(simplified(algebra, interior(*motion.field, omega))));
  tell("  {}\n", describe(motion.conditions));
}

/// Cartan's formula on the test objects of row G6.I-d.
void show_cartan() {
  title("Cartan's calculus");
  Pool pool;
  Algebra algebra(pool);
  const std::array names{pool.symbol("x", SymbolKind::coordinate), pool.symbol("y", SymbolKind::coordinate),
                         pool.symbol("z", SymbolKind::coordinate)};
  const CoframePtr chart = Coframe::coordinates(pool, names);
  const auto field = [&](const char* a, const char* b, const char* c) {
    return VectorField(chart, {parse(pool, a), parse(pool, b), parse(pool, c)});
  };
  const VectorField X = field("y*z", "x^2", "1 + x*y"), Y = field("z^2", "x - y", "x*z");
  const Form w =
      parse(pool, "y^2*z") * Form::basis(chart, "dx") + parse(pool, "x*sin(z)") * Form::basis(chart, "dy");
  show("X", to_unicode(X));
  show("Y", to_unicode(Y));
  show("w", to_unicode(w));
  show("dw", to_unicode(simplified(algebra, d(w))));
  show("[X, Y]", to_unicode(simplified(algebra, bracket(X, Y))));
  show("θ(X)w = i(X)dw + d i(X)w", to_unicode(readable(algebra, lie(X, w))));
  const auto say = [&](const char* law, const Form& left, const Form& right) {
    tell("  {:<44} {}\n", law, describe(are_equal(algebra, left, right)));
  };
  say("d d w = 0", d(d(w)), Form(chart, 3));
  say("θ(X) d w = d θ(X) w", lie(X, d(w)), d(lie(X, w)));
  say("θ(X) i(Y) w − i(Y) θ(X) w = i([X, Y]) w", lie(X, interior(Y, w)) - interior(Y, lie(X, w)),
      interior(bracket(X, Y), w));
  say("θ(X) θ(Y) w − θ(Y) θ(X) w = θ([X, Y]) w", lie(X, lie(Y, w)) - lie(Y, lie(X, w)),
      lie(bracket(X, Y), w));
  say("θ(X) θ(Y) w = θ(Y) θ(X) w  (a slip)", lie(X, lie(Y, w)), lie(Y, lie(X, w)));
}

/// A disc that rolls is not holonomic; a disc that rolls along a line is.
void show_frobenius() {
  title("Frobenius: is a rolling disc holonomic?");
  Pool pool;
  Algebra algebra(pool);
  std::vector<Expr> coordinates;
  for (const char* name : {"x", "y", "phi", "theta"})
    coordinates.push_back(pool.symbol(name, SymbolKind::coordinate));
  const CoframePtr chart = Coframe::coordinates(pool, coordinates);
  const Form dx = Form::basis(chart, "dx"), dy = Form::basis(chart, "dy"),
             dtheta = Form::basis(chart, "dtheta");
  const std::array rolling{dx + parse(pool, "R*sin(phi)") * dtheta, dy - parse(pool, "R*cos(phi)") * dtheta};
  for (const Form& form : rolling) show("constraint", to_unicode(form));
  const FrobeniusResult result = frobenius(algebra, rolling);
  show("dθ¹∧θ¹∧θ²", to_unicode(readable(algebra, result.torsions[0])));
  tell("  integrable (holonomic): {}\n", describe(result.integrable));
  const std::array straight{dx + pool.symbol("R") * dtheta, dy};
  tell("  the same disc held on a line, dx + R dθ and dy: {}\n",
       describe(frobenius(algebra, straight).integrable));
}

/// Rotations without Euler angles: three Pfaff forms and their structure equations (row G1.II-structure).
void show_rotation() {
  title("A rigid body without Euler angles");
  Pool pool;
  Algebra algebra(pool);
  std::vector<Expr> rates;
  for (const char* name : {"p", "q", "r"}) rates.push_back(pool.symbol(name, SymbolKind::velocity));
  const std::array time{pool.symbol("t", SymbolKind::time)};
  const std::array<std::string, 3> names{"w1", "w2", "w3"};
  const std::array factors{rotation_coframe(algebra, names, Axes::body), Coframe::coordinates(pool, rates),
                           Coframe::coordinates(pool, time)};
  const CoframePtr frame = product(algebra, factors);
  for (const char* name : {"w1", "w2", "w3"}) {
    show(fmt::format("d{}", name), to_unicode(d(Form::basis(frame, name))));
  }
  const Form dt = Form::basis(frame, "dt");
  Form action = -(parse(pool, "(A*p^2 + B*q^2 + C*r^2)/2") * dt);
  const std::array momenta{"A*p", "B*q", "C*r"};
  for (std::size_t i = 0; i < 3; ++i)
    action = action + parse(pool, momenta[i]) * Form::basis(frame, names[i]);
  show("Ω = d(A p w1 + ... − T dt)", to_unicode(simplified(algebra, d(action))));
  const CharacteristicField motion = characteristic_field(algebra, d(action), dt);
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string rate(1, "pqr"[i]);
    show(rate + "'", to_unicode(algebra.readable(motion.field->component("d" + rate))));
  }
  tell("  Euler's equations, {}\n", describe(motion.conditions));
}

/// Zero, and how it is known.
void show_certainty() {
  title("What is zero, and how it is known");
  Pool pool;
  Algebra algebra(pool);
  for (const char* text : {"sin(x + y)*sin(x - y) - sin(x)^2 + sin(y)^2", "tan(x/2) - sin(x)/(1 + cos(x))",
                           "sqrt(1 - cos(x)^2) - abs(sin(x))", "sin(x)^3 - (3*sin(x) - sin(3*x))/4",
                           "sin(x)^3 - (3*sin(x) + sin(3*x))/4"}) {
    tell("  {} = 0\n      {}\n", to_unicode(parse(pool, text)), describe(algebra.is_zero(parse(pool, text))));
  }
}

}  // namespace

int run_tour(bool json) {
  show_form_and_field();
  show_cartan();
  show_frobenius();
  show_rotation();
  show_certainty();
  if (json) {
    Json object{{"schema", 1}, {"sections", Json::array()}};
    for (const Tour::Section& section : tour().sections)
      object["sections"].push_back({{"title", section.title}, {"lines", section.lines}});
    print_json(std::move(object));
    return done;
  }
  fmt::print("Liaison: expressions, exact algebra and exterior forms. Every line below is computed now.\n");
  for (const Tour::Section& section : tour().sections) print(section);
  return done;
}

}  // namespace liaison::cli
