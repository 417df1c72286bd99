// Drives servers with the official TypeScript SDK: drive.cjs VISITS
// VISITS is the JSON of servertest's OfficialClient.Run. The program prints the JSON of what that returns.
const { Client } = require("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = require("@modelcontextprotocol/sdk/client/stdio.js");
const { ElicitRequestSchema } = require("@modelcontextprotocol/sdk/types.js");

async function drive([command, ...args], { extension, steps }) {
  const extensions = extension ? { [extension]: {} } : {};
  const client = new Client({ name: "contract", version: "1" }, { capabilities: { elicitation: {}, extensions } });
  const transport = new StdioClientTransport({ command, args, env: process.env });
  const out = { tools: {}, calls: [] };
  let step, asked;
  client.setRequestHandler(ElicitRequestSchema, async (request) => {
    asked = request.params.message;
    if (!step.answer) return { action: "decline" };
    return extension ? { action: "accept", _meta: { [extension]: step.answer } } : { action: "accept", content: step.answer };
  });
  transport.setProtocolVersion = (v) => { out.protocol = v; };
  await client.connect(transport);
  for (const t of (await client.listTools()).tools) {
    out.tools[t.name] = { title: t.title, reads: !!t.annotations.readOnlyHint, output: !!t.outputSchema };
  }
  for (step of steps) {
    const last = out.calls.at(-1)?.structured;
    const [name, given] = step.callback ? [last.callbackTool, { ...last.callbackArgs, result: step.callback }] : [step.tool, step.args ?? {}];
    asked = "";
    const result = await client.callTool({ name, arguments: given }); // checks the output schema
    out.calls.push({ tool: name, asked, isError: !!result.isError, structured: result.structuredContent, content: result.content });
  }
  await client.close();
  return out;
}

(async () => {
  const all = [];
  for (const { command, drives } of JSON.parse(process.argv[2])) {
    const visit = [];
    for (const each of drives) visit.push(await drive(command, each));
    all.push(visit);
  }
  process.stdout.write(JSON.stringify(all) + "\n");
})().catch((e) => { console.error(e); process.exit(1); });
