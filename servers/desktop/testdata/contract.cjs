// Drives the desktop server with the official TypeScript SDK: contract.cjs CALLS COMMAND ARGS…
// CALLS is a JSON list of [tool, arguments]. It prints one JSON object.
const { Client } = require("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = require("@modelcontextprotocol/sdk/client/stdio.js");

(async () => {
  const [calls, command, ...args] = process.argv.slice(2);
  const client = new Client({ name: "contract", version: "1" });
  const transport = new StdioClientTransport({ command, args, env: process.env });
  const out = { calls: {} };
  transport.setProtocolVersion = (v) => { out.protocol = v; };
  await client.connect(transport);
  out.tools = (await client.listTools()).tools.length;
  for (const [name, args] of JSON.parse(calls)) {
    const result = await client.callTool({ name, arguments: args }); // checks the output schema
    out.calls[name] = [!!result.isError, result.content.map((c) => c.type), typeof result.structuredContent === "object"];
  }
  await client.close();
  process.stdout.write(JSON.stringify(out) + "\n");
})().catch((e) => { console.error(e); process.exit(1); });
