package toolcall

import (
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// reportTime is the minimum time between two reports for one call.
	reportTime = time.Second / 30
	// maxLines bounds the lines that wait for a report; older lines are dropped. maxLine bounds the
	// bytes of each line; the end is dropped.
	maxLines = 100
	maxLine  = 1000
)

// A Throttle passes the progress and log lines of one call to the caller's report. They come from
// the goroutine that reads messages, which must never block. Between two reports it keeps only the
// last progress. It is safe for concurrent use.
type Throttle struct {
	report func(*mcp.ProgressNotificationParams)

	mu           sync.Mutex
	now          mcp.ProgressNotificationParams // without the message
	lines        []string
	lastProgress time.Time     // of the call
	pending      chan struct{} // has a token while there is something to report; nil before the first report
	end          chan struct{} // closed when the call is over
	done         chan struct{} // closed after the last report
	over         bool          // no more reports
}

// NewThrottle returns a throttle that calls report until Close; report may be nil.
func NewThrottle(report func(*mcp.ProgressNotificationParams)) *Throttle {
	return &Throttle{report: report, lastProgress: time.Now()}
}

// run reports until the call is over, and then reports the rest.
func (r *Throttle) run() {
	defer close(r.done)
	pause := time.NewTimer(0)
	defer pause.Stop()
	for {
		select {
		case <-r.pending:
		case <-r.end:
			select {
			case <-r.pending:
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

// Close ends the reports and waits for the last one.
func (r *Throttle) Close() {
	r.mu.Lock()
	r.over = true
	runs := r.done
	r.mu.Unlock()
	if runs != nil {
		close(r.end)
		<-runs
	}
}

func (r *Throttle) take() *mcp.ProgressNotificationParams {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.now
	p.Message, r.lines = strings.Join(r.lines, "\n"), nil
	return &p
}

// Progress receives the call's progress. It does not block.
func (r *Throttle) Progress(p *mcp.ProgressNotificationParams) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lastProgress = time.Now()
	r.now.Progress, r.now.Total = p.Progress, p.Total
	r.add(p.Message)
	r.tell()
}

// Log receives a log line. It does not block.
func (r *Throttle) Log(line string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.add(line)
	r.tell()
}

// tell wakes the reporting goroutine and starts it first if necessary. Most calls report nothing
// and need none. The caller holds mu.
func (r *Throttle) tell() {
	if r.report == nil || r.over {
		return
	}
	if r.pending == nil {
		r.pending, r.end, r.done = make(chan struct{}, 1), make(chan struct{}), make(chan struct{})
		go r.run() // ends with Close
	}
	select {
	case r.pending <- struct{}{}:
	default:
	}
}

// add keeps the lines of text. The caller holds mu.
func (r *Throttle) add(text string) {
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

// Idle returns the time since the last progress.
func (r *Throttle) Idle() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	return time.Since(r.lastProgress)
}
