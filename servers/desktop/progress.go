package desktop

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/protobuf/types/known/anypb"

	"goated/servers/desktop/macosusesdk"
)

// A progress sends progress notifications of a call if the client asked for them. It is safe for
// concurrent use.
type progress struct {
	req *mcp.CallToolRequest

	mu   sync.Mutex
	last mcp.ProgressNotificationParams
}

// progressInterval is the time between two notifications of a call that has nothing else to report.
// A client may end a call that is silent for a minute, such as a long wait or command.
const progressInterval = 15 * time.Second

// progressOf returns a function that reports an operation's metadata as progress.
func (c *call) progressOf(ctx context.Context) func(*anypb.Any) {
	if c.req.Params.GetProgressToken() == nil {
		return nil
	}
	return func(a *anypb.Any) {
		m, err := a.UnmarshalNew()
		if err != nil {
			return // metadata of a newer server
		}
		switch m := m.(type) {
		case *macosusesdk.ExecuteMacroMetadata:
			c.notify(ctx, float64(m.GetCurrentAction()), float64(m.GetTotalActions()), fmt.Sprintf("Action %d of %d", m.GetCurrentAction(), m.GetTotalActions()))
		case *macosusesdk.WaitElementMetadata:
			c.notify(ctx, float64(m.GetAttempts()), 0, fmt.Sprintf("Looked %d times", m.GetAttempts()))
		case *macosusesdk.WaitElementStateMetadata:
			c.notify(ctx, float64(m.GetAttempts()), 0, fmt.Sprintf("Looked %d times", m.GetAttempts()))
		}
	}
}

// notify reports progress if the client asked for it. It is best effort.
func (c *call) notify(ctx context.Context, done, total float64, message string) {
	c.progress.report(ctx, func(last *mcp.ProgressNotificationParams) {
		last.Progress, last.Total, last.Message = max(done, last.Progress+0.001), total, message
	})
}

// report applies change to the last progress and sends the result.
func (p *progress) report(ctx context.Context, change func(*mcp.ProgressNotificationParams)) {
	token := p.req.Params.GetProgressToken()
	if token == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	change(&p.last)
	now := p.last
	now.ProgressToken = token
	_ = p.req.Session.NotifyProgress(ctx, &now)
}

// keepAlive reports at each interval that the call is still running, until the caller calls stop.
// stop waits for the goroutine. Each notification has a larger progress than the previous one, as the
// MCP specification demands ("The progress value MUST increase with each notification").
func (p *progress) keepAlive(ctx context.Context, interval time.Duration) (stop func()) {
	if p.req.Params.GetProgressToken() == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	running.Go(func() {
		tick := time.NewTicker(interval)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				p.report(ctx, func(last *mcp.ProgressNotificationParams) { last.Progress += 0.001 })
			case <-ctx.Done():
				return
			}
		}
	})
	return func() { cancel(); running.Wait() }
}
