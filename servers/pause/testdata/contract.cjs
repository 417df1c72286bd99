// Drives Pause with the official TypeScript SDK: contract.cjs COMMAND ARGS…
// It answers the questions of each tool by elicitation. It prints one JSON object.
const { Client } = require("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = require("@modelcontextprotocol/sdk/client/stdio.js");
const { ElicitRequestSchema } = require("@modelcontextprotocol/sdk/types.js");
const assert = require("node:assert");

(async () => {
  const [command, ...args] = process.argv.slice(2);
  const client = new Client({ name: "contract", version: "1" }, { capabilities: { elicitation: {} } });
  const transport = new StdioClientTransport({ command, args, env: process.env });
  const out = { calls: [], tools: {} };
  let answer;
  client.setRequestHandler(ElicitRequestSchema, async () => answer);
  transport.setProtocolVersion = (v) => { out.protocol = v; };
  await client.connect(transport);
  for (const t of (await client.listTools()).tools) {
    out.tools[t.name] = { title: t.title, output: !!t.outputSchema };
  }
  const call = async (name, args, content) => {
    answer = content ? { action: "accept", content } : { action: "decline" };
    const result = await client.callTool({ name, arguments: args }); // checks the output schema
    assert.deepStrictEqual(JSON.parse(result.content[0].text), result.structuredContent);
    out.calls.push([name, result.structuredContent.status, !!result.isError]);
    return result.structuredContent;
  };
  const options = [{ label: "API first", value: "api" }, { label: "UI first", value: "ui" }];
  const plan = await call("planner", { decision_context: "How?", options }, { choice: "ui", thinkingMode: "deep", action: "execute" });
  out.choice = plan.choice;
  out.text = (await call("text_input", { question: "Name?" }, { text: "Ada" })).text;
  await call("single_choice", { question: "Which?", options }, { choice: "api" });
  await call("multi_choice", { question: "Which?", options }, { choices: ["api", "ui"] });
  await call("confirm", { question: "Delete?", isDangerous: true }, { confirmed: true });
  await call("confirm", { question: "Delete?" });
  await call("screenshot_request", { question: "Show me" });
  await client.close();
  process.stdout.write(JSON.stringify(out) + "\n");
})().catch((e) => { console.error(e); process.exit(1); });
