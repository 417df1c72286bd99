package client

import (
	"fmt"
	"slices"
	"time"

	"goated/internal/sandbox"
	"goated/registry"
)

// A Config says which server to connect.
type Config struct {
	// Path of the server's script; see [Command].
	Path string
	// Args follow the script's path.
	Args []string
	// Env is added to the few variables that every server inherits; see
	// [Environ].
	Env []string
	// Dir is the working directory; empty means goated's own. A Go script runs
	// in its own folder, whose module it needs.
	Dir string
	// Name is shown to people and makes the server's id. Empty: the script's
	// file name without its extension.
	Name string
	// Bundled runs a server that is part of goated: Path is the program itself
	// and is run as it is. Its tools' annotations are believed.
	Bundled bool
	// Alone is a server that starts no processes: it needs no keeper, and ends with
	// goated by itself.
	Alone bool
	// Grant widens what the server may do in its sandbox.
	Grant sandbox.Grant
	// NoSandbox runs the server without one: it may do whatever the user may.
	NoSandbox bool
	// Unconfined is that the user lets the server run although this system can't
	// sandbox it. Where one can, it is sandboxed.
	Unconfined bool
}

// same reports whether both are the same server, whatever each of them may do.
func (c Config) same(o Config) bool {
	return c.Path == o.Path && c.Name == o.Name && c.Dir == o.Dir && slices.Equal(c.Args, o.Args) && slices.Equal(c.Env, o.Env)
}

// A Status is where a server's connection is.
type Status int

// The statuses of seed 003's ServerState.
const (
	Connecting Status = iota
	Connected
	Disconnected // by the user; the server leaves the list with the next change
	Failed       // it did not start, or went away by itself
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

// A Server is what is known of one server at one moment.
type Server struct {
	ID      string // chosen by the host, unique, the prefix of its tools' names
	Name    string // for people
	Path    string
	Args    []string
	Bundled bool
	Status  Status
	Since   time.Time // when it came to this status
	Tools   []registry.Entry
	Parked  []registry.Parked
	Err     error    // why it is Failed; an [*Error]
	Stderr  []string // the last lines it wrote to stderr
	Stray   Stray    // what it wrote to stdout and should not have
	// RetryAt is when a server that ended by itself is started again; zero where
	// it is not.
	RetryAt time.Time

	NoSandbox bool           // the user runs it without
	Sandbox   sandbox.Status // what confines its process; zero: nothing does
	Policy    sandbox.Policy // what it may do, where Sandbox is confined
	// Needs are what it lacks: the hosts that its sandbox refused, and what it seems
	// to lack, to judge by what it wrote to stderr and by the results of calls that failed: for the user to be asked, and then for
	// [Host.Allow].
	Needs []sandbox.Permission
}

// A Snapshot is the state of all servers at one moment, in the order in which
// they were connected. It is never changed after it is handed out.
type Snapshot struct {
	Servers []Server
}

// Tools counts the tools of all connected servers that can be called.
func (s Snapshot) Tools() int {
	n := 0
	for _, srv := range s.Servers {
		n += len(srv.Tools)
	}
	return n
}

// Connected counts the servers that are connected.
func (s Snapshot) Connected() int {
	n := 0
	for _, srv := range s.Servers {
		if srv.Status == Connected {
			n++
		}
	}
	return n
}
