const { McpServer } = require("@modelcontextprotocol/sdk/server/mcp.js");
const { StdioServerTransport } = require("@modelcontextprotocol/sdk/server/stdio.js");
const { UrlElicitationRequiredError } = require("@modelcontextprotocol/sdk/types.js");

// Two ways of a server to let the user open a page: a question during the call, and a refusal
// of the call until the user was at the page.
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
