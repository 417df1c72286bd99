package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"goated/agent"
	"goated/internal/chat"
	"goated/internal/wording"
	"goated/ui/view"
	"goated/ui/view/format"
)

// A printer prints a turn as it goes: the answer to out, tool calls to stderr.
// With json, each event is a line of out. Use it for one turn.
type printer struct {
	out, stderr io.Writer
	json        bool

	called   map[string]agent.ToolCalled // by the id of the call
	failed   bool                        // a call failed
	midLine  bool                        // the last text did not end its line
	progress map[string]time.Time        // of the last line about a call
}

// turn runs a turn. The error is an exitStatus if the turn ended without
// success. Offline succeeds if it called a tool and no call failed.
func (p *printer) turn(ctx context.Context, t *chat.Turn, offline bool) error {
	reason := agent.Reason("")
	for e, err := range t.Run(ctx) {
		if err != nil {
			if p.json {
				line, _ := json.Marshal(map[string]string{"type": "error", "message": err.Error()})
				fmt.Fprintln(p.out, string(line))
				return exitStatus(1)
			}
			p.endLine()
			return err
		}
		if end, ok := e.(agent.TurnEnded); ok {
			reason = end.Reason
		}
		if err := p.print(e); err != nil {
			return err
		}
	}
	p.endLine()
	switch {
	case reason == agent.Cancelled:
		return exitStatus(130)
	case reason != agent.Done, offline && (len(p.called) == 0 || p.failed):
		return exitStatus(1)
	}
	return nil
}

// print prints one event.
func (p *printer) print(e agent.Event) error {
	switch e := e.(type) {
	case agent.ToolCalled:
		if p.called == nil {
			p.called = make(map[string]agent.ToolCalled)
		}
		p.called[e.ID] = e
	case agent.ToolReturned:
		p.failed = p.failed || e.Error != ""
	}
	if p.json {
		line, err := agent.EncodeEvent(e)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(p.out, string(line))
		return err
	}
	switch e := e.(type) {
	case agent.TextDelta:
		fmt.Fprint(p.out, e.Text)
		p.midLine = !strings.HasSuffix(e.Text, "\n")
	case agent.ToolCalled:
		p.endLine()
		fmt.Fprintf(p.stderr, "⚙ %s · %s %s\n", first(e.Tool, e.Name), e.Server, brief(e.Args))
	case agent.ToolProgressed:
		p.printProgress(e)
	case agent.ToolReturned:
		mark, word := "✓", ""
		if e.Error != "" {
			mark, word = "✗", " "+wording.Call(e)
		}
		fmt.Fprintf(p.stderr, "%s %s %s%s\n", mark, first(p.called[e.ID].Tool, p.called[e.ID].Name), e.Duration.Round(time.Millisecond), word)
	case agent.TurnEnded:
		p.endLine()
		if note := wording.TurnEnd(e); note != "" {
			fmt.Fprintln(p.stderr, note)
		}
	}
	return nil
}

// progressTime is the least time between two lines about one call.
const progressTime = 2 * time.Second

// printProgress prints how far a call is, if stderr is a terminal: in a file or
// a pipe these lines would be noise.
func (p *printer) printProgress(e agent.ToolProgressed) {
	f, ok := bare(p.stderr).(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) || time.Since(p.progress[e.ID]) < progressTime {
		return
	}
	if p.progress == nil {
		p.progress = make(map[string]time.Time)
	}
	p.progress[e.ID] = time.Now()
	p.endLine()
	lines := strings.Split(e.Message, "\n")
	fmt.Fprintf(p.stderr, "… %s %s\n", first(p.called[e.ID].Tool, p.called[e.ID].Name),
		strings.TrimSpace(view.Portion(e.Progress, e.Total)+" "+format.Cut(lines[len(lines)-1], 80)))
}

// endLine ends an unfinished line of the answer.
func (p *printer) endLine() {
	if p.midLine {
		fmt.Fprintln(p.out)
		p.midLine = false
	}
}

// brief is a call's arguments on one line.
func brief(args map[string]any) string {
	data, err := json.Marshal(args)
	if err != nil || len(args) == 0 {
		return ""
	}
	if r := []rune(string(data)); len(r) > 100 {
		return string(r[:100]) + "…"
	}
	return string(data)
}
