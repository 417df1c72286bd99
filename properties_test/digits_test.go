package properties_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/genai"
	"pgregory.net/rapid"

	"goated/agent"
	"goated/client"
	"goated/internal/exact"
	"goated/internal/geminitest"
	"goated/internal/store"
	"goated/registry"
	"goated/ui/view"
	"goated/ui/view/fields"
)

// Any JSON number passes through goated unchanged on each path: to servers and back, to models and
// back, through the history and its export, into forms and onto cards.

// digitsSchema contains numbers that a float64 cannot represent, in all places that a form reads.
const digitsSchema = `{"type":"object","properties":{"id":{"type":"integer","default":9007199254740993,"minimum":-9007199254740993,"maximum":12345678901234567890},"pick":{"enum":[9007199254740993,1.10]}}}`

// serveDigits is a server that sends numbers exactly as it received them. An SDK would decode them.
func serveDigits() {
	in := bufio.NewReader(os.Stdin)
	asked := json.RawMessage(nil) // id of the call that waits for the user's answer
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct {
				Name      string
				Arguments json.RawMessage
			}
			Result struct{ Content json.RawMessage }
		}
		if json.Unmarshal(line, &m) != nil {
			os.Exit(9)
		}
		result := ""
		switch {
		case m.Method == "initialize":
			result = `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"digits","version":"1"}}`
		case m.Method == "tools/list":
			result = `{"tools":[{"name":"echo","inputSchema":` + digitsSchema + `},{"name":"ask","inputSchema":{"type":"object"}}]}`
		case m.Method == "tools/call" && m.Params.Name == "ask":
			asked = m.ID
			fmt.Printf(`{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{"n":{"type":"number","default":9007199254740993},"city":{"type":"string"},"area":{"type":"string"}},"required":["area"]}}}` + "\n")
			continue
		case m.Method == "tools/call":
			text, _ := json.Marshal(string(m.Params.Arguments))
			result = fmt.Sprintf(`{"content":[{"type":"text","text":%s,"_meta":%s}],"structuredContent":%s,"_meta":{"args":%[2]s}}`, text, m.Params.Arguments, m.Params.Arguments)
		case m.Method == "" && asked != nil:
			text, _ := json.Marshal(string(m.Result.Content))
			result, m.ID, asked = fmt.Sprintf(`{"content":[{"type":"text","text":%s}]}`, text), asked, nil
		case len(m.ID) > 0:
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"unknown"}}`+"\n", m.ID)
			continue
		default:
			continue
		}
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", m.ID, result)
	}
}

// numbered generates objects with numbers at any depth. Their member names are plain, because
// goated refuses messages with other names.
func numbered() *rapid.Generator[map[string]any] {
	names := rapid.StringMatching(`[a-z][a-z_]{0,7}`)
	below := func(values *rapid.Generator[any]) *rapid.Generator[any] {
		return rapid.OneOf(exactNumbers(), values,
			rapid.Map(rapid.SliceOfN(values, 0, 3), func(a []any) any { return append([]any{}, a...) }),
			rapid.Map(rapid.MapOfN(names, values, 0, 3), func(m map[string]any) any { return m }))
	}
	leaves := rapid.OneOf(exactNumbers(), rapid.Map(texts(), func(s string) any { return s }),
		rapid.SampledFrom([]any{nil, true, "\ue000", `{"a":1}`, map[string]any{"\ue000": `{"a":1.0}`}}))
	return rapid.MapOfN(names, below(below(leaves)), 0, 4)
}

// encoded returns the JSON of a value, with sorted members.
func encoded(t rapid.TB, v any) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// sameDigits checks that JSON contains the value, digit for digit.
func sameDigits(t rapid.TB, path, got, want string) {
	t.Helper()
	var v any
	if err := exact.Decode([]byte(got), &v); err != nil {
		t.Fatalf("%s: %q: %v", path, got, err)
	}
	if got = encoded(t, v); got != want {
		t.Fatalf("%s: %s, want %s", path, got, want)
	}
}

// This covers the arguments of calls, structured results, texts and metadata.
func TestPropertyDigitsOfCalls(t *testing.T) {
	h := newHost(t, client.Options{})
	connect(t, h, box("box", "digits"))
	rapid.Check(t, func(t *rapid.T) {
		args := numbered().Draw(t, "args")
		want := encoded(t, args)
		r, err := h.Call(context.Background(), "box__echo", args, nil)
		if err != nil {
			t.Fatal(err)
		}
		sameDigits(t, "text", said(t, r), want)
		sameDigits(t, "structured content", encoded(t, r.StructuredContent), want)
		sameDigits(t, "metadata", encoded(t, r.Meta["args"]), want)
		sameDigits(t, "metadata of the text", encoded(t, r.Content[0].(*mcp.TextContent).Meta), want)
		sameDigits(t, "card of the call", view.FormatJSON(args), want)
		var event agent.Event = agent.ToolReturned{ID: "call-1", Result: r}
		event = recoded(t, event)
		sameDigits(t, "event", encoded(t, event.(agent.ToolReturned).Result.StructuredContent), want)
		for _, part := range view.NewResult(&mcp.CallToolResult{StructuredContent: r.StructuredContent}).Parts {
			sameDigits(t, "card of the result", part.Text, want)
		}
		event = recoded(t, agent.ToolCalled{ID: "call-1", Args: args})
		sameDigits(t, "event of the call", encoded(t, event.(agent.ToolCalled).Args), want)
	})
}

func recoded(t rapid.TB, e agent.Event) agent.Event {
	t.Helper()
	data, err := agent.EncodeEvent(e)
	if err == nil {
		e, err = agent.DecodeEvent(data)
	}
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// Schemas become forms and declarations, and keep their digits.
func TestDigitsOfSchemas(t *testing.T) {
	h := newHost(t, client.Options{})
	connect(t, h, box("box", "digits"))
	e, err := h.Lookup("box__echo")
	if err != nil {
		t.Fatal(err)
	}
	var want any
	if err := exact.Decode([]byte(digitsSchema), &want); err != nil {
		t.Fatal(err)
	}
	sameDigits(t, "schema", encoded(t, e.Tool.InputSchema), encoded(t, want))
	list, err := fields.FromSchema(e.Tool.InputSchema)
	if err != nil {
		t.Fatal(err)
	}
	if got := list[0].Format(list[0].Default); got != "9007199254740993" {
		t.Errorf("the form's default is %s", got)
	}
	if _, _, err := list[0].Parse("-9007199254740994"); err == nil || !strings.Contains(err.Error(), "-9007199254740993") {
		t.Errorf("below the minimum: %v", err)
	}
	if v, _, err := list[1].Parse("9007199254740993"); err != nil || encoded(t, v) != "9007199254740993" {
		t.Errorf("the choice is %v, %v", v, err)
	}
	s := geminitest.New(t)
	s.Script(geminitest.Text("ok"))
	run(t, &agent.Session{Model: gemini(t, s), Tools: h})
	for _, digits := range []string{"9007199254740993", "1.10", "12345678901234567890"} {
		if !bytes.Contains(s.Requests()[0].Body, []byte(digits)) {
			t.Errorf("the model does not get %s", digits)
		}
	}
}

// The fields of forms keep their digits.
func TestPropertyDigitsOfForms(t *testing.T) {
	list, err := fields.FromSchema(map[string]any{"required": []string{"n", "v"}, "properties": map[string]any{"n": map[string]any{"type": "number"}, "v": map[string]any{}}})
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		number := encoded(t, exactNumbers().Draw(t, "number"))
		for _, f := range list {
			v, _, err := f.Parse(number)
			if err != nil {
				t.Fatal(err)
			}
			if got := encoded(t, v); got != number {
				t.Fatalf("%s: %s, want %s", f.Name, got, number)
			}
			if got := f.Format(v); got != number {
				t.Fatalf("%s shows %s, want %s", f.Name, got, number)
			}
		}
	})
}

// The questions of servers, and their answers, keep their digits.
func TestDigitsOfElicitation(t *testing.T) {
	const answer = "12345678901234567890.10"
	var shown string
	var names []string
	h := newHost(t, client.Options{Elicit: func(_ context.Context, _ client.Asker, e *mcp.ElicitParams) (*mcp.ElicitResult, error) {
		list, err := fields.FromSchema(e.RequestedSchema)
		if err != nil {
			return nil, err
		}
		for _, f := range list {
			names = append(names, f.Name)
		}
		shown = list[0].Format(list[0].Default)
		v, _, err := list[0].Parse(answer)
		return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"n": v, "area": "Baker Street"}}, err
	}})
	connect(t, h, box("box", "digits"))
	r, err := h.Call(t.Context(), "box__ask", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := said(t, r); got != `{"area":"Baker Street","n":`+answer+`}` {
		t.Errorf("the server gets %s", got)
	}
	if shown != "9007199254740993" {
		t.Errorf("the default is %s", shown)
	}
	// The fields were once sorted by name, after the required ones.
	if got := strings.Join(names, " "); got != "n city area" {
		t.Errorf("the form asks for %s, not in the order of the server", got)
	}
}

// mirror is [agent.Tools] with one tool, which remembers its arguments.
type mirror struct {
	entry registry.Entry
	mu    sync.Mutex
	args  map[string]any
}

func (m *mirror) Tools() iter.Seq[registry.Entry]            { return slices.Values([]registry.Entry{m.entry}) }
func (m *mirror) Lookup(name string) (registry.Entry, error) { return m.entry, nil }

func (m *mirror) CallEntry(_ context.Context, _ registry.Entry, args map[string]any, _ func(*mcp.ProgressNotificationParams)) (*mcp.CallToolResult, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.args = args
	return &mcp.CallToolResult{StructuredContent: args}, nil
}

func gemini(t testing.TB, s *geminitest.Server) *agent.Gemini {
	t.Helper()
	g, err := agent.NewGemini(t.Context(), agent.GeminiOptions{Key: geminitest.DefaultKey, BaseURL: s.URL})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// run sends a message and returns the events.
func run(t rapid.TB, s *agent.Session) (events []agent.Event) {
	t.Helper()
	for e, err := range s.Send(context.Background(), genai.NewPartFromText("go")) {
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, e)
	}
	return events
}

// This covers the calls of a model, their way back in the next request, and the history of both,
// saved, exported and imported.
func TestPropertyDigitsOfModels(t *testing.T) {
	s := geminitest.New(t)
	model := gemini(t, s)
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "h.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rapid.Check(t, func(t *rapid.T) {
		ctx := context.Background()
		args := numbered().Filter(func(m map[string]any) bool { return len(m) > 0 }).Draw(t, "args")
		want := encoded(t, args)
		s.Script(geminitest.Call("box__x", args), geminitest.Text("ok"))
		before := len(s.Requests())
		tools := &mirror{entry: registry.Entry{Name: "box__x", Server: "box", Tool: &mcp.Tool{Name: "x", InputSchema: map[string]any{"type": "object"}}}}
		session := &agent.Session{Model: model, Tools: tools, Policy: &agent.Policy{AllowAll: true}}
		events := run(t, session)
		sameDigits(t, "tool", encoded(t, tools.args), want)
		var body struct {
			Contents []struct {
				Parts []struct {
					FunctionCall     *struct{ Args json.RawMessage }
					FunctionResponse *struct{ Response struct{ Output string } }
				}
			}
		}
		if err := json.Unmarshal(s.Requests()[before+1].Body, &body); err != nil {
			t.Fatal(err)
		}
		sameDigits(t, "request", string(body.Contents[1].Parts[0].FunctionCall.Args), want)
		sameDigits(t, "response", body.Contents[2].Parts[0].FunctionResponse.Response.Output, want)

		c, err := db.Create(ctx)
		if err != nil {
			t.Fatal(err)
		}
		r, err := db.Begin(ctx, c.ID, "", []*genai.Part{{Text: "go"}})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range events {
			if err := r.Record(ctx, e); err != nil {
				t.Fatal(err)
			}
		}
		if err := r.Contents(ctx, session.History()); err != nil {
			t.Fatal(err)
		}
		if err := r.End(ctx, nil); err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		if err := db.ExportJSON(ctx, &file, c.ID); err != nil {
			t.Fatal(err)
		}
		ids, err := db.Import(ctx, io.Reader(&file), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range append(ids, c.ID) {
			thread, err := db.Thread(ctx, id)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range thread.Turns[0].Events {
				switch e := e.(type) {
				case agent.ToolCalled:
					sameDigits(t, "stored call", encoded(t, e.Args), want)
				case agent.ToolReturned:
					sameDigits(t, "stored result", encoded(t, e.Result.StructuredContent), want)
				}
			}
			sameDigits(t, "stored content", encoded(t, thread.History()[1].Parts[0].FunctionCall.Args), want)
		}
	})
}
