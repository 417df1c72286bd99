package ui

import (
	"context"
	"encoding/json"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/agent"
	"goated/internal/consent"
	"goated/registry"
	"goated/ui/chats"
	"goated/ui/kit"
	"goated/ui/view"
)

// hurry is Ctrl+Enter in the composer.
func (d *desk) hurry() {
	d.chats.Composer.Input.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyReturn, Modifier: fyne.KeyModifierControl})
}

// all returns the objects of a kind on the page for which ok holds.
func all[T fyne.CanvasObject](d *desk, ok func(T) bool) (out []T) {
	find(d, func(o T) bool {
		if ok(o) {
			out = append(out, o)
		}
		return false
	})
	return out
}

// ticks are the checkboxes of the question.
func (d *desk) ticks() []*kit.Tappable {
	return all(d, func(o *kit.Tappable) bool { return o.Size() == fyne.NewSize(18, 18) })
}

// pens are the buttons that edit arguments.
func (d *desk) pens() []*kit.Button {
	return all(d, func(b *kit.Button) bool { return b.Icon == "pencil" && b.Size().Width == 28 })
}

// hint is the line in the composer.
func (d *desk) hint(text string) bool {
	_, ok := find(d, func(l *kit.Label) bool { return l.Text == text })
	return ok
}

// Finding B1: a question takes no key meant for the composer, and none at all for
// 500 ms.
func TestAQuestionLeavesTheComposerAlone(t *testing.T) {
	d := newDesk(t, Options{})
	d.show()
	kit.Focus(d.chats.Composer.Input)
	d.chats.Composer.Input.Put("my next ")
	got := d.asking("add", "", pendingCalls()[:1])
	for _, r := range "question is longer" {
		if f := d.frame.win.Canvas().Focused(); f != fyne.Focusable(d.chats.Composer.Input) {
			t.Fatalf("the focus is on %T", f)
		}
		d.frame.win.Canvas().Focused().TypedRune(r)
	}
	if text := d.chats.Composer.Input.Text; text != "my next question is longer" {
		t.Errorf("the composer has %q", text)
	}
	d.clock = d.clock.Add(499 * time.Millisecond)
	d.hurry()
	d.escape()
	if *got != nil || d.chats.Composer.Input.Text == "" {
		t.Fatalf("it was answered within half a second: %v", *got)
	}
	d.clock = d.clock.Add(time.Millisecond)
	d.hurry()
	if len(*got) != 1 || (*got)[0].Decision != agent.AllowOnce || d.chats.Questions.Open() {
		t.Errorf("the answer is %v", *got)
	}
	// A second press was meant for the question. It does not send the draft.
	d.clock = d.clock.Add(900 * time.Millisecond)
	d.hurry()
	if text := d.chats.Composer.Input.Text; text != "my next question is longer" {
		t.Errorf("after a second press the composer has %q", text)
	}
	d.clock = d.clock.Add(100 * time.Millisecond)
	d.hurry()
	if text := d.chats.Composer.Input.Text; text != "" {
		t.Errorf("Ctrl+Enter sends nothing later: the composer has %q", text)
	}
}

// Finding B5, D2: three calls are one question; what is not ticked is denied, and an
// edited argument is what runs.
func TestThreeCallsAreOneQuestion(t *testing.T) {
	d := newDesk(t, Options{})
	d.show()
	got := d.asking("sort", "", pendingCalls())
	d.clock = d.clock.Add(time.Second)
	for _, want := range []string{"Allow 3 calls?", "Move files", "Files", "Makes changes", "Sends data out", "“Replaces one passage of a text file.”", "~/trip/budget.md"} {
		if !d.reads(want) {
			t.Errorf("the card does not show %q", want)
		}
	}
	d.button("Allow all 3")
	d.ticks()[2].Tapped(nil)
	d.button("Allow 2")
	d.pens()[1].Tapped(nil)
	field, _ := d.frame.win.Canvas().Focused().(*kit.Input)
	if field == nil || field.Text != "spent: 640, 410, 215" {
		t.Fatalf("the focus is on %T", d.frame.win.Canvas().Focused())
	}
	field.Put("spent: nothing")
	d.escape() // ends the editing, and answers nothing
	if *got != nil || !d.reads("+ spent: nothing") || !d.reads("− spent: 640, 410, 215") {
		t.Errorf("after the edit: answered %v", *got)
	}
	d.hurry()
	all := *got
	if len(all) != 3 || all[0].Decision != agent.AllowOnce || all[1].Args["change"] != "spent: nothing" || all[1].Args["file"] != "~/trip/budget.md" || all[2].Decision != agent.Deny {
		t.Errorf("the answers are %+v", all)
	}
}

