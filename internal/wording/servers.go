package wording

import (
	"fmt"
	"strings"

	"goated/agent"
	"goated/client"
	"goated/internal/enumeration"
)

// WaitingForServers returns a line about the servers that a turn waits for: "Waiting for 2 servers: git,
// sqlite".
func WaitingForServers(names []string) string {
	if len(names) == 1 {
		return "Waiting for 1 server: " + names[0]
	}
	return fmt.Sprintf("Waiting for %d servers: %s", len(names), strings.Join(names, ", "))
}

// serversMissingText returns a sentence about the servers that a turn goes on without.
func serversMissingText(e agent.ServersMissing) string {
	var out []string
	if n := len(e.Failed); n > 0 {
		out = append(out, fmt.Sprintf("%s did not start, so the model can't use %s in this answer.", enumeration.And(e.Failed), toolsPhrase(n)))
	}
	if n := len(e.Slow); n > 0 {
		verb := "is"
		if n > 1 {
			verb = "are"
		}
		out = append(out, fmt.Sprintf("%s %s still starting, so the model can't use %s in this answer.", enumeration.And(e.Slow), verb, toolsPhrase(n)))
	}
	return strings.Join(out, " ")
}

// toolsPhrase returns a phrase for the tools of n servers.
func toolsPhrase(n int) string {
	if n == 1 {
		return "its tools"
	}
	return "their tools"
}

// NoToolsText returns a sentence about a running server that offers no tools, because it lacks a key,
// for example, or does not declare its tools.
func NoToolsText(s client.Server) string {
	if s.Undeclared {
		return "It runs, but offers no tools: its answer to initialize does not declare tools in capabilities. If it has tools, its authors can correct that."
	}
	return "It runs, but offers no tools. If you expected some, it may need a setting, such as a key: see its README."
}
