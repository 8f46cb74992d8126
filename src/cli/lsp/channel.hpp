#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <thread>

/// Messages of JSON-RPC over the standard streams, as editors frame them.
namespace liaison::lsp {

using Json = nlohmann::json;

/// What can be wrong with a request, by the numbers of the protocol.
enum ErrorNumber {
  parse_error = -32700,
  invalid_request = -32600,
  unknown_method = -32601,
  invalid_params = -32602,
  internal_error = -32603,
  not_initialized = -32002,
  request_cancelled = -32800,
  request_failed = -32803,
};

/// One message; `value` is discarded where its text is no JSON.
struct Incoming {
  Json value;
};

/// A thread of its own reads, so that a request can be cancelled before its turn comes. It waits for input up
/// to the end of the process, and so must a channel live.
class Channel {
 public:
  Channel();
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  /// Waits for the next message; nothing at the end of the input.
  std::optional<Incoming> next();
  bool is_cancelled(const Json& id) const;
  void forget(const Json& id);
  /// Whether a later message about this text waits already.
  bool has_newer(const std::string& uri) const;

  void answer(const Json& id, Json result);
  void refuse(const Json& id, int number, const std::string& message);
  void notify(const std::string& method, Json params);

 private:
  void read();
  void write(const Json& message);

  mutable std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<Incoming> waiting_;
  std::set<std::string> cancelled_;  ///< ids, as JSON
  bool is_ended_ = false;
};

}  // namespace liaison::lsp
