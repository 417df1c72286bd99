package ui_test

import (
	"goated/agent"
	"goated/ui/internal/samples"
)

// sessions are sessions without tools that a function answers.
func sessions(m samples.Model) func() *agent.Session { return samples.Sessions(m) }
