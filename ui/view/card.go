package view

import (
	"fmt"
	"strings"
	"time"

	"goated/agent"
)

// A Card is one tool call.
type Card struct {
	ID        string
	Server    string // empty if no server has the tool
	Tool      string
	Status    CardStatus
	Arguments string // as formatted JSON
	Result    string // formatted; empty if there is none
	Error     string // why it failed
	Duration  time.Duration
}

// A CardStatus is how far a tool call is.
type CardStatus int

// The statuses of a card, in the order in which it can come to them.
const (
	Waiting  CardStatus = iota // nobody has decided yet whether it may run
	Running                    // allowed, and not back yet
	Complete                   // back with a result
	Failed                     // back with an error, or never
	Denied                     // not allowed to run
)

func (s CardStatus) String() string {
	switch s {
	case Waiting:
		return "Waiting"
	case Running:
		return "Running"
	case Complete:
		return "Complete"
	case Failed:
		return "Failed"
	case Denied:
		return "Denied"
	}
	return fmt.Sprintf("CardStatus(%d)", int(s))
}

// Open reports whether the call still has no answer.
func (c Card) Open() bool { return c.Status == Waiting || c.Status == Running }

// Preview is the one line that a closed card shows of what is in it.
func (c Card) Preview() string {
	switch {
	case c.Error != "":
		return Cut(c.Error, 50)
	case c.Result != "":
		return Cut(c.Result, 50)
	}
	return Cut(c.Arguments, 50)
}

// called formats at once, on the goroutine of the turn: nothing is left for the
// window to compute, and no map of the event is kept.
func called(e agent.ToolCalled) Card {
	card := Card{ID: e.ID, Server: e.Server, Tool: e.Tool, Arguments: "{}"}
	if card.Tool == "" {
		card.Tool = e.Name
	}
	if len(e.Args) > 0 {
		card.Arguments = FormatJSON(e.Args)
	}
	return card
}

func (c Card) decided(e agent.ToolDecided) Card {
	switch {
	case !c.Open():
	case e.Decision == agent.Deny:
		c.Status = Denied
	default:
		c.Status = Running
	}
	return c
}

func (c Card) returned(e agent.ToolReturned) Card {
	c.Duration, c.Error = e.Duration, Sentence(e.Error)
	if e.Result != nil {
		c.Result = FormatResult(e.Result)
	}
	switch {
	case c.Status == Denied:
	case e.Error != "":
		c.Status = Failed
	case e.Result != nil && e.Result.IsError:
		c.Status, c.Error = Failed, "The tool reports an error."
	default:
		c.Status = Complete
	}
	return c
}

// Duration says how long something took, as short as a person reads it.
func Duration(d time.Duration) string {
	switch {
	case d <= 0:
		return ""
	case d < time.Millisecond:
		return "<1 ms"
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	}
	return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
}

// Clip limits text to what can be drawn without a pause, whole lines where it
// can. The note says honestly how much of it is shown; it is empty if that is
// all.
func Clip(text string, bytes, lines int) (shown, note string) {
	total := strings.Count(text, "\n") + 1
	shown = text
	if total > lines {
		at := 0
		for range lines {
			at += strings.IndexByte(text[at:], '\n') + 1
		}
		shown = text[:at-1]
	}
	if len(shown) > bytes {
		shown = strings.ToValidUTF8(shown[:bytes], "")
		if at := strings.LastIndexByte(shown, '\n'); at > bytes/2 {
			shown = shown[:at]
		}
	}
	if len(shown) == len(text) {
		return text, ""
	}
	if n := strings.Count(shown, "\n") + 1; n > 1 {
		return shown, fmt.Sprintf("Showing the first %s of %s (%s of %s)", thousands(n), plural(total, "line"), size(len(shown)), size(len(text)))
	}
	return shown, fmt.Sprintf("Showing the first %s of %s", size(len(shown)), size(len(text)))
}

func size(n int) string {
	switch {
	case n < 1000:
		return plural(n, "byte")
	case n < 1000*1000:
		return fmt.Sprintf("%.1f kB", float64(n)/1000)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}
