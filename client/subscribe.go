package client

import (
	"context"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// uncached keeps the SDK from caching lists and resources. The SDK would not see their changes,
// because handleNotification handles those, and goated has its own lists. listTools also changes the tools that
// it gets, so a list from the cache would lack the text of their schemas.
func uncached(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, req)
		if err != nil {
			return result, err
		}
		switch r := result.(type) {
		case *mcp.ReadResourceResult:
			r.TTLMs = 0
		case *mcp.ListToolsResult:
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

// unsubscribing is how long goated waits for the answer to an unsubscription. A new subscription to the
// resource waits for that answer first.
const unsubscribing = 10 * time.Second

// Subscribe watches a resource of a server until ctx or the server ends. The channel holds a value
// after one or more changes. It is nil if there is an error, or if the server does not support
// subscriptions.
func Subscribe(ctx context.Context, h *Host, id, uri string) (<-chan struct{}, error) {
	var s *server // the one that is asked; a restart replaces it
	changed := make(chan struct{}, 1)
	follows, err := request(ctx, h, id, "subscribing to "+uri, func(ctx context.Context, asked *server) (bool, error) {
		s = asked
		if caps := s.session.InitializeResult().Capabilities; caps == nil || caps.Resources == nil || !caps.Resources.Subscribe {
			return false, nil
		}
		done, err := s.subscribers.Lock(ctx, uri)
		if err != nil {
			return false, err
		}
		defer done()
		s.subscribers.Add(uri, changed)
		err = s.session.Subscribe(ctx, &mcp.SubscribeParams{URI: uri})
		if err != nil && ctx.Err() == nil { // the server refused
			s.subscribers.Remove(uri, changed)
			return false, err
		}
		return true, err // without an answer, the server may have subscribed
	})
	if !follows {
		return nil, err
	}
	h.wg.Go(func() { // until ctx or the server ends
		if err == nil {
			select {
			case <-ctx.Done():
			case <-s.ctx.Done():
			}
		}
		unsubscribe(s, uri, changed)
	})
	if err != nil {
		return nil, err
	}
	return changed, nil
}

// unsubscribe removes a subscriber of a resource. After the last one it unsubscribes at the server, or
// further changes of the resource would count as a flood.
func unsubscribe(s *server, uri string, changed chan struct{}) {
	done, err := s.subscribers.Lock(s.ctx, uri)
	if err != nil {
		return // the server ended
	}
	defer done()
	if last := s.subscribers.Remove(uri, changed); last && s.ctx.Err() == nil {
		limited, stop := context.WithTimeout(s.ctx, unsubscribing)
		defer stop()
		_ = s.session.Unsubscribe(limited, &mcp.UnsubscribeParams{URI: uri})
	}
}
