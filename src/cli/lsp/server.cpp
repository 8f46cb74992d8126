#include "server.hpp"

#include <fmt/format.h>

#include <exception>
#include <functional>
#include <map>
#include <memory>

#include "channel.hpp"
#include "model_view.hpp"

namespace liaison::lsp {

namespace {

/// A request that cannot be served; thrown and caught inside of the server.
struct Failed {
  int number;
  std::string message;
};

const Json& member(const Json& object, const char* name) {
  if (!object.is_object() || !object.contains(name))
    throw Failed{invalid_params, fmt::format("`{}` is missing", name)};
  return object[name];
}

std::string text_of(const Json& value, const char* what) {
  if (!value.is_string()) throw Failed{invalid_params, fmt::format("{} is no string", what)};
  return value.get<std::string>();
}

std::size_t count_of(const Json& value, const char* what) {
  if (!value.is_number_integer() || value.get<long long>() < 0)
    throw Failed{invalid_params, fmt::format("`{}` is no count", what)};
  return value.get<std::size_t>();
}

Position position_of(const Json& value) {
  return {count_of(member(value, "line"), "line"), count_of(member(value, "character"), "character")};
}

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/// file:///a/b%20c.lia is /a/b c.lia, so that tables beside a model are found; another address stays as it
/// is.
std::string path_of(const std::string& uri) {
  constexpr std::string_view scheme = "file://";
  if (!uri.starts_with(scheme)) return uri;
  std::string path;
  for (std::size_t i = scheme.size(); i < uri.size(); ++i) {
    const bool is_coded =
        uri[i] == '%' && i + 2 < uri.size() && digit_of(uri[i + 1]) >= 0 && digit_of(uri[i + 2]) >= 0;
    path += is_coded ? static_cast<char>(16 * digit_of(uri[i + 1]) + digit_of(uri[i + 2])) : uri[i];
    if (is_coded) i += 2;
  }
  return path;
}

class Server {
 public:
  int run() {
    while (const auto message = channel_.next()) {
      if (message->value.is_discarded()) {
        channel_.refuse(nullptr, parse_error, "this is no JSON");
        continue;
      }
      if (message->value.is_object() && message->value.value("method", Json()) == Json("exit"))
        return is_shut_down_ ? 0 : 1;
      take(message->value);
    }
    return is_shut_down_ ? 0 : 1;
  }

 private:
  void take(const Json& message) {
    const bool is_request = message.is_object() && message.contains("id") && message.contains("method");
    if (!message.is_object() || !message.contains("method") || !message["method"].is_string()) {
      const bool is_answer = message.is_object() && (message.contains("result") || message.contains("error"));
      if (!is_answer)
        channel_.refuse(message.is_object() ? message.value("id", Json()) : Json(), invalid_request,
                        "this is no request");
      return;
    }
    const std::string method = message["method"];
    const Json params = message.value("params", Json::object());
    if (!is_request) {
      try {
        notice(method, params);
      } catch (const Failed&) {  // a notice has no answer
      } catch (const std::exception&) {
      }
      return;
    }
    const Json id = message["id"];
    try {
      if (channel_.is_cancelled(id)) throw Failed{request_cancelled, "cancelled"};
      channel_.answer(id, answer_to(method, params));
    } catch (const Failed& failed) {
      channel_.refuse(id, failed.number, failed.message);
    } catch (const std::exception& error) {
      channel_.refuse(id, internal_error, error.what());
    }
    channel_.forget(id);
  }

  void notice(const std::string& method, const Json& params) {
    if (!is_initialized_) return;
    if (method == "textDocument/didOpen") {
      const Json& document = member(params, "textDocument");
      open(text_of(member(document, "uri"), "the address"), text_of(member(document, "text"), "the text"));
    } else if (method == "textDocument/didChange") {
      const Json& changes = member(params, "contentChanges");
      if (!changes.is_array() || changes.empty()) return;
      // The whole text each time: the last one counts.
      open(uri_of(params), text_of(member(changes.back(), "text"), "the text"));
    } else if (method == "textDocument/didClose") {
      const std::string uri = uri_of(params);
      views_.erase(uri);
      texts_.erase(uri);
      channel_.notify("textDocument/publishDiagnostics", {{"uri", uri}, {"diagnostics", Json::array()}});
    }
  }

