#include "words.hpp"

#include "texts.hpp"

namespace liaison::lsp {

const std::vector<KnownWord>& functions() {
  static const std::vector<KnownWord> words{{"sin", "sine"},
                                            {"cos", "cosine"},
                                            {"tan", "tangent"},
                                            {"asin", "inverse sine, from -pi/2 to pi/2"},
                                            {"acos", "inverse cosine, from 0 to pi"},
                                            {"atan", "inverse tangent, from -pi/2 to pi/2"},
                                            {"atan2", "atan2(y, x): the angle of the point (x, y)"},
                                            {"sinh", "hyperbolic sine"},
                                            {"cosh", "hyperbolic cosine"},
                                            {"tanh", "hyperbolic tangent"},
                                            {"exp", "exponential function"},
                                            {"log", "natural logarithm"},
                                            {"sqrt", "square root"},
                                            {"abs", "absolute value"},
                                            {"sign", "-1, 0 or 1"},
                                            {"min", "the least of two or more"},
                                            {"max", "the greatest of two or more"},
                                            {"step", "step(x): 0 where x < 0, else 1"},
                                            {"piecewise", "piecewise(condition: value, ..., else: value)"},
                                            {"distance", "distance(P, Q) of two points"}};
  return words;
}

const std::vector<KnownWord>& quantities() {
  static const std::vector<KnownWord> words{
      {"t", "the time"},
      {"pi", "3.14159..."},
      {"T", "the kinetic energy"},
      {"V", "the potential energy"},
      {"lambda", "lambda(c): the factor of the constraint c, the size of its force"},
      {"conserved", "conserved(F): the motion keeps F"},
      {"holonomic", "holonomic(c, ...): these constraints are integrable"},
      {"independent", "independent(c, ...): these constraints are independent"},
      {"compatible", "at each state there is one motion: det r is not 0"},
      {"growth", "growth == (2, 3, 4): what admissible directions span with their brackets"},
      {"flag", "flag == (2, 3, 4): the derived flag of the admissible directions"},
      {"measure", "measure: motions keep one, with a density of positions; measure(F): with the density F"},
      {"equations", "equations { ... }: a whole system that is equivalent to the motion"},
      {"power", "power(c): the power of the force of the constraint c"},
      {"drive_force", "drive_force(s): the force or torque that the drive s needs"},
      {"drive_power", "drive_power(s): the power of the drive s"},
      {"integral", "integral(e): of e along the motion, in outputs and in claims `after` a time"},
      {"tension", "tension(S): the force of a spring or a damper S, which pulls its ends together"},
      {"rate", "rate(S): how fast a spring or a damper S becomes longer"}};
  return words;
}

const std::vector<KnownWord>& clauses() {
  static const std::vector<KnownWord> words{
      {"mass", "body, particle: its mass"},
      {"inertia", "body: its moments of inertia about the centre"},
      {"at", "a place, or a state of a claim"},
      {"angle", "body in the plane: its angle"},
      {"angles", "body in space, start of a rotation: angles with an order"},
      {"order", "of angles: zxz, zyx, ..."},
      {"centre", "of a body on a joint: from its origin"},
      {"on", "on a body, or a velocity along a surface"},
      {"by", "on a joint, or of an actuator"},
      {"hinge", "a joint that turns"},
      {"slider", "a joint that slides"},
      {"ball", "a joint that turns in every way, or a shape"},
      {"cylindrical", "a joint that turns and slides"},
      {"screw", "a joint that turns and slides by its pitch"},
      {"universal", "a joint that turns about two axes"},
      {"planar", "a joint that slides and turns in a plane"},
      {"weld", "a joint that does not move"},
      {"pitch", "of a screw"},
      {"axis", "of a joint, or of a turn at the start"},
      {"turned", "a place with other axes"},
      {"ground", "what does not move"},
      {"stiffness", "of a spring or a bushing"},
      {"damping", "of a spring, a damper or a bushing"},
      {"law", "spring, damper: its tension"},
      {"length", "of a spring without force, of a rope, of a shape"},
      {"ratio", "of a gear"},
      {"radius", "of a rack, a wheel or a shape"},
      {"coefficient", "of a drag"},
      {"moment", "of a motor"},
      {"normal", "of a contact"},
      {"friction", "Coulomb's coefficient of what slips"},
      {"sticking", "and of what sticks"},
      {"restitution", "of impacts"},
      {"rolling", "resistance to rolling"},
      {"pivoting", "resistance to pivoting"},
      {"along", "the components of a force"},
      {"rising", "of an event"},
      {"falling", "of an event"},
      {"then", "what an event does"},
      {"stop", "the run ends"},
      {"reset", "values of the state jump"},
      {"after", "a claim after a time"},
      {"within", "the tolerance of a claim"},
      {"body", "rotation: on the axes of the body"},
      {"space", "rotation: on the axes of space"},
      {"from", "a table from a file"},
      {"points", "a table by points"},
      {"linear", "table: by straight lines"},
      {"cubic", "table: by a smooth curve"},
      {"monotone", "table: by a smooth curve without waves"},
      {"disc", "shape: with its radius"},
      {"ring", "shape: with its radius"},
      {"cylinder", "shape: with radius and length"},
      {"cone", "shape: with radius and length"},
      {"box", "shape: with its sides"},
      {"polygon", "shape: with its corners"},
      {"mesh", "shape: the faces of a file"},
      {"rod", "shape: between two places"},
      {"line", "shape: through places"},
      {"point", "shape: a dot whose way is drawn"},
      {"none", "shape: not drawn"},
      {"scale", "of a mesh"}};
  return words;
}

const std::vector<std::string_view>& units() {
  static const std::vector<std::string_view> names{
      "m",   "km",  "dm",  "cm",  "mm",  "um",  "kg",    "g",     "s",      "ms",    "us",   "min", "h",
      "Hz",  "N",   "mN",  "kN",  "MN",  "J",   "kJ",    "W",     "kW",     "Pa",    "kPa",  "MPa", "GPa",
      "bar", "A",   "C",   "V",   "ohm", "F",   "H",     "Wb",    "T",      "K",     "mol",  "cd",  "rad",
      "deg", "rev", "rpm", "N*m", "N/m", "m/s", "m/s^2", "rad/s", "kg*m^2", "N*s/m", "N*m*s"};
  return names;
}

std::string reference_of(std::string_view keyword) {
  const std::string_view page = cli::texts::language;
  const std::string head = "\n`" + std::string(keyword) + " ";
  std::size_t begin = page.find(head);
  if (begin == std::string_view::npos) begin = page.find("\n`" + std::string(keyword) + "`");
  if (begin == std::string_view::npos) return {};
  return std::string(page.substr(begin + 1, page.find("\n\n", begin + 1) - begin - 1));
}

}  // namespace liaison::lsp
