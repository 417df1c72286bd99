package client

import (
	"context"
	"log/slog"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
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

// Options configure a [Host]. The zero value is a host with the seed's limits
// that logs nothing and declares no elicitation.
type Options struct {
	Logger *slog.Logger
	// ConnectTimeout bounds the start of a server up to its list of tools; 0
	// means 30 s (requirement 7.4).
	ConnectTimeout time.Duration
	// CallTimeout bounds one tool call, without the time that the user takes to
	// answer the server's questions; 0 means 60 s (requirement 7.5). It begins
	// anew with each progress that the server tells, up to ten times as long in
	// all.
	CallTimeout time.Duration
	// Elicit asks the user on behalf of a server, whose name must be shown. It
	// blocks, and is called concurrently. Nil: servers are told that there is
	// nobody to ask.
	Elicit func(ctx context.Context, server string, p *mcp.ElicitParams) (*mcp.ElicitResult, error)
	// Data is the folder in which each server has one of its own, all that it can
	// write. Empty, or not to be made: a temporary one, which [Host.Close] removes.
	Data string
	// Private are folders that only what the user allows a server opens to it, never
	// where its script or its modules lie: those of goated, say. Data is one.
	Private []string
	// Unconfined asks the user whether a server may run although this system
	// cannot sandbox it. It blocks, outside of all limits, and is called
	// concurrently; goated's own servers are not asked for. Nil: there is nobody
	// to ask, and it may not.
	Unconfined func(ctx context.Context, name string, c Config) bool
	// Env is the environment of which servers inherit a part; nil means
	// os.Environ. See [Environ].
	Env []string
	// Version of goated, told to servers.
	Version string
	// MaxFrame bounds one message from a server, in bytes; 0 means 64 MiB. The
	// call that a longer one was to answer fails, and the session goes on. A
	// message is held twice at most.
	MaxFrame int
	// Restart brings back servers that ended by themselves.
	Restart bool
	// Keeper is a command that calls [proc.Keep]. With one, nothing that a server
	// started outlives the server or goated, whatever ends them; without, what
	// has left its process group and its parents does, as it does where a server
	// without a sandbox kills its keeper. Windows needs none.
	Keeper []string
	// NoBubble keeps servers out of bubblewrap, even where it is there.
	NoBubble bool
	// ProtocolCache is the path of a file that caches which protocol each server
	// speaks; empty keeps the cache in memory.
	ProtocolCache string
	// LoginPath looks for programs where the user's login shell does, too: a
	// program that was not started from a terminal has not got that PATH.
	LoginPath bool
	// Trace receives each frame, in both directions, and each line of a server that is
	// not a frame, exactly once. Data has no secrets and is bounded; see [TraceEvent].
	// A message that is cancelled before its first byte is written is not reported; one
	// that goated answers in place of a server is neither. Trace is called by the
	// goroutines that read and write, so it must be fast, must not block, and must be
	// safe for concurrent use. Order the two directions by Time. Nil costs nothing.
	Trace func(TraceEvent)
	// Secret reports whether the value of a variable is a secret that Trace must not
	// show, of a server's own environment or of Env. Nil: all of [Config.Env] are.
	Secret func(name, value string) bool
	// Debug verifies the registry after each change, and logs what is wrong.
	Debug bool
}
