package client

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

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
