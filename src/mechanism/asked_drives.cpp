#include "liaison/mechanism/asked_drives.hpp"

#include <fmt/format.h>

#include "liaison/expr/substitute.hpp"

namespace liaison {

std::vector<AskedDrive> asked_drives(const MechanismParts& parts) {
  std::vector<AskedDrive> result;
  const System& system = parts.system();
  const std::string text(parts.source().text());
  std::string fresh = "asked";
  while (text.find(fresh) != std::string::npos) fresh += "_";
  for (const FoundDrive& drive : drives_of(system)) {
    const std::string question =
        fmt::format("{0}\noutput {1}_force = drive_force({2})\noutput {1}_power = drive_power({2})\n", text,
                    fresh, drive.name);
    AskedDrive told{drive.name, {}, {}};
    try {
      const MechanismParts asked(parts.name(), question);
      for (const Output& output : asked.system().outputs) {
        if (output.name == fresh + "_force") told.force = copy_to(*system.pool, output.value);
        if (output.name == fresh + "_power") told.power = copy_to(*system.pool, output.value);
      }
    } catch (const Refused&) {  // a drive that pushes in a way that is not said
      continue;
    }
    if (!told.force.empty() && !told.power.empty()) result.push_back(std::move(told));
  }
  return result;
}

}  // namespace liaison
