package main

import (
	"encoding/json"
	"image/color"
	"slices"
	"strings"
	"testing"
	"time"

	"goated/agent"
	"goated/internal/config"
	"goated/internal/geminitest"
	"goated/internal/store"
)

// darkWarn is the colour of things that wait for the user, and of the bar that counts down to a
// request.
var darkWarn = color.RGBA{0xDD, 0xB7, 0x6F, 0xFF}

// count calls tally with a text.
func count(text string) geminitest.Reply {
	return geminitest.Call("tally__count_words", map[string]any{"text": text})
}

// The calls of a step are a single question: one key allows all of them. A question in another
// conversation covers nothing and gets no keys. The user goes there to answer it.
func TestWindowAsksInTheConversation(t *testing.T) {
	p := newPlace(t)
	s := p.gemini()
	s.Script(geminitest.Turn(count("one"), count("two"), count("three")), geminitest.Text("All are counted."),
		geminitest.Turn(count("behind")), geminitest.Text("That one, too."))
	script, list := p.tally()
	d := openDesk(t, p, "--server", script)
	d.known(1)
	d.say("count three words")
	d.asked(1)
	if n := d.questions(1); n != 3 {
		t.Errorf("%d calls are asked about at once", n)
	}
	d.answer(1, "ctrl+Return")
	d.turn(1)
	ran := linesOf(list)
	slices.Sort(ran)
	if !slices.Equal(ran, []string{"one", "three", "two"}) {
		t.Errorf("the tool was called with %q", ran)
	}

	// The draft of the other conversation is saved too.
	second := func() (turn store.Turn) {
		for _, c := range d.history() {
			if len(c.Turns) == 2 {
				turn = c.Turns[1]
			}
		}
		return turn
	}
	decided := func() int { return len(decisions(second())) }
	d.say("count one more")
	d.press("ctrl+n")
	d.until("the other conversation asks", func() bool { _, ok := event[agent.ToolCalled](second()); return ok })
	d.still()
	time.Sleep(600 * time.Millisecond) // it accepts no answer in its first half second
	d.write("I go on here")
	d.press("ctrl+a")
	if got := d.copied(func() { d.press("ctrl+c") }); got != "I go on here" {
		t.Errorf("the composer has %q", got)
	}
	d.press("BackSpace", "Escape", "ctrl+Return")
	d.still()
	if decided() > 0 {
		t.Error("a key of this conversation answers the question of another one")
	}
	d.press("ctrl+Next")
	d.until("the question is in sight", func() bool { return d.mainActions() > 2500 })
	d.insist("ctrl+Return", "it is answered", func() bool { return decided() == 1 })
	d.until("the turn ends", func() bool { return !second().Ended.IsZero() })
	if ran := linesOf(list); !slices.Contains(ran, "behind") {
		t.Errorf("the tool was called with %q", ran)
	}
	d.close()
	s.Done()
}

// decisions returns the decisions about the calls of a turn.
func decisions(turn store.Turn) (all []agent.ToolDecided) {
	for _, e := range turn.Events {
		if e, ok := e.(agent.ToolDecided); ok {
			all = append(all, e)
		}
	}
	return all
}

// queues sees in a new conversation that a message is queued that the user sends while an answer
// streams. It can be changed, and is sent when the turn ends. The first answer waits for the channel
// goOn.
func (d *desk) queues(s *geminitest.Server, goOn chan<- struct{}) {
	d.t.Helper()
	before := len(s.Requests())
	d.begin("first")
	d.until("the answer begins", func() bool { return len(s.Requests()) == before+1 })
	d.reads("the window shows the beginning", ending("The first"))
	d.say("secnd")
	d.still()
	d.click(1016, 213) // the pencil of the queued message
	d.press("ctrl+a")
	d.write("second")
	d.press("ctrl+Return")
	d.still()
	close(goOn)
	if turn := d.turn(2); turn.User[0].Text != "second" {
		d.t.Errorf("the second message is %q", turn.User[0].Text)
	}
	d.reads("both turns are shown", exactly("first\n\nThe first answer.\n\nsecond\n\nThe second answer."))
}

// records is a server that returns a list of records, like Python's library for list[dict]: one
// text for each record, and all of them structured.
const records = `
import json, sys

rows = [{"what": w, "total": n} for w, n in (("bus", 1028), ("groceries", 8702), ("cinema", 4210))]

for line in sys.stdin:
    request = json.loads(line)
    answer = {"jsonrpc": "2.0", "id": request.get("id")}
    match request.get("method"):
        case "initialize":
            answer["result"] = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "records", "version": "1"}}
        case "tools/list":
            answer["result"] = {"tools": [{"name": "totals", "description": "Totals of a year.", "inputSchema": {"type": "object"}}]}
        case "tools/call":
            answer["result"] = {"content": [{"type": "text", "text": json.dumps(r)} for r in rows], "structuredContent": {"result": rows}}
        case _:
            answer["error"] = {"code": -32601, "message": "Method not found"}
    if "id" in request:
        print(json.dumps(answer), flush=True)
`

