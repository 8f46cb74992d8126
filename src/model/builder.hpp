#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "dimensions.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/model/contact.hpp"
#include "liaison/model/orientation.hpp"
#include "liaison/model/scenery.hpp"
#include "repeat.hpp"
#include "scope.hpp"
#include "simple_gaps.hpp"
#include "table_curve.hpp"
#include "table_text.hpp"

namespace liaison {

struct JointKind;

/// Two axes across a normal of length one, each of length one. Where a component of the normal is zero they
/// exist everywhere; else there is none opposite to the third axis, as there must be somewhere.
std::array<Triple, 2> across(const Triple& normal, Pool& pool);

std::vector<Expr> velocities_in(Expr e);
bool has_velocity(Expr e);

/// Statements to a system, in the order of the text; what needs the whole system is done in `finish`.
class Builder : private Objects {
 public:
  /// `pool`: where the text was read before; without one a new pool.
  Builder(const Source& masked, const ModelOptions& options, Reports& reports,
          std::shared_ptr<Pool> pool = nullptr);
  /// `unread`: statements that could not be read, and have been reported.
  System run(const std::vector<syntax::Statement>& statements, const std::vector<Span>& unread,
             const std::vector<RepeatedStatement>& repeated);
  /// After run() of a text that is read again: the system with its drives as directions; empty without any.
  std::shared_ptr<const System> extended() const { return extended_; }
  /// After run(): what is to be drawn.
  Scenery take_scenery() { return std::move(scenery_); }
  ToldDimensions take_dimensions() { return std::move(told_); }

 private:
  using Statement = syntax::Statement;

  // declarations (build_declarations.cpp)
  void build(const syntax::Title& title, const Statement& statement);
  void build(const syntax::Params& params, const Statement& statement);
  void build(const syntax::Coords& coords, const Statement& statement);
  void build(const syntax::RotationDeclaration& rotation, const Statement& statement);
  void build(const syntax::Chart& chart, const Statement& statement);
  void build(const syntax::Function& function, const Statement& statement);
  void build(const syntax::Definition& definition, const Statement& statement);
  void build(const syntax::Input& input, const Statement& statement);
  void build_parameter(const syntax::Params::Item& item);
  Expr read_value(Span span, const syntax::Name& name);
  std::optional<Unit> read_unit(Span span);
  std::optional<std::size_t> find_direction_by_velocity(const syntax::Name& name);

  // energies and forces (build_forces.cpp)
  void build(const syntax::Energy& energy, const Statement& statement);
  void add_lagrangian(Expr value);
  void build(const syntax::GeneralisedForce& force, const Statement& statement);
  void build(const syntax::PointForce& force, const Statement& statement);
  void build(const syntax::Moment& moment, const Statement& statement);
  void build(const syntax::Gravity& gravity, const Statement& statement);
  void add_dissipation(Expr value);
  void add_work(std::size_t n, const std::vector<Expr>& force, const std::vector<Expr>& velocity);
  void add_force(Expr velocity, Expr value);
  bool is_rheonomic_velocity(Expr symbol) const;

  // particles and bodies (build_bodies.cpp)
  void build(const syntax::ParticleDeclaration& particle, const Statement& statement);
  void build(const syntax::BodyDeclaration& body, const Statement& statement);
  std::vector<Expr> read_vector(const syntax::Vector& vector, const Context& context);
  std::vector<Expr> read_place(const syntax::Vector& vector);
  Expr measured(Expr value);
  Expr measured(Expr value, const char* what, const Dimension& dimension, Span span);
  std::vector<Expr> in_metres(std::vector<Expr> components, const syntax::Vector& vector);
  bool check_length(const syntax::Vector& vector, const std::vector<std::size_t>& lengths,
                    std::string_view what);
  void require_lengths(const std::vector<Expr>& values, const syntax::Vector& vector, std::string_view what);
  bool name_object(const syntax::Name& name, std::string_view what);
  bool read_inertia(const syntax::BodyDeclaration& syntax, Body& body);
  std::optional<BodyAxes> read_placed(const syntax::BodyDeclaration& syntax);
  std::optional<std::vector<Expr>> find_point(const syntax::Place& place);
  bool knows(const std::string& name) const override;
  std::vector<Expr> point_at(const syntax::Place& place) override;
  std::vector<Expr> turning_of(const syntax::Name& name) override;
  Expr distance(const syntax::Place& one, const syntax::Place& other) override;
  Expr unit_of_number() override;
  const Body* find_body(const syntax::Name& name);
  void report_unknown_object(const syntax::Name& name, bool bodies_only);

