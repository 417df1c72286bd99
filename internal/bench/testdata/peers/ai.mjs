// Measures the stack of the seed, Vercel's AI SDK with its Gemini provider and its MCP
// client, at the work of goated's benchmarks. It prints one JSON object.
// Usage: node ai.mjs WHO ROW
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createMCPClient } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport as StdioTransport } from "@ai-sdk/mcp/mcp-stdio";
import { ToolLoopAgent, stepCountIs, streamText } from "ai";

const [, , who, row] = process.argv;
const google = createGoogleGenerativeAI({ apiKey: "none", baseURL: `${process.env.BENCH_URL}/v1beta` });

async function connect(tools) {
  const transport = new StdioTransport({ command: process.env.BENCH_SERVER, args: ["serve"], env: { ...process.env, BENCH_TOOLS: String(tools) } });
  const client = await createMCPClient({ transport });
  return { client, tools: await client.tools() };
}

async function loop(n, count) {
  const { client, tools } = await connect(count);
  const model = google(`loop-${n}-${who}${process.hrtime.bigint().toString(36)}`);
  const agent = new ToolLoopAgent({ model, tools, stopWhen: stepCountIs(1000) });
  let results = 0;
  const began = performance.now();
  const turn = await agent.stream({ prompt: "go" });
  for await (const part of turn.fullStream) {
    if (part.type === "error" || part.type === "tool-error") throw part.error;
    if (part.type === "tool-result") results++;
  }
  const took = performance.now() - began;
  await client.close();
  if (results !== n) throw new Error(`${results} results`);
  return { [row]: (1000 * took) / n };
}

async function chunks(n) {
  let pieces = 0;
  const began = performance.now();
  for await (const part of streamText({ model: google(`chunks-${n}-${who}`), prompt: "go" }).fullStream) {
    if (part.type === "error") throw part.error;
    if (part.type === "text-delta") pieces++;
  }
  const took = performance.now() - began;
  if (pieces !== n) throw new Error(`${pieces} pieces`);
  return { [row]: took };
}

async function calls(width, n) {
  const { client, tools } = await connect(2);
  const one = (id) => tools.echo.execute({ id: 1 }, { toolCallId: String(id), messages: [] });
  for (let i = 0; i < 200; i++) await one(i);
  const began = performance.now();
  await Promise.all(Array.from({ length: width }, async () => { for (let i = 0; i < n / width; i++) await one(i); }));
  const took = performance.now() - began;
  await client.close();
  return { [row]: (1000 * took) / n };
}

async function large(mb) {
  const { client, tools } = await connect(2);
  const one = (MB) => tools.big.execute({ MB }, { toolCallId: "1", messages: [] });
  await one(1);
  const n = Math.max(1, Math.min(10, Math.floor(30 / mb)));
  const began = performance.now();
  for (let i = 0; i < n; i++) if ((await one(mb)).content[0].text.length < mb * 900000) throw new Error("too short");
  const took = performance.now() - began;
  await client.close();
  return { [row]: took / n };
}

const rows = {
  loop50: () => loop(50, 2), loop200: () => loop(200, 2), tools100: () => loop(50, 100), chunks10k: () => chunks(10000),
  call1: () => calls(1, 3000), call64: () => calls(64, 20032), result1: () => large(1), result10: () => large(10),
};
console.log(JSON.stringify(await rows[row]()));
