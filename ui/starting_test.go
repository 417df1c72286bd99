package ui_test

import (
	"context"
	"iter"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"google.golang.org/genai"

	"goated/agent"
	"goated/agent/turntest"
	"goated/ui"
)

// startingTools are the tools of servers that keep starting until started is closed.
type startingTools struct {
	*turntest.Toolbox
	started chan struct{}
	asked   *bool // set when the model is asked
}

func (s startingTools) Await(ctx context.Context) iter.Seq[agent.Event] {
	return func(yield func(agent.Event) bool) {
		yield(agent.ServersStarting{Names: []string{"git", "sqlite"}, Left: 28 * time.Second})
		select {
		case <-s.started:
			yield(agent.ServersMissing{Failed: []string{"sqlite"}})
		case <-ctx.Done():
		}
	}
}

// Generate implements a model that answers.
func (s startingTools) Generate(context.Context, []*genai.Content, *genai.GenerateContentConfig) iter.Seq2[*genai.GenerateContentResponse, error] {
	return func(yield func(*genai.GenerateContentResponse, error) bool) {
		*s.asked = true
		yield(&genai.GenerateContentResponse{Candidates: []*genai.Candidate{{
			Content: genai.NewContentFromText("The answer.", genai.RoleModel), FinishReason: genai.FinishReasonStop,
		}}}, nil)
	}
}

// A message that is sent while servers start visibly waits for them. The user can stop the
// wait. If a server fails, the model answers without it.
func TestAMessageWaitsForServers(t *testing.T) {
	tools := startingTools{Toolbox: new(turntest.Toolbox), started: make(chan struct{}), asked: new(bool)}
	d := shown(t, ui.Options{Agent: ui.AgentOptions{NewSession: func() *agent.Session {
		return &agent.Session{Model: tools, Tools: tools}
	}}})
	d.write("What changed?")
	d.Key(fyne.KeyReturn)
	d.sees("Waiting for 2 servers: git, sqlite")
	if !d.Says("at most 28 s") || d.Says("Use another model") {
		t.Errorf("the wait says %q", d.Texts())
	}
	d.Press("Stop")
	d.idle()
	d.sees("You stopped this turn.")
	if *tools.asked || d.Says("Waiting for") {
		t.Errorf("after a stop the model was asked: %t, and the window says %q", *tools.asked, d.transcript())
	}
	d.write("Again, please.")
	d.Key(fyne.KeyReturn)
	d.sees("Waiting for 2 servers: git, sqlite")
	close(tools.started)
	d.sees("The answer.")
	d.idle()
	said := strings.Join(d.transcript(), "\n")
	if !strings.Contains(said, "sqlite did not start, so the model can't use its tools in this answer.") || d.Says("Waiting for") {
		t.Errorf("the window says %q", said)
	}
}
