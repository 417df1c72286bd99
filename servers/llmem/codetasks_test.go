package llmem

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/servertest"
)

// codeFolder is the variable with the path of a clone of sverklo. Its public benchmark has 180
// tasks on six code bases. docs/llmem.md describes how to get all of them.
const codeFolder = "GOATED_CODE_TASKS"

// A codeBase is code for tasks, in the version that the benchmark specifies.
type codeBase struct {
	name, repository, ref string
}

// codeBases lists the code bases of the benchmark. It specifies no version of sverklo itself. This
// is the version in which its tasks about sverklo have the right lines.
func codeBases() []codeBase {
	return []codeBase{
		{"sverklo", "sverklo/sverklo", "v0.2.4"},
		{"express", "expressjs/express", "4.21.1"},
		{"lodash", "lodash/lodash", "4.17.21"},
		{"requests", "psf/requests", "v2.32.3"},
		{"flask", "pallets/flask", "3.0.3"},
		{"fastapi", "fastapi/fastapi", "0.115.0"},
	}
}

// clone returns the folder into which the benchmark's own harness clones the code.
func (c codeBase) clone(folder string) string {
	if c.name == "sverklo" {
		return folder
	}
	return filepath.Join(folder, "benchmark", ".cache", c.name+"-"+strings.TrimPrefix(c.ref, "v"))
}

// check returns what is missing or wrong in the folder, and how to fix it.
func (c codeBase) check(folder string) error {
	dir := c.clone(folder)
	if _, err := os.Stat(filepath.Join(dir, ".git")); err != nil {
		depth := "--depth 1 --branch " + c.ref + " "
		if c.name == "sverklo" {
			depth = ""
		}
		return fmt.Errorf("%s of %s: %s is no clone of it: run git clone %shttps://github.com/%s %s", c.name, codeFolder, dir, depth, c.repository, dir)
	}
	if out, err := exec.Command("git", "-C", dir, "rev-parse", "--verify", "--quiet", c.ref+"^{tree}").Output(); err != nil || len(out) == 0 {
		return fmt.Errorf("%s of %s: %s has no version %s: run git -C %s fetch --tags", c.name, codeFolder, dir, c.ref, dir)
	}
	return nil
}

// export writes the files of the version into a new folder. All programs thus see the same files,
// and none of them writes into the clone.
func (c codeBase) export(t testing.TB, folder string) string {
	t.Helper()
	dir := t.TempDir()
	archive := exec.Command("git", "-C", c.clone(folder), "archive", c.ref)
	unpack := exec.Command("tar", "-x", "-C", dir)
	var err error
	if unpack.Stdin, err = archive.StdoutPipe(); err != nil {
		t.Fatal(err)
	}
	if err := archive.Start(); err != nil {
		t.Fatal(err)
	}
	if out, err := unpack.CombinedOutput(); err != nil {
		t.Fatalf("unpacking %s: %v: %s", c.name, err, out)
	}
	if err := archive.Wait(); err != nil {
		t.Fatalf("git archive %s in %s: %v", c.ref, c.clone(folder), err)
	}
	return dir
}

// checkCodeTasks returns the reason why the benchmark in the folder cannot run.
func checkCodeTasks(folder string) error {
	if _, err := os.Stat(filepath.Join(folder, "benchmark", "src", "runner", "score.ts")); err != nil {
		return fmt.Errorf("%s=%s is no clone of sverklo with its benchmark: run git clone https://github.com/sverklo/sverklo, and see docs/llmem.md: %w", codeFolder, folder, err)
	}
	for _, c := range codeBases() {
		if err := c.check(folder); err != nil {
			return err
		}
	}
	return nil
}

// A mark is the score of a task.
type mark struct {
	F1     float64
	Tokens int
}

// A codeTask has additional marks for grep. The rest comes from the benchmark.
type codeTask struct {
	Task         json.RawMessage
	Naive, Smart mark

	base, category, query string
}

