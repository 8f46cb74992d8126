#include <fmt/format.h>

#include <algorithm>

#include "commands.hpp"
#include "interrupt.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/mechanism/motions_at_state.hpp"
#include "liaison/report/plot.hpp"
#include "liaison/unilateral/q_matrix.hpp"
#include "model_file.hpp"
#include "motions_scan_output.hpp"
#include "outputs.hpp"
#include "problems.hpp"

namespace liaison::cli {

namespace {

/// "3/10", or digits where the fraction is long.
std::string shown(const Rational& value) {
  if (value.bits() <= 20) return value.to_string();
  return fmt::format("{:.12g}", value.to_double());
}

/// Contacts for which drives are shown that have several motions or none.
constexpr std::size_t most_shown = 4;

std::string list_of(const std::vector<Rational>& values) {
  std::string text;
  for (const Rational& value : values) text += (text.empty() ? "" : ", ") + shown(value);
  return values.size() == 1 ? text : "(" + text + ")";
}

class MotionsOutput {
 public:
  MotionsOutput(const System& system, const MotionsAtState& at)
      : system_(system), at_(at), motions_(at.motions) {}

  Json to_json() const {
    Json out{{"schema", 1}, {"system", system_.name}};
    out["contacts"] = Json::array();
    for (const ContactState& contact : motions_.contacts) {
      out["contacts"].push_back({{"name", contact.name},
                                 {"condition", word_for(contact.condition)},
                                 {"gap", contact.gap},
                                 {"rate", contact.rate}});
    }
    out["resting"] = motions_.relation_names;
    out["r"] = Json::array();
    for (const auto& row : motions_.r) out["r"].push_back(doubles(row));
    out["drive"] = named(motions_.relation_names, motions_.drive);
    if (motions_.p_matrix) {
      out["p_matrix"] = motions_.p_matrix->is_p;
      if (const auto& failing = motions_.p_matrix->failing) {
        out["failing_minor"] = {{"constraints", names_of(failing->indices)},
                                {"value", failing->value.to_double()}};
        add_drives(out, *failing);
      }
    } else {
      out["p_matrix"] = nullptr;
    }
    out["verdict"] = is_open() ? Json() : Json(word_for(motions_.verdict));
    out["motions"] = Json::array();
    for (const PossibleMotion& motion : motions_.motions) out["motions"].push_back(json_of(motion));
    out["exact"] = motions_.exact;
    if (!motions_.undecided.empty()) out["undecided"] = motions_.undecided;
    if (!motions_.remark.empty()) out["remark"] = motions_.remark;
    if (!at_.state.choices.empty()) out["chosen"] = at_.state.choices;
    return out;
  }

  void print() const {
    if (!system_.name.empty()) fmt::print("{}\n\n", system_.name);
    for (const std::string& choice : at_.state.choices) fmt::print("  {}\n", choice);
    fmt::print("  contacts\n");
    for (const ContactState& contact : motions_.contacts) {
      fmt::print("    {:<16}{:<12}gap {:.6g}, rate {:.6g}\n", contact.name, word_for(contact.condition),
                 contact.gap, contact.rate);
    }
    if (!motions_.r.empty()) print_matrix();
    fmt::print("\n{}\n", verdict());
    if (!motions_.undecided.empty()) fmt::print("not decided: {}\n", motions_.undecided);
    for (std::size_t i = 0; i < motions_.motions.size(); ++i) print_motion(i);
    if (!motions_.exact)
      fmt::print("\nnumbers are irrational, or completed in doubles: known to the digits of the state\n");
    if (!motions_.remark.empty()) fmt::print("\n{}\n", motions_.remark);
  }

 private:
  static std::vector<double> doubles(const std::vector<Rational>& values) {
    std::vector<double> result;
    for (const Rational& value : values) result.push_back(value.to_double());
    return result;
  }
  static Json named(const std::vector<std::string>& names, const std::vector<Rational>& values) {
    Json out = Json::object();
    for (std::size_t i = 0; i < values.size(); ++i) out[names[i]] = values[i].to_double();
    return out;
  }
  std::vector<std::string> names_of(const std::vector<std::size_t>& indices) const {
    std::vector<std::string> result;
    for (const std::size_t i : indices) result.push_back(motions_.relation_names[i]);
    return result;
  }

  /// As `eval` names them: x of x'', p of p'.
  std::vector<std::string> acceleration_names() const {
    std::vector<std::string> result;
    for (const Expr symbol : motions_.acceleration_symbols) {
      result.push_back(symbol.symbol().name);
      while (result.back().ends_with('\'')) result.back().pop_back();
    }
    return result;
  }

