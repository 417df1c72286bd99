package main

import (
	"strings"
	"testing"

	"github.com/jezek/xgb/xproto"

	"goated/agent"
	"goated/internal/geminitest"
	"goated/internal/servertest"
)

// After kill -9 in the middle of a message and of an answer, the draft, the message and the received
// part of the answer are still there, and the turn is marked as cut off. After a normal end, a
// conversation still has its model.
func TestWindowReopensWhatWasKilled(t *testing.T) {
	p := newPlace(t)
	s := p.gemini()
	s.Script(
		geminitest.Turn(geminitest.Text("Let me see."), geminitest.Call("ghost__read_project_context", map[string]any{"directoryPath": "."})),
		geminitest.Turn(geminitest.Text("Half of an answer"), geminitest.Hang()),
		geminitest.Text("And the rest."),
		geminitest.Text("The default."), geminitest.Text("The chosen one."), geminitest.Text("Still the chosen one."),
	)
	d := openDesk(t, p)
	d.toolsAreListed(1)
	d.keepsTheDraft("what is", " here?")
	d.press("Return")
	d.until("half of the answer is kept", func() bool {
		turns := d.turns()
		if len(turns) == 0 {
			return false
		}
		e, ok := event[agent.TextDelta](turns[0])
		return ok && e.Text == "Half of an answer"
	})
	d.kill()
	d.until("its servers end with it", func() bool { return len(p.processes()) == 0 })
	d.open()
	d.until("the conversation is shown again, with what cut it off", func() bool { return d.shows(darkBad) > 0 })
	d.reads("the window shows what had come", func(shown string) bool {
		return strings.HasPrefix(shown, "what is here?\n\nLet me see.\n\nList a project directory [read_project_context] (ghost): Complete") &&
			strings.Contains(shown, "\n\nHalf of an answer\n\ngoated quit during this turn.")
	})
	d.say("go on")
	d.turn(2)
	d.reads("the conversation goes on", ending("go on\n\nAnd the rest."))
	d.choosesAModel(s)
	d.close()
	s.Done()
}

// keepsTheDraft checks that a text that was not sent is still there after kill -9, and types the rest.
func (d *desk) keepsTheDraft(draft, rest string) {
	d.t.Helper()
	d.write(draft)
	d.until("the draft is kept", func() bool {
		all := d.history()
		return len(all) == 1 && all[0].Conversation.Draft == draft
	})
	d.kill()
	d.until("its servers end with it", func() bool { return len(d.place.processes()) == 0 })
	d.open()
	all := func() { d.press("ctrl+a", "ctrl+c") }
	d.until("the draft is back", func() bool { return d.copy(all) == draft })
	d.press("End")
	d.write(rest)
	if got := d.copied(all); got != draft+rest {
		d.t.Errorf("the composer has %q", got)
	}
}

// The window's close button and Ctrl+Q end the program and everything that it started, even while
// a tool runs. That also holds if there is a panel, whose icon could show the window again.
func TestWindowClosesAndLeavesNothing(t *testing.T) {
	for _, way := range []struct {
		name  string
		panel bool
		quit  func(*desk)
	}{
		{"cross beside a panel", true, (*desk).cross},
		{"key", false, func(d *desk) { d.press("ctrl+q") }},
	} {
		t.Run(way.name, func(t *testing.T) {
			p := newPlace(t)
			var b *bus
			if way.panel {
				b = p.bus()
				b.panel()
			}
			child := p.write("child.py", servertest.Small(t)+`
import subprocess, sys, time

server = MCPServer("child")

@server.tool()
def wait_long(sentence: str) -> str:
    """Wait long, with a child process that nobody looks after."""
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)", __file__])
    time.sleep(600)
    return sentence

server.run()
`)
			d := openDesk(t, p, "--server", servertest.Dice(), "--server", child)
			if way.panel {
				b.icon(d)
			}
			d.toolsAreListed(3)
			d.say(`/wait_long {"sentence": "x"}`)
			d.answer(1, "ctrl+Return")
			d.until("the server and its child run", func() bool { return p.running(child) >= 2 })
			way.quit(d)
			d.ended()
		})
	}
}

// cross closes the window like a window manager does when the user clicks its close button.
func (d *desk) cross() {
	d.t.Helper()
	all := d.windows()
	window := all[len(all)-1]
	message := xproto.ClientMessageEvent{
		Format: 32, Window: window, Type: d.atom("WM_PROTOCOLS"),
		Data: xproto.ClientMessageDataUnionData32New([]uint32{uint32(d.atom("WM_DELETE_WINDOW")), 0, 0, 0, 0}),
	}
	if err := xproto.SendEventChecked(d.x, false, window, 0, string(message.Bytes())).Check(); err != nil {
		d.t.Fatal(err)
	}
}
