package inspector

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"fyne.io/fyne/v2"

	"goated/internal/inspect"
	"goated/ui/kit"
	"goated/ui/view/format"
)

// took formats a duration in at most seven characters, for example 412 ms, 1.31 s or 2 min.
func took(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Round(time.Millisecond).Milliseconds())
	case d < 10*time.Second:
		return fmt.Sprintf("%.2f s", d.Seconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return fmt.Sprintf("%d min", int(d.Minutes()))
}

// bytesOf formats a size in at most seven characters, for example 84 B, 0.2 kB or 1.9 MB.
func bytesOf(n int) string {
	if n < 100 {
		return fmt.Sprintf("%d B", n)
	}
	if n < 999_950 { // a larger number rounds to 1.0 MB
		return fmt.Sprintf("%.1f kB", float64(n)/1000)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}

// short formats a number of calls.
func short(n int) string {
	if n < 100_000 {
		return format.Grouped(n)
	}
	return format.Short(n)
}

// thousands formats a number of tokens, for example 0.3k.
func thousands(n int) string {
	if n < 10_000 {
		return fmt.Sprintf("%.1fk", float64(n)/1000)
	}
	return format.Short(n)
}

// named returns the method of an entry and its subject: the tool of a call, or the model of a
// request.
func named(e inspect.Entry) (method, subject string) {
	switch e.Kind {
	case inspect.Noise:
		return "no message", firstLine(e.Request.Data)
	case inspect.Ended:
		if e.Outcome == inspect.ServerEnded {
			return "connection ended", firstLine([]byte(e.How))
		}
		return "connection closed", ""
	case inspect.Answer:
		return "answer to no known request", ""
	}
	if model, verb, found := strings.Cut(e.Method, ":"); found && e.Tool == "" && !strings.Contains(model, "/") {
		return verb, model
	}
	return e.Method, e.Tool
}

// firstLine returns the beginning of a text for one row.
func firstLine(data []byte) string {
	text, _, _ := strings.Cut(strings.TrimSpace(string(data[:min(len(data), 300)])), "\n")
	return text
}

// size returns the size in bytes of an entry's answer, or of its request if there is no answer.
func size(e inspect.Entry) int {
	if e.Answer.Size > 0 {
		return e.Answer.Size
	}
	return e.Request.Size
}

// ending explains why a request has no answer, or how a connection ended. It returns "" if the
// request has an answer, or still waits for one.
func ending(e inspect.Entry) string {
	switch {
	case e.Kind == inspect.Ended && e.Outcome == inspect.NoAnswer:
		return "goated closed the connection."
	case e.Outcome != inspect.NoAnswer && e.How != "":
		return e.How
	case e.Outcome == inspect.ServerEnded, e.Outcome == inspect.NoAnswer:
		return "The connection ended before an answer."
	}
	return ""
}

// status describes in at most nine characters how an entry ended, and returns the colour.
func status(e inspect.Entry) (string, fyne.ThemeColorName) {
	switch {
	case e.Kind == inspect.Note:
		return "note", kit.ColorMuted
	case e.Kind == inspect.Noise:
		return "noise", kit.ColorWarn
	case e.Outcome == inspect.ServerEnded:
		return "ended", kit.ColorBad
	case e.Kind == inspect.Ended, e.Outcome == inspect.NoAnswer:
		return "closed", kit.ColorMuted
	case e.Outcome == inspect.Declined:
		return "declined", kit.ColorMuted
	case e.Outcome == inspect.Cancelled:
		return "cancelled", kit.ColorWarn
	case e.Outcome == inspect.ToolError:
		return "error", kit.ColorBad
	case e.Outcome == inspect.TimedOut:
		return "timed out", kit.ColorBad
	case e.Outcome == inspect.Malformed:
		return "malformed", kit.ColorBad
	case e.Outcome == inspect.Failed && e.Code > 0, e.Outcome == inspect.Failed && e.Code < -1:
		return strconv.Itoa(e.Code), kit.ColorBad
	case e.Outcome == inspect.Failed:
		return "failed", kit.ColorBad
	case e.Outcome == inspect.Unanswered:
		return "no answer", kit.ColorBad
	case e.Outcome == inspect.Waiting:
		return "waiting", kit.ColorMuted
	case e.Answer.Cut() || e.Request.Cut():
		return "cut", kit.ColorWarn
	}
	return "ok", kit.ColorGood
}