  Json json_of(const MotionNumbers& numbers) const {
    Json out{{"multiplier", named(motions_.relation_names, numbers.factors)},
             {"separation", named(motions_.relation_names, numbers.separations)},
             {"acceleration", named(acceleration_names(), numbers.accelerations)}};
    for (std::size_t b = 0; b < numbers.bilateral_factors.size(); ++b) {
      out["multiplier"][motions_.bilateral[b]] = numbers.bilateral_factors[b].to_double();
    }
    for (std::size_t c = 0; c < numbers.resistances.size(); ++c) {
      if (numbers.resistances[c].empty()) continue;
      out["friction"][motions_.relation_names[c]] = doubles(numbers.resistances[c]);
      for (const Expr velocity : motions_.resisted[c])
        out["on"][motions_.relation_names[c]].push_back(to_infix(velocity));
      out["slip_rate"][motions_.relation_names[c]] = doubles(numbers.slip_rates[c]);
    }
    return out;
  }
  Json json_of(const PossibleMotion& motion) const {
    Json out{{"modes", Json::object()}};
    for (std::size_t c = 0; c < motion.modes.size(); ++c)
      out["modes"][motions_.relation_names[c]] = word_for(motion.modes[c]);
    if (motion.is_family()) {
      out["vertices"] = Json::array();
      out["rays"] = Json::array();
      for (const MotionNumbers& vertex : motion.vertices) out["vertices"].push_back(json_of(vertex));
      for (const MotionNumbers& ray : motion.rays) out["rays"].push_back(json_of(ray));
    } else {
      out.update(json_of(motion.vertices[0]));
    }
    if (motion.equilibrium) out["equilibrium"] = true;
    for (const auto& [contact, how] : motion.settled) out["settled"][motions_.relation_names[contact]] = how;
    return out;
  }

  void print_matrix() const {
    std::size_t width = 10;
    for (const auto& row : motions_.r) {
      for (const Rational& entry : row) width = std::max(width, shown(entry).size() + 2);
    }
    for (const std::string& name : motions_.relation_names) width = std::max(width, name.size() + 2);
    fmt::print("\n  r: a unit of force, one a row, moves the relations, one a column\n    {:<16}", "");
    for (const std::string& name : motions_.relation_names) fmt::print("{:>{}}", name, width);
    fmt::print("\n");
    for (std::size_t h = 0; h < motions_.r.size(); ++h) {
      fmt::print("    {:<16}", motions_.relation_names[h]);
      for (const Rational& entry : motions_.r[h]) fmt::print("{:>{}}", shown(entry), width);
      fmt::print("\n");
    }
    fmt::print("    {:<16}", "drive");
    for (const Rational& entry : motions_.drive) fmt::print("{:>{}}", shown(entry), width);
    fmt::print("\n");
    if (!motions_.p_matrix) return;
    if (motions_.p_matrix->is_p) {
      fmt::print("  r is a P-matrix: one motion for every drive\n");
    } else {
      fmt::print("  r is not a P-matrix: the minor of {} is {}\n",
                 fmt::join(names_of(motions_.p_matrix->failing->indices), ", "),
                 shown(motions_.p_matrix->failing->value));
      print_drives(*motions_.p_matrix->failing);
    }
  }

  /// Drives that show it: that needs numbers which are what they are.
  bool shows_drives() const { return motions_.exact && motions_.r.size() <= most_shown; }

  void print_drives(const PrincipalMinor& failing) const {
    if (!shows_drives()) return;
    const SeveralMotions several = drive_with_several(motions_.r, failing);
    fmt::print("    several motions with the drive {}: the factors {} or {}\n", list_of(several.drive),
               list_of(several.first.factors), list_of(several.second.factors));
    const QMatrixAnswer answer = q_matrix(motions_.r);
    if (answer.verdict == QVerdict::is_not_q)
      fmt::print("    none with the drive {}\n", list_of(answer.drive));
    if (answer.verdict == QVerdict::is_q) fmt::print("    at least one with every drive\n");
  }

  void add_drives(Json& out, const PrincipalMinor& failing) const {
    if (!shows_drives()) return;
    const SeveralMotions several = drive_with_several(motions_.r, failing);
    out["drive_with_several"] = {
        {"drive", named(motions_.relation_names, several.drive)},
        {"multipliers", Json::array({named(motions_.relation_names, several.first.factors),
                                     named(motions_.relation_names, several.second.factors)})}};
    const QMatrixAnswer answer = q_matrix(motions_.r);
    if (answer.verdict == QVerdict::undecided) return;
    const bool has_none = answer.verdict == QVerdict::is_not_q;
    out["drive_with_none"] = has_none ? named(motions_.relation_names, answer.drive) : Json();
  }

  /// Not everything was looked for, and more than was found may be possible. Several stay several.
  bool is_open() const { return motions_.verdict != MotionVerdict::several && !motions_.undecided.empty(); }

  std::string verdict() const {
    if (is_open())
      return motions_.motions.empty() ? "no motion was found, and not all were looked for"
                                      : "one motion was found; whether it is the only one is not decided";
    const std::size_t count = motions_.motions.size();
    switch (motions_.verdict) {
      case MotionVerdict::unique: return "unique: one motion is possible";
      case MotionVerdict::none: return "none: no motion is possible at this state";
      case MotionVerdict::several: break;
    }
    return count == 1 ? "several: a family of motions is possible"
                      : fmt::format("several: {} motions are possible", count);
  }

