const { McpServer } = require("@modelcontextprotocol/sdk/server/mcp.js");
const { StdioServerTransport } = require("@modelcontextprotocol/sdk/server/stdio.js");
const { UrlElicitationRequiredError } = require("@modelcontextprotocol/sdk/types.js");

// The server has two ways to make the user open a page: it asks during the call, or it refuses
// the call until the user has visited the page.
const server = new McpServer({ name: "visits", version: "1.0.0" });
const page = { mode: "url", message: "Sign in", url: "https://example.com/sign-in", elicitationId: "1" };
const said = text => ({ content: [{ type: "text", text }] });
server.registerTool("asks", {}, async () => said((await server.server.elicitInput(page)).action));
let signedIn = false;
server.registerTool("refuses", {}, async () => {
  if (signedIn) return said("signed in");
  setTimeout(() => {
    signedIn = true;
    server.server.createElicitationCompletionNotifier("1")();
  }, 300);
  throw new UrlElicitationRequiredError([page], "Sign in first");
});
server.registerTool("never", {}, async () => { throw new UrlElicitationRequiredError([page], "Sign in first"); });
server.connect(new StdioServerTransport());
