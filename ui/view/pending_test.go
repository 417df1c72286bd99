package view

import (
	"testing"
	"time"

	"goated/agent"
)

// A turn waits for the model after the message and after each step of calls, unless something
// else shows the progress.
func TestTurnWaitsForTheModel(t *testing.T) {
	asked := Chat{}.Say("go")
	called := asked.Apply(agent.ToolCalled{ID: "1", Name: "read"})
	returned := called.Apply(agent.ToolReturned{ID: "1", Error: "no"})
	for name, c := range map[string]struct {
		chat Chat
		want bool
	}{
		"a message":                   {asked, true},
		"an open call":                {called, false},
		"a finished call":             {returned, true},
		"two calls, one of them open": {called.Apply(agent.ToolCalled{ID: "2", Name: "read"}).Apply(agent.ToolReturned{ID: "2", Error: "no"}), false},
		"a thought":                   {asked.Apply(agent.ThoughtDelta{Text: "hm"}), false},
		"an answer":                   {asked.Apply(agent.TextDelta{Text: "so"}), false},
		"another attempt":             {asked.Apply(agent.RetryScheduled{Left: time.Second, Attempt: 2}), false},
		"servers that start":          {asked.Apply(agent.ServersStarting{Names: []string{"git"}}), false},
		"an empty conversation":       {Chat{}, false},
	} {
		t.Run(name, func(t *testing.T) {
			if _, got := c.chat.Awaiting("Gemini Flash", time.Time{}).last().(Pending); got != c.want {
				t.Errorf("it waits: %t", got)
			}
			if _, got := c.chat.Awaiting("", time.Time{}).last().(Pending); got {
				t.Error("it waits for no model")
			}
		})
	}
	for waited, want := range map[time.Duration]string{
		0: "", 300 * time.Millisecond: "", time.Second: "Waiting for Gemini Flash…", 7900 * time.Millisecond: "Waiting for Gemini Flash… 7 s", 65 * time.Second: "Waiting for Gemini Flash… 1 min 5 s",
	} {
		began := time.Now()
		if got := (Pending{"Gemini Flash", began}).Text(began.Add(waited)); got != want {
			t.Errorf("after %v it says %q, not %q", waited, got, want)
		}
	}
}