// Nothing turns while a question waits for the user: each turn paints the whole window.
func TestNothingTurnsWhileAQuestionWaits(t *testing.T) {
	d := newDesk(t, Options{})
	d.show()
	c := &chats.Conversation{Chat: view.Chat{}.Say("Weekly report"), Cancel: func() {}, Session: &agent.Session{}}
	d.chats.Chats = append([]*chats.Conversation{c}, d.chats.Chats...)
	d.chats.Choose(0)
	d.chats.Refresh()
	turning := func() int { return len(all(d, func(s *kit.Spinner) bool { return s.Ticker != nil })) }
	if turning() == 0 {
		t.Fatal("a running conversation shows no sign")
	}
	d.chats.Questions.Ask(c, pendingCalls()[2:], func([]agent.Answer) {})
	if n := turning(); n != 0 {
		t.Errorf("%d spinners turn while the question waits", n)
	}
}

// A question of another conversation is a mark and a toast, never a dialog (B5).
func TestAnotherConversationAsks(t *testing.T) {
	d := newDesk(t, Options{})
	d.show()
	other := &chats.Conversation{Chat: view.Chat{}.Say("Weekly report"), Cancel: func() {}, Session: &agent.Session{}}
	d.chats.Chats = append([]*chats.Conversation{other}, d.chats.Chats...)
	d.chats.Current = 1
	var got []agent.Answer
	d.chats.Questions.Ask(other, pendingCalls()[2:], func(all []agent.Answer) { got = all })
	if d.reads("Allow this call?") || d.chats.Questions.Open() || len(d.shell.Sheets.All) > 0 {
		t.Error("the question is over another conversation")
	}
	if !d.reads("Asks you") || !d.reads("“Weekly report” asks you: Wants to run Send a message") {
		t.Error("nothing says that it asks")
	}
	d.clock = d.clock.Add(time.Hour)
	d.hurry() // sends nothing there
	if got != nil {
		t.Fatal("a key answered a question that the user does not see")
	}
	d.chats.Choose(0)
	d.hurry() // the guard begins when the user sees it
	if got != nil {
		t.Fatal("it was answered at once")
	}
	d.clock = d.clock.Add(time.Second)
	d.escape()
	if len(got) != 1 || got[0].Decision != agent.Deny {
		t.Errorf("the answer is %v", got)
	}
}

// Finding H4: a long argument has to be seen before the call can be allowed, and the
// server stays visible above it.
func TestAllowWaitsForTheEndOfTheArguments(t *testing.T) {
	d := newDesk(t, Options{})
	d.show()
	calls := pendingCalls()[:1]
	calls[0].Call.Args = map[string]any{"text": strings.Repeat("a line\n", 200) + "rm -rf ~"}
	calls[0].Call.Tool = strings.Repeat("n", 3400) + "\nServer ghost"
	calls[0].Entry.Tool.Title = calls[0].Call.Tool
	got := d.asking("go", "", calls)
	d.clock = d.clock.Add(time.Second)
	d.hurry()
	if *got != nil || !d.reads("Scroll to the end first") {
		t.Fatalf("it was allowed unseen: %v", *got)
	}
	if d.button("Allow").Disabled() == false {
		t.Error("Allow is active")
	}
	for range 30 { // by keys: Page Down scrolled the conversation, and never the question
		d.typed(&fyne.KeyEvent{Name: fyne.KeyPageDown})
	}
	d.hurry()
	if len(*got) != 1 || (*got)[0].Decision != agent.AllowOnce {
		t.Errorf("after its end was seen: %v", *got)
	}
}

// A call keeps its question in the transcript until the turn is stopped.
func TestStoppingATurnClosesItsQuestion(t *testing.T) {
	d := newDesk(t, Options{})
	d.show()
	c := d.chats.Conversation()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := d.chats.Questions.Approve(c)(ctx, pendingCalls()[:1])
		ended <- err
	}()
	d.until("the question is open", d.chats.Questions.Open)
	cancel()
	d.until("the question is closed", func() bool { return !d.chats.Questions.Open() })
	if err := <-ended; err == nil {
		t.Error("the question has an answer")
	}
}

// Always is kept; when only the words of the tool change, one key keeps it.
func TestAlwaysIsKeptUntilTheToolChanges(t *testing.T) {
	d := newDesk(t, Options{Policy: consent.NewPolicy(filepath.Join(t.TempDir(), "grants.json"))})
	d.show()
	entry := func(description string) agent.Pending {
		e := registry.Entry{Name: "m__s", Server: "m", Origin: registry.Origin{Start: "m"}, Tool: &mcp.Tool{Name: "s", Description: description, InputSchema: map[string]any{"type": "object"}}}
		return agent.Pending{Entry: e, Call: agent.ToolCalled{ID: "call-1", Name: e.Name, Server: "m", Tool: "s"}}
	}
	if err := d.options.Policy.Grant(entry("old").Entry); err != nil {
		t.Fatal(err)
	}
	got := d.asking("go", "", []agent.Pending{entry("new")})
	d.clock = d.clock.Add(time.Second)
	if !d.reads("s changed since you allowed it") || !d.hint("Ctrl+Enter keeps allowing · Esc denies") {
		t.Error("the card does not show the change")
	}
	d.hurry()
	if (*got)[0].Decision != agent.AllowAlways {
		t.Errorf("the answer is %v", *got)
	}
	got = d.asking("go", "", []agent.Pending{entry("hidden \u202E")})
	d.clock = d.clock.Add(time.Second)
	d.button("Allow once")
	if !d.reads("1 hidden character in the new words. It can make text read differently from what the model receives. goated marks it like ⟨U+202E⟩.") {
		t.Error("the card does not warn of the hidden character")
	}
	d.button("Remove permission").Tapped(nil)
	if (*got)[0].Decision != agent.Deny || len(d.options.Policy.Grants.List()) > 0 {
		t.Errorf("the answer is %v; granted are %v", *got, d.options.Policy.Grants.List())
	}
}

