package llmem

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/servertest"
	"goated/internal/waittest"
)

// A bench is a workspace with a server and a client.
type bench struct {
	t       testing.TB
	dir     string
	log     *syncBuffer
	session *mcp.ClientSession
	schemas map[string]*jsonschema.Resolved
}

type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

func start(t *testing.T, files map[string]string) *bench {
	t.Helper()
	b := &bench{t: t, dir: t.TempDir(), log: new(syncBuffer), schemas: make(map[string]*jsonschema.Resolved)}
	for name, text := range files {
		b.write(name, text)
	}
	b.session = connect(t, Options{Root: b.dir, Data: servertest.LLMemData(t), Log: b.log, MaxSteps: 4, MaxParsed: 50})
	list, err := b.session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Tools {
		data, err := json.Marshal(tool.OutputSchema)
		if err != nil {
			t.Fatal(err)
		}
		s := new(jsonschema.Schema)
		if err := json.Unmarshal(data, s); err != nil {
			t.Fatal(err)
		}
		if b.schemas[tool.Name], err = s.Resolve(nil); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// connect runs the server in this process until the test ends.
func connect(t testing.TB, o Options) *mcp.ClientSession {
	t.Helper()
	ours, theirs := mcp.NewInMemoryTransports()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = New(o).Run(ctx, theirs) // ends with ctx
	}()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(ctx, ours, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = session.Close()
		cancel()
		waittest.Receive(t, "the server ends", ended)
	})
	return session
}

func (b *bench) write(name, text string) {
	b.t.Helper()
	full := filepath.Join(b.dir, name)
	if err := os.MkdirAll(filepath.Dir(full), 0o700); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o600); err != nil {
		b.t.Fatal(err)
	}
}

// An answer is an envelope with the data fields of all tools.
type answer struct {
	Status, Error, Reason, NextAction, PromptForHostLLM, CallbackTool string
	Code, size                                                        int // the size of the whole answer, in bytes
	CallbackArgs                                                      map[string]any
	Data                                                              struct {
		ID, SourcePath, ArtifactPath, Type, Map, Match, NextCursor, NoOutline                     string
		Stale, SyntaxErrors                                                                       bool
		Symbols                                                                                   []symbol
		Imports                                                                                   []struct{ Source string }
		Uses, UsedBy, Deleted, Remaining, NotFound, Folders                                       []string
		Artifacts                                                                                 []listedArtifact
		Total, Shown, Step, Steps, Tokens, Parsed, Current, Left, Lines, MoreFolders, MoreDeleted int
		Definitions                                                                               json.RawMessage
		References                                                                                []usage
		Stored                                                                                    json.RawMessage
		Coverage                                                                                  coverage
	}
}

// call calls a tool and checks that the answer is an envelope in both forms.
func (b *bench) call(tool string, args map[string]any) answer {
	b.t.Helper()
	res, err := b.session.CallTool(b.t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		b.t.Fatalf("%s: %v", tool, err)
	}
	structured, err := json.Marshal(res.StructuredContent)
	if err != nil {
		b.t.Fatal(err)
	}
	text := res.Content[0].(*mcp.TextContent).Text
	var a, same any
	if json.Unmarshal(structured, &a) != nil || json.Unmarshal([]byte(text), &same) != nil || fmt.Sprint(a) != fmt.Sprint(same) {
		b.t.Fatalf("%s: the text %s differs from the structured content %s", tool, text, structured)
	}
	if err := b.schemas[tool].Validate(a); err != nil {
		b.t.Errorf("%s: the answer breaks its schema: %v", tool, err)
	}
	out := answer{size: len(text)}
	if err := json.Unmarshal(structured, &out); err != nil {
		b.t.Fatalf("%s: %v in %s", tool, err, structured)
	}
	if res.IsError != (out.Status == statusError) || out.Status == statusError && (out.Error == "" || out.Code == 0 || out.Reason == "") {
		b.t.Errorf("%s: isError is %v with %s", tool, res.IsError, structured)
	}
	return out
}

