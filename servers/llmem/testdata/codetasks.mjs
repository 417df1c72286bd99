// Runs the parts of sverklo's public benchmark that are not LLMem's: its tasks, its two
// baselines with grep, and its scoring. It prints JSON.
//
//	codetasks.mjs tasks FOLDER   standard input: [{name, root}], the code to ask about
//	codetasks.mjs score FOLDER   standard input: [{task, prediction, payload}]
//
// FOLDER is a clone of https://github.com/sverklo/sverklo.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [mode, folder] = process.argv.slice(2);
const load = (file) => import(pathToFileURL(join(folder, "benchmark/src", file)));
const input = JSON.parse(readFileSync(0, "utf8"));
const { score } = await load("runner/score.ts");
const mark = (task, prediction, payload) => {
  const m = score(task, prediction, { prediction, rawPayload: payload, toolCalls: 1, wallTimeMs: 0, coldStartMs: 0, warmCallMs: 0 });
  return { f1: m.f1, tokens: m.input_tokens };
};

async function tasksOf(name, root) {
  if (name === "sverklo") {
    return readFileSync(join(folder, "benchmark/src/ground-truth/seed/sverklo.jsonl"), "utf8").split("\n").filter(Boolean).map((l) => JSON.parse(l));
  }
  const module = await load(`ground-truth/seed/${name}.gen.ts`);
  return Object.values(module).find((f) => typeof f === "function")(root);
}

let out;
if (mode === "score") {
  out = input.map((i) => mark(i.task, i.prediction, i.payload));
} else {
  const { NaiveGrepBaseline } = await load("baselines/naive-grep.ts");
  const { SmartGrepBaseline } = await load("baselines/smart-grep.ts");
  out = [];
  for (const { name, root } of input) {
    const naive = new NaiveGrepBaseline(), smart = new SmartGrepBaseline();
    await naive.setupForDataset({ name, rootPath: root });
    await smart.setupForDataset({ name, rootPath: root });
    for (const task of await tasksOf(name, root)) {
      if (task.category === "P5") { // dead code, for which LLMem has no tool
        out.push({ task });
        continue;
      }
      const [n, s] = [await naive.run(task), await smart.run(task)];
      out.push({ task, naive: mark(task, n.prediction, n.rawPayload), smart: mark(task, s.prediction, s.rawPayload) });
    }
  }
}
process.stdout.write(JSON.stringify(out));
