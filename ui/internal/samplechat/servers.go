package samplechat

import (
	"errors"

	"goated/client"
	"goated/internal/sandbox"
	"goated/registry"
)

// Sandbox returns the status of a complete sandbox.
func Sandbox() sandbox.Status {
	return sandbox.Status{Landlock: 7, Files: true, Calls: true, Signals: true, Limits: true, Hosts: true}
}

// Servers returns a snapshot with a server in each state.
func Servers() client.Snapshot {
	tools := func(n int) []registry.Entry { return make([]registry.Entry, n) }
	return client.Snapshot{Servers: []client.Server{
		{ID: "filesystem", Name: "filesystem", Path: "/home/ada/tools/filesystem.js", Args: []string{"/home/ada/My files"}, Status: client.Connected, Tools: tools(11), Confinement: client.Confinement{Sandbox: Sandbox(), Policy: sandbox.Policy{Read: []string{"/home/ada/tools"}, Write: []string{"/home/ada/My files"}, State: "/home/ada/.local/share/goated/servers/filesystem/files"}}},
		{ID: "metrics", Name: "metrics", Path: "/opt/mcp/metrics.py", Status: client.Connected, Tools: tools(1), Confinement: client.Confinement{NoSandbox: true}, Uncallable: []registry.Uncallable{
			{Server: "metrics", Reason: `The server offers 2 tools named "query", so none of them can be called.`},
		}},
		{ID: "calendar", Name: "calendar", Path: "/home/ada/tools/calendar.go", Status: client.Connecting},
		{ID: "weather", Name: "weather", Path: "/home/ada/tools/forecast.py", Status: client.Failed,
			Err:    &client.Error{Kind: client.ErrExited, Err: errors.New("exit status 1")},
			Stderr: []string{"Traceback (most recent call last):", "KeyError: 'WEATHER_KEY'"}},
	}}
}