  void print_motion(std::size_t i) const {
    const PossibleMotion& motion = motions_.motions[i];
    fmt::print("\n  motion {}", i + 1);
    for (std::size_t c = 0; c < motion.modes.size(); ++c) {
      fmt::print("{} {} {}", c == 0 ? ":" : ",", motions_.relation_names[c], word_for(motion.modes[c]));
    }
    fmt::print("{}\n", motion.equilibrium ? "; an equilibrium" : "");
    for (const auto& [contact, how] : motion.settled)
      fmt::print("    {}: {}\n", motions_.relation_names[contact], how);
    if (!motion.is_family()) {
      print_numbers(motion.vertices[0]);
      return;
    }
    fmt::print("    a family: any mean of the vertices{}\n",
               motion.rays.empty() ? "" : ", plus any multiple of the rays");
    for (std::size_t v = 0; v < motion.vertices.size(); ++v) {
      fmt::print("    vertex {}\n", v + 1);
      print_numbers(motion.vertices[v]);
    }
    for (std::size_t v = 0; v < motion.rays.size(); ++v) {
      fmt::print("    ray {}\n", v + 1);
      print_numbers(motion.rays[v]);
    }
  }

  void print_numbers(const MotionNumbers& numbers) const {
    const auto line = [](const std::string& name, const Rational& value) {
      fmt::print("      {:<20} {}\n", name, shown(value));
    };
    for (std::size_t c = 0; c < numbers.factors.size(); ++c) {
      const std::string& name = motions_.relation_names[c];
      line("lambda(" + name + ")", numbers.factors[c]);
      for (std::size_t k = 0; k < numbers.resistances[c].size(); ++k) {
        // Several velocities of one contact are told apart by their formulas.
        const bool several = numbers.resistances[c].size() > 1;
        const std::string which = several ? " on " + to_infix(motions_.resisted[c][k]) : "";
        line("friction of " + name + which, numbers.resistances[c][k]);
        line("slip rate of " + name + which, numbers.slip_rates[c][k]);
      }
      line("separation of " + name, numbers.separations[c]);
    }
    for (std::size_t b = 0; b < numbers.bilateral_factors.size(); ++b) {
      line("lambda(" + motions_.bilateral[b] + ")", numbers.bilateral_factors[b]);
    }
    for (std::size_t a = 0; a < numbers.accelerations.size(); ++a)
      line(motions_.acceleration_symbols[a].symbol().name, numbers.accelerations[a]);
  }

  const System& system_;
  const MotionsAtState& at_;
  const PossibleMotions& motions_;
};

/// Before work begins: what would be written, and where.
void require_scan_outputs(const MotionsOptions& options) {
  const auto refuse_usage = [](const std::string& place, const std::string& text, const std::string& hint) {
    refuse(Status::bad_input, place, Problem::bad_usage, text, hint);
  };
  std::vector<std::string> outputs = options.plots;
  if (!options.output.empty()) outputs.push_back(options.output);
  if (options.scan.empty() && !outputs.empty())
    refuse_usage(outputs[0], "a file is written of a map", "--scan \"x = 0:1:50\" makes one");
  for (const std::string& plot : options.plots)
    if (!plot_format(plot)) refuse_usage(plot, "a plot ends in .svg, .png or .html", "--plot map.svg");
  if (!options.output.empty() && !options.output.ends_with(".csv"))
    refuse_usage(options.output, "points are written as .csv", "-o map.csv");
  require_outputs(options.model, outputs);
}

void run_scan(const MotionsOptions& options, MechanismParts& parts) {
  const GivenState given = read_given_state(parts, options.at, options.set, options.project);
  const MotionsScan scan =
      scan_motions(parts, given, options.touching, read_scan(parts, given, options.scan));
  if (!options.output.empty()) write_output(options.output, csv_of(scan));
  for (const std::string& plot : options.plots)
    write_output(plot, plot_of(parts.system(), scan, options, plot));
  if (options.json) {
    print_json(json_of(parts.system(), scan));
  } else {
    print_scan(parts.system(), scan);
  }
}

}  // namespace

int run_motions(const MotionsOptions& options) {
  const InterruptScope interrupt;
  try {
    require_scan_outputs(options);
    const auto parts = read_model(options.model);
    const MechanismParts::StopScope stop(*parts, interrupt.token());
    if (!options.scan.empty()) {
      run_scan(options, *parts);
      return done;
    }
    const MotionsAtState at = motions_at(
        *parts, read_given_state(*parts, options.at, options.set, options.project), options.touching);
    const MotionsOutput output(parts->system(), at);
    if (options.json) {
      print_json(output.to_json());
    } else {
      output.print();
    }
    return done;
  } catch (const Refused& refused) {
    return report(refused);
  } catch (const FileProblem& problem) {
    return report(problem);
  }
}

}  // namespace liaison::cli
