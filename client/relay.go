package client

import (
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// reportTime is the least time between two reports of one call, however fast
	// its server tells.
	reportTime = time.Second / 30
	// maxLines and maxLine bound what waits to be reported: the lines that came
	// last, and the beginning of each.
	maxLines = 100
	maxLine  = 1000
)

// A relay takes what a server tells of one call from the SDK's goroutine for
// notifications, which must never wait, to whoever wants to know. Of progress
// that comes faster than it is reported, only the last is.
type relay struct {
	report func(*mcp.ProgressNotificationParams)
	told   chan struct{} // holds a token while there is something to report
	end    chan struct{} // closed when the call is over
	done   chan struct{} // closed when nothing will be reported any more

	mu    sync.Mutex
	now   mcp.ProgressNotificationParams // without its message
	lines []string
	moved time.Time // of the last progress
}

func newRelay(report func(*mcp.ProgressNotificationParams)) *relay {
	r := &relay{report: report, told: make(chan struct{}, 1), end: make(chan struct{}), done: make(chan struct{}), moved: time.Now()}
	if report == nil {
		close(r.done)
	} else {
		go r.run()
	}
	return r
}

// run reports until the call is over, and then once more what is left.
func (r *relay) run() {
	defer close(r.done)
	pause := time.NewTimer(0)
	defer pause.Stop()
	for {
		select {
		case <-r.told:
		case <-r.end:
			select {
			case <-r.told:
				r.report(r.take())
			default:
			}
			return
		}
		r.report(r.take())
		pause.Reset(reportTime)
		select {
		case <-pause.C:
		case <-r.end:
		}
	}
}

// close ends the relay and waits until nobody is told anything any more.
func (r *relay) close() {
	close(r.end)
	<-r.done
}

func (r *relay) take() *mcp.ProgressNotificationParams {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.now
	p.Message, r.lines = strings.Join(r.lines, "\n"), nil
	return &p
}

// progress and log never block.

func (r *relay) progress(p *mcp.ProgressNotificationParams) {
	r.mu.Lock()
	r.moved = time.Now()
	r.now.Progress, r.now.Total = p.Progress, p.Total
	r.add(p.Message)
	r.mu.Unlock()
	r.tell()
}

func (r *relay) log(line string) {
	r.mu.Lock()
	r.add(line)
	r.mu.Unlock()
	r.tell()
}

func (r *relay) tell() {
	select {
	case r.told <- struct{}{}:
	default:
	}
}

// add keeps text, line by line; the caller holds mu.
func (r *relay) add(text string) {
	if r.report == nil {
		return
	}
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, "\r\n"); line == "" {
			continue
		}
		if len(line) > maxLine {
			line = strings.ToValidUTF8(line[:maxLine], "") + "…"
		}
		r.lines = append(r.lines, line)
	}
	if n := len(r.lines); n > maxLines {
		r.lines = slices.Clone(r.lines[n-maxLines:])
	}
}

// idle is how long the call has been silent.
func (r *relay) idle() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	return time.Since(r.moved)
}
