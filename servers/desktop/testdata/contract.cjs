// Drives the desktop server with the official TypeScript SDK: contract.cjs RUNS
// RUNS is a JSON list of [mode, calls, command] as for contract.py; the mode counts only there.
const { Client } = require("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = require("@modelcontextprotocol/sdk/client/stdio.js");

async function run([, calls, [command, ...args]]) {
  const client = new Client({ name: "contract", version: "1" });
  const transport = new StdioClientTransport({ command, args, env: process.env });
  const out = { calls: {} };
  transport.setProtocolVersion = (v) => { out.protocol = v; };
  await client.connect(transport);
  out.tools = (await client.listTools()).tools.length;
  for (const [name, args] of calls) {
    const result = await client.callTool({ name, arguments: args }); // checks the output schema
    out.calls[name] = [!!result.isError, result.content.map((c) => c.type), typeof result.structuredContent === "object"];
  }
  await client.close();
  process.stdout.write(JSON.stringify(out) + "\n");
}

(async () => {
  for (const each of JSON.parse(process.argv[2])) await run(each);
})().catch((e) => { console.error(e); process.exit(1); });
