package asking

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxVisit bounds the wait for a server to confirm that the user is done with a page. The
// confirmation is optional, so goated sends the request again afterwards.
const maxVisit = 2 * time.Minute

// maxPages bounds the pages of one error, because each page is a question to the user.
const maxPages = 5

// URLRequests holds the pages that a server wants the user to open before it handles a request. The zero
// value is ready to use. It is safe for concurrent use.
type URLRequests struct {
	mu   sync.Mutex
	open map[chan struct{}]string // maps each wait to the id of its elicitation; the channel closes when the wait ends
}

// Complete handles the server's notification that the user is done with a page.
func (v *URLRequests) Complete(_ context.Context, req *mcp.ElicitationCompleteNotificationRequest) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for done, id := range v.open {
		if req.Params != nil && id == req.Params.ElicitationID {
			close(done)
			delete(v.open, done)
		}
	}
}

// begin returns a channel that closes when the server confirms that the user is done with a page.
func (v *URLRequests) begin(id string) chan struct{} {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.open == nil {
		v.open = make(map[chan struct{}]string)
	}
	done := make(chan struct{})
	v.open[done] = id
	return done
}

// forget ends a wait.
func (v *URLRequests) forget(done chan struct{}) {
	v.mu.Lock()
	defer v.mu.Unlock()
	delete(v.open, done)
}

// Retry handles the error with which a server refuses a request until the user has visited a page.
// It asks the user, waits for the server's confirmation, and sends the request once more. The SDK
// leaves that to its caller. Retry calls opened when it asks the user, and calls answered when the
// wait is over.
func (v *URLRequests) Retry(ask Ask, opened func(context.Context) (answered func())) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			result, err := next(ctx, method, req)
			wire, pages := refused(err)
			if len(pages) == 0 {
				return result, err
			}
			if len(pages) > maxPages {
				return nil, withServerMessage(wire, fmt.Sprintf("The server asks the user to open %d pages for one request, and goated opens at most %d", len(pages), maxPages))
			}
			if err := v.askAll(ctx, wire, pages, ask, opened); err != nil {
				return nil, err
			}
			return next(ctx, method, req)
		}
	}
}

// askAll shows the user all pages.
func (v *URLRequests) askAll(ctx context.Context, wire *jsonrpc.Error, pages []*mcp.ElicitParams, ask Ask, opened func(context.Context) (answered func())) error {
	defer opened(ctx)()
	var waits []chan struct{}
	for _, p := range pages { // before asking the user, because the server may be quick
		done := v.begin(p.ElicitationID)
		defer v.forget(done)
		waits = append(waits, done)
	}
	for _, p := range pages {
		answer, err := ask(ctx, p)
		if err != nil {
			return fmt.Errorf("asking to open a page: %w", err)
		}
		if answer.Action != "accept" {
			return withServerMessage(wire, "The user did not open the page")
		}
	}
	limit := time.NewTimer(maxVisit)
	defer limit.Stop()
	for _, done := range waits {
		select {
		case <-done:
		case <-limit.C:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// withServerMessage returns an error with the sentence after the server's message, if there is a message.
func withServerMessage(wire *jsonrpc.Error, sentence string) error {
	if message := strings.TrimRight(wire.Message, ". "); message != "" {
		sentence = message + ". " + sentence
	}
	return errors.New(sentence)
}

// refused returns the error and the pages that it asks for. pages is empty if the error asks for
// anything else.
func refused(err error) (wire *jsonrpc.Error, pages []*mcp.ElicitParams) {
	if !errors.As(err, &wire) || wire.Code != mcp.CodeURLElicitationRequired {
		return nil, nil
	}
	var data struct {
		Elicitations []*mcp.ElicitParams `json:"elicitations"`
	}
	if json.Unmarshal(wire.Data, &data) != nil {
		return nil, nil
	}
	for _, p := range data.Elicitations {
		if p == nil || p.URL == "" || p.Mode != "" && p.Mode != "url" {
			return nil, nil
		}
		p.Mode = "url"
	}
	return wire, data.Elicitations
}
