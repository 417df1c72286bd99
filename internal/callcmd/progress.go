package callcmd

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/ui/view"
	"goated/ui/view/format"
)

// progressTime is the least time between two lines about the progress of a call.
const progressTime = 2 * time.Second

// Progress returns what reports the progress of a call to w; nil if nothing does. A terminal
// gets a line every two seconds. With logs, each line of the server's log is printed, also
// where there is no terminal.
func Progress(w io.Writer, tool string, terminal, logs bool) func(*mcp.ProgressNotificationParams) {
	if !terminal && !logs {
		return nil // a server sends its log only to calls that want it
	}
	var last float64
	var printed time.Time
	return func(p *mcp.ProgressNotificationParams) {
		lines := strings.Split(p.Message, "\n")
		if logs {
			for _, line := range lines {
				if line != "" {
					fmt.Fprintln(w, "  | "+line)
				}
			}
		}
		moved := p.Progress != last
		if last = p.Progress; !terminal || !moved || time.Since(printed) < progressTime {
			return
		}
		printed = time.Now()
		fmt.Fprintf(w, "… %s %s\n", tool, strings.TrimSpace(view.Portion(p.Progress, p.Total)+" "+format.Cut(lines[len(lines)-1], 80)))
	}
}
