package tools

import (
	"testing"

	"goated/client"
)

// The page counted the tools of a server's last start although the server had failed or ended.
// Models do not receive them.
func TestSumCountsOnlyToolsThatCanBeCalled(t *testing.T) {
	offers := []tool{{on: true, tokens: 100}, {on: true, tokens: 100}}
	all := []row{
		{server: client.Server{ID: "a", Status: client.Connected}, on: true, tools: offers, tokens: 200},
		{server: client.Server{ID: "b", Status: client.Failed}, on: true, tools: offers, tokens: 200},
		{on: true, tools: offers, tokens: 200},
	}
	if got, want := sum(all), "3 of 3 servers on · 2 tools · 200 tokens in every turn"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
