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

// progressTime is the least time between two lines about the progress of a call.
const progressTime = 2 * time.Second

// A Watch prints what a server reports while its tool runs. A terminal gets a line about the
// progress every two seconds. With Logs, each line of the server's log is printed, also where there
// is no terminal, and after the call what the server wrote to stderr.
type Watch struct {
	W        io.Writer
	Tool     string
	Terminal bool
	Logs     bool

	mu      sync.Mutex // reports come from the connection
	last    float64
	printed time.Time
	said    map[string]bool // the lines of the log
}

// Progress returns what gets the progress of the call; nil if nothing prints it: a server sends its
// log only to calls that want it.
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
	fmt.Fprintf(c.W, "… %s %s\n", c.Tool, strings.TrimSpace(view.Portion(p.Progress, p.Total)+" "+format.Cut(lines[len(lines)-1], 80)))
}

// Output prints the last lines that the called server wrote to stderr, without those of its log that
// are printed: its author looks for them, since an SDK hides the errors of tools from clients.
func (c *Watch) Output(lines []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, line := range lines {
		if !c.said[line] {
			fmt.Fprintln(c.W, "  | "+line)
		}
	}
}
