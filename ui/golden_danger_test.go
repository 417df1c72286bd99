package ui

import (
	"testing"

	"goated/client"
	"goated/internal/sandbox"
	"goated/ui/internal/samples"
	"goated/ui/servers"
)

func TestPictureDanger(t *testing.T) {
	t.Setenv("HOME", "/home/ada")
	matchGolden(t, "danger", false, func(d *desk) {
		d.see(client.Snapshot{Servers: samples.Servers().Servers[:1]})
		p := sandbox.Permission{Kind: sandbox.ToWrite, Path: "/home/ada"}
		d.shell.Sheets.Open(servers.NewPermissionPrompt(servers.PermissionRequest{Name: "weather", Command: "weather.py", What: p}, d.servers.Warning(p), 0, func(any) {}))
	})
}
