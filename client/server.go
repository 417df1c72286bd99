package client

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client/internal/httplink"
	"goated/internal/hostcall"
	"goated/internal/launch"
	"goated/internal/sandbox"
	"goated/registry"
)

// A Config describes the server to connect. Exactly one of Path, Command and URL is set. It is a
// value; do not change its slices afterwards.
type Config struct {
	// Path of the server's script; see [Command].
	Path string
	// Command is a program to run, by name or by path, instead of a script.
	Command string
	// URL of a server that runs already, with http or https.
	URL string
	// Headers of the requests to URL, as "Name=value". Their values may be secrets.
	Headers []string
	// Args follow the script or the program.
	Args []string
	// Env is added to the few variables that every server inherits: see
	// [goated/client/internal/environ.Inherited].
	Env []string
	// Dir is the working directory; empty means goated's own. A Go script runs
	// in its own folder, whose module it needs.
	Dir string
	// Name is shown to users and makes the server's id. If it is empty, the name of the
	// package, file or host makes the id, and users see the server's own name.
	Name string
	// Bundled marks a server that is part of goated: Path is the program itself.
	// goated trusts its tools' annotations.
	Bundled bool
	BundledOptions
	// Grant extends what the server may do in its sandbox.
	Grant sandbox.Grant
	// NoSandbox runs the server without a sandbox: it may do whatever the user may.
	NoSandbox bool
	// Unconfined means that the user lets the server run on a system without
	// sandboxes. On other systems it is sandboxed.
	Unconfined bool
	// Off are the names of the tools that the user turned off: no model learns of
	// them, and they cannot be called. See [SetToolsOff].
	Off []string
	// Missing are the names in Env and Headers whose values cannot be loaded: there they are
	// empty. The server does not start without them.
	Missing MissingValues
}

// BundledOptions is the part of a [Config] that only goated's own servers have.
type BundledOptions struct {
	// Alone marks a server that starts no processes. It needs no keeper, and exits when goated
	// ends.
	Alone bool
	// Answers handles the requests beyond MCP that a bundled server sends to goated: requests
	// while one of its calls runs, and reports at any time. If it is nil, and for all other servers,
	// they are unknown methods.
	Answers hostcall.Handler
}

// sameServer reports whether both configure the same server. It ignores permissions, and values that one
// of them lacks.
func (c Config) sameServer(o Config) bool {
	missing := slices.Concat(c.Missing.Names, o.Missing.Names)
	equal := func(a, b []string) bool { return slices.Equal(without(a, missing), without(b, missing)) }
	return c.subject() == o.subject() && c.Name == o.Name && c.Dir == o.Dir && slices.Equal(c.Args, o.Args) && equal(c.Env, o.Env) && equal(c.Headers, o.Headers)
}

// subject returns the path, command or URL as the user entered it.
func (c Config) subject() string {
	switch {
	case c.URL != "":
		return c.URL
	case c.Command != "":
		return c.Command
	}
	return c.Path
}

// redactedSubject is subject without secrets.
func (c Config) redactedSubject() string {
	if c.URL != "" {
		return httplink.RedactURL(c.URL)
	}
	return c.subject()
}

// name returns the name that users see until the server introduces itself: the configured name, or
// the name of the package, file or host.
func (c Config) name() string {
	if c.Name != "" {
		return c.Name
	}
	_, name := launch.Of(c.Path, c.Command, c.URL, c.Args, c.Dir, launch.Here(nil))
	return cmp.Or(name, filepath.Base(c.redactedSubject()))
}

// Origin returns where the server's code comes from. It reads the file system.
func (c Config) Origin() launch.Origin {
	o, _ := launch.Of(c.Path, c.Command, c.URL, c.Args, c.Dir, launch.Here(nil))
	return o
}

// A Status is the state of a server's connection.
type Status int

// The statuses of seed 003's ServerState.
const (
	Connecting Status = iota
	Connected
	Disconnected // by the user; the server leaves the list with the next change
	Failed       // it did not start, or it exited unexpectedly
)

func (s Status) String() string {
	switch s {
	case Connecting:
		return "connecting"
	case Connected:
		return "connected"
	case Disconnected:
		return "disconnected"
	case Failed:
		return "error"
	}
	return fmt.Sprintf("Status(%d)", int(s))
}

// A Server is the state of one server at one moment.
type Server struct {
	ID         string // unique, chosen by the host, the prefix of its tools' names
	Name       string // for users
	Path       string // the path or command of its [Config]
	Args       []string
	Bundled    bool
	Status     Status
	Since      time.Time // when Status last changed
	Tools      []registry.Entry
	Uncallable []registry.Uncallable
	Err        error    // why it is Failed; an [*Error]
	Stderr     []string // its last lines on stderr
	Noise      Noise    // its output that is not a message
	// RetryAt is the time of the next restart after an unexpected exit; zero if there is none.
	RetryAt time.Time
	Details
	Confinement
}

// Details holds further facts about a server.
type Details struct {
	Command string // of its [Config]
	URL     string // of its [Config]
	Dir     string // of its [Config]
	Saved   bool   // Name comes from its [Config]
	Reloads int    // restarts because its script changed
	Offered int    // changes of its prompts and resources
	Version string // as the server says; empty until it is connected
	// Undeclared means that its answer to initialize declares no tools, so goated does not list them.
	Undeclared bool
	// Instructions is the server's text for the model. It is not trusted.
	Instructions string
	// Last are the tools that it listed at an earlier start, until it lists them again.
	// They cannot be called. Used is when one of its tools was last called; zero: never.
	Last []*mcp.Tool
	Used time.Time
	Off  []registry.Entry // the tools that the user turned off
}

// A Confinement is what the system enforces on a server's process.
type Confinement struct {
	NoSandbox bool           // by the user's choice
	Sandbox   sandbox.Status // of its process; zero: none
	Policy    sandbox.Policy // what it may do, if Sandbox is confined
	// Needs are the permissions that it seems to lack: refused hosts, and refusals
	// found in its stderr and in failed calls. The user can grant them; see
	// [Host.Allow].
	Needs []sandbox.Permission
}

// A Snapshot is the state of all servers at one moment, in the order in which they
// were connected. It is never changed.
type Snapshot struct {
	Servers []Server
}

// Tools counts the callable tools of all servers.
func (s Snapshot) Tools() int {
	n := 0
	for _, srv := range s.Servers {
		n += len(srv.Tools)
	}
	return n
}

// Connected counts the connected servers.
func (s Snapshot) Connected() int {
	n := 0
	for _, srv := range s.Servers {
		if srv.Status == Connected {
			n++
		}
	}
	return n
}
