#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Starting models.
namespace liaison::cli {

struct Template {
  std::string_view name, about, text;
};
const std::vector<Template>& templates();

struct NewOptions {
  std::string name, kind = "pendulum";
  bool list = false, json = false;
};
/// Writes NAME.lia, and nothing over a file that is there.
int run_new(const NewOptions& options);

}  // namespace liaison::cli
