package callcmd

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/ui/view"
	"goated/ui/view/format"
)

// progressTime is the minimum time between two lines about the progress of a call.
const progressTime = 2 * time.Second

// A Watch prints what a server reports while its tool runs. In a terminal it prints a progress line
// every two seconds. With Logs, it prints each line of the server's log, even without a terminal,
// and after the call the server's stderr.
type Watch struct {
	W        io.Writer
	Tool     string
	Terminal bool
	Logs     bool

	mu      sync.Mutex // reports arrive on the connection's goroutine
	last    float64
	printed time.Time
	said    map[string]bool // the printed lines of the log
}

// Progress returns the function that receives the progress of the call. It is nil if nothing prints
// the progress, because a server sends its log only for calls that ask for it.
func (c *Watch) Progress() func(*mcp.ProgressNotificationParams) {
	if !c.Terminal && !c.Logs {
		return nil
	}
	c.said = make(map[string]bool)
	return c.report
}

func (c *Watch) report(p *mcp.ProgressNotificationParams) {
	c.mu.Lock()
	defer c.mu.Unlock()
	lines := strings.Split(p.Message, "\n")
	if c.Logs {
		for _, line := range lines {
			if line != "" {
				c.said[line] = true
				fmt.Fprintln(c.W, "  | "+line)
			}
		}
	}
	moved := p.Progress != c.last
	if c.last = p.Progress; !c.Terminal || !moved || time.Since(c.printed) < progressTime {
		return
	}
	c.printed = time.Now()
	fmt.Fprintf(c.W, "… %s %s\n", c.Tool, strings.TrimSpace(view.ProgressText(p.Progress, p.Total)+" "+format.Cut(lines[len(lines)-1], 80)))
}

// Output prints the last lines that the called server wrote to stderr, except log lines that are
// already printed. The server's author needs them, because an SDK hides the errors of tools from
// clients.
func (c *Watch) Output(lines []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, line := range lines {
		if !c.said[line] {
			fmt.Fprintln(c.W, "  | "+line)
		}
	}
}
