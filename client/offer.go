package client

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"goated/client/internal/limits"
	"goated/client/internal/toolcall"
	"goated/internal/exact"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Resources lists a server's resources; none if it does not declare any.
func (h *Host) Resources(ctx context.Context, id string) ([]*mcp.Resource, error) {
	return request(ctx, h, id, "listing resources", func(ctx context.Context, s *server) ([]*mcp.Resource, error) {
		if caps := s.session.InitializeResult().Capabilities; caps != nil && caps.Resources == nil {
			return nil, nil
		}
		return limits.Pages("resources", serverLogFunc(h, id), func(cursor string) ([]*mcp.Resource, string, error) {
			r, err := s.session.ListResources(ctx, &mcp.ListResourcesParams{Cursor: cursor})
			if err != nil {
				return nil, "", err
			}
			return r.Resources, r.NextCursor, nil
		})
	})
}

// Instructions yields the id of each connected server with its instructions for the model, in the
// order of the list. The text comes from the server.
func (h *Host) Instructions() iter.Seq2[string, string] {
	snapshot := h.Snapshot()
	return func(yield func(string, string) bool) {
		for _, s := range snapshot.Servers {
			if s.Status == Connected && s.Instructions != "" && !yield(s.ID, s.Instructions) {
				return
			}
		}
	}
}

// ReadResource reads one resource.
func (h *Host) ReadResource(ctx context.Context, id, uri string) (*mcp.ReadResourceResult, error) {
	return request(ctx, h, id, "reading "+uri, func(ctx context.Context, s *server) (*mcp.ReadResourceResult, error) {
		return s.session.ReadResource(ctx, &mcp.ReadResourceParams{URI: uri})
	})
}

// Prompts lists a server's prompts; none if it does not declare any.
func (h *Host) Prompts(ctx context.Context, id string) ([]*mcp.Prompt, error) {
	return request(ctx, h, id, "listing prompts", func(ctx context.Context, s *server) ([]*mcp.Prompt, error) {
		if caps := s.session.InitializeResult().Capabilities; caps != nil && caps.Prompts == nil {
			return nil, nil
		}
		return limits.Pages("prompts", serverLogFunc(h, id), func(cursor string) ([]*mcp.Prompt, string, error) {
			r, err := s.session.ListPrompts(ctx, &mcp.ListPromptsParams{Cursor: cursor})
			if err != nil {
				return nil, "", err
			}
			return r.Prompts, r.NextCursor, nil
		})
	})
}

// GetPrompt fills in a prompt of a server.
func (h *Host) GetPrompt(ctx context.Context, id, name string, args map[string]string) (*mcp.GetPromptResult, error) {
	return request(ctx, h, id, "getting prompt "+name, func(ctx context.Context, s *server) (*mcp.GetPromptResult, error) {
		return s.session.GetPrompt(ctx, &mcp.GetPromptParams{Name: name, Arguments: args})
	})
}

// request sends a request to a connected server, within the limit of a call.
func request[T any](ctx context.Context, h *Host, id, doing string, ask func(context.Context, *server) (T, error)) (got T, err error) {
	s := connected(h, id)
	if s == nil {
		return got, &Error{Kind: ErrDisconnected, Subject: id}
	}
	_, limit := h.Timeouts()
	progress := toolcall.NewThrottle(nil)
	defer progress.Close()
	limited, cancel := s.limitContext(ctx, &callLimit{limit, time.Now(), progress})
	defer cancel()
	got, err = ask(limited, s)
	s.inFlight.End()
	var wire *jsonrpc.Error
	switch {
	case err == nil:
		return got, nil
	case ctx.Err() != nil:
		return got, fmt.Errorf("%s: %w", doing, ctx.Err())
	case errors.Is(context.Cause(limited), ErrCallTimeout):
		err = fmt.Errorf("%s: no answer within %s", doing, seconds(limit))
	case errors.Is(context.Cause(limited), errStopped), streamEnded(err):
		err = disconnectedError(ctx, s, id)
	case errors.As(err, &wire):
		err = &Error{Kind: ErrProtocol, Subject: id, Err: wire}
	case s.link.Fault() != nil:
		err = disconnectedError(ctx, s, id)
	default:
		err = &Error{Kind: ErrProtocol, Subject: id, Err: err}
	}
	h.o.logError(ctx, doing, err, "server", id)
	return got, err
}

// A listing is a server's response to tools/list.
type listing struct {
	tools  []*mcp.Tool
	inputs map[*mcp.Tool]string // the input schemas as the server wrote them
}

// listTools fetches all pages. The SDK's iterator has no bound.
func (s *server) listTools(ctx context.Context) (listing, error) {
	caps := s.session.InitializeResult().Capabilities
	if caps != nil && caps.Tools == nil {
		return listing{}, nil
	}
	s.listed.Store(caps == nil || caps.Tools.ListChanged)
	began := s.link.ListedBytes()
	inputs := make(map[*mcp.Tool]string)
	tools, err := limits.Pages("tools", s.link.log.Note, func(cursor string) ([]*mcp.Tool, string, error) {
		r, err := s.session.ListTools(ctx, &mcp.ListToolsParams{Cursor: cursor})
		switch {
		case err != nil:
			return nil, "", err
		case s.link.ListedBytes()-began > int64(s.host.o.MaxFrame):
			s.link.log.Note("goated uses only the first " + limits.Size(s.host.o.MaxFrame) + " of this server's list of tools")
			r.NextCursor = ""
		}
		for _, t := range r.Tools {
			t.InputSchema, inputs[t] = exact.Written(t.InputSchema)
			t.OutputSchema = exact.Restore(t.OutputSchema)
		}
		return r.Tools, r.NextCursor, nil
	})
	return listing{tools, inputs}, err
}

// A Variable is a variable of a server's environment.
type Variable struct {
	Name, Value string
	Set         bool // in the server's configuration, not inherited
}

// Environment lists the environment of a server's process, by name.
func (h *Host) Environment(id string) []Variable {
	s := h.list.find(id)
	if s == nil {
		return nil
	}
	h.list.mu.Lock()
	env := s.link.environment()
	h.list.mu.Unlock()
	var out []Variable
	for _, kv := range env {
		name, value, _ := strings.Cut(kv, "=")
		v := Variable{Name: name, Value: value, Set: slices.Contains(s.config.Env, kv)}
		// The last of a name counts.
		out = append(slices.DeleteFunc(out, func(o Variable) bool { return o.Name == name }), v)
	}
	slices.SortFunc(out, func(a, b Variable) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// serverLogFunc returns a function that writes a line to a server's log.
func serverLogFunc(h *Host, id string) func(line string) {
	return func(line string) {
		if s := h.list.find(id); s != nil {
			h.list.mu.Lock()
			defer h.list.mu.Unlock()
			if s.link != nil {
				s.link.log.Note(line)
			}
		}
	}
}

// connected returns a connected server, and counts a call in flight; nil if the server is not
// connected.
func connected(h *Host, id string) *server {
	s := h.list.find(id)
	if s == nil {
		return nil
	}
	h.list.mu.Lock()
	defer h.list.mu.Unlock()
	if s.view.Status != Connected {
		return nil
	}
	s.inFlight.Begin()
	return s
}
