// Measures the TypeScript SDK of MCP at the work of goated's benchmarks, with fetch for the
// model. It prints one JSON object. Usage: node peers.mjs WHO ROW
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [, , who, row] = process.argv;
const server = process.env.BENCH_SERVER;
const model = process.env.BENCH_URL;

async function connect(tools) {
  const client = new Client({ name: "peer", version: "1" });
  await client.connect(new StdioClientTransport({ command: server, args: ["serve"], env: { ...process.env, BENCH_TOOLS: String(tools) } }));
  return { client, tools: (await client.listTools()).tools };
}

async function* stream(name, body) {
  const response = await fetch(`${model}/v1beta/models/${name}:streamGenerateContent?alt=sse`, {
    method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body),
  });
  let rest = "";
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + piece).split("\r\n");
    rest = lines.pop();
    for (const line of lines) if (line.startsWith("data: ")) yield JSON.parse(line.slice(6));
  }
}

async function loop(n, count) {
  const { client, tools } = await connect(count);
  const name = `loop-${n}-${who}${process.hrtime.bigint().toString(36)}`;
  const declared = [{ functionDeclarations: tools.map((t) => ({ name: t.name, description: t.description, parametersJsonSchema: t.inputSchema })) }];
  const contents = [{ role: "user", parts: [{ text: "go" }] }];
  const began = performance.now();
  for (let done = 0; ; done++) {
    const parts = [];
    for await (const chunk of stream(name, { contents, tools: declared })) parts.push(...chunk.candidates[0].content.parts);
    contents.push({ role: "model", parts });
    const results = [];
    for (const { functionCall: call } of parts) {
      if (!call) continue;
      const result = await client.callTool({ name: call.name, arguments: call.args });
      results.push({ functionResponse: { name: call.name, response: { output: result.content[0].text } } });
    }
    if (results.length === 0) {
      if (done !== n) throw new Error(`${done} calls`);
      break;
    }
    contents.push({ role: "user", parts: results });
  }
  const took = performance.now() - began;
  await client.close();
  return { [row]: (1000 * took) / n };
}

async function chunks(n) {
  let text = "", pieces = 0;
  const began = performance.now();
  for await (const chunk of stream(`chunks-${n}-${who}`, { contents: [{ role: "user", parts: [{ text: "go" }] }] })) {
    for (const part of chunk.candidates[0].content.parts) { text += part.text; pieces++; }
  }
  if (pieces !== n) throw new Error(`${pieces} pieces`);
  return { [row]: performance.now() - began };
}

async function calls(width, n) {
  const { client } = await connect(2);
  const one = () => client.callTool({ name: "echo", arguments: { id: 1 } });
  for (let i = 0; i < 200; i++) await one();
  const began = performance.now();
  await Promise.all(Array.from({ length: width }, async () => { for (let i = 0; i < n / width; i++) await one(); }));
  const took = performance.now() - began;
  await client.close();
  return { [row]: (1000 * took) / n };
}

async function large(mb) {
  const { client } = await connect(2);
  const one = (MB) => client.callTool({ name: "big", arguments: { MB } }, undefined, { timeout: 120000 });
  await one(1);
  const n = Math.max(1, Math.min(10, Math.floor(30 / mb)));
  const began = performance.now();
  for (let i = 0; i < n; i++) if ((await one(mb)).content[0].text.length < mb * 900000) throw new Error("too short");
  const took = performance.now() - began;
  await client.close();
  return { [row]: took / n };
}

const rows = {
  loop50: () => loop(50, 2), chunks10k: () => chunks(10000), call1: () => calls(1, 3000), call64: () => calls(64, 20032),
  result1: () => large(1), result10: () => large(10),
};
console.log(JSON.stringify(await rows[row]()));
