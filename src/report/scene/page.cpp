#include <fmt/format.h>

#include "liaison/expr/print_mathml.hpp"
#include "liaison/report/scene.hpp"
#include "page_controls.hpp"
#include "page_script.hpp"
#include "page_style.hpp"

namespace liaison {

namespace {

/// As the address of a page has it: "view=-40,30&reactions".
std::string as_asked(const SceneView& view) {
  const SceneView usual;
  std::string out;
  const auto add = [&](bool is_there, const std::string& text) {
    if (is_there) out += (out.empty() ? "" : "&") + text;
  };
  add(view.azimuth != usual.azimuth || view.elevation != usual.elevation,
      fmt::format("view={:g},{:g}", view.azimuth, view.elevation));
  add(view.velocities, "velocities");
  add(view.reactions, "reactions");
  add(view.names, "names");
  return out;
}

}  // namespace

SceneBlock scene_block(const MovingScene& scene, const SceneView& view) {
  std::string body =
      fmt::format("<section class=\"scene\" id=\"scene\" data-asked=\"{}\" aria-label=\"the mechanism\">\n",
                  escape_xml(as_asked(view)));
  body += "<canvas tabindex=\"0\" role=\"img\"></canvas>\n<p class=\"modes\" aria-live=\"off\"></p>\n";
  body += "<div class=\"controls\"></div>\n";
  for (const std::string& note : scene.notes) body += "<p class=\"note\">" + escape_xml(note) + "</p>\n";
  body += "<noscript>" + scene_svg(scene, scene.t.empty() ? 0 : scene.t.front(), view) +
          "</noscript>\n</section>\n";
  body += "<script type=\"application/json\" id=\"scene-data\">" + scene_json(scene) + "</script>\n";
  return {std::string(scene::page_style), std::move(body),
          std::string(scene::page_script) + std::string(scene::page_controls)};
}

std::string with_scene(std::string page, const MovingScene& scene) {
  const SceneBlock block = scene_block(scene);
  const auto insert = [&](std::string_view before, const std::string& text) {
    const std::size_t at = page.rfind(before);
    if (at != std::string::npos) page.insert(at, text);
  };
  insert("</body>", "<script>\n" + block.script + "</script>\n");
  if (const std::size_t body = page.find("<body>"); body != std::string::npos)
    page.insert(body + 6, "\n" + block.body);
  if (const std::size_t head = page.find("</head>"); head != std::string::npos)
    page.insert(head, "<style>\n" + block.style + "</style>\n");
  return page;
}

std::string scene_page(const MovingScene& scene, const SceneView& view) {
  const SceneBlock block = scene_block(scene, view);
  std::string out = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  out += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  out += "<link rel=\"icon\" href=\"data:,\">\n";
  out += "<title>" + escape_xml(scene.title.empty() ? "Mechanism" : scene.title) + "</title>\n<style>\n";
  out += scene::page_frame_style;
  out += block.style + "</style>\n</head>\n<body>\n<main>\n";
  if (!scene.title.empty()) out += "<h1>" + escape_xml(scene.title) + "</h1>\n";
  if (!scene.subtitle.empty()) out += "<p class=\"subtitle\">" + escape_xml(scene.subtitle) + "</p>\n";
  out += block.body + "</main>\n<script>\n" + block.script;
  return out + "</script>\n</body>\n</html>\n";
}

}  // namespace liaison
