package ui_test

import (
	"slices"
	"strings"
	"testing"

	"goated/agent"
	"goated/client"
	"goated/registry"
	"goated/ui"
)

func TestServerPageTriesAndRestarts(t *testing.T) {
	host := client.New(client.Options{Unconfined: unconfined})
	defer host.Close()
	policy := &agent.Policy{}
	d := hosted(t, ui.Options{Host: host, Policy: policy})
	script := echoServer(t)
	d.connect(`"` + script + `"`) // with quotes, as a file manager copies a path
	d.connected()
	d.until("the settings list the server", func() bool {
		recent := d.saved.get().Recent
		return len(recent) == 1 && recent[0].Path == script
	})
	s := d.server("has its tools", func(s client.Server) bool { return len(s.Tools) == 2 })
	tool := s.Tools[slices.IndexFunc(s.Tools, func(e registry.Entry) bool { return e.Tool.Name == "echo" })]
	d.until("the window lists the tools", func() bool { return d.Reads("2 tools") })
	d.run("Try echo")
	for i := range d.CountFields("") { // the fields of a tool have no hint
		d.Enter("", "hello", i)
	}
	d.Press("Run")
	d.sees("Run echo?")
	d.answers("Deny")
	d.sees("You did not allow it.")
	d.Press("Run")
	d.sees("Run echo?")
	d.answers("Always allow this tool")
	d.until("the result is there", func() bool { return strings.HasPrefix(d.Find("Result · "), "Result · ") })
	if g := policy.Grants(); !slices.Equal(g, []string{tool.Name}) {
		t.Errorf("granted are %v", g)
	}
	d.Press("Restart")
	d.until("the window says that the server restarted", func() bool { return d.Says("echo is running anew") || d.Says("echo restarted") })
	d.Press("Process")
	if !d.Says("PATH") {
		t.Error("the page does not show the environment")
	}
	d.closeSheets()
}
