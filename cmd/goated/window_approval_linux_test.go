package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"goated/agent"
)

// asked waits until a tool call of turn n waits for the user, and the question accepts an answer.
func (d *desk) asked(n int) {
	d.t.Helper()
	d.until("it is asked whether the tool may run", func() bool { return d.questions(n) > 0 })
	// The history contains the call before the window shows it.
	d.until("the window shows the question", func() bool { return d.mainActions() > 2500 })
	time.Sleep(600 * time.Millisecond) // a question accepts no answer in its first half second
}

// mainActions returns the number of pixels in buttons with the main action. The button of a
// question has about 3,500. The button of the composer, which sends or stops, has 1,000.
func (d *desk) mainActions() int {
	if d.shows(darkGround) > d.shows(lightGround) {
		return d.shows(darkAllow)
	}
	return d.shows(lightAllow)
}

// questions counts the open questions of turn n.
func (d *desk) questions(n int) (open int) {
	turns := d.turns()
	if len(turns) < n {
		return 0
	}
	for _, e := range turns[n-1].Events {
		switch e.(type) {
		case agent.ToolCalled:
			open++
		case agent.ToolDecided:
			open--
		}
	}
	return open
}

// answer answers the question of turn n with a key.
func (d *desk) answer(n int, key string) {
	d.t.Helper()
	d.asked(n)
	d.insist(key, "the question is answered", func() bool { return d.questions(n) == 0 })
}

// A tool that may change something runs only after the user allows it in the transcript. The
// composer keeps the keyboard focus, so the user can continue to type. If the server crashes, a
// call fails at once, and the card shows that. The server restarts by itself, and again when the
// user restarts it.
func TestWindowAsksBeforeATool(t *testing.T) {
	p := newPlace(t)
	script, list := p.tally()
	d := openDesk(t, p, "--server", script)
	d.known(1)
	for i, step := range []struct {
		keys []string
		want agent.Decision
		runs bool
	}{
		{[]string{"Escape"}, agent.Deny, false},
		{[]string{"ctrl+Return"}, agent.AllowOnce, true},
		{[]string{"shift+Tab", "shift+Tab", "Escape"}, agent.Deny, false}, // from any focus
		{[]string{"ctrl+Return"}, agent.AllowOnce, true},
	} {
		before := linesOf(list)
		text := fmt.Sprint("word ", i)
		d.say(fmt.Sprintf("count words %q", text))
		d.asked(i + 1)
		d.write("I type on ") // the spaces do not answer the question
		if ran := linesOf(list); !slices.Equal(ran, before) {
			t.Fatalf("step %d: the tool ran unasked: %q", i, ran)
		}
		last := len(step.keys) - 1
		d.press(step.keys[:last]...)
		d.answer(i+1, step.keys[last])
		turn := d.kept(i + 1)
		if e, _ := event[agent.ToolDecided](turn); !e.Asked || e.Decision != step.want {
			t.Errorf("step %d: decided %+v", i, e)
		}
		if ran := slices.Contains(linesOf(list), text); ran != step.runs {
			t.Errorf("step %d: it ran: %v", i, ran)
		}
		d.press("ctrl+l", "ctrl+a")
		if got := d.copied(func() { d.press("ctrl+c") }); got != "I type on " {
			t.Errorf("step %d: the composer has %q", i, got)
		}
		d.press("BackSpace")
	}

	if d.shows(darkBad) > 0 {
		t.Error("a card says that it failed before one has")
	}
	d.say("/explode {}")
	d.answer(5, "ctrl+Return")
	if e, ok := event[agent.ToolReturned](d.turn(5)); !ok || !strings.Contains(e.Error, "disconnected") {
		t.Errorf("the call ended with %+v", e)
	}
	d.until("the card says that it failed", func() bool { return d.shows(darkBad) > 0 })
	d.known(2)
	d.say(`count words "again"`)
	d.answer(6, "ctrl+Return")
	d.turn(6)
	if got := linesOf(list); len(got) != 3 || got[2] != "again" {
		t.Errorf("after the crash the tool was called with %q", got)
	}
	d.do("Restart tally")
	d.known(3)
	d.close()
}
