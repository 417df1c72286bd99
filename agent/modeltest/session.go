package modeltest

import (
	"context"
	"errors"
	"time"

	"google.golang.org/genai"

	"goated/agent"
	"goated/agent/turntest"
)

// newSession returns a session that allows every call.
func newSession(m agent.Model, tools agent.Tools) *agent.Session {
	return &agent.Session{Model: m, Tools: tools, Approve: AllowAll(), System: "Be brief.", Idle: 10 * time.Second}
}

// AllowAll returns an [agent.Approve] that allows every call once.
func AllowAll() agent.Approve {
	return agent.ApproveOneByOne(func(context.Context, agent.Pending) (agent.Answer, error) {
		return agent.Answer{Decision: agent.AllowOnce}, nil
	})
}

// Collect runs a turn to its end.
func Collect(ctx context.Context, s *agent.Session, text string) ([]agent.Event, error) {
	return turntest.Collect(s.Send(ctx, genai.NewPartFromText(text)))
}

// Said returns the text of the answers of a turn.
func Said(events []agent.Event) string {
	said := ""
	for _, d := range turntest.Only[agent.TextDelta](events) {
		said += d.Text
	}
	return said
}

// KindOf returns the kind of a failure, or "" for any other error.
func KindOf(err error) agent.FailureKind {
	if f := (*agent.Failure)(nil); errors.As(err, &f) {
		return f.Kind
	}
	return ""
}
