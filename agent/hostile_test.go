package agent

import (
	"encoding/json"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/genai"

	"goated/internal/geminitest"
)

// Schemas that are made to cost: each is declared within a tenth of a second, in
// a request of a size that can be sent, and leads nobody to another place (F36,
// F37).
func TestHostileSchemas(t *testing.T) {
	elsewhere, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer elsewhere.Close()
	asked := make(chan struct{}, 1)
	go func() { // ends with the listener
		for {
			conn, err := elsewhere.Accept()
			if err != nil {
				return
			}
			_ = conn.Close()
			select {
			case asked <- struct{}{}:
			default:
			}
		}
	}()
	remote := "http://" + elsewhere.Addr().String() + "/schema"

	values := make([]any, 200000)
	for i := range values {
		values[i] = fmt.Sprint("value-", i)
	}
	doubled, properties := map[string]any{}, map[string]any{}
	for i := range 60 {
		next := map[string]any{"$ref": fmt.Sprintf("#/$defs/d%d", i+1)}
		doubled[fmt.Sprint("d", i)] = map[string]any{"allOf": []any{next, next}, "anyOf": []any{next, next}, "properties": map[string]any{"a": next, "b": next}}
	}
	for i := range 50000 {
		properties[fmt.Sprint("p", i)] = map[string]any{"type": "string", "description": "one of many"}
	}
	deep := map[string]any{"type": "string"}
	for range 5000 {
		deep = map[string]any{"type": "array", "items": deep}
	}
	for name, schema := range map[string]map[string]any{
		"huge enum":         {"properties": map[string]any{"v": map[string]any{"enum": values}}},
		"reference loop":    {"properties": map[string]any{"v": map[string]any{"$ref": "#/$defs/a"}}, "$defs": map[string]any{"a": map[string]any{"$ref": "#/$defs/b"}, "b": map[string]any{"$ref": "#/$defs/a"}}},
		"reference to root": {"properties": map[string]any{"v": map[string]any{"$ref": "#"}}},
		"exponential allOf": {"allOf": []any{map[string]any{"$ref": "#/$defs/d0"}}, "$defs": doubled},
		"pattern":           {"properties": map[string]any{"v": map[string]any{"type": "string", "pattern": "^(a+)+$(" + strings.Repeat("(x*)*", 20000) + ")"}}},
		"many properties":   {"properties": properties},
		"deep":              {"properties": map[string]any{"v": deep}},
		"long description":  {"description": strings.Repeat("word ", 1<<20)},
		"remote reference":  {"$ref": remote, "$schema": remote, "$id": remote, "properties": map[string]any{"v": map[string]any{"$ref": remote + "#/$defs/x"}}},
	} {
		began := time.Now()
		data, err := json.Marshal(parameters(schema))
		if took := time.Since(began); err != nil || took > 100*time.Millisecond+slack || len(data) > 1<<20 {
			t.Errorf("%s: %d bytes in %v, %v", name, len(data), took, err)
		}
		s := geminitest.New(t)
		s.Script(geminitest.Text("ok"))
		box := &toolbox{}
		box.reg.Set("box", false, []*mcp.Tool{{Name: "x", InputSchema: schema}})
		if _, err := collect(t.Context(), &Session{Model: gemini(t, s), Tools: box}, "hi"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		// Without a model, words are made into arguments by the same schema.
		began = time.Now()
		offline := &Session{Model: &Offline{}, Tools: box}
		_, _ = collect(t.Context(), offline, `x v="`+strings.Repeat("a", 1000)+`!"`)
		if took := time.Since(began); took > 300*time.Millisecond+slack {
			t.Errorf("%s: offline, it took %v", name, took)
		}
	}
	select {
	case <-asked:
		t.Error("a reference was followed to another place")
	case <-time.After(50 * time.Millisecond):
	}
}

// slack is what a busy machine may add to a limit.
const slack = 400 * time.Millisecond

// Whatever becomes of Gemini in the middle of a turn: the requests are bounded,
// what was said stays said, going on is possible, and no tool runs twice (F42).
func TestFaultsOfGemini(t *testing.T) {
	call, cut := geminitest.Call("box__x", map[string]any{"n": 1.0}), geminitest.Drop()
	three := func(r geminitest.Reply) []geminitest.Reply { return []geminitest.Reply{r, r, r} }
	for _, tt := range []struct {
		name   string
		faults []geminitest.Reply // in answer to what the tool returned
		says   string             // the error; "" if the turn goes on by itself
	}{
		{"quota", three(geminitest.RateLimited(geminitest.RetryInfo(7 * time.Second))), "the limit of this Gemini key is reached"},
		{"internal error", three(geminitest.Fail(500, "INTERNAL", "An internal error has occurred.")), "Gemini is not available at the moment (INTERNAL)"},
		{"overloaded", three(geminitest.Overloaded()), "Gemini is not available at the moment (UNAVAILABLE)"},
		{"overloaded for a moment", []geminitest.Reply{geminitest.Overloaded()}, ""},
		{"bad request", []geminitest.Reply{geminitest.Fail(400, "INVALID_ARGUMENT", "no")}, "Gemini refused the request (INVALID_ARGUMENT)"},
		{"cut before all", []geminitest.Reply{cut}, ""},
		{"cut in a text", []geminitest.Reply{geminitest.Turn(geminitest.Text("It "), cut)}, "talking to Gemini"},
		{"cut behind a call", []geminitest.Reply{geminitest.Turn(geminitest.Call("box__x", map[string]any{"n": 2.0}), cut)}, "talking to Gemini"},
		{"cut in a chunk", []geminitest.Reply{geminitest.Turn(geminitest.Text("It "), geminitest.Malformed(), cut)}, "talking to Gemini"},
		{"an error in the stream", []geminitest.Reply{geminitest.Turn(geminitest.Text("It "), geminitest.Overloaded())}, "Gemini"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := geminitest.New(t)
			s.Script(call)
			s.Script(tt.faults...)
			s.Script(geminitest.Text("Here."))
			box := tools(echo, "x")
			session := &Session{Model: gemini(t, s), Tools: box, Approve: allowAll}
			began := time.Now()
			events, err := collect(t.Context(), session, "go")
			if tt.says == "" != (err == nil) || err != nil && !strings.HasPrefix(err.Error(), tt.says) {
				t.Fatalf("it says %v, not %q", err, tt.says)
			}
			if took := time.Since(began); took > 10*time.Second {
				t.Errorf("it took %v", took)
			}
			if err != nil {
				if n := len(s.Requests()); n != 1+len(tt.faults) {
					t.Errorf("%d requests, not %d", n, 1+len(tt.faults))
				}
				if err := checkHistory(session.History()); err != nil {
					t.Error(err)
				}
				events = nil
				for e, err := range session.Send(t.Context()) { // again
					if err != nil {
						t.Fatal(err)
					}
					events = append(events, e)
				}
			}
			if answerOf(events) != "Here." || len(box.calls) != 1 {
				t.Errorf("it says %q, and the tool ran %d times", answerOf(events), len(box.calls))
			}
			s.Done()
		})
	}
}

// A call with arguments that are none of the tool's, or of a tool that there is
// not, is answered, and the model may mend it.
func TestMalformedCalls(t *testing.T) {
	s := geminitest.New(t)
	s.Script(
		geminitest.Calls(geminitest.Call("box__nowhere", nil), geminitest.Call("box__x", map[string]any{"n": map[string]any{"deep": []any{nil}}})),
		geminitest.Parts(&genai.Part{FunctionCall: &genai.FunctionCall{Name: strings.Repeat("x", 5000)}}),
		geminitest.Text("Mended."),
	)
	box := tools(echo, "x")
	session := &Session{Model: gemini(t, s), Tools: box, Approve: allowAll}
	events, err := collect(t.Context(), session, "go")
	if err != nil || answerOf(events) != "Mended." || len(box.calls) != 1 {
		t.Errorf("%v, %q, %v", err, answerOf(events), box.calls)
	}
	if err := checkHistory(session.History()); err != nil {
		t.Error(err)
	}
	s.Done()
}
