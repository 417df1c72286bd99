// The tool of ../dice.js without an SDK, which starts ten times faster: see servertest.Dice.
const tool = {
  name: "roll",
  description: "Roll a dice with this many sides.",
  inputSchema: { type: "object", properties: { sides: { type: "integer", minimum: 1 } }, required: ["sides"] },
};

function answer(method, params) {
  switch (method) {
    case "initialize":
      return { protocolVersion: "2025-06-18", capabilities: { tools: { listChanged: true } }, serverInfo: { name: "dice", version: "1.0.0" } };
    case "tools/list":
      return { tools: [tool] };
    case "tools/call":
      return { content: [{ type: "text", text: String(1 + Math.floor(Math.random() * params.arguments.sides)) }] };
    case "ping":
      return {};
  }
}

require("readline").createInterface({ input: process.stdin }).on("line", line => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined || method === undefined) return;
  const result = answer(method, params);
  const end = result ? { result } : { error: { code: -32601, message: "Method not found" } };
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, ...end }) + "\n");
});
