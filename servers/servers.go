// Package servers lists the bundled MCP servers. Each is a separate package that exports New and knows
// nothing of the host. It imports only small packages of goated, such as paths. A bundled server runs
// as "goated serve NAME" under goated and any other MCP client; package stdio carries its messages.
//
// The package owns the permissions that a bundled server needs in its sandbox. It must not know the
// host.
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
	"goated/servers/pause/dialogsocket"
)

// Options configure a bundled server. With the zero value it uses the working directory, as under
// other clients.
type Options struct {
	Root         string // the project's folder; empty: the working directory
	Data         string // the server's own folder; empty: the working directory
	DialogSocket string // the folder of goated's dialog socket; empty: no socket

	// StartDialogSocket starts a goated process that opens the socket. If it is nil, nothing opens the socket.
	StartDialogSocket func(context.Context) error

	On []string // names of the switches that are turned on

	// Backend selects the desktop that the desktop server operates: "x11" for this computer's
	// desktop, or "remote" for the gRPC server from the environment. If it is empty, the server
	// uses that gRPC server if the environment contains one, and otherwise this computer's desktop.
	Backend string

	host opener.Asker // does what the sandbox prevents; nil: the server does it itself
}

// A Server is a bundled MCP server.
type Server struct {
	Name    string
	Title   string // for users
	Summary string // a sentence
	Default bool   // starts with goated unless the user has turned it off
	Prompts bool   // its results may ask the host to run a prompt (seed 001)
	New     func(Options) *mcp.Server

	Switches []Switch // additional permissions that the user can give
	Environ  []string // the user's environment variables that it reads
	// Answers returns a handler of the server's requests, which runs outside the sandbox; see
	// [envHost]. The view shows the server's work, and may be nil. Answers is nil if the server
	// sends no requests.
	Answers   func(on []string, shown *live.View) hostcall.Handler
	Given     func() []string                   // variables with facts that only goated outside the sandbox knows; nil: none
	Transport func(mcp.Transport) mcp.Transport // extends the protocol; may be nil

	Needs
}

// Needs describes what a server may do in its sandbox, besides running its program.
type Needs struct {
	Reads   func(Options) []string
	Writes  func(Options) []string // goated creates the missing ones
	Present func(Options) []string // like Writes, but goated does not create missing ones
	// Connects returns the Unix sockets of other programs to which the server connects, see
	// [goated/internal/sandbox.Enclosure], and the hosts. Nil means none.
	Connects func() (sockets, hosts []string)
	Buses    func() []busfilter.Bus // the buses to which it connects through a filter; may be nil
}

// Reached returns the sockets and hosts to which the server connects.
func (n Needs) Reached() (sockets, hosts []string) {
	if n.Connects == nil {
		return nil, nil
	}
	return n.Connects()
}

// Filtered returns the buses to which the server connects through a filter.
func (n Needs) Filtered() []busfilter.Bus {
	if n.Buses == nil {
		return nil
	}
	return n.Buses()
}

// project returns the folder of the project, or nothing if the root is not a project.
func project(o Options) []string {
	if paths.NoProject(o.Root) != "" {
		return nil
	}
	return []string{o.Root}
}

// A Switch is a flag of "goated serve" and a row in the settings.
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
				Reads: func(o Options) []string { return append(project(o), ghost.Reads()...) },
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
				Reads:   project,
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
				if o.DialogSocket != "" {
					opts.Socket = &dialogsocket.Client{Folder: o.DialogSocket, Start: o.StartDialogSocket}
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
