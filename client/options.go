package client

import (
	"context"
	"log/slog"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/sandbox"
	"goated/internal/sandbox/cgroup"
	"goated/registry"
)

// DefaultMaxFrame bounds one message of a server, in bytes, before and after invalid
// UTF-8 is replaced. Reading one holds at most twice that and 4 MiB. The SDK's copies
// add to it: a call with a text of 64 MiB has taken 225 MiB in all.
const DefaultMaxFrame = 64 << 20

// The limits of requirements 7.4 and 7.5.
const (
	DefaultConnectTimeout = 30 * time.Second
	DefaultCallTimeout    = 60 * time.Second
)

// Options configure a [Host]. The zero value has the seed's limits, logs nothing and
// declares no elicitation.
type Options struct {
	Logger *slog.Logger
	// Timeouts of later starts and calls; see [Host.SetTimeouts].
	Timeouts Timeouts
	// Elicit asks the user on behalf of a server, which must be shown. It blocks, and
	// is called concurrently. Nil: goated declares no elicitation.
	Elicit func(ctx context.Context, from Asker, p *mcp.ElicitParams) (*mcp.ElicitResult, error)
	// Data is the folder with a folder for each server, the only one that the server
	// can write. If it is empty or cannot be made, a temporary folder takes its place
	// until [Host.Close].
	Data string
	// Private are folders that a server opens only if the user grants it, whatever
	// script or modules are in them, such as goated's own. Data is always one.
	Private []string
	// Unconfined asks the user whether a server may run although this system cannot
	// sandbox it. It blocks without a limit, and is called concurrently, but not for
	// bundled servers. Nil: no server may.
	Unconfined func(ctx context.Context, name string, c Config) bool
	// Authorizer returns the authorization of the requests to a server with a URL; nil: none. The
	// host calls it for each connection, sign-in check and sign-out.
	Authorizer func(c Config) Authorizer
	// Env is the environment. Servers inherit a part of it: see
	// [goated/client/internal/environ.Inherited]. Nil means os.Environ.
	Env []string
	// Version of goated, which it sends to servers.
	Version string
	// MaxFrame bounds one message of a server, in bytes; 0 means [DefaultMaxFrame]. A
	// longer answer fails its call, and the session goes on.
	MaxFrame int
	// Restart restarts servers that ended by themselves.
	Restart bool
	// Process says how the processes of servers start.
	Process ProcessOptions
	// Caches says where the host keeps data for the next start.
	Caches CacheOptions
	// Trace reports the messages of servers. The zero value costs nothing.
	Trace TraceOptions
	// Debug checks the registry after each change, and logs faults.
	Debug bool
}

// Timeouts are the time limits of a start and of a call.
type Timeouts struct {
	// Connect bounds the start of a server up to its list of tools; 0 means 30 s
	// (requirement 7.4).
	Connect time.Duration
	// Call bounds one tool call, without the time in which the user answers the
	// server's questions; 0 means 60 s (requirement 7.5). It starts again with each
	// progress, up to ten times as long in all.
	Call time.Duration
}

// CacheOptions say where the host keeps data for the next start.
type CacheOptions struct {
	// ProtocolCache is the path of a file that caches which protocol each server
	// speaks; empty keeps the cache in memory.
	ProtocolCache string
	// ToolLists is the folder of a [goated/internal/toolcache.Store]; empty keeps no lists of tools.
	ToolLists string
}

// ProcessOptions say how the processes of servers start.
type ProcessOptions struct {
	// Reload restarts servers whose scripts change; see [Details.Reloads].
	Reload bool
	// Keeper is a command that calls [proc.Keep]; see [proc.Command]. A server without a
	// sandbox can kill its keeper.
	Keeper []string
	// Permit asks the user whether a server may do what its sandbox is about to refuse during
	// a call. The call waits. Permit calls held once, before it returns, when the question is
	// visible: the time limit of the call then stops. It blocks until the answer or until ctx
	// ends, and is called concurrently. A yes applies immediately, without a restart, and
	// until the server is removed. Nil: such calls do not wait.
	Permit PermitFunc
	// Repeat asks the user whether a call may run a second time, after its tool stopped at a
	// question that its server can ask only in another protocol. The tool may already have done
	// a part of its work. It blocks until the answer or until ctx ends, and is called
	// concurrently. Nil: no call runs again.
	Repeat RepeatFunc
	// Dialogs says that Elicit draws the dialogs of [DialogExtension].
	Dialogs bool
	// NoBubble does not use bubblewrap.
	NoBubble bool
	// LoginPath also uses the PATH of the user's login shell: a program that was not
	// started in a terminal does not have it.
	LoginPath bool
	// Programs is the folder of what goated installed, see [programs.Folder]. Programs there
	// run if the search path has no others. Servers may read it. Empty: none.
	Programs string
	// Groups returns the control groups of this process, in which each server gets one of its
	// own. It is called once, before the first server starts. Nil: servers have none.
	Groups func() (*cgroup.Tree, error)
	// OwnFolder runs packages without a working directory in their own folders.
	OwnFolder bool
}

// A PermitFunc is [ProcessOptions.Permit].
type PermitFunc = func(ctx context.Context, from Asker, p sandbox.Permission, held func()) bool

// A RepeatFunc is [ProcessOptions.Repeat].
type RepeatFunc = func(ctx context.Context, from Asker, e registry.Entry, args map[string]any) bool

// TraceOptions say who receives the messages of servers.
type TraceOptions struct {
	// Report receives each frame, in both directions, each line of a server that is
	// not a frame, each end of a connection, and each request of goated's own that gets no answer while
	// the connection goes on, exactly once. Data has no secrets and is bounded; see [TraceEvent].
	// A message that is cancelled before its first byte is written is not reported; one
	// that goated answers in place of a server is neither. Report is called by the
	// goroutines that read and write, so it must be fast, must not block, and must be
	// safe for concurrent use. It receives a request before its response, except on Windows, where
	// Time has the order. Nil: no tracing.
	Report func(TraceEvent)
	// Listening reports whether Report wants events now. It is called for each frame by the
	// same goroutines as Report, so it must be as cheap as reading an atomic variable. While
	// it is false, a frame costs this call alone, or a short copy with Recent. Nil: Report
	// always wants them.
	Listening func() bool
	// Recent keeps the last frames of each server while Listening is false, in at most 6 MiB, until
	// its Take returns them. Nil: they are lost.
	Recent *RecentTrace
	// Secret reports whether the value of a variable is a secret that Report must not
	// receive, of a server's own environment or of Options.Env. Nil: all of
	// [Config.Env] are.
	Secret func(name, value string) bool
}

// An Asker is the server that asks the user something, and receives the answer. Its
// name is its own choice; Start is not.
type Asker struct {
	ID    string
	Name  string
	Start string // the program that it runs, or its URL; "goated" and its name if it is bundled
}
