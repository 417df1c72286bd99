package geminitest_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"google.golang.org/genai"

	"goated/internal/geminitest"
)

// started returns a conversation in which the model has called two functions in parallel, after a
// signed text.
func started(t *testing.T, s *geminitest.Server) *conversation {
	t.Helper()
	s.Script(geminitest.Turn(
		geminitest.Text("I look.").Signed(),
		geminitest.Calls(
			geminitest.Call("read", map[string]any{"path": "a", "lines": 3}),
			geminitest.Call("read", map[string]any{"path": "b"}),
		),
	))
	c := converse(t, s)
	if _, err := c.send(t.Context(), say("look")); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestParallelCalls(t *testing.T) {
	s := geminitest.New(t)
	c := started(t, s)
	calls := c.calls()
	if len(calls) != 2 || calls[0].ID != "call-1" || calls[1].ID != "call-2" || calls[0].Args["lines"] != 3.0 {
		t.Fatalf("calls = %+v", calls)
	}
	parts := c.history[1].Parts
	if len(parts[0].ThoughtSignature) == 0 || len(parts[1].ThoughtSignature) == 0 || len(parts[2].ThoughtSignature) != 0 {
		t.Errorf("signatures: text %q, first call %q, second call %q",
			parts[0].ThoughtSignature, parts[1].ThoughtSignature, parts[2].ThoughtSignature)
	}
	s.Script(geminitest.Text("done"))
	if _, err := c.send(t.Context(), c.answers()); err != nil {
		t.Errorf("verbatim replay refused: %v", err)
	}
	s.Done()
}

func TestReplayRules(t *testing.T) {
	const (
		missing   = "is missing a thought_signature"
		corrupted = "Corrupted thought signature."
		changed   = "is not the call the model made"
	)
	for _, test := range []struct {
		name   string
		change func(turn []*genai.Part)
		want   string // empty if the server accepts it
	}{
		{"verbatim", func([]*genai.Part) {}, ""},
		{"text left unsigned", func(p []*genai.Part) { p[0].ThoughtSignature = nil }, ""},
		{"signed text changed", func(p []*genai.Part) { p[0].Text += "!" }, corrupted},
		{"signed call without signature", func(p []*genai.Part) { p[1].ThoughtSignature = nil }, missing},
		{"signature moved to the other call", func(p []*genai.Part) {
			p[2].ThoughtSignature, p[1].ThoughtSignature = p[1].ThoughtSignature, nil
		}, missing},
		{"signature on the other call too", func(p []*genai.Part) { p[2].ThoughtSignature = p[1].ThoughtSignature }, corrupted},
		{"signature of the text on a call", func(p []*genai.Part) { p[1].ThoughtSignature = p[0].ThoughtSignature }, corrupted},
		{"signature never issued", func(p []*genai.Part) { p[1].ThoughtSignature = []byte("mine") }, corrupted},
		{"args of a signed call changed", func(p []*genai.Part) { p[1].FunctionCall.Args["lines"] = 4 }, corrupted},
		{"args of an unsigned call changed", func(p []*genai.Part) { p[2].FunctionCall.Args["path"] = "c" }, changed},
		{"name of an unsigned call changed", func(p []*genai.Part) { p[2].FunctionCall.Name = "write" }, changed},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := geminitest.New(t)
			c := started(t, s)
			test.change(c.history[1].Parts)
			if test.want != "" {
				s.ExpectRefusals()
			} else {
				s.Script(geminitest.Text("done"))
			}
			_, err := c.send(t.Context(), c.answers())
			wantRefusal(t, s, err, test.want)
		})
	}
}

// wantRefusal checks the client's error and the server's record.
func wantRefusal(t *testing.T, s *geminitest.Server, err error, want string) {
	t.Helper()
	refusals := s.Refusals()
	if want == "" {
		if err != nil || len(refusals) > 0 {
			t.Errorf("error %v, refusals %q", err, refusals)
		}
		return
	}
	var ae genai.APIError
	if !errors.As(err, &ae) || ae.Code != 400 || ae.Status != "INVALID_ARGUMENT" || !strings.Contains(ae.Message, want) {
		t.Errorf("error = %v, want %q", err, want)
	}
	if len(refusals) != 1 || !strings.Contains(refusals[0], want) {
		t.Errorf("refusals = %q, want %q", refusals, want)
	}
}

func TestCallsOfOlderModels(t *testing.T) {
	s := geminitest.New(t)
	s.Script(
		geminitest.Call("read", nil).Unsigned().WithoutID(),
		geminitest.Call("read", nil).Unsigned().WithoutID(),
		geminitest.Text("done"),
	)
	c := converse(t, s)
	message := say("look")
	for range 3 {
		if _, err := c.send(t.Context(), message); err != nil {
			t.Fatal(err)
		}
		for _, call := range c.calls() {
			if call.ID != "" {
				t.Errorf("id = %q", call.ID)
			}
		}
		message = c.answers()
	}
	for _, content := range c.history {
		if len(content.Parts[0].ThoughtSignature) > 0 {
			t.Errorf("part = %+v", content.Parts[0])
		}
	}
}

// Go's omitempty drops an empty text on replay, which leaves a part without data. The server
// accepts the part if the client restores the text.
func TestTrailingSignature(t *testing.T) {
	for _, repaired := range []bool{false, true} {
		s := geminitest.New(t)
		s.Script(geminitest.Turn(geminitest.Text("hello"), geminitest.TrailingSignature()))
		c := converse(t, s)
		if _, err := c.send(t.Context(), say("hi")); err != nil {
			t.Fatal(err)
		}
		if parts := c.history[1].Parts; len(parts) != 2 || parts[1].Text != "" || len(parts[1].ThoughtSignature) == 0 {
			t.Fatalf("parts = %+v", parts)
		}
		want := "contents[1].parts[1].data: required oneof field 'data' must have one initialized field"
		if repaired {
			want = ""
			s.Script(geminitest.Text("fine"))
			c.config.HTTPOptions = &genai.HTTPOptions{ExtrasRequestProvider: writeEmptyTexts}
		} else {
			s.ExpectRefusals()
		}
		_, err := c.send(t.Context(), say("and now?"))
		wantRefusal(t, s, err, want)
	}
}

// Go's omitempty drops the empty args of a call on replay, so the part differs from the signed one.
func TestEmptyArgsComeBack(t *testing.T) {
	for name, change := range map[string]func(geminitest.Reply) geminitest.Reply{
		"Corrupted thought signature.":    geminitest.Reply.Signed,
		"is not the call the model made.": geminitest.Reply.Unsigned,
	} {
		s := geminitest.New(t)
		s.ExpectRefusals()
		s.Script(change(geminitest.Call("look", nil)))
		c := converse(t, s)
		c.config.HTTPOptions = nil
		if _, err := c.send(t.Context(), say("look")); err != nil {
			t.Fatal(err)
		}
		_, err := c.send(t.Context(), c.answers())
		wantRefusal(t, s, err, name)
	}
}

func writeEmptyTexts(body map[string]any) map[string]any {
	encoded, err := json.Marshal(body)
	if err != nil {
		return body
	}
	var plain map[string]any
	if err := json.Unmarshal(encoded, &plain); err != nil {
		return body
	}
	for _, content := range plain["contents"].([]any) {
		for _, p := range content.(map[string]any)["parts"].([]any) {
			part := p.(map[string]any)
			if _, signed := part["thoughtSignature"]; signed && len(part) == 1 {
				part["text"] = ""
			}
		}
	}
	return plain
}
