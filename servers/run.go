package servers

import (
	"context"
	"errors"
	"io"
	"os"
	"runtime/debug"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/hostcall"
	"goated/internal/trim"
)

// memory is the heap size, in bytes, at which a bundled server begins to collect garbage eagerly.
// It is not a hard limit.
const memory = 224 << 20

// quiet is the time after which the start of a server counts as over.
const quiet = 2 * time.Second

// Run runs the server as the only task of this process, until the client disconnects.
func (s Server) Run(ctx context.Context, o Options, t mcp.Transport) error {
	if s.Answers != nil && os.Getenv(envHost) != "" {
		caller := hostcall.NewCaller(t)
		o.host, t = caller, caller
	}
	if s.Transport != nil {
		t = s.Transport(t)
	}
	// A server shares the machine with the user's programs, so it collects garbage early, and
	// eagerly near this size.
	debug.SetGCPercent(50)
	debug.SetMemoryLimit(memory)
	defer time.AfterFunc(quiet, trim.Memory).Stop()
	err := s.New(o).Run(ctx, t)
	if errors.Is(err, io.EOF) || errors.Is(err, context.Canceled) {
		return nil // the client has disconnected
	}
	return err
}

// Names returns the names of the bundled servers.
func Names() []string {
	var names []string
	for _, s := range All() {
		names = append(names, s.Name)
	}
	return names
}
