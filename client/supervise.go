package client

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// What one server may offer, and how it may page it.
const (
	maxTools = 5000
	maxPages = 200
)

// supervise waits for the end of the session: by the user, or by the server
// itself, in which case its tools leave the registry at once and the reason
// stays on its card (requirement 3.7).
func (s *server) supervise() {
	defer s.host.wg.Done()
	defer close(s.done)
	ended := make(chan struct{})
	go func() { // ends when the connection is closed, below at the latest
		defer close(ended)
		_ = s.session.Wait() // the reason is the process's, see exit
	}()
	select {
	case <-s.ctx.Done():
	case <-ended:
	}
	if s.ctx.Err() != nil {
		s.host.update(func() {
			s.host.reg.Remove(s.view.ID)
			s.view.Status, s.view.Since = Disconnected, time.Now()
		})
		s.stop()
		<-ended
		return
	}
	// The tools go first: nothing may be called while the process is swept up.
	s.host.update(func() {
		s.host.reg.Remove(s.view.ID)
		s.view.Status, s.view.Since = Failed, time.Now()
	})
	s.cancel() // ends the calls in flight, whose sentence is ErrDisconnected
	s.stop()
	e := &Error{Kind: ErrExited, Subject: s.config.Path, Err: s.exit(), Stderr: s.stderr()}
	s.host.fail(s, e)
	s.host.log(context.Background(), "running", e, "server", s.view.ID)
}

// stop ends the process, and the session with it. The order matters: the SDK's
// Close waits for calls in flight, and those end with the connection.
func (s *server) stop() {
	if s.conn != nil {
		_ = s.conn.Close()
	}
	if s.session != nil {
		_ = s.session.Close()
	}
}

func (s *server) stderr() []string {
	if s.conn == nil {
		return nil
	}
	return s.conn.p.stderr.Lines()
}

// Disconnect ends a server and takes it, with exactly its tools, off the list.
// It returns when the process is gone, or ctx ends; the end goes on then.
func (h *Host) Disconnect(ctx context.Context, id string) error {
	h.mu.Lock()
	var s *server
	for _, o := range h.servers {
		if o.view.ID == id {
			s = o
		}
	}
	h.mu.Unlock()
	if s == nil {
		return fmt.Errorf("disconnecting: no server %q", id)
	}
	s.cancel()
	select {
	case <-s.done:
	case <-ctx.Done():
		return fmt.Errorf("disconnecting %s: %w", id, ctx.Err())
	}
	h.remove(s)
	return nil
}

// listChanged is called by the SDK in its one goroutine for notifications, so
// the list is fetched elsewhere; while it is fetched, further changes wait.
func (s *server) listChanged(context.Context, *mcp.ToolListChangedRequest) {
	s.host.mu.Lock()
	defer s.host.mu.Unlock()
	if s.ctx.Err() != nil {
		return
	}
	s.stale++
	if s.stale == 1 && s.view.Status == Connected {
		s.refresh()
	}
}

// refresh fetches the tools again, elsewhere; the caller holds host.mu.
func (s *server) refresh() {
	s.host.wg.Add(1)
	go s.relist()
}

// relist fetches the tools until no change came meanwhile, once a second at
// most: a storm of changes must not become a storm of requests.
func (s *server) relist() {
	defer s.host.wg.Done()
	for {
		s.host.mu.Lock()
		seen := s.stale
		s.host.mu.Unlock()
		_, limit := s.host.Timeouts()
		ctx, cancel := context.WithTimeout(s.ctx, limit)
		tools, err := listTools(ctx, s.session)
		cancel()
		again := false
		s.host.update(func() {
			if err == nil && s.view.Status == Connected {
				s.host.reg.Set(s.view.ID, s.config.Bundled, tools)
			}
			if again = s.stale > seen && s.ctx.Err() == nil; !again {
				s.stale = 0
			}
		})
		if err != nil && s.ctx.Err() == nil {
			s.host.log(s.ctx, "listing tools", &Error{Kind: ErrProtocol, Subject: s.config.Path, Err: err}, "server", s.view.ID)
		}
		if !again {
			return
		}
		select {
		case <-time.After(time.Second):
		case <-s.ctx.Done():
		}
	}
}

// listTools fetches all pages. The SDK's iterator would follow a server that
// never ends.
func listTools(ctx context.Context, session *mcp.ClientSession) ([]*mcp.Tool, error) {
	if caps := session.InitializeResult().Capabilities; caps != nil && caps.Tools == nil {
		return nil, nil
	}
	var tools []*mcp.Tool
	seen := make(map[string]bool)
	cursor := ""
	for range maxPages {
		page, err := session.ListTools(ctx, &mcp.ListToolsParams{Cursor: cursor})
		if err != nil {
			return nil, err
		}
		tools = append(tools, page.Tools...)
		cursor = page.NextCursor
		switch {
		case len(tools) > maxTools:
			return nil, fmt.Errorf("the server lists more than %d tools", maxTools)
		case cursor == "":
			return tools, nil
		case seen[cursor]:
			return nil, fmt.Errorf("the server's list of tools goes round in circles")
		}
		seen[cursor] = true
	}
	return nil, fmt.Errorf("the server's list of tools has more than %d pages", maxPages)
}

// fail puts the reason of a failure on the server's card.
func (h *Host) fail(s *server, e *Error) {
	h.update(func() { s.view.Status, s.view.Since, s.view.Err = Failed, time.Now(), e })
}

// log writes one error, where it is first known and nowhere else, with its
// kind, its message and the stack (seed 003, property 7).
func (h *Host) log(ctx context.Context, doing string, err error, attrs ...any) {
	attrs = append([]any{
		slog.String("kind", kind(err)),
		slog.String("message", err.Error()),
		slog.String("stack", string(debug.Stack())),
	}, attrs...)
	h.o.Logger.ErrorContext(ctx, doing, attrs...)
}
