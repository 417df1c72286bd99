package agent

import (
	"math"
	"testing"

	"goated/internal/geminitest"
)

// The price is that of the model in the response, even if the request used an alias.
func TestTurnCostsWhatItsRequestsDo(t *testing.T) {
	s := geminitest.New(t)
	s.Script(
		geminitest.Turn(geminitest.Call("box__one", map[string]any{}), geminitest.Usage(1000, 100, 100)),
		geminitest.Turn(geminitest.Text("done"), geminitest.Usage(2000, 50, 0)))
	g, err := NewGemini(t.Context(), GeminiOptions{Key: geminitest.DefaultKey, BaseURL: s.URL, Model: "gemini-2.5-flash"})
	if err != nil {
		t.Fatal(err)
	}
	session := &Session{Model: g, Tools: tools(echo, "one"), Approve: each(allowAll)}
	events, err := collect(t.Context(), session, "go")
	if err != nil {
		t.Fatal(err)
	}
	u := only[TurnEnded](events)[0].Usage
	if want := (3000*0.30 + 250*2.50) / 1e6; math.Abs(u.Cost-want) > 1e-12 || u.Total() != 3250 {
		t.Errorf("%+v, want a cost of %g", u, want)
	}
}

func TestCostIsUnknownIfThatOfOneRequestIs(t *testing.T) {
	known, step := "gemini-2.5-pro", Usage{Prompt: 1_000_000, Cached: 600_000, Answer: 1_000_000}
	add := func(u, step Usage, model string) Usage { return u.plus(priced(nil, step, model)) }
	u := add(Usage{}, Usage{Prompt: 1000, Cached: 600, Answer: 1000}, known)
	if want := (400*1.25 + 600*0.125 + 1000*10) / 1e6; math.Abs(u.Cost-want) > 1e-12 {
		t.Errorf("cost is %g, not %g", u.Cost, want)
	}
	if got := add(u, step, "somebody-else"); got.Cost != 0 || add(got, step, known).Cost != 0 {
		t.Error("an unknown price is taken for nothing")
	}
	if got := add(u, Usage{}, ""); got.Cost != u.Cost {
		t.Error("a request that came to nothing makes the cost unknown")
	}
	if got := add(Usage{}, step, known).Cost; math.Abs(got-(0.4*2.5+0.6*0.25+15)) > 1e-9 {
		t.Errorf("a long prompt costs %g", got)
	}
}
