#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "mjcf_elements.hpp"
#include "number_reader.hpp"
#include "numbers.hpp"

namespace liaison::robot {

/// What stands on the axes of a link, from the origin of the body (or frame) that it is in.
struct MjcfPlace {
  std::size_t link = 0;
  DecimalVector shift;     ///< of that origin, on the axes of the link
  std::string class_name;  ///< of elements that do not name one
  bool moves = false;      ///< some joint is on the way to the world
};

struct MjcfGeom {
  std::string name, type;
  std::string mesh;  ///< its name, of a geom that is one
  std::size_t link = 0;
  RobotPose pose;
  std::vector<Decimal> sizes;  ///< as in the file: half of each side, radius and half of the length
  std::optional<Surd> length;  ///< between the ends, where these are given
  std::vector<DecimalVector> ends;
  Decimal density;
  std::optional<Decimal> mass;
  bool has_inertia = false;  ///< it is asked for the inertia of its body
  Span span;
};

/// A body while it is read.
struct MjcfBody {
  std::string name;
  std::vector<MjcfGeom> geoms;
  std::optional<RobotInertia> inertial;
  Span span;
};

struct MjcfJoint {
  MjcfElement element;
  std::string type;
  DecimalVector pos, axis;
};

struct MjcfSite {
  std::size_t link = 0;
  RobotPose pose;
};

/// The shortest turn that takes z to the vector.
std::vector<RobotTurn> turns_to(const DecimalVector& vector);

/// A model of MuJoCo, one element after the other; what is wrong is kept, and reading goes on.
class MjcfReader {
 public:
  MjcfReader(const Source& source, const RobotFileLoader& load, RobotModel& out);
  void read(XmlElement root);

 private:
  // mjcf.cpp: the file, its classes and settings
  bool expand(XmlElement& root);
  bool include(XmlElement& element, const std::string& folder, std::vector<XmlElement>& children);
  void read_sections(const XmlElement& root);
  void read_compiler(const XmlElement& xml);
  void read_inertia_settings(const MjcfElement& element);
  void read_option(const XmlElement& xml);
  void read_flags(const XmlElement& xml);
  void read_default(const XmlElement& xml, const std::string& parent);
  void read_assets(const XmlElement& xml);
  void note_section(const XmlElement& xml);
  void scale_masses();

  // what all use
  MjcfElement checked(const XmlElement& xml, const std::string& kind = {});
  /// With what its class says.
  MjcfElement with_class(const XmlElement& xml, const std::string& class_name, const std::string& kind = {});
  const MjcfClass* class_of(const MjcfElement& element, const std::string& class_name);
  void add(std::string code, Span span, std::string message, std::string hint) {
    numbers_.add(std::move(code), span, std::move(message), std::move(hint));
  }
  void unknown_element(const XmlElement& xml, const std::string& where,
                       const std::vector<std::string>& known);
  void refuse(Span span, std::string message, std::string hint) {
    add("L0712", span, std::move(message), std::move(hint));
  }
  /// Counts what is not in the model; `moves`: the motion is another one without it.
  void note(const std::string& what, Span span, bool moves);
  std::optional<std::vector<Decimal>> numbers(const MjcfElement& element, const std::string& attribute,
                                              std::size_t least, std::size_t most);
  Decimal number(const MjcfElement& element, const std::string& attribute, Decimal fallback = {});
  DecimalVector vector(const MjcfElement& element, const std::string& attribute, DecimalVector fallback = {});
  bool is_true(const MjcfElement& element, const std::string& attribute, bool fallback);
  /// `limited` and the like: "auto" asks whether there is a range.
  bool is_limited(const MjcfElement& element, const std::string& attribute, const std::string& range);
  std::optional<std::array<Decimal, 2>> range_of(const MjcfElement& element, const std::string& limited,
                                                 const std::string& range);
  /// In radians, of a number of the file.
  Decimal angle(const Decimal& number) const;
  std::vector<RobotTurn> orientation(const MjcfElement& element);
  std::vector<RobotTurn> euler(const std::vector<Decimal>& angles) const;
  RobotPose pose(const MjcfElement& element, const MjcfPlace& place);
  std::string unique_name(std::set<std::string>& taken, const std::string& wanted);
  std::size_t add_link(const std::string& name, Span span, bool is_part);
  RobotJoint& add_joint(const std::string& name, RobotJointKind kind, std::size_t parent, std::size_t child,
                        RobotPose origin, Span span);

