package client

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// uncached lets the SDK keep no prompts and resources: it would not learn of their changes,
// which notified handles, and goated keeps its own lists of them.
func uncached(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, req)
		if err != nil {
			return result, err
		}
		switch r := result.(type) {
		case *mcp.ReadResourceResult:
			r.TTLMs = 0
		case *mcp.ListPromptsResult:
			r.TTLMs = 0
		case *mcp.ListResourcesResult:
			r.TTLMs = 0
		case *mcp.ListResourceTemplatesResult:
			r.TTLMs = 0
		}
		return result, nil
	}
}

// Subscribe watches a resource of a server, until ctx or the server ends. The channel
// holds a value after one or more changes; it is nil if the server has no subscriptions, and
// of no use with an error.
func Subscribe(ctx context.Context, h *Host, id, uri string) (<-chan struct{}, error) {
	var s *server // the one that is asked; a restart replaces it
	changed := make(chan struct{}, 1)
	ok, err := request(ctx, h, id, "subscribing to "+uri, func(ctx context.Context, asked *server) (bool, error) {
		s = asked
		if caps := s.session.InitializeResult().Capabilities; caps == nil || caps.Resources == nil || !caps.Resources.Subscribe {
			return false, nil
		}
		s.followers.Add(uri, changed)
		return true, s.session.Subscribe(ctx, &mcp.SubscribeParams{URI: uri})
	})
	if !ok {
		return nil, err
	}
	h.wg.Go(func() { // until ctx or the server ends
		select {
		case <-ctx.Done():
		case <-s.ctx.Done():
		}
		if last := s.followers.Remove(uri, changed); last && s.ctx.Err() == nil {
			_ = s.session.Unsubscribe(s.ctx, &mcp.UnsubscribeParams{URI: uri}) // else its changes count as a flood
		}
	})
	return changed, err
}
