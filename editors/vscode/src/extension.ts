// The extension: starts `tarn lsp`, and shows what its commands answer.
import * as vscode from "vscode";
import { LanguageClient, ExecuteCommandRequest } from "vscode-languageclient/node";
import { Answers, page, quoted, summary } from "./answers";

let client: LanguageClient | undefined;

const languages = ["xta", "tck", "uppaal-query"];

function limits() {
  const settings = vscode.workspace.getConfiguration("tarn");
  return { timeLimit: settings.get<number>("timeLimit"), memoryLimit: settings.get<number>("memoryLimit") };
}

/** Asks the server to decide a query, with progress that can be cancelled. */
async function ask(command: string, uri: string, query: number): Promise<unknown> {
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: "tarn", cancellable: true },
    (_, token) => client!.sendRequest(ExecuteCommandRequest.type, { command, arguments: [uri, query] }, token));
}

async function show(command: string, uri: string, query: number) {
  try {
    const answer = await ask(command, uri, query);
    if (command === "tarn.check") {
      void vscode.window.showInformationMessage(summary(answer as Answers));
      return;
    }
    const panel = vscode.window.createWebviewPanel("tarn", "tarn", vscode.ViewColumn.Beside, { enableScripts: true });
    panel.webview.html = page(answer);
  } catch (error) {
    void vscode.window.showErrorMessage(String(error));
  }
}

/** The queries of a document, by the lenses that the server has for them. */
async function queries(document: vscode.TextDocument): Promise<number> {
  const lenses = await client!.sendRequest<unknown[] | null>("textDocument/codeLens",
    { textDocument: { uri: document.uri.toString() } });
  return (lenses ?? []).length / 3;
}

async function checkAll() {
  const document = vscode.window.activeTextEditor?.document;
  if (!document || !client) {
    return;
  }
  const lines: string[] = [];
  const count = await queries(document);
  for (let i = 0; i < count; i++) {
    lines.push(summary((await ask("tarn.check", document.uri.toString(), i)) as Answers));
  }
  void vscode.window.showInformationMessage(lines.join("; ") || "This document has no queries.");
}

async function showRun() {
  const document = vscode.window.activeTextEditor?.document;
  if (!document || !client) {
    return;
  }
  const count = await queries(document);
  const names = Array.from({ length: count }, (_, i) => `query ${i + 1}`);
  const chosen = count === 1 ? names[0] : await vscode.window.showQuickPick(names);
  if (chosen) {
    await show("tarn.page", document.uri.toString(), names.indexOf(chosen));
  }
}

function simulate() {
  const document = vscode.window.activeTextEditor?.document;
  if (document) {
    const terminal = vscode.window.createTerminal("tarn simulate");
    const path = vscode.workspace.getConfiguration("tarn").get<string>("path", "tarn");
    terminal.sendText(`${quoted(path)} simulate ${quoted(document.fileName)}`);
    terminal.show();
  }
}

export async function activate(context: vscode.ExtensionContext) {
  const path = vscode.workspace.getConfiguration("tarn").get<string>("path", "tarn");
  client = new LanguageClient("tarn", "tarn", { command: path, args: ["lsp"] }, {
    documentSelector: [...languages.map((language) => ({ language })), { pattern: "**/*.xml", scheme: "file" }],
    initializationOptions: limits(),
    middleware: { // a lens shows its answer
      executeCommand: (command, args) => show(command, String(args[0]), Number(args[1])),
    },
  });
  context.subscriptions.push(
    vscode.commands.registerCommand("tarn.checkModel", checkAll),
    vscode.commands.registerCommand("tarn.showRun", showRun),
    vscode.commands.registerCommand("tarn.simulate", simulate),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("tarn")) {
        void client?.sendNotification("workspace/didChangeConfiguration", { settings: { tarn: limits() } });
      }
    }));
  await client.start();
}

export function deactivate() {
  return client?.stop();
}