  /// While newer texts wait, this one is only kept.
  void open(const std::string& uri, std::string text) {
    texts_[uri] = std::move(text);
    views_.erase(uri);
    if (channel_.has_newer(uri)) return;
    channel_.notify("textDocument/publishDiagnostics",
                    {{"uri", uri}, {"diagnostics", view(uri).diagnostics()}});
  }

  static std::string uri_of(const Json& params) {
    return text_of(member(member(params, "textDocument"), "uri"), "the address");
  }

  const ModelView& view(const std::string& uri) {
    const auto text = texts_.find(uri);
    if (text == texts_.end()) throw Failed{invalid_params, fmt::format("{} is not open", uri)};
    auto& view = views_[uri];
    if (!view) view = std::make_unique<ModelView>(path_of(uri), text->second);
    return *view;
  }

  Json answer_to(const std::string& method, const Json& params) {
    if (method == "initialize") return initialize();
    if (!is_initialized_) throw Failed{not_initialized, "`initialize` comes first"};
    if (is_shut_down_) throw Failed{invalid_request, "the server is shut down"};
    if (method == "shutdown") {
      is_shut_down_ = true;
      return nullptr;
    }
    if (!method.starts_with("textDocument/"))
      throw Failed{unknown_method, fmt::format("`{}` is not known here", method)};
    return answer_about(method.substr(std::string("textDocument/").size()), params);
  }

  Json answer_about(const std::string& what, const Json& params) {
    const bool is_known = what == "documentSymbol" || what == "codeAction" || what == "hover" ||
                          what == "definition" || what == "references" || what == "documentHighlight" ||
                          what == "completion" || what == "prepareRename" || what == "rename";
    if (!is_known) throw Failed{unknown_method, fmt::format("`textDocument/{}` is not known here", what)};
    const std::string uri = uri_of(params);
    const ModelView& model = view(uri);
    if (what == "documentSymbol") return model.symbols();
    if (what == "codeAction") {
      const Json& range = member(params, "range");
      return model.quick_fixes(uri, position_of(member(range, "start")), position_of(member(range, "end")));
    }
    const Position at = position_of(member(params, "position"));
    if (what == "hover") return model.hover(at);
    if (what == "definition") return model.definition(uri, at);
    if (what == "references") {
      const Json context = params.value("context", Json::object());
      return model.references(
          uri, at, context.is_object() && context.value("includeDeclaration", Json(true)) == Json(true));
    }
    if (what == "documentHighlight") return model.highlights(at);
    if (what == "completion") return model.completion(at);
    if (what == "prepareRename") return model.rename_range(at);
    ModelView::Renamed renamed = model.rename(at, text_of(member(params, "newName"), "the new name"));
    if (!renamed.refused.empty()) throw Failed{request_failed, renamed.refused};
    return {{"changes", {{uri, std::move(renamed.edits)}}}};
  }

  Json initialize() {
    is_initialized_ = true;
    return {{"capabilities",
             {{"positionEncoding", "utf-16"},
              {"textDocumentSync", {{"openClose", true}, {"change", 1}}},
              {"hoverProvider", true},
              {"definitionProvider", true},
              {"referencesProvider", true},
              {"documentHighlightProvider", true},
              {"documentSymbolProvider", true},
              {"completionProvider", {{"triggerCharacters", {"[", "(", "."}}}},
              {"codeActionProvider", {{"codeActionKinds", {"quickfix"}}}},
              {"renameProvider", {{"prepareProvider", true}}}}},
            {"serverInfo", {{"name", "liaison"}, {"version", LIAISON_VERSION}}}};
  }

  Channel channel_;
  std::map<std::string, std::string> texts_;
  std::map<std::string, std::unique_ptr<ModelView>> views_;
  bool is_initialized_ = false, is_shut_down_ = false;
};

}  // namespace

int serve() {
  static Server& server = *new Server;  // the thread that reads outlives this call
  return server.run();
}

}  // namespace liaison::lsp
