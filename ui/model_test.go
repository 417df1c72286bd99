package ui_test

import (
	"goated/agent"
	"goated/ui/internal/samplechat"
)

// sessions returns a function that makes sessions without tools, whose model is the function m.
func sessions(m samplechat.Model) func() *agent.Session { return samplechat.Sessions(m) }