func (b *bench) ok(tool string, args map[string]any) answer {
	b.t.Helper()
	a := b.call(tool, args)
	for a.Status != statusError && a.Data.Coverage.Pending > 0 { // the answer advises to ask again
		a = b.call(tool, args)
	}
	if a.Status == statusError {
		b.t.Fatalf("%s: %s", tool, a.Error)
	}
	return a
}

func (a answer) definitions(t testing.TB) []found {
	t.Helper()
	var list []found
	if err := json.Unmarshal(a.Data.Definitions, &list); err != nil {
		t.Fatal(err)
	}
	return list
}

func (a answer) texts(t *testing.T) []storedText {
	t.Helper()
	var list []storedText
	if len(a.Data.Stored) > 0 {
		if err := json.Unmarshal(a.Data.Stored, &list); err != nil {
			t.Fatal(err)
		}
	}
	return list
}

const queueGo = `package store

import "errors"

// ErrFull says that the queue is full.
var ErrFull = errors.New("full")

// Queue keeps changes in order.
type Queue struct{ list []int }

// Add appends a change.
func (q *Queue) Add(n int) error {
	if len(q.list) > 10 {
		return ErrFull
	}
	q.list = append(q.list, n)
	return nil
}
`

const mainGo = `package main

import "example.com/trip/store"

func main() {
	var q store.Queue
	_ = q.Add(1)
}
`

func project() map[string]string {
	return map[string]string{
		"go.mod": "module example.com/trip\n", "store/queue.go": queueGo, "main.go": mainGo, ".gitignore": "ignored/\n",
		"ignored/x.go": "package ignored\n\nfunc Add() {}\n",
		"web/map.ts":   "import { fit } from './fit';\n\nexport class MapView {\n  draw(): void { fit(1); }\n}\n",
		"web/fit.ts":   "/** Fits. */\nexport function fit(n: number): number { return n; }\n",
		"notes.txt":    "plain\ntext\n",
	}
}

func TestOutlineOfAFile(t *testing.T) {
	b := start(t, project())
	a := b.ok("get_artifact", map[string]any{"path": "store/queue.go"})
	var have []string
	for _, s := range a.Data.Symbols {
		have = append(have, fmt.Sprintf("%s %s %d-%d", s.Kind, qualified(s.Symbol), s.StartLine, s.EndLine))
	}
	want := []string{"variable ErrFull 6-6", "struct Queue 9-9", "method Queue.Add 12-18"}
	if fmt.Sprint(have) != fmt.Sprint(want) {
		t.Errorf("symbols %q", have)
	}
	if s := a.Data.Symbols[2]; s.Signature != "func (q *Queue) Add(n int) error" || s.Doc != "Add appends a change." {
		t.Errorf("signature %q, comment %q", s.Signature, s.Doc)
	}
	if fmt.Sprint(a.Data.UsedBy) != "[main.go]" || fmt.Sprint(b.ok("get_artifact", map[string]any{"path": "web/map.ts"}).Data.Uses) != "[web/fit.ts]" {
		t.Errorf("used by %v", a.Data.UsedBy)
	}
	if _, err := os.Stat(filepath.Join(b.dir, ".artifacts")); err == nil {
		t.Error("a tool that reads has written")
	}
	if a := b.ok("get_artifact", map[string]any{"path": "notes.txt"}); a.Data.NoOutline == "" || len(a.Data.Symbols) > 0 || a.Data.Lines != 2 {
		t.Errorf("a text has the outline %v", a.Data)
	}
	if a := b.ok("get_artifact", map[string]any{"path": "."}); fmt.Sprint(a.Data.Folders) != "[store web]" {
		t.Errorf("folders %v", a.Data.Folders)
	}
}

