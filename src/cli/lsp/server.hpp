#pragma once

namespace liaison::lsp {

/// Serves an editor over the standard streams until it says `exit`; the exit code: 0 after `shutdown`,
/// else 1.
int serve();

}  // namespace liaison::lsp
