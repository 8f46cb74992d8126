// Starts `liaison lsp` for files .lia.
const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function activate() {
  const command = workspace.getConfiguration("liaison").get("path") || "liaison";
  client = new LanguageClient("liaison", "Liaison", { command, args: ["lsp"] }, { documentSelector: [{ language: "lia" }] });
  return client.start();
}

function deactivate() {
  return client ? client.stop() : undefined;
}

module.exports = { activate, deactivate };
