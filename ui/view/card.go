package view

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"goated/agent"
	"goated/internal/wording"
	"goated/ui/view/format"
)

// A Card is one tool call.
type Card struct {
	ID        string
	Server    string // empty if no server has the tool
	Tool      string // the server's name for the tool
	Title     string // the title for users; the name of the tool if the server provides none
	Status    CardStatus
	Arguments string // as formatted JSON
	Given     *Part  // Arguments as a displayable part; nil if there are none
	Result    string // formatted; empty if there is none
	Error     string // why the call failed
	Timing
	Progress float64
	Total    float64 // the end of Progress; 0 if unknown
	Log      string  // the tool's progress messages, one per line
	Content  *Result // Result as parts; nil if there is none
	Received string  // describes what the model received of a long result; empty for a short one
}

// Timing is when and for how long a call ran.
type Timing struct {
	Duration time.Duration
	Began    time.Time // when it started; zero if it has not
	Step     int       // the number of the step, whose calls the model requests at once; it begins at 0 again after a text
}

// Heading returns the tool's name for users.
func (c Card) Heading() string { return cmp.Or(c.Title, c.Tool) }

// A CardStatus is the state of a tool call.
type CardStatus int

// The states of a tool call, in the order in which it can reach them.
const (
	Waiting  CardStatus = iota // not yet allowed or denied
	Running                    // allowed, no result yet
	Complete                   // returned a result
	Failed                     // returned an error, or never returned
	Denied                     // not allowed to run
	Stopped                    // the turn was stopped before it returned a result
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
	case Stopped:
		return "Stopped"
	}
	return fmt.Sprintf("CardStatus(%d)", int(s))
}

// Open reports whether the call has no result yet.
func (c Card) Open() bool { return c.Status == Waiting || c.Status == Running }

// Preview returns the summary line of a folded card.
func (c Card) Preview() string {
	switch {
	case c.Error != "" && c.Status == Failed && c.Log != "":
		return format.Cut(c.Error+" · "+errorLine(c.Log), maxPreview)
	case c.Error != "":
		return format.Cut(c.Error, maxPreview)
	case c.Open() && c.Log != "":
		return format.Cut(lastLine(c.Log), maxPreview)
	case c.Content.Preview() != "":
		return c.Content.Preview()
	case c.Result != "":
		return format.Cut(c.Result, maxPreview)
	}
	return format.Cut(c.Arguments, maxPreview)
}

// maxPreview is the maximal length of a preview, in characters. The widest card shows less,
// because it cuts the line where its status begins.
const maxPreview = 160

// called returns the card for a call. It formats the arguments here, on the goroutine of the
// turn, so that the window has nothing to compute and the card keeps no map of the event.
func called(e agent.ToolCalled) Card {
	card := Card{ID: e.ID, Server: e.Server, Tool: e.Tool}.given("Arguments", e.Args)
	if card.Tool == "" {
		card.Tool = e.Name
	}
	if e.Title != "" {
		card.Title = titleOr(e.Title, card.Tool)
	}
	return card
}

// given sets the arguments of the call.
func (c Card) given(title string, args map[string]any) Card {
	c.Arguments, c.Given = "{}", nil
	if len(args) > 0 {
		c.Arguments = FormatJSON(args)
		part := TextOf(title, c.Arguments)
		c.Given = &part
	}
	return c
}

func (c Card) decided(e agent.ToolDecided) Card {
	switch {
	case !c.Open():
	case e.Decision == agent.Deny:
		c.Status = Denied
	default:
		c.Status, c.Began = Running, e.At
		if e.Args != nil {
			c = c.given("Arguments, as you changed them", e.Args)
		}
	}
	return c
}

// maxLog is the maximal number of bytes of progress messages that a card keeps.
const maxLog = 8 << 10

func (c Card) progressed(e agent.ToolProgressed) Card {
	if c.Status != Running {
		return c
	}
	if e.Progress > c.Progress || e.Total != c.Total {
		c.Progress, c.Total = e.Progress, e.Total
	}
	if e.Message == "" || e.Message == lastLine(c.Log) {
		return c
	}
	return c.logged(e.Message)
}

// logged adds lines to the log of the call.
func (c Card) logged(text string) Card {
	if c.Log != "" {
		c.Log += "\n"
	}
	if c.Log += text; len(c.Log) > maxLog {
		c.Log = strings.ToValidUTF8(c.Log[len(c.Log)-maxLog:], "")
		c.Log = c.Log[strings.IndexByte(c.Log, '\n')+1:]
	}
	return c
}

func lastLine(text string) string { return text[strings.LastIndexByte(text, '\n')+1:] }

// ProgressText formats progress, as a percentage if the total is known.
func ProgressText(progress, total float64) string {
	switch {
	case total > 0:
		return fmt.Sprintf("%.0f %%", 100*max(min(progress/total, 1), 0))
	case progress > 0:
		return fmt.Sprintf("%.6g", progress)
	}
	return ""
}

func (c Card) returned(e agent.ToolReturned) Card {
	c.Duration, c.Error = e.Duration, trimErrorPrefixes(wording.CallErrorText(e), c.Tool)
	if len(e.Chain) > 0 { // the steps replace the progress messages
		c.Log = wording.ChainLines(e.Chain)
	}
	if e.Result != nil {
		c.Result, c.Content = FormatResult(e.Result), NewResult(e.Result)
		c.Received = receivedText(e, c.Content)
	}
	if len(e.Log) > 0 {
		c = c.logged(strings.Join(e.Log, "\n"))
	}
	switch {
	case c.Status == Denied:
	case e.Refusal == agent.CallCancelled, e.Refusal == agent.CallQuit:
		c.Status = Stopped
	case e.Error != "":
		c.Status = Failed
	case e.Result != nil && e.Result.IsError:
		c.Status, c.Error = Failed, toolError(c.Content, c.Tool)
	default:
		c.Status = Complete
	}
	return c
}
