package client

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client/internal/limits"
)

// Templates lists a server's resource templates; none if it does not declare any
// resources.
func Templates(ctx context.Context, h *Host, id string) ([]*mcp.ResourceTemplate, error) {
	return request(ctx, h, id, "listing templates", func(ctx context.Context, s *server) ([]*mcp.ResourceTemplate, error) {
		if caps := s.session.InitializeResult().Capabilities; caps == nil || caps.Resources == nil {
			return nil, nil
		}
		return limits.Pages("templates", serverLogFunc(h, id), func(cursor string) ([]*mcp.ResourceTemplate, string, error) {
			r, err := s.session.ListResourceTemplates(ctx, &mcp.ListResourceTemplatesParams{Cursor: cursor})
			if err != nil {
				return nil, "", err
			}
			return r.ResourceTemplates, r.NextCursor, nil
		})
	})
}

// Complete asks a server for the values of an argument; none if it completes nothing.
func Complete(ctx context.Context, h *Host, id string, p *mcp.CompleteParams) ([]string, error) {
	return request(ctx, h, id, "completing an argument", func(ctx context.Context, s *server) ([]string, error) {
		if caps := s.session.InitializeResult().Capabilities; caps == nil || caps.Completions == nil {
			return nil, nil
		}
		r, err := s.session.Complete(ctx, p)
		if err != nil {
			return nil, err
		}
		return r.Completion.Values, nil
	})
}
