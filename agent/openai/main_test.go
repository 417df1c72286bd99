package openai

import (
	"testing"

	"go.uber.org/goleak"

	"goated/agent"
	"goated/agent/modeltest"
	"goated/agent/turntest"
)

func TestMain(m *testing.M) {
	// A dependency of genai starts a worker when it is loaded.
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("go.opencensus.io/stats/view.(*worker).start"))
}

// box returns one tool, which returns its argument n.
func box() *turntest.Toolbox { return turntest.New(turntest.Echo, "x") }

// sessionOf returns a session that allows every call of the tools.
func sessionOf(m agent.Model, tools agent.Tools) *agent.Session {
	return &agent.Session{Model: m, Tools: tools, Approve: modeltest.AllowAll()}
}