  // orientations, frames and joints (build_joint.cpp)
  void build(const syntax::FrameDeclaration& frame, const Statement& statement);
  Expr read_angle(Span span);
  Expr read_slide(Span span, bool is_pitch);
  std::optional<Triple> read_axis(const syntax::Vector& vector);
  std::optional<Triple> unit_axis(Triple axis, Span span);
  bool vanishes(Expr e) const;
  std::optional<Turn> read_turn(const syntax::TurnPart& part);
  std::optional<std::vector<Turn>> read_turns(const std::vector<syntax::TurnPart>& parts);
  std::optional<std::size_t> find_rotation(const syntax::TurnPart& part);
  std::optional<BodyAxes> read_mount(const syntax::Mount& mount, std::size_t dimension);
  void report_unknown_place(const syntax::Name& name);
  std::optional<BodyAxes> read_jointed(const syntax::BodyDeclaration& syntax);
  bool add_joint(const syntax::Joint& joint, BodyAxes& placed);
  bool add_plane_joint(const syntax::Joint& joint, BodyAxes& placed);
  bool add_space_joint(const syntax::Joint& joint, std::size_t slides, BodyAxes& placed);

  // joints by constraints (build_joint_relations.cpp)
  void build(const syntax::JointDeclaration& joint, const Statement& statement);
  /// A relation of a joint; its factor acts on the second body by this force at the point of the second place
  /// and by this moment, both in space.
  struct JointRelation {
    std::string name;  ///< behind that of the joint
    Expr relation;
    Triple force;
    Triple moment;
  };
  struct JointPart {
    Expr factor;  ///< empty: its relation holds by itself
    Triple force;
    Triple moment;
  };
  struct JointReaction {
    std::vector<JointPart> parts;
    bool plane = false;
    std::string frame;  ///< on whose axes; else those of space
  };
  std::optional<BodyAxes> read_joint_place(const syntax::Mount& mount, std::size_t dimension, bool turns);
  std::string root_of(const std::string& name) const;
  std::size_t dimension_of_places(const syntax::Mount& first, const syntax::Mount& second) const;
  const JointKind* check_joint(const syntax::JointDeclaration& syntax, bool plane);
  std::optional<std::vector<JointRelation>> plane_relations(const syntax::JointDeclaration& syntax,
                                                            const BodyAxes& first, const BodyAxes& second);
  std::optional<std::vector<JointRelation>> space_relations(const syntax::JointDeclaration& syntax,
                                                            const BodyAxes& first, const BodyAxes& second);
  JointRelation turning_relation(std::string name, const Triple& u, const Triple& v, Expr value) const;
  bool require_side(const Triple& u, const Triple& v, Span span);
  bool holds_by_itself(Expr relation) const;
  void add_joint_relations(const syntax::JointDeclaration& syntax, const Statement& statement,
                           const std::vector<JointRelation>& relations, JointReaction& reaction);
  std::vector<Expr> reaction_of(const syntax::Name& name, bool moment, Span asked) override;
  Triple on_axes_of(const JointReaction& reaction, const Triple& v) const;

  // bushings (build_bushing.cpp)
  void build(const syntax::Bushing& bushing, const Statement& statement);
  std::optional<std::vector<Expr>> read_along_axes(const syntax::Vector& vector, std::string_view what,
                                                   bool plane, bool is_damping);
  bool check_two_roots(const syntax::Mount& first, const syntax::Mount& second, Span span,
                       std::string_view what);

  // what passes motions on, wheels, drag (build_transmission.cpp)
  void build(const syntax::Transmission& link, const Statement& statement);
  void build(const syntax::WheelDeclaration& wheel, const Statement& statement);
  void build(const syntax::Drag& drag, const Statement& statement);
  void add_relation(const syntax::Name& name, Expr relation, Span span, const Statement& statement);
  std::optional<std::vector<JointRelation>> rolling_in_plane(const BodyAxes& wheel, const BodyAxes& ground,
                                                             Expr radius) const;
  std::optional<std::vector<JointRelation>> rolling_in_space(const BodyAxes& wheel, const BodyAxes& ground,
                                                             const Triple& axle, Expr radius) const;
  std::vector<Expr> momentum_of(const syntax::Name& name, bool spin) override;

