package store_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/genai"
	"pgregory.net/rapid"

	"goated/agent"
	"goated/internal/store"
	"goated/internal/store/markdown"
)

// Importing an export into another store and exporting it again yields the same bytes. Imported into
// its own store, it becomes a second conversation.
func TestExportImportExport(t *testing.T) {
	t.Parallel()
	here, there := open(t, filepath.Join(t.TempDir(), "here.db")), open(t, filepath.Join(t.TempDir(), "there.db"))
	rapid.Check(t, func(t *rapid.T) {
		ctx := context.Background()
		c := create(t, here)
		ids := []string{""}
		for range rapid.IntRange(0, 5).Draw(t, "turns") {
			r, err := here.Begin(ctx, c.ID, rapid.SampledFrom(ids).Draw(t, "parent"), append(say(text().Draw(t, "ask")),
				&genai.Part{InlineData: &genai.Blob{Data: rapid.SliceOfN(rapid.Byte(), 1, 9).Draw(t, "data"), MIMEType: "image/png"}}))
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, r.ID)
			err = errors.Join(
				r.Record(ctx, agent.ThoughtDelta{Text: text().Draw(t, "thought")}),
				r.Record(ctx, agent.TextDelta{Text: text().Draw(t, "answer")}),
				r.Record(ctx, agent.ToolReturned{ID: "call-1", Result: &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "<&>"}}}}),
				r.Contents(ctx, contents().Draw(t, "contents")),
			)
			if err == nil && rapid.Bool().Draw(t, "ends") {
				err = r.End(ctx, errors.New(text().Draw(t, "error")))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(here.Pin(ctx, c.ID, rapid.Bool().Draw(t, "pinned")), here.SetDraft(ctx, c.ID, text().Draw(t, "draft"), nil)); err != nil {
			t.Fatal(err)
		}
		if rapid.Bool().Draw(t, "renamed") {
			if err := here.Rename(ctx, c.ID, "A name"); err != nil {
				t.Fatal(err)
			}
		}
		first := export(t, here, c.ID)
		got, err := there.Import(ctx, strings.NewReader(first), nil)
		if err != nil || !slices.Equal(got, []string{c.ID}) {
			t.Fatal(got, err)
		}
		if second := export(t, there, c.ID); second != first {
			t.Fatalf("%s\nbecame\n%s", first, second)
		}
		a, b := conversation(t, here, c.ID), conversation(t, there, c.ID)
		a.Preview, b.Preview = "", "" // the preview of a running turn is older
		a.Used, b.Used = 0, 0
		a.Stamp, b.Stamp = "", "" // each history has its own stamps
		if a != b {
			t.Fatalf("%+v became %+v", a, b)
		}
		again, err := here.Import(ctx, strings.NewReader(first), nil)
		if err != nil || len(again) != 1 || again[0] == c.ID {
			t.Fatal(again, err)
		}
		original, copied := messages(thread(t, here, c.ID)), messages(thread(t, here, again[0]))
		if !slices.Equal(original, copied) || export(t, here, c.ID) != first {
			t.Fatalf("%q became %q", original, copied)
		}
	})
	all, elsewhere := export(t, here), open(t, filepath.Join(t.TempDir(), "all.db"))
	if _, err := elsewhere.Import(t.Context(), strings.NewReader(all), nil); err != nil || export(t, elsewhere) != all {
		t.Fatal("exporting all:", err)
	}
}

const turnless = `{"format":"goated conversations","version":1,"conversations":[
	{"id":"x","title":"Fine","created":"2026-01-02T03:04:05Z","updated":"2026-01-02T03:04:05Z","turns":[]},
	{"id":"y","title":"Not","created":"2026-01-02T03:04:05Z","updated":"2026-01-02T03:04:05Z"%s}]}`

