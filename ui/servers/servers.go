// Package servers draws the sheet that connects MCP servers, the page of each
// server, and the questions about permissions. It owns what it asked in this run;
// the host owns the servers, and the shell the settings. It knows no conversation.
package servers

import (
	"context"

	"goated/agent"
	"goated/client"
	"goated/internal/config"
	"goated/internal/consent"
	"goated/ui/shell"
)

// Pages are the sheet that connects servers and the page of each server. They
// own what the user is asked about permissions; the host owns the servers.
type Pages struct {
	*shell.Shell
	Host    *client.Host  // nil: there are no servers
	Policy  *agent.Policy // nil: every try of a tool is asked for
	Secrets *config.Secrets
	Private []string // goated's own folders, with their links resolved

	Snapshot   client.Snapshot
	Requests   consent.Requests // by how the server is run
	Connector  *connectSheet    // nil unless open
	Page       *serverPage      // nil unless open
	connecting context.CancelFunc

	// Approve and question block until the user has answered.
	Approve  func(context.Context, agent.ToolCalled) (agent.Decision, error)
	Question func(context.Context, shell.Question) (any, error)

	OnPrompt func(text string) // a prompt of a server to send; closes all sheets
}

// See shows the state of the servers.
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