  // springs and dampers (build_element.cpp)
  void build(const syntax::ElementDeclaration& element, const Statement& statement);
  void build(const syntax::MotorDeclaration& motor, const Statement& statement);
  bool is_place(Span span) const;
  /// The force of a law at a length, and what a spring keeps of it.
  struct ElementLaw {
    Expr force;
    Expr potential;  ///< empty for a damper
  };
  std::optional<ElementLaw> read_law(const syntax::ElementDeclaration& syntax, Expr distance);
  Expr potential_of(const syntax::ElementDeclaration& syntax, Expr law, Expr length);
  Expr squared_distance(const syntax::Place& one, const syntax::Place& other);

  // constraints, outputs, start (build_constraints.cpp)
  void build(const syntax::ConstraintDeclaration& constraint, const Statement& statement);
  /// Name, relation, power and factor; nothing where one of them is wrong, which is reported. What is no
  /// equation has its own say about the dimension of its factor.
  std::optional<Constraint> read_constraint(const syntax::ConstraintDeclaration& syntax, Span span,
                                            bool is_equation);
  void build(const syntax::ReactionDeclaration& reaction, const Statement& statement);
  void build(const syntax::Start& start, const Statement& statement);
  bool name_constraint(const syntax::Name& name);
  bool check_moves(Expr relation, Span span, const std::string& name);
  Expr simple_level(Expr relation);
  bool check_power(Expr power, Span span);
  void require_power(const Constraint& constraint, Expr moved, Span span);
  bool read_along(Span span, Constraint& constraint);
  std::vector<InitialValue> read_state(const std::vector<syntax::Assignment>& values, bool claim);
  std::optional<InitialValue> read_state_value(const syntax::Assignment& assignment, bool claim);
  void add_turned(const std::vector<syntax::Turned>& given, std::vector<InitialValue>& state);
  bool check_sign(const InitialValue& given, Span span, Substitution& known);

  // constraints that can open (build_unilateral.cpp)
  void build(const syntax::UnilateralDeclaration& unilateral, const Statement& statement);
  void refuse_even_factor(const Unilateral& unilateral, const SimpleGaps& simple);
  void build_sides(const Unilateral& whole, const std::vector<Expr>& gaps,
                   const syntax::UnilateralDeclaration& syntax, const Statement& statement);
  void check_asked_constraints();
  bool read_friction(const syntax::UnilateralDeclaration& syntax, Unilateral& unilateral);

  // contacts of a `for` that are too many to be written out (build_family.cpp)
  void build_family(const RepeatedStatement& repeated, const Statement& statement);
  std::optional<Expr> member(const RepeatedStatement& repeated, const RepeatedStatement::Pattern& pattern,
                             const std::int32_t* values);
  bool fill_slots(const RepeatedStatement& repeated, ContactFamilyMembers& members);
  void check_last_member(const RepeatedStatement& repeated, const Unilateral& last);
  bool check_members(const RepeatedStatement& repeated, const ContactFamilyMembers& members);

  // contacts (build_contact.cpp)
  void build(const syntax::ContactDeclaration& contact, const Statement& statement);
  /// What touches: a body, or a particle, which has no rotation.
  struct Touching {
    std::string name;
    const std::vector<Expr>* centre = nullptr;
    const Body* body = nullptr;
  };
  std::optional<Touching> find_touching(const syntax::Name& name);
  void report_no_solid(const syntax::Name& name);
  bool find_solids(const syntax::ContactDeclaration& syntax, std::vector<Touching>& solids);
  std::optional<ContactCoefficients> read_resistances(const syntax::ContactDeclaration& syntax);
  bool check_turning(const syntax::ContactDeclaration& syntax, const std::vector<Touching>& solids);
  bool check_unit_length(const std::vector<Expr>& vector, Span span, std::string_view what);
  ContactSolid solid_at(const Touching& solid, const Triple& point) const;
  void set_contact_force(Constraint& constraint, const ContactSpeeds& speeds,
                         const ContactCoefficients& coefficients) const;
  bool is_power_of(const Constraint& constraint, const ContactCoefficients& coefficients,
                   const std::vector<Expr>& direction) const;

