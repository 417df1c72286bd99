// Package servers lists the bundled MCP servers. Each is a package of its own that
// exports New and imports nothing of goated; package stdio, which carries their messages,
// shares goated's scanner. It runs as "goated serve NAME" under
// goated and under any other MCP client.
//
// The package owns what a bundled server needs in its sandbox. It must not know of
// the host.
package servers

import (
	"context"
	"os"
	"path/filepath"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/hostcall"
	"goated/internal/paths"
	"goated/internal/sandbox/busfilter"
	"goated/servers/desktop"
	"goated/servers/desktop/link"
	"goated/servers/desktop/live"
	"goated/servers/desktop/opener"
	"goated/servers/ghost"
	"goated/servers/llmem"
	"goated/servers/pause"
	"goated/servers/pause/door"
)

// Options configure a bundled server. With the zero value it works in the working
// directory, as under other clients.
type Options struct {
	Root string // the project's folder; empty: the working directory
	Data string // the server's own folder; empty: the working directory
	Door string // the folder of goated's dialog door; empty: there is none

	// StartDoor starts a goated that opens the door. nil: the door stays closed.
	StartDoor func(context.Context) error

	On []string // names of the switches that are on

	// Backend says what the desktop server drives: "x11", this computer's desktop; "remote",
	// the gRPC server of the environment; empty: that server if the environment names one.
	Backend string

	host opener.Asker // does what the sandbox keeps the server from; nil: the server does it itself
}

// A Server is a bundled MCP server.
type Server struct {
	Name    string
	Title   string // for users
	Summary string // a sentence
	Default bool   // connected when goated starts, until the user turns it off
	Prompts bool   // its results may ask the host to run a prompt (seed 001)
	New     func(Options) *mcp.Server

	Switches []Switch // what the user can allow it beyond
	Environ  []string // variables of the user's environment that it reads
	// Answers answers its requests, outside of the sandbox; see [envHost]. The view, which may
	// be nil, shows its work. nil: it sends none.
	Answers   func(on []string, shown *live.View) hostcall.Handler
	Given     func() []string                   // variables that goated sets, as it knows them outside of the sandbox; nil: none
	Transport func(mcp.Transport) mcp.Transport // adds to the protocol; nil: nothing

	Needs
}

// Needs are what a server may do in its sandbox, beside its program.
type Needs struct {
	Reads   func(Options) []string
	Writes  func(Options) []string // goated creates those that do not exist
	Present func(Options) []string // like Writes, but goated does not create them
	// Connects are the Unix sockets of other programs that it connects to, see
	// [goated/internal/sandbox.Enclosure], and the hosts; nil: none.
	Connects func() (sockets, hosts []string)
	Buses    func() []busfilter.Bus // that it connects to through a filter; nil: none
}

// Reached returns the sockets and hosts that the server connects to.
func (n Needs) Reached() (sockets, hosts []string) {
	if n.Connects == nil {
		return nil, nil
	}
	return n.Connects()
}

// Filtered returns the buses that the server connects to.
func (n Needs) Filtered() []busfilter.Bus {
	if n.Buses == nil {
		return nil
	}
	return n.Buses()
}

// A Switch is a flag of "goated serve" and a line of the settings.
type Switch struct {
	Name    string
	Summary string // a sentence
}

// All returns the bundled servers.
func All() []Server {
	return []Server{
		{
			Name:    "ghost",
			Title:   "Desktop notes",
			Summary: "Notes on the desktop, sounds, a look into the project, and a memory.",
			Default: true,
			New: func(o Options) *mcp.Server {
				var memory string
				if o.Data != "" {
					memory = filepath.Join(o.Data, "clippy_memory.json")
				}
				return ghost.New(ghost.Options{Root: o.Root, Memory: memory})
			},
			Needs: Needs{
				Reads: func(o Options) []string {
					if paths.NoProject(o.Root) != "" {
						return ghost.Reads()
					}
					return append([]string{o.Root}, ghost.Reads()...)
				},
				Writes: func(o Options) []string {
					return append([]string{o.Data, ghost.Desktop()}, ghost.Writes()...)
				},
				Present:  func(Options) []string { return nil },
				Connects: func() (sockets, hosts []string) { return soundSockets(os.Getenv), nil },
			},
		},
		{
			Name:    "llmem",
			Title:   "Code map",
			Summary: "A map of the code in the working directory: outlines, exact places of definitions, and summaries in its folder .artifacts.",
			Prompts: true,
			New: func(o Options) *mcp.Server {
				return llmem.New(llmem.Options{Root: o.Root, Data: o.Data})
			},
			Needs: Needs{
				Reads:   func(o Options) []string { return []string{o.Root} },
				Writes:  func(o Options) []string { return append([]string{o.Data}, llmem.Writes(o.Root)...) },
				Present: func(Options) []string { return nil },
			},
		},
		{
			Name:      "desktop",
			Title:     "Desktop control",
			Summary:   desktopSummary(os.Getenv),
			New:       newDesktop,
			Switches:  desktopSwitches(),
			Environ:   append(desktopVariables(), link.Variables()...),
			Answers:   desktopAnswers,
			Given:     desktopGiven,
			Transport: desktop.Lifecycle,
			Needs: Needs{
				Reads:    desktopReads,
				Writes:   func(o Options) []string { return []string{desktopFolder(o)} },
				Present:  func(Options) []string { return nil },
				Connects: func() (sockets, hosts []string) { return desktopSockets(os.Getenv), desktopHosts(os.Getenv) },
				Buses:    func() []busfilter.Bus { return desktopBuses(os.Getenv) },
			},
		},
		{
			Name:    "pause",
			Title:   "Questions",
			Summary: "Dialogs in which a model asks you: plans, texts, choices, screenshots and confirmations.",
			New: func(o Options) *mcp.Server {
				var opts pause.Options
				if o.Data != "" {
					opts.Data = filepath.Join(o.Data, "pause")
				}
				if o.Door != "" {
					opts.Door = &door.Client{Folder: o.Door, Start: o.StartDoor}
				}
				return pause.New(opts)
			},
			Needs: Needs{
				Reads:   func(Options) []string { return nil },
				Writes:  func(o Options) []string { return []string{o.Data} },
				Present: func(Options) []string { return nil },
			},
		},
	}
}
