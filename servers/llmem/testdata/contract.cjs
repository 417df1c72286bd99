// Drives LLMem with the official TypeScript SDK: contract.cjs COMMAND ARGS…
// It lists the tools, calls each, and runs one chain. It prints one JSON object.
const { Client } = require("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = require("@modelcontextprotocol/sdk/client/stdio.js");
const assert = require("node:assert");

(async () => {
  const [command, ...args] = process.argv.slice(2);
  const client = new Client({ name: "contract", version: "1" });
  const transport = new StdioClientTransport({ command, args, env: process.env });
  const out = { calls: [], tools: {} };
  transport.setProtocolVersion = (v) => { out.protocol = v; };
  await client.connect(transport);
  for (const t of (await client.listTools()).tools) {
    out.tools[t.name] = { reads: !!t.annotations.readOnlyHint, title: t.title, output: !!t.outputSchema };
  }
  const call = async (name, args) => {
    const result = await client.callTool({ name, arguments: args }); // checks the output schema
    assert.deepStrictEqual(JSON.parse(result.content[0].text), result.structuredContent);
    out.calls.push([name, result.structuredContent.status, !!result.isError]);
    return result.structuredContent;
  };
  await call("map_workspace", { query: "add a number" });
  await call("find_symbol", { name: "add", references: true });
  await call("generate_artifact", { path: "a.py", task: "parse" });
  const ready = await call("generate_artifact", { path: "a.py", task: "annotate" });
  await call(ready.callbackTool, { ...ready.callbackArgs, result: "- `add`: Adds." });
  await call("generate_prompt", { path: "a.py", task: "document" });
  out.note = (await call("get_artifact", { path: "a.py" })).data.symbols[0].note;
  await call("list_artifacts", { directory: "." });
  await call("delete_artifact", { path: "a.py" });
  await call("get_artifact", { path: "../x" });
  await client.close();
  process.stdout.write(JSON.stringify(out) + "\n");
})().catch((e) => { console.error(e); process.exit(1); });
