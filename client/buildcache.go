package client

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
)

// A buildCache answers go's questions for what was compiled before (the protocol
// of GOCACHEPROG): with what this server's builds compiled, and what the user's
// own cache has of the standard library. The build reads the folder of it, and
// goated writes it. Who asks is in a sandbox, and is not believed.
type buildCache struct {
	dir      string
	users    string // the user's own
	standard func() map[string]bool

	requests, answers *os.File
	done              sync.WaitGroup

	// The goroutine's, until done:
	used map[string]bool // names in dir
	err  error           // for which it ended, if it was not the build that did
}

// cacheProg are two cats that lead go to two pipes in its folder. They hold
// nothing that somebody waits for.
const cacheProg = `sh -c 'exec 2>/dev/null; cat <"$GOTMPDIR/answers" & exec cat >"$GOTMPDIR/requests"'`

// serve answers one build, over pipes in the folder pipes, and calls failed if it
// no longer can.
func (c *buildCache) serve(pipes string, failed func()) error {
	var err error
	if c.requests, err = namedPipe(filepath.Join(pipes, "requests")); err == nil {
		c.answers, err = namedPipe(filepath.Join(pipes, "answers"))
	}
	if err != nil {
		_ = c.close()
		return fmt.Errorf("making a pipe for the compiler's cache: %w", err)
	}
	c.used, c.err = make(map[string]bool), nil
	c.done.Go(func() {
		if err := c.session(); err != nil && !errors.Is(err, os.ErrClosed) { // by close, the build is over
			c.err = err
			failed() // go would wait for its answer for as long as it may
		}
	})
	return nil
}

// close returns for which error the answers ended before the build did, if they did.
func (c *buildCache) close() error {
	for _, f := range []*os.File{c.requests, c.answers} {
		if f != nil {
			_ = f.Close()
		}
	}
	c.done.Wait()
	return c.err
}

// sweep removes what the last build had no use for.
func (c *buildCache) sweep() {
	entries, _ := os.ReadDir(c.dir)
	for _, e := range entries {
		if !c.used[e.Name()] {
			_ = os.Remove(filepath.Join(c.dir, e.Name())) // the next build tries again
		}
	}
}

// What go and its cache say to each other.
type (
	cacheRequest struct {
		ID                 int64
		Command            string
		ActionID, OutputID []byte
		BodySize           int64
	}
	cacheAnswer struct {
		ID            int64
		Err           string   `json:",omitempty"`
		KnownCommands []string `json:",omitempty"`
		Miss          bool     `json:",omitempty"`
		OutputID      []byte   `json:",omitempty"`
		Size          int64    `json:",omitempty"`
		DiskPath      string   `json:",omitempty"`
	}
)

// largestOutput bounds what one compiled package may take, in bytes.
const largestOutput = 1 << 30

func (c *buildCache) session() error {
	in, out := bufio.NewReaderSize(c.requests, 64<<10), json.NewEncoder(c.answers)
	if err := out.Encode(cacheAnswer{KnownCommands: []string{"get", "put", "close"}}); err != nil {
		return err
	}
	for {
		line, err := in.ReadSlice('\n') // no request is longer than the reader
		if err != nil {
			return err
		}
		if len(line) == 1 {
			continue
		}
		var r cacheRequest
		if err := json.Unmarshal(line, &r); err != nil {
			return fmt.Errorf("a request that is none: %w", err)
		}
		a := cacheAnswer{}
		switch r.Command {
		case "get":
			a = c.get(fmt.Sprintf("%x", r.ActionID))
		case "put":
			if a, err = c.put(r, in); err != nil {
				return err
			}
		}
		a.ID = r.ID
		if err := out.Encode(a); err != nil {
			return err
		}
		if r.Command == "close" {
			return c.answers.Close() // the end that go waits for
		}
	}
}
