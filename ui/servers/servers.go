// Package servers draws the sheet that connects MCP servers, the page of each
// server, and the questions about permissions. It owns the permission requests
// of this run; the host owns the servers, and the shell the settings. It must
// not know conversations.
package servers

import (
	"context"

	"goated/agent"
	"goated/client"
	"goated/internal/config"
	"goated/internal/consent"
	"goated/ui/shell"
)

// Pages are the sheet that connects servers and the page of each server. Their
// fields and methods belong to the UI goroutine.
type Pages struct {
	*shell.Shell
	Host    *client.Host  // nil: there are no servers
	Policy  *agent.Policy // nil: every try of a tool needs an approval
	Secrets *config.Secrets
	Private []string // goated's own folders, with their links resolved

	Snapshot   client.Snapshot
	Requests   consent.Requests // by LaunchLine
	Connector  *connectSheet    // nil unless open
	Page       *serverPage      // nil unless open
	connecting context.CancelFunc

	// Approve and Question block until the user answers.
	Approve  func(context.Context, agent.ToolCalled) (agent.Decision, error)
	Question func(context.Context, shell.Question) (any, error)

	OnPrompt func(text string) // puts the text of a prompt into the composer and closes all sheets
}

// See shows a new state of the servers and asks for the permissions that they
// lack.
func (ps *Pages) See(s client.Snapshot) {
	ps.Snapshot = s
	if ps.Connector != nil {
		ps.Connector.show(s)
	}
	if ps.Page != nil {
		ps.Page.see(s)
	}
	ps.askPermissions(s)
}
