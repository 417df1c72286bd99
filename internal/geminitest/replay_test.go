package geminitest_test

import (
	"errors"
	"strings"
	"testing"

	"google.golang.org/genai"
	"pgregory.net/rapid"

	"goated/internal/geminitest"
)

// The server accepts any answer that comes back unchanged, and refuses it if a call has lost its
// signature.
func TestAnyReplay(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s, err := geminitest.Start(geminitest.DefaultKey)
		if err != nil {
			rt.Fatal(err)
		}
		defer s.Close()
		c := converse(t, s)
		message := say("start")
		for range rapid.IntRange(1, 4).Draw(rt, "turns") {
			s.Script(drawTurn(rt))
			if _, err := c.send(t.Context(), message); err != nil {
				rt.Fatalf("verbatim replay: %v", err)
			}
			if len(c.calls()) > 0 {
				message = c.answers()
			} else {
				message = say("go on")
			}
		}

		var signed []*genai.Part
		for _, content := range c.history {
			for _, p := range content.Parts {
				if p.FunctionCall != nil && len(p.ThoughtSignature) > 0 {
					signed = append(signed, p)
				}
			}
		}
		if len(signed) == 0 {
			return
		}
		rapid.SampledFrom(signed).Draw(rt, "signed call").ThoughtSignature = nil
		_, err = c.send(t.Context(), message)
		var ae genai.APIError
		if !errors.As(err, &ae) || !strings.Contains(ae.Message, "missing a thought_signature") {
			rt.Errorf("without a signature: %v", err)
		}
		if n := len(s.Refusals()); n != 1 {
			rt.Errorf("%d refusals", n)
		}
	})
}

// drawTurn draws a turn with few different names and arguments, so that equal calls occur.
func drawTurn(rt *rapid.T) geminitest.Reply {
	calls := rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) geminitest.Reply {
		call := geminitest.Call(
			rapid.SampledFrom([]string{"read", "write"}).Draw(rt, "name"),
			rapid.SampledFrom([]map[string]any{nil, {}, {"n": 1, "s": []string{"<é>"}}}).Draw(rt, "args"),
		)
		if rapid.Bool().Draw(rt, "without id") {
			return call.WithoutID()
		}
		return call
	}), 0, 3).Draw(rt, "calls")
	turn := geminitest.Turn(calls...)
	if rapid.Bool().Draw(rt, "one chunk") && len(calls) > 0 {
		turn = geminitest.Calls(calls...)
	}
	if rapid.Bool().Draw(rt, "unsigned") {
		turn = turn.Unsigned()
	}
	text := geminitest.Text("I think,", " so")
	if rapid.Bool().Draw(rt, "signed text") {
		text = text.Signed()
	}
	return geminitest.Turn(geminitest.Thought("hm"), text, turn)
}
