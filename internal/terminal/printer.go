package terminal

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"goated/agent"
	"goated/internal/callcmd"
	"goated/internal/safetext"
	"goated/internal/wording"
	"goated/ui/view"
	"goated/ui/view/format"
)

// A Printer prints a turn while it runs: the answer to Out, and tool calls to Stderr. With JSON, it
// prints each event as a line to Out. A Printer is for a single turn.
type Printer struct {
	Out, Stderr io.Writer
	JSON        bool
	Server      func(id string) string // returns the name of a server; nil: lines show its id

	called   map[string]agent.ToolCalled // by call id
	failed   bool                        // a call failed
	waited   int                         // the number of the attempt that the last line about waiting announced
	retries  bool                        // the previous event announced another request
	starting string                      // the last line about servers that are starting
	midLine  bool                        // the last text did not end with a line break
	rest     string                      // the end of the last text, which may be incomplete
	Margin   bool                        // Out is a terminal
	progress map[string]time.Time        // by call id: when the last line about the call was printed
}

// unfinished is the JSON reason of an offline model's turn that ended without success. The offline
// model has no other reason for that, and "done" would contradict the exit status.
const unfinished agent.Reason = "unfinished"

// Turn runs a turn. The error is an ExitStatus if the turn ended without success. With the offline
// model, a turn succeeds if it called a tool and no call failed.
func (p *Printer) Turn(events iter.Seq2[agent.Event, error], offline bool) error {
	reason := agent.Reason("")
	for e, err := range events {
		if err != nil {
			if p.JSON {
				line, _ := json.Marshal(map[string]string{"type": "error", "message": err.Error()})
				fmt.Fprintln(p.Out, string(line))
				return ExitStatus(1)
			}
			p.EndLine()
			return err
		}
		if end, ok := e.(agent.TurnEnded); ok {
			reason = end.Reason
			if reason == agent.Done && offline && (len(p.called) == 0 || p.failed) {
				reason = unfinished
			}
			if p.JSON { // otherwise the text of the answer explains it
				end.Reason = reason
				e = end
			}
		}
		if err := p.Print(e); err != nil {
			return err
		}
	}
	p.EndLine()
	switch {
	case reason == agent.Cancelled:
		return ExitStatus(130)
	case reason != agent.Done:
		return ExitStatus(1)
	}
	return nil
}

// Print prints one event.
func (p *Printer) Print(e agent.Event) error {
	switch e := e.(type) {
	case agent.ToolCalled:
		if p.called == nil {
			p.called = make(map[string]agent.ToolCalled)
		}
		p.called[e.ID] = e
	case agent.ToolReturned:
		p.failed = p.failed || e.Error != ""
	}
	if p.JSON {
		line, err := agent.EncodeEvent(e)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(p.Out, string(line))
		return err
	}
	retries := p.retries
	_, p.retries = e.(agent.RetryScheduled)
	switch e := e.(type) {
	case agent.ToolQuarantined:
		e.Server = named(p.Server, e.Server)
		p.note(e)
	case agent.TextDelta:
		p.text(e.Text)
	case agent.ToolCalled:
		p.EndLine()
		fmt.Fprintf(p.Stderr, "⚙ %s · %s %s\n", safetext.Name(cmp.Or(e.Title, e.Tool, e.Name)), safetext.Name(named(p.Server, e.Server)), brief(e.Args))
	case agent.ToolProgressed:
		p.printProgress(e)
	case agent.ToolReturned:
		if len(e.Chain) > 0 {
			fmt.Fprintln(p.Stderr, "  "+strings.ReplaceAll(wording.ChainLines(e.Chain), "\n", "\n  "))
		}
		mark, word := "✓", ""
		if e.Error != "" {
			mark, word = "✗", " "+framed(wording.CallErrorText(e))
		}
		fmt.Fprintf(p.Stderr, "%s %s %s%s\n", mark, p.tool(e.ID), e.Duration.Round(time.Millisecond), word)
		for _, line := range callcmd.Media(e.Result, p.called[e.ID].Name) {
			fmt.Fprintln(p.Stderr, "  "+line)
		}
	case agent.RetryScheduled:
		if !retries || p.waited != e.Attempt {
			p.waited = e.Attempt
			p.EndLine()
			fmt.Fprintln(p.Stderr, wording.RetryText(e))
		}
	case agent.ServersStarting:
		if line := wording.WaitingForServers(e.Names); line != p.starting {
			p.starting = line
			fmt.Fprintln(p.Stderr, line)
		}
	case agent.AnswerDiscarded:
		if !retries { // otherwise the line about the wait gave the reason
			p.note(e)
		}
	case agent.ContextTrimmed, agent.MediaRemoved,
		agent.ContextCompacted, agent.ContextRestored, agent.ModelSwitched, agent.ServersMissing:
		p.note(e)
	case agent.TurnEnded:
		p.EndLine()
		if note := wording.TurnEndText(e); note != "" {
			fmt.Fprintln(p.Stderr, note)
		}
	}
	return nil
}

// note prints a note of goated's about the turn.
func (p *Printer) note(e agent.Event) {
	p.EndLine()
	fmt.Fprintln(p.Stderr, framed(wording.EventText(e)))
}

// named returns the name of the server with an id.
func named(of func(id string) string, id string) string {
	if of == nil {
		return id
	}
	return of(id)
}

// progressTime is the minimum time between two lines about the same call.
const progressTime = 2 * time.Second

// printProgress prints the progress of a call if stderr is a terminal. In a file or a pipe these
// lines would be noise.
func (p *Printer) printProgress(e agent.ToolProgressed) {
	f, ok := bare(p.Stderr).(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) || time.Since(p.progress[e.ID]) < progressTime {
		return
	}
	if p.progress == nil {
		p.progress = make(map[string]time.Time)
	}
	p.progress[e.ID] = time.Now()
	p.EndLine()
	lines := strings.Split(e.Message, "\n")
	fmt.Fprintf(p.Stderr, "… %s %s\n", p.tool(e.ID),
		strings.TrimSpace(view.ProgressText(e.Progress, e.Total)+" "+format.Cut(lines[len(lines)-1], 80)))
}

// text prints the next part of the answer, up to the last complete character.
func (p *Printer) text(part string) {
	ready, rest := safetext.Split(p.rest + part)
	p.rest = rest
	p.write(ready)
}

// write prints text of the answer. In a terminal it indents each line, because the answer may
// repeat the words of a server.
func (p *Printer) write(text string) {
	for line := range strings.Lines(text) {
		if !p.midLine && p.Margin {
			fmt.Fprint(p.Out, margin)
		}
		fmt.Fprint(p.Out, line)
		p.midLine = !strings.HasSuffix(line, "\n")
	}
}

// tool returns the name of a call's tool.
func (p *Printer) tool(call string) string {
	return safetext.Name(cmp.Or(p.called[call].Title, p.called[call].Tool, p.called[call].Name))
}

// framed marks each line of text except the first as a server's words.
func framed(text string) string { return strings.ReplaceAll(text, "\n", "\n"+margin+quoted) }

// EndLine ends an unfinished line of the answer.
func (p *Printer) EndLine() {
	if p.rest != "" {
		p.write(p.rest)
		p.rest = ""
	}
	if p.midLine {
		fmt.Fprintln(p.Out)
		p.midLine = false
	}
}
