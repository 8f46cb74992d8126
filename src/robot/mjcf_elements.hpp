#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "liaison/robot/robot.hpp"
#include "xml_tree.hpp"

/// Elements of a model of MuJoCo with the values that classes give to their attributes.
namespace liaison::robot {

struct MjcfAttribute {
  std::string value;
  Span span;
};
using MjcfAttributes = std::map<std::string, MjcfAttribute>;

struct MjcfElement {
  std::string name;
  Span span;
  MjcfAttributes attributes;

  const MjcfAttribute* find(const std::string& attribute) const;
  bool has(const std::string& attribute) const { return find(attribute) != nullptr; }
  std::string text(const std::string& attribute, const std::string& fallback = {}) const;
};

/// What a class says of each kind of element; of actuators, which share what they say, one after the other.
struct MjcfClass {
  std::map<std::string, MjcfAttributes> attributes;
  std::vector<MjcfElement> actuators;
};

/// The texts of a model and of what it includes. Spans of the second and further ones lie behind the first.
class MjcfFiles {
 public:
  explicit MjcfFiles(const Source& source) { add(std::make_shared<const Source>(source)); }
  /// Where spans of the new one begin.
  std::size_t add(std::shared_ptr<const Source> source);
  const Source& file_of(Span span) const { return *entries_[index_of(span)].source; }
  /// "line 12", with the name of a file that is included.
  std::string place(Span span) const;
  /// Problems of one file alone, the first that has some, on its own places.
  void settle(RobotModel& model) const;
  MjcfElement element(const XmlElement& xml) const;

 private:
  struct Entry {
    std::shared_ptr<const Source> source;
    std::size_t begin;
  };
  std::size_t index_of(Span span) const;
  std::vector<Entry> entries_;
};

/// Whether MuJoCo has the element or attribute; `kind` is an element whose attributes are looked at.
bool is_actuator(const std::string& name);
/// Attributes of an element, or nullptr where they are not looked at.
const std::vector<std::string>* known_attributes(const std::string& element);
/// Elements of the first level that say nothing about the motion.
bool is_without_motion(const std::string& section);
const std::vector<std::string>& known_sections();

}  // namespace liaison::robot
