// Package servers lists the bundled MCP servers. Each is a package of its own that
// exports New and imports nothing of goated. It runs as "goated serve NAME" under
// goated and under any other MCP client.
//
// The package owns what a bundled server needs in its sandbox. It must not know of
// the host.
package servers

import (
	"path/filepath"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/servers/ghost"
)

// Options configure a bundled server. With the zero value it works in the working
// directory, as under other clients.
type Options struct {
	Root string // the project's folder; empty: the working directory
	Data string // the server's own folder; empty: the working directory
}

// A Server is a bundled MCP server.
type Server struct {
	Name    string
	Summary string // a sentence
	Default bool   // connected when goated starts
	New     func(Options) *mcp.Server

	// The paths that the server needs in its sandbox, beside its program.
	Reads   func(Options) []string
	Writes  func(Options) []string // goated creates those that do not exist
	Present func(Options) []string // like Writes, but goated does not create them
	Sockets bool                   // connects to other programs of the user, such as the sound server
}

// All returns the bundled servers.
func All() []Server {
	return []Server{
		{
			Name:    "ghost",
			Summary: "Notes on the desktop, sounds, a look into the project, and a memory.",
			Default: true,
			New: func(o Options) *mcp.Server {
				var memory string
				if o.Data != "" {
					memory = filepath.Join(o.Data, "clippy_memory.json")
				}
				return ghost.New(ghost.Options{Root: o.Root, Memory: memory})
			},
			Reads: func(o Options) []string {
				return append([]string{o.Root}, ghost.Reads()...)
			},
			Writes: func(o Options) []string {
				return append([]string{o.Data}, ghost.Writes()...)
			},
			Present: func(Options) []string { return ghost.Desktop() },
			Sockets: true,
		},
	}
}