  // mjcf_bodies.cpp
  void read_world(const XmlElement& xml);
  void read_content(const XmlElement& xml, const MjcfPlace& place, MjcfBody& body, int depth);
  void read_body(const XmlElement& xml, const MjcfPlace& parent, int depth);
  void read_bodies(const XmlElement& xml, const MjcfPlace& place, MjcfBody& body, int depth);
  std::optional<MjcfPlace> frame_place(const XmlElement& xml, const MjcfPlace& place, const MjcfBody& body,
                                       int depth);
  void read_site(const XmlElement& xml, const MjcfPlace& place);
  void read_other(const XmlElement& xml, const MjcfBody& body);
  RobotInertia read_inertial(const XmlElement& xml, const MjcfPlace& place);
  void check_inertia(const RobotInertia& inertia, Span span);

  // mjcf_joints.cpp
  void collect_joints(const XmlElement& xml, const std::string& class_name, const RobotPose& frame,
                      std::vector<MjcfJoint>& out, int depth);
  std::optional<MjcfJoint> read_joint(const XmlElement& xml, const std::string& class_name,
                                      const RobotPose& frame);
  std::size_t add_chain(const std::string& name, Span span, RobotPose origin, MjcfPlace& place,
                        const std::vector<MjcfJoint>& joints);
  void add_free(const std::string& name, Span span, const RobotPose& origin, MjcfPlace& place,
                const MjcfJoint& joint);
  bool check_joints(const std::vector<MjcfJoint>& joints, const MjcfPlace& parent, Span span);
  void set_motion(const MjcfJoint& from, RobotJoint& joint);
  void set_spring(const MjcfElement& element, RobotJoint& joint);

  // mjcf_geoms.cpp
  void read_geom(const XmlElement& xml, const MjcfPlace& place, MjcfBody& body);
  bool read_shape(const MjcfElement& element, const MjcfPlace& place, MjcfGeom& geom);
  bool read_ends(const MjcfElement& element, const MjcfPlace& place, MjcfGeom& geom);
  void add_shape(const MjcfElement& element, const MjcfGeom& geom);
  void add_mesh(const MjcfElement& element, const MjcfGeom& geom);
  void add_masses(MjcfBody& body, const MjcfPlace& place);
  RobotInertia inertia_of(const MjcfGeom& geom);
  std::string file_of(const MjcfElement& mesh) const;

  // mjcf_meshes.cpp
  bool refuse_mesh(const MjcfGeom& geom, const std::string& why);
  /// On the axes of the geom; nothing where it is refused.
  std::optional<RobotInertia> inertia_of_mesh(const MjcfGeom& geom);

  // mjcf_loops.cpp
  void read_equality(const XmlElement& xml);
  void read_loop(const XmlElement& xml, bool is_weld);
  void read_loop_of_sites(const MjcfElement& element, RobotLoop loop);
  void read_loop_of_bodies(const MjcfElement& element, RobotLoop loop);
  void read_coupling(const XmlElement& xml);
  std::optional<std::size_t> body_named(const MjcfElement& element, const std::string& attribute);
  std::optional<std::size_t> joint_named(const MjcfElement& element, const std::string& attribute);
  /// Axes on `link` that coincide at rest with those of `other`, moved by `offset`.
  RobotPose place_at_rest(std::size_t& link, std::size_t other, const DecimalVector& offset,
                          const std::string& name, Span span, bool with_axes);

  // mjcf_actuators.cpp
  struct Actuator;
  void read_actuator(const XmlElement& xml);
  void apply(const MjcfElement& element, Actuator& out);
  void apply_kind(const MjcfElement& element, Actuator& out);
  void add_motor(const MjcfElement& element, const Actuator& actuator);

  MjcfFiles files_;
  const RobotFileLoader& load_;
  RobotModel& out_;
  NumberReader numbers_;
  std::map<std::string, MjcfClass> classes_;
  std::map<std::string, std::size_t> bodies_, joints_;  ///< links and joints of names of the file
  std::map<std::string, DecimalVector> origins_;        ///< of bodies on the axes of their links
  std::map<std::string, MjcfSite> sites_;
  std::map<std::string, MjcfElement> meshes_;
  std::map<const XmlElement*, MjcfPlace> frames_;  ///< those that were met
  std::set<std::string> included_, link_names_, joint_names_, other_names_;
  struct Counted {
    std::size_t count = 0;
    Span first;
    bool moves = false;
  };
  std::map<std::string, Counted> notes_;
  std::vector<std::string> notes_in_order_;
  std::vector<std::size_t> disabled_groups_;
  std::size_t colliding_ = 0;
  std::optional<Span> first_colliding_;

  // <compiler> and <option>
  bool degrees_ = true, autolimits_ = true, balances_ = false, exact_meshes_ = false;
  bool springs_ = true, dampers_ = true, friction_ = true, equalities_ = true, actuation_ = true;
  bool contacts_ = true, limits_ = true;
  std::string order_ = "xyz", meshdir_, inertia_from_geoms_ = "auto";
  Rational lowest_group_ = 0, highest_group_ = 5;
  Decimal least_mass_, least_inertia_;
  std::optional<Decimal> total_mass_;
};

}  // namespace liaison::robot