func broken() map[string]string {
	bad := func(rest string) string { return strings.Replace(turnless, "%s", rest, 1) }
	const ok = `"started":"2026-01-02T03:04:05Z"`
	return map[string]string{
		"unexpected EOF":                        `{"format":`,
		"byte 3":                                `{ x`,
		"did not export this file":              `{}`,
		"newer version of goated":               `{"format":"goated conversations","version":2}`,
		"no version 0":                          `{"format":"goated conversations"}`,
		"did not export":                        `[1]`,
		"cannot unmarshal":                      `{"format":1}`,
		"conversation 2: it has no turn":        bad(`,"active":"t"`),
		"conversation 2: turn 1: its id":        bad(`,"turns":[{` + ok + `}]`),
		"conversation 2: turn 2: its id":        bad(`,"turns":[{"id":"t",` + ok + `},{"id":"t",` + ok + `}]`),
		"conversation 2: turn 1: its parent":    bad(`,"turns":[{"id":"t","parent":"t",` + ok + `}]`),
		"turn 1: event 1: decoding event: unkn": bad(`,"turns":[{"id":"t","events":[{"type":"x"}],` + ok + `}]`),
		"turn 1: event 2":                       bad(`,"turns":[{"id":"t","events":[{"type":"text","text":"x"},null],` + ok + `}]`),
		"turn 1: content 1: it is empty":        bad(`,"turns":[{"id":"t","contents":[null],` + ok + `}]`),
		"turn 1: content 1: part 1":             bad(`,"turns":[{"id":"t","contents":[{"parts":[null]}],` + ok + `}]`),
		"turn 1: user: part 2":                  bad(`,"turns":[{"id":"t","user":[{"text":"x"},null],` + ok + `}]`),
		"turn 1: started at":                    bad(`,"turns":[{"id":"t"}]`),
		"turn 1: ended at":                      bad(`,"turns":[{"id":"t","ended":"9999-01-01T00:00:00Z",` + ok + `}]`),
	}
}

// An invalid file changes nothing, and the error contains the position of the mistake.
func TestImportRefusesInvalidFiles(t *testing.T) {
	t.Parallel()
	s := open(t, filepath.Join(t.TempDir(), "history.db"))
	turn(t, s, create(t, s).ID, "", "a", "b")
	before := export(t, s)
	files := broken()
	files["at most 200"] = strings.NewReplacer(`"Not"`, `"`+strings.Repeat("x", 201)+`"`, "%s", "").Replace(turnless)
	for want, file := range files {
		ids, err := s.Import(t.Context(), strings.NewReader(file), nil)
		if err == nil || !strings.Contains(err.Error(), want) || ids != nil {
			t.Errorf("%s: %v, %v", want, ids, err)
		}
		if got := export(t, s); got != before {
			t.Fatalf("%s: the import changed the store", want)
		}
	}
}

// exports are conversations in the formats of other programs.
var exports = []string{
	// OpenAI: a tree of nodes by id.
	`[{"title":"Tea","create_time":1700000000.5,"update_time":1700000001.25,"mapping":{"r":{"id":"r","message":null,"parent":null,"children":["a"]},"a":{"id":"a","message":{"id":"a","author":{"role":"user","name":null,"metadata":{}},"create_time":1700000000.5,"content":{"content_type":"text","parts":["Which tea?"]},"status":"finished_successfully","weight":1.0,"recipient":"all"},"parent":"r","children":["b"]},"b":{"id":"b","message":{"id":"b","author":{"role":"assistant"},"content":{"content_type":"text","parts":["Green."]}},"parent":"a","children":[]}},"current_node":"b","conversation_id":"c"}]`,
	// Anthropic: a list of messages with blocks.
	`[{"uuid":"c","name":"Tea","created_at":"2026-01-02T03:04:05.678901+00:00","updated_at":"2026-01-02T03:04:06Z","account":{"uuid":"x"},"chat_messages":[{"uuid":"a","text":"Which tea?","content":[{"type":"text","text":"Which tea?"}],"sender":"human","created_at":"2026-01-02T03:04:05Z","attachments":[],"files":[]},{"uuid":"b","text":"","content":[{"type":"tool_use","id":"t","name":"search","input":{"q":"tea"}},{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"Green."}],"is_error":false}],"sender":"assistant","parent_message_uuid":"a"}]}]`,
	// Gemini: contents as its API takes them.
	`{"contents":[{"role":"user","parts":[{"text":"Which tea?"}]},{"role":"model","parts":[{"thought":true,"text":"Hm.","thoughtSignature":"c2ln"},{"functionCall":{"id":"1","name":"search","args":{"q":"tea"}}}]},{"role":"user","parts":[{"functionResponse":{"id":"1","name":"search","response":{"output":"Green."}}}]}]}`,
	// Terminal programs: one line for each message.
	`{"role":"user","content":"Which tea?"}` + "\n" + `{"role":"assistant","content":[{"type":"text","text":"Green."}]}` + "\n",
}

