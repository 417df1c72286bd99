// Package servers lists the MCP servers that goated brings along. Each is a
// package of its own that exports New, knows nothing of goated, and runs as
// "goated serve NAME" under goated and under any other MCP client.
package servers

import (
	"path/filepath"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/servers/ghost"
)

// Options are what a bundled server can be told. The zero value is how another
// client runs it: it works in the working directory.
type Options struct {
	Root string // the project's folder; empty: the working directory
	Data string // folder for what the server keeps; empty: the working directory
}

// A Server is one of goated's own.
type Server struct {
	Name    string
	Summary string // a sentence
	Default bool   // connected when goated starts
	New     func(Options) *mcp.Server

	// What the server needs beyond its own program and folder, when it runs in a
	// sandbox. Paths that do not exist are made if they are written.
	Reads   func(Options) []string
	Writes  func(Options) []string
	Present func(Options) []string // as Writes, where they are there; they are not made
	Sockets bool                   // talks to the user's other programs, such as the sound server
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
