package ui

import (
	"context"

	"goated/agent"
	"goated/client"
	"goated/internal/config"
	"goated/internal/consent"
	"goated/ui/shell"
)

// serverPages are the sheet that connects servers and the page of each server. They
// own what the user is asked about permissions; the host owns the servers.
type serverPages struct {
	*shell.Shell
	host    *client.Host  // nil: there are no servers
	policy  *agent.Policy // nil: every try of a tool is asked for
	secrets *config.Secrets
	private []string // goated's own folders, with their links resolved

	servers   client.Snapshot
	requests  consent.Requests // by how the server is run
	connector *connector       // nil unless open
	station   *serverBook      // nil unless open
	joining   context.CancelFunc

	// approve and question block until the user has answered.
	approve  func(context.Context, agent.ToolCalled) (agent.Decision, error)
	question func(context.Context, shell.Question) (any, error)

	OnPrompt func(text string) // a prompt of a server to send; closes all sheets
}

// see shows the state of the servers.
func (ps *serverPages) see(s client.Snapshot) {
	ps.servers = s
	if ps.connector != nil {
		ps.connector.show(s)
	}
	if ps.station != nil {
		ps.station.see(s)
	}
	ps.askPermissions(s)
}