// A file may change in any way between two calls. No answer contains a line of the old version.
func TestNoStaleLines(t *testing.T) {
	b := start(t, project())
	place := func() string {
		d := b.ok("find_symbol", map[string]any{"name": "Queue.Add"}).definitions(t)
		if len(d) != 1 {
			t.Fatalf("found %v", d)
		}
		return fmt.Sprintf("%s %d-%d", d[0].Path, d[0].StartLine, d[0].EndLine)
	}
	outline := func() string {
		for _, s := range b.ok("get_artifact", map[string]any{"path": "store/queue.go"}).Data.Symbols {
			if s.Name == "Add" {
				return fmt.Sprintf("store/queue.go %d-%d", s.StartLine, s.EndLine)
			}
		}
		return "missing"
	}
	b.ok("generate_artifact", map[string]any{"path": "store/queue.go", "task": "parse"})
	if have := place(); have != "store/queue.go 12-18" {
		t.Fatal(have)
	}
	for i := range 20 {
		name := filepath.Join(b.dir, "store/queue.go")
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		// The size stays the same, and for every second change the time too.
		text := strings.Replace(queueGo, "\n\n// Queue keeps", "\n// Queue keeps", 1)
		text = strings.Replace(text, "\treturn nil\n}\n", "\treturn nil\n}\n\n", 1)
		want := "store/queue.go 11-17"
		if i%2 == 1 {
			text, want = queueGo, "store/queue.go 12-18"
		}
		if len(text) != len(queueGo) {
			t.Fatal("the sizes differ")
		}
		b.write("store/queue.go", text)
		if i%4 < 2 {
			if err := os.Chtimes(name, info.ModTime(), info.ModTime()); err != nil {
				t.Fatal(err)
			}
		}
		if m := b.ok("map_workspace", nil).Data.Map; !strings.Contains(m, strings.Fields(want)[1]+" func (q *Queue) Add") {
			t.Fatalf("change %d: the map lacks %s:\n%s", i, want, m)
		}
		if have, place := outline(), place(); have != want || place != want {
			t.Fatalf("change %d: the outline has %s, find_symbol %s, want %s", i, have, place, want)
		}
	}
}

func TestMapAndFind(t *testing.T) {
	b := start(t, project())
	m := b.ok("map_workspace", map[string]any{"tokens": 200})
	for _, want := range []string{"store/queue.go:", "12-18 func (q *Queue) Add(n int) error", "web/fit.ts:"} {
		if !strings.Contains(m.Data.Map, want) {
			t.Errorf("the map lacks %q:\n%s", want, m.Data.Map)
		}
	}
	if strings.Contains(m.Data.Map, "ignored") || m.Data.Tokens > 200 || m.Data.Coverage.Pending != 0 {
		t.Errorf("map of %d tokens:\n%s", m.Data.Tokens, m.Data.Map)
	}
	q := b.ok("map_workspace", map[string]any{"query": "append a change to the queue"})
	if !strings.HasPrefix(q.Data.Map, "store/queue.go") {
		t.Errorf("the answer to the question is\n%s", q.Data.Map)
	}
	f := b.ok("find_symbol", map[string]any{"name": "Add", "references": true})
	if fmt.Sprint(f.Data.References) != "[{main.go [7] 0} {store/queue.go [11 12] 0}]" {
		t.Errorf("references %v", f.Data.References)
	}
	if f := b.ok("find_symbol", map[string]any{"name": "mapvi"}); f.Data.Match != "similar" || f.definitions(t)[0].Name != "MapView" {
		t.Errorf("a part of a name finds %v", f.Data)
	}
	if f := b.ok("find_symbol", map[string]any{"name": "nothing_like_it"}); f.Data.Match != "none" || f.NextAction == "" {
		t.Errorf("a missing name finds %v", f.Data)
	}
	if f := b.ok("find_symbol", map[string]any{"name": "Add", "directory": "web"}); f.Data.Match == "exact" {
		t.Errorf("another folder has %v", f.Data)
	}
}