  // contacts that can open (build_opening_contact.cpp)
  struct GivenContact {
    const syntax::ContactDeclaration& syntax;
    OpeningContact given;
    ContactMotion motion;
    ContactSpeeds speeds;
    ContactCoefficients coefficients;
  };
  /// A gap that is to be compared with the motion of its contact once all is read.
  struct GapRate {
    std::size_t unilateral;
    Expr normal_speed;
    Span span;
    bool given;  ///< not made from the point and the normal
  };
  bool refuse_closed_clauses(const syntax::ContactDeclaration& syntax);
  bool read_opening(const syntax::ContactDeclaration& syntax, const ContactCoefficients& coefficients,
                    Unilateral& unilateral);
  void build_opening(const GivenContact& contact, const Statement& statement);
  Expr gap_of(const GivenContact& contact, Span span);
  void check_gaps();
  void check_gap(const GapRate& rate);

  // tables (build_table.cpp)
  void build(const syntax::TableDeclaration& table, const Statement& statement);
  using TableUnits = std::array<std::optional<Unit>, 2>;  ///< of the argument and of the value
  bool read_points(const syntax::TableDeclaration& table, std::vector<TablePoint>& points);
  bool read_file(const syntax::TableDeclaration& table, std::vector<TablePoint>& points, TableUnits& units);
  bool check_points(const syntax::TableDeclaration& table, const std::vector<TablePoint>& points);
  bool refuse_table(Span span, std::string message, std::string hint);
  Expr table_unit(const syntax::TableDeclaration& table, std::size_t column, const std::optional<Unit>& unit);

  // what is drawn (build_shape.cpp)
  void build(const syntax::ShapeDeclaration& shape, const Statement& statement);
  bool read_drawn_object(const syntax::ShapeDeclaration& syntax, SceneShape& shape, BodyAxes& axes);
  bool read_drawn_place(const syntax::ShapeDeclaration& syntax, const BodyAxes& axes, SceneShape& shape);
  bool read_drawn_sizes(const syntax::ShapeDeclaration& syntax, std::size_t dimension, SceneShape& shape);
  bool read_drawn_mesh(const syntax::ShapeDeclaration& syntax, SceneShape& shape);
  bool read_drawn_ends(const syntax::ShapeDeclaration& syntax, SceneShape& shape);
  Expr read_drawn_length(Span span, std::string_view what);
  void require_drawn_lengths(const std::vector<Expr>& values, const syntax::Vector& vector,
                             std::string_view what);
  bool refuse_shape(Span span, std::string message, std::string hint);
  void attach(const std::string& object, const std::vector<Expr>& place);
  void attach(const syntax::Place& place);
  void draw_joint(const syntax::BodyDeclaration& syntax, const BodyAxes& placed);
  void draw_joint(const syntax::JointDeclaration& syntax, const BodyAxes& first, const BodyAxes& second,
                  const JointReaction& reaction);
  void draw_wheel(const syntax::WheelDeclaration& syntax, const BodyAxes& wheel, const Triple& axle,
                  Expr radius, const Statement& statement);
  void finish_scenery();

  // events (build_event.cpp)
  void build(const syntax::EventDeclaration& event, const Statement& statement);
  std::optional<InitialValue> read_reset(const syntax::Assignment& assignment);
  void check_resets();

  // claims (build_claims.cpp)
  void build(const syntax::ClaimStatement& claim, const Statement& statement);
  std::string list_of_equations(const syntax::ClaimStatement& syntax) const;
  void read_claim_numbers(const syntax::ClaimStatement& syntax, Claim& claim);
  bool build_claim_body(const syntax::ClaimStatement& syntax, Claim& claim);
  bool read_function_on_states(Span span, const Context& context, std::string_view what, Expr& function);

