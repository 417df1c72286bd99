package inspectcmd

import (
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"text/tabwriter"
	"time"

	"goated/internal/inspect"
	"goated/internal/safetext"
)

// queued is the maximum number of lines that wait for a slow terminal.
const queued = 10_000

// A printer prints lines on a separate goroutine, so that the connections to the servers never wait
// for the terminal.
type printer struct {
	aside   io.Writer
	blocks  bool // print waits for room; otherwise it drops the line
	lines   chan string
	missing atomic.Int64
	stop    chan struct{}
	done    chan struct{}
}

func newPrinter(out, aside io.Writer) *printer {
	p := &printer{aside: aside, lines: make(chan string, queued), stop: make(chan struct{}), done: make(chan struct{})}
	go func() {
		defer close(p.done)
		for {
			select {
			case l := <-p.lines:
				_, _ = io.WriteString(out, l) // even if the pipe is closed, the figures follow
			case <-p.stop:
				for {
					select {
					case l := <-p.lines:
						_, _ = io.WriteString(out, l)
					default:
						return
					}
				}
			}
		}
	}()
	return p
}

// print queues a line for printing. It blocks only if blocks is set.
func (p *printer) print(line string) {
	if p.blocks {
		p.lines <- line + "\n"
		return
	}
	select {
	case p.lines <- line + "\n":
	default:
		p.missing.Add(1)
	}
}

// end waits until all lines are printed.
func (p *printer) end() {
	close(p.stop)
	<-p.done
	if n := p.missing.Load(); n > 0 {
		fmt.Fprintf(p.aside, "%d messages are not printed: they came faster than the terminal. --json has them.\n", n)
	}
}

// line formats one frame as text.
func line(f inspect.Frame, e inspect.Entry) string {
	arrow := "←"
	if f.Sent {
		arrow = "→"
	}
	words := []string{f.Time.Local().Format("15:04:05.000"), arrow, fmt.Sprintf("%-12s", safetext.Name(f.Server))}
	method := safetext.OneLine(strings.TrimSpace(e.Method + " " + e.Tool))
	switch {
	case e.Kind == inspect.Ended && e.Outcome == inspect.ServerEnded:
		return strings.Join(append(words, "the connection ended: "+safetext.Cut(safetext.OneLine(e.How), 200)), " ")
	case e.Kind == inspect.Ended:
		return strings.Join(append(words, "goated closed the connection"), " ")
	case f.Unanswered != "":
		words = append(words, fmt.Sprintf("%-32s", method))
		if e.Outcome != inspect.Unanswered {
			words = append(words, outcome(e)+":")
		} else {
			words = append(words, "no answer:")
		}
		return strings.Join(append(words, safetext.Cut(safetext.OneLine(e.How), 200)), " ")
	case f.End != inspect.NotEnded: // a request that failed because the connection ended
		return strings.Join(append(words, fmt.Sprintf("%-32s", method), "no answer: the connection ended"), " ")
	case e.Kind == inspect.Noise:
		return strings.Join(append(words, "not a message: "+safetext.Cut(safetext.OneLine(string(f.Data)), 100)), " ")
	case e.Kind == inspect.Answer:
		method = "answer to no known request"
	}
	words = append(words, fmt.Sprintf("%-32s", method), fmt.Sprintf("%9s", bytesText(f.Size)))
	if e.Kind == inspect.Request && f.Sent != e.Ours {
		took, _ := e.Latency()
		words = append(words, fmt.Sprintf("%9s", durationText(took)), outcome(e))
		if e.Answer.Cut() {
			words = append(words, "(its end is not kept)")
		}
	}
	return strings.TrimRight(strings.Join(words, " "), " ")
}

func outcome(e inspect.Entry) string {
	switch e.Outcome {
	case inspect.OK:
		return "ok"
	case inspect.ToolError:
		return "tool error"
	case inspect.Cancelled:
		return "cancelled"
	case inspect.TimedOut:
		return "timed out"
	case inspect.Malformed:
		return "not a result"
	case inspect.Declined:
		return "declined"
	case inspect.Failed:
		return fmt.Sprintf("error %d", e.Code)
	}
	return "no answer"
}

// table formats the figures of tools as text. It returns "" if there are none.
func table(all []inspect.Figures) string {
	if len(all) == 0 {
		return ""
	}
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "TOOL\tSERVER\tCALLS\tERRORS\tSUCCESS\tMEAN\tP50\tP99\tTOKENS\tLAST USE")
	for _, f := range all {
		success, tokens, mean, p50, p99 := "–", "–", "–", "–", "–"
		if f.Answered > 0 || f.Errors > 0 {
			success = fmt.Sprintf("%.1f %%", 100*f.Success)
		}
		if f.Answered > 0 {
			mean, p50, p99 = durationText(f.Mean), durationText(f.P50), durationText(f.P99)
		}
		if f.Tokens > 0 {
			tokens = fmt.Sprint(f.Tokens)
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%s\t%s\t%s\t%s\t%s\t%s\n", safetext.Name(f.Tool), safetext.Name(f.Server), f.Calls, f.Errors, success,
			mean, p50, p99, tokens, f.Last.Local().Format(time.DateTime))
	}
	_ = w.Flush() // cannot fail: it writes to memory
	return b.String()
}

// bytesText formats a size, for example as 18.2 kB.
func bytesText(n int) string {
	switch {
	case n >= 999_950: // rounds to 1.0 MB
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	case n >= 1000:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%d B", n)
}

// durationText formats a duration with about three digits, for example as 412 ms or 1.31 s.
func durationText(d time.Duration) string {
	switch {
	case d >= time.Second:
		return fmt.Sprintf("%.2f s", d.Seconds())
	case d >= 10*time.Millisecond:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1e3)
}
