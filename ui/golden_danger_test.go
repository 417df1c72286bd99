package ui

import (
	"testing"

	"goated/client"
	"goated/internal/sandbox"
)

func TestPictureDanger(t *testing.T) {
	t.Setenv("HOME", "/home/ada")
	picture(t, "danger", false, func(d *desk) {
		d.see(client.Snapshot{Servers: someServers().Servers[:1]})
		p := sandbox.Permission{Kind: sandbox.ToWrite, Path: "/home/ada"}
		d.open(newPermissionPrompt(permissionRequest{name: "weather", command: "weather.py", what: p}, d.danger(p), 0, func(any) {}))
	})
}
