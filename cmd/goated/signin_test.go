package main

import (
	"strings"
	"testing"

	"goated/client"
	"goated/internal/config"
	"goated/internal/oauth"
)

// The user's own client for a server with a URL is used for the sign-in, and --env saves it with
// the server.
func TestClientOfTheUser(t *testing.T) {
	a := authority{oauth.New(oauth.Options{})}
	c := client.Config{URL: "https://mcp.example.org", Env: []string{config.ClientID + "=mine", config.ClientSecret + "=hush=", "OTHER=x"}}
	if got, want := registration(c.Env), (oauth.Registration{ID: "mine", Secret: "hush="}); got != want || a.authorizer(c) == nil {
		t.Errorf("the client is %+v", got)
	}
	p := newPlace(t)
	if out, aside, code := p.run("servers", "add", "--name", "shop", "--env", config.ClientID+"=mine", c.URL); code != 0 {
		t.Fatalf("status %d\n%s%s", code, out, aside)
	}
	if out, _, _ := p.run("servers", "show", "shop"); !strings.Contains(out, config.ClientID) || strings.Contains(out, "headers") {
		t.Errorf("the server is\n%s", out)
	}
}
