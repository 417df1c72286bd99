package ui

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/agent"
)

type decided struct {
	decision agent.Decision
	err      error
}

// approve asks on a goroutine, as a session does.
func approve(d *desk, ctx context.Context, tool string) chan decided {
	out := make(chan decided, 1)
	go func() {
		decision, err := d.dialogs.Approve(ctx, agent.ToolCalled{Tool: tool, Server: "files", Args: map[string]any{"path": "/etc/" + tool}})
		out <- decided{decision, err}
	}()
	return out
}

func (d *desk) waits(n int) func() bool {
	return func() bool {
		q, behind := d.dialogs.head()
		return q != nil && behind == n-1
	}
}

func TestApprovalsComeOneAtATimeInOrder(t *testing.T) {
	d := newDesk(t, Options{})
	d.show()
	ctx := background(t)
	first := approve(d, ctx, "one")
	d.until("the first is shown", func() bool { return d.reads("Run one?") })
	second := approve(d, ctx, "two")
	d.until("the second waits", d.waits(2))
	if d.reads("Run two?") {
		t.Fatal("two questions are shown at once")
	}
	if !d.reads("files") || !d.reads("{\n  \"path\": \"/etc/one\"\n}") {
		t.Error("the server and the arguments are not shown")
	}

	d.button("Allow once").OnTapped()
	if !d.reads("Run one?") {
		t.Fatal("an answer was taken before anyone could have read the question")
	}
	d.later()
	test.Tap(d.button("Allow once"))
	if got := <-first; got.decision != agent.AllowOnce || got.err != nil {
		t.Errorf("the first answer is %v", got)
	}
	d.until("the second is shown", func() bool { return d.reads("Run two?") })
	d.later()
	test.Tap(d.button("Always allow this tool"))
	if got := <-second; got.decision != agent.AllowAlways {
		t.Errorf("the second answer is %v", got)
	}
	d.until("the page is back", func() bool { return len(d.sheets) == 0 })
}

func TestEnterOnAnApprovalDenies(t *testing.T) {
	d := newDesk(t, Options{})
	d.show()
	got := approve(d, background(t), "rm")
	d.until("it is shown", func() bool { return d.reads("Run rm?") })
	focused, ok := d.win.Canvas().Focused().(*button)
	if !ok || focused.text != "Deny" {
		t.Fatalf("the focus is on %v", d.win.Canvas().Focused())
	}
	press(focused, fyne.KeyReturn)
	d.later()
	press(focused, fyne.KeyReturn)
	if got := <-got; got.decision != agent.Deny || got.err != nil {
		t.Errorf("the answer is %v", got)
	}
}

func TestQuestionGoesWithItsContext(t *testing.T) {
	d := newDesk(t, Options{})
	d.show()
	ctx, cancel := context.WithCancel(background(t))
	gone := approve(d, ctx, "one")
	d.until("it is shown", func() bool { return d.reads("Run one?") })
	cancel()
	if got := <-gone; !errors.Is(got.err, context.Canceled) || got.decision != agent.Deny {
		t.Errorf("the answer is %v", got)
	}
	d.until("the dialog is gone", func() bool { return len(d.sheets) == 0 })
}

func TestCloseCancelsAllQuestions(t *testing.T) {
	d := newDesk(t, Options{})
	d.show()
	ctx := background(t)
	first := approve(d, ctx, "one")
	d.until("it waits", d.waits(1))
	asked := make(chan error, 1)
	go func() {
		_, err := d.dialogs.Ask(ctx, agent.Question{Tool: "two"})
		asked <- err
	}()
	d.until("both wait", d.waits(2))
	d.Close()
	if got := <-first; got.decision != agent.Deny || got.err != nil {
		t.Errorf("the approval is %v", got)
	}
	if err := <-asked; !errors.Is(err, agent.ErrDeclined) {
		t.Errorf("the form's error is %v", err)
	}
	r, err := d.dialogs.Elicit(ctx, "late", nil)
	if err != nil || r.Action != "cancel" {
		t.Errorf("a question after the end is answered %v, %v", r, err)
	}
}

const bookTable = `{"type":"object","required":["name","guests"],"properties":{
	"name":{"type":"string"},
	"guests":{"type":"integer","minimum":1},
	"seat":{"type":"string","enum":["Inside","Outside"]},
	"vegan":{"type":"boolean"},
	"extras":{"type":"array","items":{"type":"string","enum":["Bread","Olives"]}}}}`