// runBenchmark runs the benchmark's own programs.
func runBenchmark(t testing.TB, mode, folder string, in, out any) {
	t.Helper()
	path, _ := servertest.Programs(t)
	text, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(filepath.Join(filepath.SplitList(path)[1], "node"), "testdata/codetasks.mjs", mode, folder)
	cmd.Stdin = bytes.NewReader(text)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	answer, err := cmd.Output()
	if err != nil {
		t.Fatalf("running the %s of %s: %v\n%s", mode, folder, err, &stderr)
	}
	if err := json.Unmarshal(answer, out); err != nil {
		t.Fatalf("%v in the %s of %s", err, mode, folder)
	}
}

type location struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

// predict asks LLMem with one call. It returns the text for a model, and the prediction in the
// benchmark's format. Like its baselines, it returns only the first place of a definition.
func (task codeTask) predict(t testing.TB, session *mcp.ClientSession) (prediction map[string]any, payload string) {
	t.Helper()
	tool, args := "find_symbol", map[string]any{"name": task.query}
	switch task.category {
	case "P2":
		args["references"] = true
	case "P4":
		tool, args = "get_artifact", map[string]any{"path": task.query}
	}
	res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatalf("%s %v: %v", tool, args, err)
	}
	payload = res.Content[0].(*mcp.TextContent).Text
	if res.IsError {
		return map[string]any{"kind": map[string]string{"P4": "deps"}[task.category]}, payload // scores nothing
	}
	a := decodeAnswer(t, payload)
	if task.category == "P4" {
		return map[string]any{"kind": "deps", "imports": append([]string{}, a.Data.Uses...), "importers": append([]string{}, a.Data.UsedBy...)}, payload
	}
	places := []location{}
	defined := make(map[location]bool)
	for _, d := range a.definitions(t) {
		at := location{d.Path, d.StartLine}
		defined[at] = true
		if task.category == "P1" && len(places) == 0 {
			places = append(places, at)
		}
	}
	for _, u := range a.Data.References {
		for _, line := range u.Lines {
			if at := (location{u.Path, line}); !defined[at] {
				places = append(places, at)
			}
		}
	}
	return map[string]any{"kind": "locations", "locations": places}, payload
}

// A total sums marks.
type total struct {
	n                     int
	llmem, naive, smart   float64
	tokens, naiveT, smarT int
}

func (s *total) row(name string) string {
	n := max(s.n, 1)
	return fmt.Sprintf("%-24s %3d tasks: LLMem F1 %.2f with %4d tokens, smart grep %.2f with %5d, naive grep %.2f with %d",
		name, s.n, s.llmem/float64(n), s.tokens/n, s.smart/float64(n), s.smarT/n, s.naive/float64(n), s.naiveT/n)
}

// codeCategories are the kinds of tasks for which LLMem has a tool.
var codeCategories = map[string]string{"P1": "definitions", "P2": "references", "P4": "dependencies of a file"}

