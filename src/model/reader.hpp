#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "liaison/model/statement_forms.hpp"
#include "syntax.hpp"
#include "text.hpp"

namespace liaison::syntax {

/// A statement that cannot be read: thrown and caught inside the layer, once a statement.
struct Fault {
  Diagnostic diagnostic;
};

/// A word of another language for one of them, as `parameter`.
bool is_word_for_a_statement(const std::string& word);

/// Reads one statement: its keyword, then its parts from left to right.
class Reader {
 public:
  Reader(std::string_view text, Span statement) : text_(text), span_(statement), rest_(statement) {}
  Statement read();
  /// Of an `import` statement, which is written out before the others are read.
  Import read_import();
  /// Of a value of a state, R angles (a, b, c) order zxz or R axis [..] angle a.
  Turned read_turned();

 private:
  using Data = decltype(Statement::data);
  /// A word and what stands behind it, up to the next one.
  struct Clause {
    std::string word;
    Span span;  ///< of the word
    Span value;
  };
  Data read_data();

  // declarations (read_declarations.cpp)
  Data read_title();
  Data read_params();
  Data read_coords();
  Data read_rotation();
  Data read_chart(bool intrinsic);
  Data read_function();
  Data read_definition(Definition::Kind kind);
  Data read_energy(Energy::Kind kind);
  Data read_input();

  // bodies, forces and constraints (read_mechanics.cpp)
  Data read_force();
  Place expect_place(Span span);
  Data read_moment();
  Data read_gravity();
  Data read_constraint();
  Data read_reaction();
  Data read_unilateral();
  Data read_start();
  void read_state_value(Span piece, std::vector<Assignment>& values, std::vector<Turned>& turned);

  // particles, bodies, frames and joints (read_bodies.cpp)
  Data read_particle();
  Data read_body();
  Data read_frame();
  Orientation read_orientation(Span span);
  std::vector<TurnPart> read_angles();
  std::vector<TurnPart> read_turns(Span span);
  TurnPart expect_rotation();
  Mount read_mount(Span span);
  Joint read_joint(Span span);
  void read_axes(const Clause& clause, std::vector<Vector>& axes, std::optional<Span>& pitch);
  Data read_joint_declaration();
  std::vector<Clause> cut_clauses(Span span, const std::vector<std::string_view>& words, Span* before);

  // what passes motions on, wheels, drag (read_transmission.cpp)
  Data read_transmission(Transmission::Kind kind);
  Data read_cam();
  Data read_wheel();
  Data read_drag();

  // springs, dampers, bushings and motors (read_element.cpp)
  Data read_element(bool is_spring);
  Data read_motor();
  Data read_bushing();
  void require_known_clause(Span span, const Sign& sign, const std::vector<std::string_view>& words);
  Span before_clause(Span span, const std::vector<std::string_view>& words, Sign* found);

  // contacts (read_contact.cpp)
  Data read_contact();
  void read_resistances(ContactDeclaration& contact);
  void read_gap(ContactDeclaration& contact, Span span);

  // tables (read_table.cpp)
  Data read_table();
  void read_table_clause(TableDeclaration& table, const Clause& clause);

  // shapes (read_shape.cpp)
  Data read_shape();
  void read_solid(ShapeDeclaration& shape, Span span);
  void read_shape_clause(ShapeDeclaration& shape, const Clause& clause);

  // events (read_event.cpp)
  Data read_event();
  void read_action(EventDeclaration& event, Span span);

  // claims (read_claims.cpp)
  Data read_claim(bool misprint);
  void read_claim_clauses(ClaimStatement& claim);
  void read_predicate(ClaimStatement& claim, const Name& word);
  std::vector<Span> split_lines(Span piece);
  void read_equations(ClaimStatement& claim);
  void read_motions(ClaimStatement& claim);
  bool read_dimensions(ClaimStatement& claim, const std::string& word);
  bool read_measure(ClaimStatement& claim);

  // parts of a statement, taken from `rest_`
  void skip_spaces() { rest_ = trim(text_, rest_); }
  bool at_end();
  bool take(std::string_view sign);
  void expect(std::string_view sign, std::string_view where);
  std::optional<Name> take_name();
  Name expect_name(std::string_view what);
  bool take_word(std::string_view word);
  Vector expect_vector(std::string_view what);
  std::vector<Name> expect_names(std::string_view what);
  Span take_bracket(char open, char close);
  void expect_end();

  // parts of a given piece of the statement
  Assignment read_assignment(Span span);
  Vector read_vector(Span span);
  std::vector<Span> split(Span span, SignKind separator, std::string_view what);
  Span before_word(Span span, const std::vector<std::string_view>& words, Sign* found);
  std::pair<Span, Span> split_relation(Span span, SignKind sign, std::string_view shown);
  Span require_content(Span span, std::size_t place, std::string_view what);

  [[noreturn]] void fail(std::string code, Span span, std::string message, std::string label = {},
                         std::string hint = {});
  [[noreturn]] void fail_missing(std::string_view what, std::size_t place);
  [[noreturn]] void fail_unexpected(Span span);
  void require_one_value(Span value);
  std::string shown(Span span) const { return excerpt(text_at(text_, span)); }
  std::string form_hint() const;
  std::string claimed_form() const;

  std::string_view text_;
  Span span_;
  Span rest_;
  Span keyword_span_;
  std::string keyword_;
};

}  // namespace liaison::syntax