func TestFormBecomesArguments(t *testing.T) {
	d := newDesk(t, Options{})
	d.show()
	type result struct {
		args map[string]any
		err  error
	}
	out := make(chan result, 1)
	go func() {
		args, err := d.dialogs.Ask(background(t), agent.Question{Tool: "book", Server: "tables", Schema: schema(t, bookTable),
			Args: map[string]any{"name": "Ada", "unknown": "kept"}})
		out <- result{args, err}
	}()
	d.until("the form is shown", func() bool { return d.reads("Arguments for book") })
	d.later()

	guests, ok := d.win.Canvas().Focused().(*input)
	if !ok || guests.Text != "" {
		t.Fatal("the focus is not on the field that is missing")
	}
	test.Tap(d.button("Submit"))
	if !d.reads("Guests is needed.") && !d.reads("guests is needed") && !d.reads("guests is needed.") {
		t.Error("nothing says what is missing")
	}
	test.Type(guests, "4")
	for i, tap := range []string{"Outside", "Olives"} {
		o, ok := find(d, func(l *label) bool { return l.text == tap })
		if !ok {
			t.Fatalf("%d: there is no %s", i, tap)
		}
		test.TapCanvas(d.win.Canvas(), fyne.CurrentApp().Driver().AbsolutePositionForObject(o).AddXY(5, 5))
	}
	test.Tap(d.button("Submit"))
	got := <-out
	if got.err != nil {
		t.Fatal(got.err)
	}
	want := map[string]any{"name": "Ada", "guests": 4.0, "seat": "Outside", "vegan": false, "extras": []any{"Olives"}, "unknown": "kept"}
	if !reflect.DeepEqual(got.args, want) {
		t.Errorf("the arguments are\n%v, not\n%v", got.args, want)
	}
}

func TestEscapeDeclinesAForm(t *testing.T) {
	d := newDesk(t, Options{})
	d.show()
	out := make(chan error, 1)
	go func() {
		_, err := d.dialogs.Ask(background(t), agent.Question{Tool: "book", Schema: schema(t, bookTable)})
		out <- err
	}()
	d.until("the form is shown", func() bool { return d.reads("Arguments for book") })
	d.later()
	press(d.win.Canvas().Focused(), fyne.KeyEscape)
	if err := <-out; !errors.Is(err, agent.ErrDeclined) {
		t.Errorf("the error is %v", err)
	}
}

func TestElicitation(t *testing.T) {
	for _, c := range []struct {
		name, press, action string
	}{
		{"submit", "Submit", "accept"},
		{"decline", "Decline", "decline"},
		{"close", "", "cancel"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newDesk(t, Options{})
			d.show()
			out := make(chan *mcp.ElicitResult, 1)
			go func() {
				r, err := d.dialogs.Elicit(background(t), "pause", &mcp.ElicitParams{Message: "Which colour?",
					RequestedSchema: schema(t, `{"type":"object","properties":{"colour":{"type":"string","default":"green"}}}`)})
				if err != nil {
					t.Error(err)
				}
				out <- r
			}()
			d.until("the form is shown", func() bool { return d.reads("Which colour?") })
			if !d.reads("pause") {
				t.Error("the form does not say which server asks")
			}
			d.later()
			if c.press == "" {
				d.escape()
			} else {
				test.Tap(d.button(c.press))
			}
			r := <-out
			if r.Action != c.action {
				t.Errorf("the action is %q", r.Action)
			}
			if c.action == "accept" && r.Content["colour"] != "green" {
				t.Errorf("the content is %v", r.Content)
			}
		})
	}
}

func TestOnlyWebPagesAreOpened(t *testing.T) {
	d := newDesk(t, Options{})
	d.open(d.newVisit(elicitation{"pause", &mcp.ElicitParams{Mode: "url", URL: "file:///etc/passwd"}}, func(any) {}))
	if !d.button("Open in the browser").disabled {
		t.Error("a file can be opened")
	}
	d.escape()

	d.show()
	out := make(chan *mcp.ElicitResult, 1)
	go func() {
		r, err := d.dialogs.Elicit(background(t), "pause", &mcp.ElicitParams{Mode: "url", URL: "https://example.com/login"})
		if err != nil {
			t.Error(err)
		}
		out <- r
	}()
	d.until("the page is offered", func() bool { return d.reads("https://example.com/login") })
	test.Tap(d.button("Open in the browser"))
	d.later()
	test.Tap(d.button("Open in the browser"))
	if r := <-out; r.Action != "accept" {
		t.Errorf("the action is %q", r.Action)
	}
}