// This runs sverklo's public tasks about real code by their own rules. LLMem must reach an F1 above
// 0.5 with at most 1,000 tokens per task, even if its missing tool for dead code counts as wrong
// answers. The benchmark's own programs find the expected answers, run grep and compute the scores.
func TestCodeTasks(t *testing.T) {
	folder := os.Getenv(codeFolder)
	if folder == "" {
		t.Skip("set " + codeFolder + " to a clone of sverklo: docs/llmem.md says how")
	}
	if err := checkCodeTasks(folder); err != nil {
		t.Fatal(err)
	}
	roots := make(map[string]string)
	var list []map[string]string
	for _, c := range codeBases() {
		roots[c.name] = c.export(t, folder)
		list = append(list, map[string]string{"name": c.name, "root": roots[c.name]})
	}
	var tasks []codeTask
	runBenchmark(t, "tasks", folder, list, &tasks)
	type guess struct {
		Task       json.RawMessage `json:"task"`
		Prediction map[string]any  `json:"prediction"`
		Payload    string          `json:"payload"`
	}
	var guesses []guess
	var asked []codeTask
	sessions := make(map[string]*mcp.ClientSession)
	for _, task := range tasks {
		var fields struct{ Dataset, Category, Query string }
		if err := json.Unmarshal(task.Task, &fields); err != nil {
			t.Fatal(err)
		}
		task.base, task.category, task.query = fields.Dataset, fields.Category, fields.Query
		if codeCategories[task.category] == "" {
			continue
		}
		if sessions[task.base] == nil {
			sessions[task.base] = parsedAll(t, roots[task.base])
		}
		prediction, payload := task.predict(t, sessions[task.base])
		guesses = append(guesses, guess{task.Task, prediction, payload})
		asked = append(asked, task)
	}
	var marks []mark
	runBenchmark(t, "score", folder, guesses, &marks)
	totals := map[string]*total{"all": {}}
	for i, m := range marks {
		task := asked[i]
		for _, name := range []string{"all", codeCategories[task.category], task.base} {
			if totals[name] == nil {
				totals[name] = &total{}
			}
			s := totals[name]
			s.n++
			s.llmem += m.F1
			s.tokens += m.Tokens
			s.naive += task.Naive.F1
			s.naiveT += task.Naive.Tokens
			s.smart += task.Smart.F1
			s.smarT += task.Smart.Tokens
		}
	}
	var names []string
	for name := range totals {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		t.Log(totals[name].row(name))
	}
	all := totals["all"]
	least := all.llmem / float64(len(tasks))
	t.Logf("with %d tasks about dead code as wrong answers, LLMem has F1 %.2f", len(tasks)-all.n, least)
	if all.n < 100 || least <= 0.5 || all.tokens/max(all.n, 1) > 1000 || all.llmem <= all.naive {
		t.Error("LLMem is below its goal: F1 above 0.5 with at most 1,000 tokens")
	}
}

// If a folder is not a clone, or lacks code in the right version, the error names the folder and
// the command that helps.
func TestCodeTasksSayWhatIsMissing(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	missing := func(want string) {
		t.Helper()
		if err := checkCodeTasks(folder); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	missing(folder + " is no clone of sverklo with its benchmark: run git clone https://github.com/sverklo/sverklo")
	score := filepath.Join(folder, "benchmark", "src", "runner", "score.ts")
	if err := os.MkdirAll(filepath.Dir(score), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(score, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	missing("run git clone https://github.com/sverklo/sverklo " + folder)
	repository := func(dir, tag string) {
		t.Helper()
		for _, args := range [][]string{
			{"init", "--quiet", dir},
			{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "--allow-empty", "--message", "a"},
			{"-C", dir, "tag", tag},
		} {
			if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
				t.Fatalf("git %v: %v: %s", args, err, out)
			}
		}
	}
	repository(folder, "v0.2.4")
	express := filepath.Join(folder, "benchmark", ".cache", "express-4.21.1")
	missing("run git clone --depth 1 --branch 4.21.1 https://github.com/expressjs/express " + express)
	repository(express, "5.0.0")
	missing("has no version 4.21.1: run git -C " + express + " fetch --tags")
}

// parsedAll starts LLMem on a folder and waits until it has parsed all files. The benchmark does
// the same with its servers.
func parsedAll(t testing.TB, dir string) *mcp.ClientSession {
	t.Helper()
	session := connect(t, Options{Root: dir, Data: servertest.LLMemData(t), Log: io.Discard})
	for {
		res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "map_workspace"})
		if err != nil || res.IsError {
			t.Fatalf("map_workspace: %v %v", err, res)
		}
		if decodeAnswer(t, res.Content[0].(*mcp.TextContent).Text).Data.Coverage.Pending == 0 {
			return session
		}
	}
}

// decodeAnswer parses the text of a result.
func decodeAnswer(t testing.TB, text string) (a answer) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		t.Fatal(err)
	}
	return a
}