// A conversation that can be imported can also be read and exported, and importing its export yields
// the same conversation.
func FuzzImport(f *testing.F) {
	for _, file := range broken() {
		f.Add([]byte(file))
	}
	for _, path := range glob(f, filepath.Join("testdata", "imports", "*.json")) {
		f.Add(read(f, path))
	}
	for _, file := range exports {
		f.Add([]byte(file))
		f.Add([]byte(`{"format":"goated conversations","version":1,"conversations":` + file + `}`))
	}
	small := new(bytes.Buffer)
	if _, err := small.ReadFrom(generate(4)); err != nil {
		f.Fatal(err)
	}
	f.Add(small.Bytes())
	f.Add([]byte(`{"format":"goated conversations","version":1,"conversations":[{"id":"z","title":"a\u0000b","created":"2026-01-02T03:04:05Z","updated":"2026-01-02T03:04:05Z","active":"a",
		"turns":[{"id":"a","user":[{"text":"\ud800 \u0000"},{"functionCall":{"args":{"a":1e5}}}],"started":"2026-01-02T03:04:05+14:00","events":[
		{"type":"tool_called","id":"1","args":{"x":{"y":[1]}}},{"type":"tool_returned","id":"1","result":{"content":[{"type":"text","text":"x"}]}}],
		"contents":[{"role":"model","parts":[{"functionCall":{"name":"f"}}]}]},{"id":"b","parent":"a","started":"2026-01-02T03:04:05Z"}]}]}`))
	s, again := open(f, filepath.Join(f.TempDir(), "a.db")), open(f, filepath.Join(f.TempDir(), "b.db"))
	f.Fuzz(func(t *testing.T, file []byte) {
		ctx := t.Context()
		before := len(list(t, s))
		ids, err := s.Import(ctx, bytes.NewReader(file), nil)
		if err != nil {
			if after := len(list(t, s)); after != before {
				t.Fatalf("the import failed with %v and added conversations", err)
			}
			return
		}
		if len(ids) == 0 {
			return
		}
		remove := func(from *store.Store, ids []string) {
			for _, id := range ids {
				if err := errors.Join(from.Delete(context.Background(), id), from.Purge(context.Background(), distant())); err != nil {
					t.Fatal(err)
				}
			}
		}
		defer remove(s, ids)
		for _, id := range ids {
			accepted(t, thread(t, s, id).History())
			if err := markdown.Write(io.Discard, thread(t, s, id)); err != nil {
				t.Fatal(err)
			}
		}
		first := export(t, s, ids...)
		got, err := again.Import(ctx, strings.NewReader(first), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer remove(again, got) // so that ids stay free for the next input
		if second := export(t, again, got...); second != first && slices.Equal(got, ids) {
			t.Fatalf("%s\nbecame\n%s", first, second)
		}
	})
}

func TestExportMarkdown(t *testing.T) {
	t.Parallel()
	s := open(t, filepath.Join(t.TempDir(), "history.db"))
	c := create(t, s)
	r := begin(t, s, c.ID, "", "How much is 6 × 7?")
	for _, e := range []agent.Event{
		agent.ThoughtDelta{Text: "I had better ask."},
		agent.ToolCalled{ID: "call-1", Name: "simple__multiply", Tool: "multiply", Args: map[string]any{"a": 6, "b": 7}},
		agent.ToolReturned{ID: "call-1", Result: &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "```42```"}}}},
		agent.ToolReturned{ID: "call-2", Error: "it broke"},
		agent.TextDelta{Text: "It is for"},
		agent.AnswerDiscarded{Kind: agent.AnswerCut},
		agent.TextDelta{Text: "It is **42**.\n"},
		agent.TurnEnded{Reason: agent.StepLimit},
	} {
		if err := r.Record(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.End(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	summary, err := s.Begin(t.Context(), c.ID, r.ID, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := summary.Record(t.Context(), agent.ContextCompacted{Summary: "A product was asked for.\n"}); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := markdown.Write(&b, thread(t, s, c.ID)); err != nil {
		t.Fatal(err)
	}
	want := "# How much is 6 × 7?\n\n## You, DATE\n\nHow much is 6 × 7?\n\n## Answer\n\n**Tool multiply**\n\n```json\n{\n  \"a\": 6,\n  \"b\": 7\n}\n```\n" +
		"\n````\n```42```\n````\n\n> **Error:** it broke\n\nIt is **42**.\n\n> The turn ended: step limit.\n" +
		"\n## Summary of the earlier messages for the model\n\nA product was asked for.\n"
	want = strings.Replace(want, "DATE", thread(t, s, c.ID).Turns[0].Started.Format("2 January 2006, 15:04"), 1)
	if b.String() != want {
		t.Fatalf("%s\ninstead of\n%s", b.String(), want)
	}
}

// An import reports its progress, and writes many rows with each statement.
func TestImportReportsProgress(t *testing.T) {
	t.Parallel()
	s := open(t, filepath.Join(t.TempDir(), "history.db"))
	last, reports := 0, 0
	ids, err := s.Import(t.Context(), generate(11_000), func(done, all int) {
		if done < last || all != 5500 {
			t.Errorf("%d of %d after %d", done, all, last)
		}
		last, reports = done, reports+1
	})
	if err != nil || last != 5500 || reports < 2 {
		t.Fatalf("%d reports, the last is %d, %v", reports, last, err)
	}
	found, err := s.Search(t.Context(), "message 10999 is", 5)
	if err != nil || len(found) != 1 || found[0].Conversation != ids[0] {
		t.Errorf("the last message is not found: %+v, %v", found, err)
	}
	if c := thread(t, s, ids[0]).Conversation; !strings.HasPrefix(c.Preview, "Message 10999") {
		t.Errorf("preview %q", c.Preview)
	}
}

// A large import leaves the text index with FTS5's default settings, and every text can be found.
func TestImportLeavesTheIndexAsItWas(t *testing.T) {
	t.Parallel()
	var turns []string
	for i := range 1500 {
		turns = append(turns, fmt.Sprintf(`{"id":"%s","started":"2026-01-01T00:00:00Z","ended":"2026-01-01T00:00:01Z","user":[{"text":"lighthouse number %d"}],"events":[],"contents":[]}`, uuid.NewString(), i))
	}
	doc := `{"format":"goated conversations","version":1,"conversations":[{"id":"` + uuid.NewString() + `","title":"a","created":"2026-01-01T00:00:00Z","updated":"2026-01-01T00:00:00Z","turns":[` + strings.Join(turns, ",") + `]}]}`
	path := filepath.Join(t.TempDir(), "history.db")
	db := open(t, path)
	if _, err := db.Import(t.Context(), strings.NewReader(doc), nil); err != nil {
		t.Fatal(err)
	}
	found := 0
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	raw, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	rows, err := raw.Query(`SELECT k, v FROM search_config WHERE k IN ('hashsize', 'automerge')`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for want := map[string]int{"hashsize": 1 << 20, "automerge": 4}; rows.Next(); found++ {
		var k string
		var v int
		if err := rows.Scan(&k, &v); err != nil || v != want[k] {
			t.Errorf("%s is %d, %v", k, v, err)
		}
	}
	if found != 2 {
		t.Errorf("%d settings", found)
	}
}