  // what drives do, put in at the end (drives.cpp)
  void finish_drives();
  void put_in_deferred();
  void forget_unused_energies();
  Expr deferred_value(const Deferred& asked);
  Expr force_of_rheonomic(const Rheonomic& chosen, Span span);
  Expr force_of_time(Span span);
  Expr drive_of_constraint(const Constraint& constraint, const Deferred& asked);
  Expr drive_of_unilateral(const Unilateral& unilateral, const Deferred& asked);
  static bool holds_slips(const Unilateral& unilateral, const std::function<bool(Expr)>& holds);
  std::optional<Expr> push_along(const Constraint& constraint, Expr velocity, Expr position) const;
  bool refuse_drive(const Deferred& asked, std::string_view why, std::string_view hint);

  // the whole (builder.cpp, checks.cpp)
  void finish();
  void finish_domain();
  void add_corners(const Rheonomic& chosen, std::span<const Expr> written,
                   std::vector<Corner>& corners) const;
  void finish_charts();
  void finish_forces();
  void finish_gravity();
  void finish_kinetic();
  Substitution values_of_rheonomic() const;
  void finish_rheonomic();
  void finish_table_units();
  std::shared_ptr<const System> with_drives_as_directions() const;  // extended_system.cpp
  void check_kinetic();
  void check_output_names();
  void add_dimensions();
  std::vector<Expr> all_velocities() const;
  void report_error(const Error& error, Span span);
  struct Said {
    Span span;
    std::string part;  ///< by which; empty in the model itself
  };
  /// `what` was said twice; `in_model`: the statement of the model that takes the place of what parts say.
  void report_twice(const std::string& what, const std::string& in_model, const Said& first,
                    const Said& second, std::string note);

  struct ChartPart {
    std::vector<std::pair<Expr, Span>> parameters;
    std::map<std::size_t, Expr> velocities;  ///< by direction
    Span span;
  };
  void finish_chart(const ChartPart& part, VelocityChart& chart, bool intrinsic);

  const Source& masked_;
  Reports& reports_;
  System system_;
  bool is_read_again_;
  std::shared_ptr<const System> extended_;
  Scenery scenery_;
  std::vector<SceneShape> wheels_;  ///< drawn where their bodies have no shape
  BodyAxes mounted_;                ///< where the body that is read sits, before its joint moves it
  std::unordered_map<std::string, std::vector<Expr>> centres_;  ///< of bodies, on their axes
  Scope scope_;
  Obligations obligations_;
  ToldDimensions told_;  ///< by all of them
  bool has_units_ = false;
  std::optional<Span> title_;
  Domain domain_;  ///< of the texts that define the motion
  std::optional<ChartPart> chart_;
  std::optional<ChartPart> intrinsic_;
  std::vector<Expr> kinetic_;
  std::vector<Expr> potential_;
  Span kinetic_span_;
  bool has_kinetic_ = false;
  std::map<std::size_t, std::vector<Expr>> forces_;  ///< by direction
  /// The sides of constraints whose relation is their difference, by name.
  std::unordered_map<std::string, std::pair<Expr, Expr>> written_sides_;
  std::unordered_map<Expr, std::vector<Expr>> carried_forces_;   ///< by s' of a rheonomic s, and by the time
  std::unordered_map<Expr, std::size_t> direction_of_velocity_;  ///< index of each direction
  std::optional<std::pair<std::vector<Expr>, Said>> gravity_;
  std::unordered_map<std::string, Span> objects_;        ///< particles, bodies, frames and joints
  std::unordered_set<std::string> rotated_;              ///< bodies `rotation R`: moments are on its axes
  std::unordered_map<std::string, BodyAxes> placed_;     ///< bodies and frames
  std::unordered_map<std::string, std::string> frames_;  ///< with what they are on
  std::unordered_map<std::string, JointReaction> joints_;
  std::unordered_map<std::string, Span> motors_;       ///< with a given force
  std::unordered_map<std::string, Span> constraints_;  ///< with unilateral ones and reactions
  struct Sides {
    std::vector<std::string> names;
    Span statement;  ///< in which the name of the whole stands for each side
  };
  std::unordered_map<std::string, Sides> sides_;  ///< of unilateral ones with corners
  std::vector<GapRate> gap_rates_;
  Substitution table_units_;  ///< of columns of tables and of numbers in comparisons, with their sizes
  std::unordered_map<Expr, std::pair<Expr, Said>> starts_;
  std::unordered_map<std::string, Span> outputs_;
  std::unordered_map<std::string, Span> events_;
  std::unordered_map<std::string, Span> claims_;
};

}  // namespace liaison