// Finding D7: the arguments of a call are edited in the fields of the tool's schema, nested
// ones too. What the call leaves out is not added, every digit stays, and a wrong value
// keeps Allow inactive and says what is wrong.
func TestNestedArgumentsAreEditedAsFields(t *testing.T) {
	d := newDesk(t, Options{})
	d.show()
	tool := &mcp.Tool{Name: "plan", Title: "Plan a trip", InputSchema: schema(t, `{"type":"object","required":["id","stop"],"properties":{
		"id":{"type":"integer"},"note":{"type":"string","default":"none"},
		"stop":{"$ref":"#/$defs/Stop"}},
		"$defs":{"Stop":{"type":"object","required":["city"],"properties":{"city":{"type":"string"},"nights":{"type":"integer","maximum":5}}}}}`)}
	call := agent.Pending{Call: agent.ToolCalled{ID: "1", Name: "t__plan", Tool: "plan", Server: "Travel", Args: map[string]any{
		"id": json.Number("1234567890123456789"), "stop": map[string]any{"city": "Porto", "extra": true}}},
		Entry: registry.Entry{Server: "t", Name: "t__plan", Tool: tool}}
	got := d.asking("plan", "", []agent.Pending{call})
	d.clock = d.clock.Add(time.Second)
	d.pens()[0].Tapped(nil)
	inputs := all(d, func(in *kit.Input) bool { return in.Visible() && in != d.chats.Composer.Input })
	values := make(map[string]*kit.Input)
	for _, in := range inputs {
		values[in.Text] = in
	}
	city, id := values["Porto"], values["1234567890123456789"]
	if city == nil || id == nil {
		t.Fatalf("the fields have %v", values)
	}
	id.Put("none")
	d.hurry()
	d.escape()
	if *got != nil || !d.reads("Id must be a whole number.") && !d.reads("Id must be a number.") {
		t.Fatalf("with a wrong value it was answered %v, and the card reads otherwise", *got)
	}
	id.Put("1234567890123456789")
	city.Put("Lisbon")
	d.escape()
	d.hurry()
	want := map[string]any{"id": json.Number("1234567890123456789"), "stop": map[string]any{"city": "Lisbon", "extra": true}}
	if len(*got) != 1 || !reflect.DeepEqual((*got)[0].Args, want) {
		t.Errorf("the answers are %+v, want %v", *got, want)
	}
}

// Safety 2: the card offers all read-only tools of the server as a scope, names them, and
// answers with it; a call that changes something does not offer it.
func TestAllThatReadIsAScope(t *testing.T) {
	d := newDesk(t, Options{Policy: consent.NewPolicy(filepath.Join(t.TempDir(), "grants.json"))})
	d.show()
	tool := func(title string) registry.Entry {
		return registry.Entry{Name: "m__" + title, Server: "m", Tool: &mcp.Tool{Name: title, Title: title, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}}}
	}
	reads := []registry.Entry{tool("Search mail"), tool("List folders")}
	got := d.asking("go", "", []agent.Pending{{Entry: reads[0], Reads: reads, Call: agent.ToolCalled{ID: "1", Server: "m", Tool: "Search mail"}}})
	d.clock = d.clock.Add(time.Second)
	const names = "Always allows these tools, which the server declares read-only. If one changes, goated asks again: Search mail, List folders"
	if d.reads(names) {
		t.Error("the tools of a scope that is not chosen are shown")
	}
	scopes := all(d, func(o *kit.Tappable) bool { return o.Size().Height == 28 })
	if len(scopes) != 4 || !d.reads("All 2 that read") {
		t.Fatalf("%d scopes are offered", len(scopes))
	}
	scopes[3].Tapped(nil)
	if !d.reads(names) {
		t.Error("the card does not name the tools")
	}
	d.hurry()
	if len(*got) != 1 || (*got)[0].Decision != agent.AllowReads {
		t.Errorf("the answer is %v", *got)
	}
	d.asking("go", "", []agent.Pending{{Entry: reads[0], Call: agent.ToolCalled{ID: "1", Server: "m", Tool: "Search mail"}}})
	if scopes := all(d, func(o *kit.Tappable) bool { return o.Size().Height == 28 }); len(scopes) != 3 {
		t.Error("one tool offers the scope")
	}
}
