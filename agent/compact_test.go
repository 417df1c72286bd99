package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"google.golang.org/genai"

	"goated/agent/contents"
	"goated/internal/geminitest"
)

// summarises replies to a request for a summary with a summary, and to others with "ok".
func summarises(r geminitest.Request) geminitest.Reply {
	if strings.Contains(string(r.Body), "You summarise the earlier part") {
		return geminitest.Text("**Requests** The user collects facts.")
	}
	return geminitest.Text("ok")
}

// lastRequest returns the contents of the last request, as text.
func lastRequest(t *testing.T, s *geminitest.Server) string {
	t.Helper()
	all := s.Requests()
	body, err := json.Marshal(all[len(all)-1].Contents)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func say(t *testing.T, s *Session, text string) []Event {
	t.Helper()
	events, err := collect(t.Context(), s, text)
	if err != nil {
		t.Fatal(err)
	}
	return events
}

// A summary replaces earlier messages in requests, but not in the history. Undo brings them back,
// and a reloaded conversation continues with the same request.
func TestCompactReplacesEarlierMessages(t *testing.T) {
	s := geminitest.New(t)
	s.Handle(summarises)
	session := &Session{Model: gemini(t, s), Tools: tools(nil)}
	for i := range 6 {
		say(t, session, fmt.Sprintf("fact %d: %s", i, strings.Repeat("words ", 300)))
	}
	before := len(session.History())
	e, err := session.Compact(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if e.Contents != before-2 || !strings.Contains(e.Summary, "collects facts") || e.After >= e.Before/2 || e.Usage.Total() == 0 {
		t.Errorf("%+v", e)
	}
	if len(session.History()) != before {
		t.Error("the history lost contents")
	}
	say(t, session, "go on")
	first := lastRequest(t, s)
	if strings.Contains(first, "fact 3") || !strings.Contains(first, "fact 5") || !strings.Contains(first, "collects facts") {
		t.Errorf("the request after a summary is %.300s", first)
	}
	// reloaded
	again := &Session{Model: gemini(t, s), Tools: tools(nil)}
	again.Restore(session.History()[:before], e)
	say(t, again, "go on")
	if got := lastRequest(t, s); got != first {
		t.Errorf("a restored conversation sends\n%.300s\nnot\n%.300s", got, first)
	}
	if undone, ok := session.RestoreContext(); !ok || undone.Contents != e.Contents {
		t.Errorf("undo: %+v, %t", undone, ok)
	}
	say(t, session, "and now")
	if got := lastRequest(t, s); !strings.Contains(got, "fact 0") || strings.Contains(got, "collects facts") {
		t.Errorf("after undo the request is %.300s", got)
	}
	again.Restore(session.History()[:before], e, ContextRestored{Contents: e.Contents})
	say(t, again, "go on")
	if got := lastRequest(t, s); !strings.Contains(got, "fact 0") {
		t.Error("a restored conversation keeps a summary that was undone")
	}
	if refused := s.Refusals(); len(refused) > 0 {
		t.Errorf("refused: %q", refused)
	}
}

// The session occasionally summarises a conversation that nearly fills the budget, unless the user
// wants to do that manually. All requests stay below the budget.
func TestFullConversationIsCompacted(t *testing.T) {
	for _, manual := range []bool{false, true} {
		s := geminitest.New(t)
		s.Handle(summarises)
		session := &Session{Model: gemini(t, s), Tools: tools(nil), Budget: 20_000, Preferences: Preferences{Manual: manual}}
		var found []ContextCompacted
		for i := range 40 {
			found = append(found, only[ContextCompacted](say(t, session, fmt.Sprintf("fact %d: %s", i, strings.Repeat("words ", 200))))...)
		}
		if manual {
			if len(found) > 0 {
				t.Error("it is compacted against the user's wish")
			}
			continue
		}
		if len(found) < 2 || len(found) > 10 {
			t.Errorf("compacted %d times", len(found))
		}
		for _, r := range s.Requests() {
			if body, _ := json.Marshal(r.Contents); len(body) > 22_000 {
				t.Errorf("a request has %d bytes", len(body))
			}
		}
		if !strings.Contains(lastRequest(t, s), "fact 39") || len(session.History()) != 80 {
			t.Error("the newest message or the history is lost")
		}
		for i := 1; i < len(found); i++ {
			if found[i].Contents <= found[i-1].Contents {
				t.Errorf("a summary covers %d contents after one of %d", found[i].Contents, found[i-1].Contents)
			}
		}
	}
}

// The requests between two summaries have the same beginning, so that the service's cache helps.
func TestPrefixIsStableAfterASummary(t *testing.T) {
	s := geminitest.New(t)
	s.Handle(summarises)
	session := &Session{Model: gemini(t, s), Tools: tools(nil)}
	for i := range 4 {
		say(t, session, fmt.Sprintf("fact %d %s", i, strings.Repeat("words ", 99)))
	}
	if _, err := session.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	before := ""
	for i := range 4 {
		say(t, session, fmt.Sprintf("more %d", i))
		now := lastRequest(t, s)
		if !strings.HasPrefix(now, strings.TrimSuffix(before, "]")) {
			t.Fatalf("request %d does not begin like the one before", i)
		}
		before = now
	}
}

// A failed summary changes nothing.
func TestFailedSummaryChangesNothing(t *testing.T) {
	s := geminitest.New(t)
	reply := geminitest.Text("ok")
	s.Handle(func(r geminitest.Request) geminitest.Reply {
		if strings.Contains(string(r.Body), "You summarise the earlier part") {
			return reply
		}
		return geminitest.Text("ok")
	})
	session := &Session{Model: gemini(t, s), Tools: tools(nil)}
	if _, err := session.Compact(t.Context()); !errors.Is(err, ErrNothing) {
		t.Error(err)
	}
	for range 3 {
		say(t, session, strings.Repeat("words ", 100))
	}
	for name, bad := range map[string]geminitest.Reply{"empty": geminitest.Text(" "), "longer": geminitest.Text(strings.Repeat("words ", 9000)), "failed": geminitest.DailyQuota()} {
		reply = bad
		if e, err := session.Compact(t.Context()); err == nil {
			t.Errorf("%s: %+v", name, e)
		}
		if _, ok := session.Summary(); ok {
			t.Errorf("%s: a summary is in force", name)
		}
	}
	offline := &Session{Model: wordless{}, Tools: tools(nil)}
	offline.Restore(session.History())
	if _, err := offline.Compact(t.Context()); !errors.Is(err, errNoModel) {
		t.Error(err)
	}
}

// After a switch, requests contain no signature of the previous model, even after a restart. The
// first turn reports the switch.
func TestSwitchedModelGetsNoForeignSignature(t *testing.T) {
	s := geminitest.New(t)
	s.Handle(func(r geminitest.Request) geminitest.Reply {
		if contents.IsResponse(r.Contents[len(r.Contents)-1]) {
			return geminitest.Text("done")
		}
		return geminitest.Call("box__x", nil)
	})
	box := tools(func(context.Context, string, map[string]any) (string, error) { return "1", nil }, "x")
	session := &Session{Model: gemini(t, s), Tools: box, Approve: each(allowAll)}
	say(t, session, "one")
	other, err := NewGemini(t.Context(), GeminiOptions{Key: geminitest.DefaultKey, BaseURL: s.URL, Model: "gemini-pro-latest"})
	if err != nil {
		t.Fatal(err)
	}
	before := slices.Clone(session.History())
	session.SetModel(session.Model)
	if told := only[ModelSwitched](say(t, session, "two")); len(told) > 0 {
		t.Errorf("the same model is told as %v", told)
	}
	session.SetModel(other)
	told := only[ModelSwitched](say(t, session, "three"))
	if len(told) != 1 || told[0].Model != "gemini-pro-latest" || told[0].Contents != 8 {
		t.Fatalf("told %v", told)
	}
	first := s.Requests()[len(s.Requests())-2] // the first request of the other model
	if first.Model != "gemini-pro-latest" {
		t.Fatalf("the turn asked %s", first.Model)
	}
	for i, c := range first.Contents[:8] {
		for _, p := range c.Parts {
			if len(p.ThoughtSignature) > 0 && string(p.ThoughtSignature) != string(foreignSignature) {
				t.Errorf("content %d keeps a signature", i)
			}
		}
	}
	if !slices.Equal(session.History()[:len(before)], before) {
		t.Error("the history changed")
	}
	again := &Session{Model: other, Tools: box}
	again.Restore(session.History(), told[0])
	for _, c := range again.contents()[:8] {
		for _, p := range c.Parts {
			if len(p.ThoughtSignature) > 0 && string(p.ThoughtSignature) != string(foreignSignature) {
				t.Error("a restored conversation sends a foreign signature")
			}
		}
	}
}

// The parts of the measured context add up to its size, follow the service's token counts, and
// include everything that fills the context.
func TestMeter(t *testing.T) {
	s := geminitest.New(t)
	s.Handle(func(r geminitest.Request) geminitest.Reply {
		if contents.IsResponse(r.Contents[len(r.Contents)-1]) {
			return geminitest.Text("done")
		}
		return geminitest.Call("box__x", nil)
	})
	box := tools(func(context.Context, string, map[string]any) (string, error) {
		return strings.Repeat("line\n", 10_000), nil
	}, "x", "y")
	session := &Session{Model: gemini(t, s), Tools: box, Approve: each(allowAll), Results: resultStore(t), System: strings.Repeat("rule ", 80), Preferences: Preferences{Instructions: "Answer in French."}}
	empty := session.Measure()
	if empty.Declared != 2 || empty.Servers != 1 || empty.Tools == 0 || empty.Instructions < 80 || empty.Conversation+empty.Results != 0 || empty.Limit != defaultBudget/4 {
		t.Errorf("empty: %+v", empty)
	}
	say(t, session, "go")
	m := session.Measure()
	if m.Messages != 3 || m.Responses != 1 || m.Stored != 1 || m.Results < 1000 || m.Conversation == 0 || m.Used() >= m.Limit {
		t.Errorf("%+v", m)
	}
	if session.last.Prompt == 0 || session.last.Prompt > 2*m.Used() || 2*session.last.Prompt < m.Used() {
		t.Errorf("the service counted %d, the meter %d", session.last.Prompt, m.Used())
	}
	if _, ok := any(session.Model).(interface{ Window() int }); ok {
		t.Error("change the test: Gemini has a window")
	}
	session.Model = window{session.Model, 1000}
	if got := session.Measure().Limit; got != 750 {
		t.Errorf("the limit of a small model is %d", got)
	}
}

// A window is a [Model] with a small context.
type window struct {
	Model
	tokens int
}

func (w window) Window() int { return w.tokens }

// The user's instructions are part of the system instruction of every request.
func TestInstructionsOfTheUserAreSent(t *testing.T) {
	s := geminitest.New(t)
	s.Handle(summarises)
	session := &Session{Model: gemini(t, s), Tools: tools(nil), System: "base"}
	say(t, session, "one")
	session.Instructions = "Answer in French."
	say(t, session, "two")
	for i, want := range []string{"base", "base\n\nAnswer in French."} {
		var body struct {
			SystemInstruction genai.Content `json:"systemInstruction"`
		}
		if err := json.Unmarshal(s.Requests()[i].Body, &body); err != nil {
			t.Fatal(err)
		}
		if got := body.SystemInstruction.Parts[0].Text; got != want {
			t.Errorf("request %d has the system instruction %q", i, got)
		}
	}
}
