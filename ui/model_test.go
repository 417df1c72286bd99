package ui_test

import (
	"goated/agent"
	"goated/ui/internal/samples"
)

// sessions returns a function that makes sessions without tools, whose model is the function m.
func sessions(m samples.Model) func() *agent.Session { return samples.Sessions(m) }
