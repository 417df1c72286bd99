package terminal

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"goated/agent"
)

// If a turn without a model called nothing or a call failed, it exited with status 1 but had the
// reason "done" in JSON.
func TestJSONSaysThatATurnIsUnfinished(t *testing.T) {
	called, returned, end := agent.ToolCalled{ID: "1", Tool: "roll"}, agent.ToolReturned{ID: "1"}, agent.TurnEnded{Reason: agent.Done}
	for _, tt := range []struct {
		events  []agent.Event
		offline bool
		reason  string
	}{
		{[]agent.Event{agent.TextDelta{Text: "roll also needs sides"}, end}, true, "unfinished"},
		{[]agent.Event{called, agent.ToolReturned{ID: "1", Error: "no"}, end}, true, "unfinished"},
		{[]agent.Event{called, returned, end}, true, "done"},
		{[]agent.Event{agent.TextDelta{Text: "hello"}, end}, false, "done"},
		{[]agent.Event{agent.TurnEnded{Reason: agent.StepLimit}}, true, "step_limit"},
	} {
		for _, asJSON := range []bool{true, false} {
			var out, aside bytes.Buffer
			p := Printer{Out: &out, Stderr: &aside, JSON: asJSON}
			err := p.Turn(func(yield func(agent.Event, error) bool) {
				for _, e := range tt.events {
					if !yield(e, nil) {
						return
					}
				}
			}, tt.offline)
			if (err == nil) != (tt.reason == "done") {
				t.Errorf("%s: %v", tt.reason, err)
			}
			if asJSON && !strings.Contains(out.String(), `"reason":"`+tt.reason+`"`) {
				t.Errorf("want %s: %s", tt.reason, out.String())
			}
			if !asJSON && strings.Contains(aside.String(), "unfinished") {
				t.Errorf("in text: %s", aside.String())
			}
		}
	}
}

// A request that goated repeats after thoughts takes one line, which gives the reason.
func TestOneLineForARetry(t *testing.T) {
	var notes strings.Builder
	p := &Printer{Out: io.Discard, Stderr: &notes}
	for _, e := range []agent.Event{
		agent.ThoughtDelta{Text: "Hm."}, agent.RetryScheduled{Kind: agent.Unavailable, Left: time.Second, Attempt: 2}, agent.AnswerDiscarded{Kind: agent.Unavailable},
		agent.AnswerDiscarded{Kind: agent.AnswerEmpty},
	} {
		if err := p.Print(e); err != nil {
			t.Fatal(err)
		}
	}
	if got := strings.Count(notes.String(), "again"); got != 2 || strings.Count(notes.String(), "not available") != 1 {
		t.Errorf("the notes are %q", notes.String())
	}
}

// Only the first wait for a second attempt was printed, although a later request of the turn waited, too.
func TestEachWaitHasALine(t *testing.T) {
	var notes strings.Builder
	p := &Printer{Out: io.Discard, Stderr: &notes}
	wait := func(attempt int, left time.Duration) agent.Event {
		return agent.RetryScheduled{Kind: agent.RateLimited, Left: left, Attempt: attempt}
	}
	for _, e := range []agent.Event{
		wait(3, time.Second), wait(2, 2*time.Second), wait(2, time.Second), agent.ToolCalled{ID: "1", Tool: "roll"}, agent.ToolReturned{ID: "1"},
		wait(2, 2*time.Second), wait(2, time.Second),
	} {
		if err := p.Print(e); err != nil {
			t.Fatal(err)
		}
	}
	if got := strings.Count(notes.String(), "goated tries again"); got != 3 {
		t.Errorf("%d lines about 3 waits: %q", got, notes.String())
	}
}