// A list of records is shown as a table. A click on a column's name sorts it, and Ctrl+C copies the
// selected row.
func TestWindowShowsATable(t *testing.T) {
	p := newPlace(t)
	d := openDeskOf(t, p, wideScreen, "--server", p.write("records.py", records))
	d.toolsAreListed(2)
	d.say("/totals {}")
	d.answer(1, "ctrl+Return")
	d.turn(1)
	d.answers("a press on the card", func() { d.click(770, 217) })
	row := func() string { return d.copied(func() { d.click(500, 362); d.press("ctrl+c") }) }
	if got := row(); !strings.Contains(got, "bus") {
		t.Errorf("the first row is %s", got)
	}
	d.click(1097, 329) // the name of the totals column
	if got := row(); !strings.Contains(got, "groceries") || !strings.Contains(got, "8702") {
		t.Errorf("the row of the largest total is %s", got)
	}
	d.press("ctrl+l")
	d.close()
}

// startsAgain sees that tally, which the user has connected, runs again after the next start, unless
// the user turns it off. The conversation has one turn, which mentions a fox.
func (d *desk) startsAgain(script string) {
	d.t.Helper()
	t, p := d.t, d.place
	d.known(1)
	d.close()
	s := d.settings() // without the servers that would report their failure at each start
	s.Launch = slices.DeleteFunc(s.Launch, func(l config.Launch) bool { return l.Path != script })
	kept, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	d.settle(string(kept))
	d.open()
	d.known(2)
	if n := p.running(script); n == 0 {
		t.Error("after a start it does not run")
	}
	d.press("ctrl+t")
	d.rests()
	d.press("slash")
	d.write("tally")
	d.rests()
	d.press("Return", "Home", "space")
	d.until("it is switched off", func() bool {
		return slices.ContainsFunc(d.settings().Launch, func(l config.Launch) bool { return l.Path == script && l.Off })
	})
	d.until("it has ended", func() bool { return p.running(script) == 0 })
	d.close()
	d.open()
	d.reads("the conversation is back", func(shown string) bool { return strings.Contains(shown, "fox") }) // an earlier message would begin a new one
	d.toolsAreListed(1)
	d.say("List the files in .")
	d.turn(2)
	if n := p.running(script); n > 0 {
		t.Errorf("%d processes of a server that is off run", n)
	}
	d.close()
}

// The window shows that a turn failed, and Retry continues from there. The user sees that a request
// waits for a rate limit. goated respects the delay that the service asks for, and the user can
// choose another model in the meantime.
func TestWindowRetriesWhatFailed(t *testing.T) {
	p := newPlace(t)
	s := p.gemini()
	const delay = 8 * time.Second
	s.Script(geminitest.BadKey(), geminitest.Text("Here I am."),
		geminitest.MinuteQuota(delay), geminitest.Text("After the wait."), geminitest.DailyQuota(), geminitest.Text("The other model."))
	d := openDeskOf(t, p, resolution{800, 560, 1}) // at half the scale the bar is too thin to have its colour
	d.say("are you there?")
	if turn := d.turn(1); !strings.Contains(turn.Error, "key") {
		t.Errorf("the turn ended with %q", turn.Error)
	}
	d.until("the failure is shown", func() bool { return d.shows(darkBad) > 0 })
	d.press("shift+Tab", "space") // the actions of the card come before the composer
	d.until("the model was asked again", func() bool { return len(s.Requests()) == 2 })
	d.turn(2)
	d.reads("the window shows the answer", exactly("are you there?\n\nHere I am."))

	d.opens("ctrl+n")
	none := d.shows(darkWarn)
	began := time.Now()
	d.say("are you there?")
	d.until("a bar counts down", func() bool { return d.shows(darkWarn) > none+500 })
	first := d.shows(darkWarn)
	d.until("the bar moves", func() bool { now := d.shows(darkWarn); return now > none && now != first })
	d.turn(1)
	if took := time.Since(began); took < delay {
		t.Errorf("it asked again after %v", took)
	}
	d.until("the bar is gone", func() bool { return d.shows(darkWarn) <= none+50 })
	d.reads("the window shows the answer", exactly("are you there?\n\nAfter the wait."))

	d.say("and now?")
	if turn := d.turn(2); !strings.Contains(turn.Error, "used up") {
		t.Errorf("the turn ended with %q", turn.Error)
	}
	d.opens("ctrl+m")
	d.write("pro")
	d.rests()
	d.press("Return")
	d.sheetCloses()
	d.reads("the other model answers", ending("The other model."))
	d.close()
	all := s.Requests()
	if last := all[len(all)-1].Model; !strings.Contains(last, "pro") {
		t.Errorf("the last request is to %s", last)
	}
	s.Done()
}