func TestErrorsHaveCodes(t *testing.T) {
	b := start(t, project())
	b.write("binary.go", "package x\x00")
	b.write(".env", "KEY=secret")
	b.write(".gitignore", ".env\n")
	b.write(".git/config", "[remote]")
	for _, tool := range []string{"get_artifact", "generate_prompt", "generate_artifact"} {
		for _, path := range []string{".env", ".git/config", ".git"} {
			args := map[string]any{"path": path, "task": "summarize"}
			if tool == "get_artifact" {
				delete(args, "task")
			}
			if a := b.call(tool, args); a.Reason != "ignored" || strings.Contains(fmt.Sprint(a), "secret") {
				t.Errorf("%s of %s: %+v", tool, path, a)
			}
		}
	}
	if a := b.call("get_artifact", map[string]any{"path": "/etc"}); !strings.HasPrefix(a.Error, "/etc: ") {
		t.Errorf("the error does not name what was asked for: %s", a.Error)
	}
	for _, test := range []struct {
		tool   string
		args   map[string]any
		code   int
		reason string
	}{
		{"get_artifact", map[string]any{}, codeInvalid, "invalid_argument"},
		{"get_artifact", map[string]any{"path": 3}, codeInvalid, "invalid_argument"},
		{"get_artifact", map[string]any{"path": "../x"}, codeInvalid, "outside_workspace"},
		{"get_artifact", map[string]any{"path": "/etc/passwd"}, codeInvalid, "outside_workspace"},
		{"get_artifact", map[string]any{"path": "missing.go"}, codeNotFound, "not_found"},
		{"get_artifact", map[string]any{"path": "main.go", "type": "summarize"}, codeNotFound, "not_found"},
		{"get_artifact", map[string]any{"path": "binary.go"}, codeInvalid, "not_a_text_file"},
		{"list_artifacts", map[string]any{"cursor": "?"}, codeInvalid, "invalid_argument"},
		{"generate_artifact", map[string]any{"path": "main.go", "task": "sing"}, codeInvalid, "invalid_argument"},
		{"generate_artifact", map[string]any{"path": "store", "task": "annotate"}, codeInvalid, "invalid_argument"},
		{"generate_artifact", map[string]any{"path": "main.go", "task": "annotate", "options": map[string]any{"focusOn": []string{"nope"}}}, codeNotFound, "not_found"},
		{"store_llm_result", map[string]any{"path": "main.go", "task": "summarize", "result": " "}, codeInvalid, "invalid_argument"},
		{"store_llm_result", map[string]any{"path": "main.go", "task": "mirror", "result": "x"}, codeInvalid, "invalid_argument"},
		{"store_llm_result", map[string]any{"path": "main.go", "task": "summarize", "result": "x", "ticket": "x"}, codeInvalid, "invalid_argument"},
		{"delete_artifact", map[string]any{"path": "main.go"}, codeNotFound, "not_found"},
		{"find_symbol", map[string]any{"name": " "}, codeInvalid, "invalid_argument"},
		{"map_workspace", map[string]any{"tokens": 1}, codeInvalid, "invalid_argument"},
	} {
		a := b.call(test.tool, test.args)
		if a.Status != statusError || a.Code != test.code || a.Reason != test.reason {
			t.Errorf("%s with %v: %s %d %s %q", test.tool, test.args, a.Status, a.Code, a.Reason, a.Error)
		}
	}
	if _, err := b.session.CallTool(t.Context(), &mcp.CallToolParams{Name: "nope"}); err == nil || !strings.Contains(err.Error(), "nope") {
		t.Errorf("an unknown tool: %v", err)
	}
	if log := b.log.String(); !strings.Contains(log, "call=llmem-") || !strings.Contains(log, "reason=outside_workspace") || !strings.Contains(log, "step=0/0") {
		t.Errorf("the log has no correlation ids:\n%s", log)
	}
}
