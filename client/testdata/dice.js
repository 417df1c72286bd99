const { McpServer } = require("@modelcontextprotocol/sdk/server/mcp.js");
const { StdioServerTransport } = require("@modelcontextprotocol/sdk/server/stdio.js");
const { z } = require("zod");

const server = new McpServer({ name: "dice", version: "1.0.0" });
server.registerTool("roll",
  { description: "Roll a dice with this many sides.", inputSchema: { sides: z.number().int().min(1) } },
  async ({ sides }) => ({ content: [{ type: "text", text: String(1 + Math.floor(Math.random() * sides)) }] }));
server.connect(new StdioServerTransport());
