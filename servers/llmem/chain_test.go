package llmem

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// finish runs a chain like a host, and returns its last answer and its prompts.
func (b *bench) finish(a answer, model func(prompt string) string) (last answer, prompts []string) {
	b.t.Helper()
	for a.Status == statusPromptReady {
		if len(prompts) > 20 {
			b.t.Fatal("the chain does not end")
		}
		prompts = append(prompts, a.PromptForHostLLM)
		args := maps.Clone(a.CallbackArgs)
		args["result"] = model(a.PromptForHostLLM)
		a = b.ok(a.CallbackTool, args)
	}
	return a, prompts
}

func TestAnnotateAFile(t *testing.T) {
	b := start(t, project())
	first := b.ok("generate_artifact", map[string]any{"path": "store/queue.go", "task": "annotate"})
	if first.Status != statusPromptReady || first.CallbackTool != "store_llm_result" || first.CallbackArgs["path"] != "store/queue.go" || first.CallbackArgs["task"] != "annotate" {
		t.Fatalf("generate_artifact answers %+v", first)
	}
	if p := first.PromptForHostLLM; !strings.Contains(p, "func (q *Queue) Add") || !strings.Contains(p, "- method Queue.Add") {
		t.Errorf("the prompt lacks source or outline:\n%s", p)
	}
	last, _ := b.finish(first, func(string) string { return "- `Queue.Add`: Adds, see line 12.\n- `ErrFull`: Too many." })
	if last.Status != statusSuccess || last.Data.ArtifactPath != ".artifacts/store/queue.go.annotate.md" || last.Data.Stale {
		t.Fatalf("store_llm_result answers %+v", last)
	}
	notes := func() (out []string) {
		for _, s := range b.ok("get_artifact", map[string]any{"path": "store/queue.go"}).Data.Symbols {
			out = append(out, fmt.Sprintf("%s=%q %v", s.Name, s.Note, s.NoteStale))
		}
		return out
	}
	if have := fmt.Sprint(notes()); have != `[ErrFull="Too many." false Queue="" false Add="Adds, see line 12." false]` {
		t.Errorf("notes %s", have)
	}
	// Only Add changes. Its note is marked, and no text contains a line number any more.
	b.write("store/queue.go", strings.Replace(queueGo, "> 10", "> 11", 1))
	if have := fmt.Sprint(notes()); have != `[ErrFull="Too many." false Queue="" false Add="Adds, see [lines changed]." true]` {
		t.Errorf("after a change: notes %s", have)
	}
	texts := b.ok("get_artifact", map[string]any{"path": "store/queue.go", "type": "annotate"}).texts(t)
	if len(texts) != 1 || !texts[0].Stale || fmt.Sprint(texts[0].Changed) != "[Queue.Add]" {
		t.Errorf("stored %+v", texts)
	}
}

func TestFocusOn(t *testing.T) {
	b := start(t, project())
	a := b.ok("generate_artifact", map[string]any{"path": "store/queue.go", "task": "annotate", "options": map[string]any{"focusOn": []string{"Queue.Add", "Gone"}}})
	if p := a.PromptForHostLLM; !strings.Contains(p, "only about these symbols: Queue.Add") || !strings.Contains(p, "func (q *Queue) Add") || strings.Contains(p, "errors.New") {
		t.Errorf("the prompt is\n%s", p)
	}
	if fmt.Sprint(a.Data.NotFound) != "[Gone]" {
		t.Errorf("not found: %v", a.Data.NotFound)
	}
	p := b.ok("generate_artifact", map[string]any{"path": "store/queue.go", "task": "parse", "options": map[string]any{"focusOn": []string{"Add"}}})
	if len(p.Data.Symbols) != 1 || p.Data.Symbols[0].Name != "Add" {
		t.Errorf("parse returns %v", p.Data.Symbols)
	}
}

// A result belongs to the source in its prompt, even if the file changes while the model writes.
func TestResultOfAnOlderPromptIsStale(t *testing.T) {
	b := start(t, project())
	a := b.ok("generate_prompt", map[string]any{"path": "main.go", "task": "test-plan"})
	b.write("main.go", mainGo+"\nfunc more() {}\n")
	last, _ := b.finish(a, func(string) string { return "plan" })
	if !last.Data.Stale || last.Data.ArtifactPath != ".artifacts/main.go.test-plan.md" {
		t.Errorf("stored as %+v", last.Data)
	}
	list := b.ok("list_artifacts", map[string]any{"type": "test-plan"})
	if len(list.Data.Artifacts) != 1 || !list.Data.Artifacts[0].Stale {
		t.Errorf("listed as %+v", list.Data.Artifacts)
	}
}

// Folders are summarized from the deepest up, with one prompt each, within the limit of steps.
func TestFoldersGoBottomUp(t *testing.T) {
	files := project()
	for i := range 6 {
		files[fmt.Sprintf("deep/a%d/b/x.py", i)] = fmt.Sprintf("def f%d():\n    pass\n", i)
	}
	b := start(t, files)
	order := func(prompts []string) (out []string) {
		for _, p := range prompts {
			_, rest, _ := strings.Cut(p, "Folder: ")
			name, _, _ := strings.Cut(rest, "\n")
			out = append(out, name)
		}
		return out
	}
	n := 0
	write := func(string) string { n++; return fmt.Sprintf("summary %d, line 7", n) }
	last, prompts := b.finish(b.ok("generate_artifact", map[string]any{"path": "web", "task": "summarize"}), write)
	if fmt.Sprint(order(prompts)) != "[web]" || !strings.Contains(prompts[0], "- function fit: Fits.") || last.Data.ArtifactPath != ".artifacts/web/web.summarize" {
		t.Errorf("prompts %q, stored %+v", order(prompts), last.Data)
	}
	last, prompts = b.finish(b.ok("generate_artifact", map[string]any{"path": "deep", "task": "summarize"}), write)
	if fmt.Sprint(order(prompts)) != "[b b b b]" || last.NextAction == "" {
		t.Errorf("the first round has %q and ends with %q", order(prompts), last.NextAction)
	}
	var rounds []string
	for range 5 {
		last, prompts = b.finish(b.ok("generate_artifact", map[string]any{"path": "deep", "task": "summarize"}), write)
		rounds = append(rounds, order(prompts)...)
		if last.NextAction == "" {
			break
		}
	}
	if fmt.Sprint(rounds) != "[b b a0 a1 a2 a3 a4 a5 deep]" {
		t.Errorf("the other rounds have %q", rounds)
	}
	if top := prompts[len(prompts)-1]; !strings.Contains(top, "## Folder deep/a5\nsummary") || strings.Contains(top, "line 7") {
		t.Errorf("the last prompt is\n%s", top)
	}
	if log := b.log.String(); !strings.Contains(log, "step=2/4 status=prompt_ready") {
		t.Errorf("the log has no steps:\n%s", log)
	}
	list := b.ok("list_artifacts", map[string]any{"directory": "deep", "limit": 5})
	if list.Data.Total != 13 || len(list.Data.Artifacts) != 5 || list.Data.NextCursor == "" {
		t.Errorf("listed %d of %d", len(list.Data.Artifacts), list.Data.Total)
	}
	if each := list.size / len(list.Data.Artifacts); each > 100 { // it was 257 bytes, most of which no model needs
		t.Errorf("an artifact in the list takes %d bytes", each)
	}
	all := slices.Clone(list.Data.Artifacts)
	for list.Data.NextCursor != "" {
		list = b.ok("list_artifacts", map[string]any{"directory": "deep", "limit": 5, "cursor": list.Data.NextCursor})
		all = append(all, list.Data.Artifacts...)
	}
	if len(all) != 13 || slices.ContainsFunc(all, func(l listedArtifact) bool { return l.Stale }) {
		t.Errorf("the pages have %+v", all)
	}
	b.write("deep/a3/b/x.py", "def g():\n    return 1\n")
	stale := 0
	for _, l := range b.ok("list_artifacts", map[string]any{"directory": "deep"}).Data.Artifacts {
		if l.Stale {
			stale++
		}
	}
	if stale != 3 {
		t.Errorf("%d folders are stale", stale)
	}
	if a := b.ok("delete_artifact", map[string]any{"path": "deep", "recursive": true}); len(a.Data.Deleted) != 13 {
		t.Errorf("deleted %v", a.Data.Deleted)
	}
	if _, err := os.Stat(filepath.Join(b.dir, ".artifacts/deep")); err == nil {
		t.Error("an empty folder stays")
	}
}

// A folder's prompt contains the summaries of its files beside their outlines, without line numbers.
func TestFolderPromptsHaveTheSummariesOfTheirFiles(t *testing.T) {
	b := start(t, project())
	b.ok("store_llm_result", map[string]any{"path": "web/fit.ts", "task": "summarize", "result": "Fits a map to its frame, see line 2."})
	b.ok("store_llm_result", map[string]any{"path": "web/map.ts", "task": "summarize", "result": "Draws maps (3-5)."})
	b.write("web/map.ts", "export class MapView {}\n")
	p := b.ok("generate_prompt", map[string]any{"path": "web", "task": "summarize"}).PromptForHostLLM
	for _, want := range []string{"## File fit.ts (typescript, 2 lines)\nFits a map to its frame, see [lines changed].\n- function fit", "## File map.ts (typescript, 1 lines)\nDraws maps ([…]).\n- class MapView"} {
		if !strings.Contains(p, want) {
			t.Errorf("the prompt lacks %q:\n%s", want, p)
		}
	}
	b.ok("store_llm_result", map[string]any{"path": "web/fit.ts", "task": "summarize", "result": strings.Repeat("Long. ", 30_000)})
	if long := b.ok("generate_prompt", map[string]any{"path": "web", "task": "summarize"}).PromptForHostLLM; len(long) > 30_000 || !strings.Contains(long, "- function fit") {
		t.Errorf("with a long summary the prompt has %d bytes", len(long))
	}
}

// The trace distinguishes the steps of a chain: each result has the correlation id and the step of
// its call.
func TestResultsSayTheirStep(t *testing.T) {
	b := start(t, project())
	seen := make(map[any]bool)
	name, args := "generate_artifact", map[string]any{"path": "store", "task": "summarize"}
	for step := 1; step <= 20; step++ {
		r, err := b.session.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: args})
		if err != nil {
			t.Fatal(err)
		}
		if id := r.Meta["correlationId"]; id == nil || seen[id] {
			t.Errorf("step %d has the id %v", step, id)
		} else {
			seen[id] = true
		}
		if n, ok := r.Meta["step"].(float64); !ok || n < 1 || r.Meta["steps"].(float64) < n {
			t.Errorf("step %d is said to be %v of %v", step, r.Meta["step"], r.Meta["steps"])
		}
		var a answer
		data, err := json.Marshal(r.StructuredContent)
		if err != nil || json.Unmarshal(data, &a) != nil {
			t.Fatalf("%v: %s", err, data)
		}
		if a.Status != statusPromptReady {
			if step < 2 {
				t.Errorf("the chain has %d steps", step)
			}
			return
		}
		name, args = a.CallbackTool, maps.Clone(a.CallbackArgs)
		args["result"] = "Keeps things."
	}
	t.Error("the chain does not end")
}
