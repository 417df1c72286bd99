package ui_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/agent"
	"goated/internal/consent"
	"goated/ui"
)

// newPolicy returns a policy without permissions.
func newPolicy(t *testing.T) *consent.Policy {
	t.Helper()
	return consent.NewPolicy(filepath.Join(t.TempDir(), "grants.json"), time.Now)
}

// Three calls make one question. A call without a tick is denied. If the user edits an
// argument, the call runs with the edited value.
func TestThreeCallsAreOneQuestion(t *testing.T) {
	d, m := calling(t, ui.Options{}, moveFiles(), editFile(), sendMessage())
	d.send("sort")
	d.sees("Allow 3 calls?")
	d.later()
	for _, want := range []string{"Move files", "Files", "Makes changes", "Sends data out", "“Replaces one passage of a text file.”", "~/trip/budget.md", "Allow all 3"} {
		if !d.Reads(want) {
			t.Errorf("the card does not show %q", want)
		}
	}
	d.PressIcon("check", 2) // the tick of the third call
	if !d.Pressable("Allow 2") {
		t.Errorf("after a tick is removed the card shows %q", d.Texts())
	}
	d.PressIcon("pencil", 1)
	if got := d.Field("change"); got != "spent: 640, 410, 215" || !d.FieldFocused("change") {
		t.Fatalf("the field holds %q, and the focus is on %q", got, d.Focus())
	}
	d.Enter("change", "spent: nothing")
	d.Key(fyne.KeyEscape) // ends the editing, and does not answer the question
	if !m.none() || !d.Reads("+ spent: nothing") || !d.Reads("− spent: 640, 410, 215") {
		t.Errorf("after the edit the card shows %q", d.Texts())
	}
	d.Ctrl(fyne.KeyReturn)
	all := d.answer(m)
	if len(all) != 3 || all[0].Decision != agent.AllowOnce || all[1].Args["change"] != "spent: nothing" || all[1].Args["file"] != "~/trip/budget.md" || all[2].Decision != agent.Deny {
		t.Errorf("the answers are %+v", all)
	}
}

// Two calls are "both" rather than "all 2".
func TestTwoCallsAreBoth(t *testing.T) {
	d, _ := calling(t, ui.Options{}, moveFiles(), editFile())
	d.send("sort")
	d.sees("Allow 2 calls?")
	d.later()
	for _, want := range []string{"Both make changes", "Allow both"} {
		if !d.Reads(want) {
			t.Errorf("the card does not show %q, but %q", want, d.Texts())
		}
	}
}

// "Always" is remembered. If only the description of the tool changes, one key press keeps the
// permission.
func TestAlwaysIsKeptUntilTheToolChanges(t *testing.T) {
	o := ui.Options{Policy: newPolicy(t)}
	worded := func(description string) agent.Pending {
		return callOf("m", &mcp.Tool{Name: "s", Description: description}, nil)
	}
	if err := o.Policy.Grant(worded("old").Entry); err != nil {
		t.Fatal(err)
	}
	d, m := calling(t, o, worded("new"))
	d.send("go")
	d.sees("s changed since you allowed it")
	d.later()
	if !d.Reads("Ctrl+Enter keeps allowing · Esc denies") {
		t.Error("the composer does not say what the keys do")
	}
	d.Ctrl(fyne.KeyReturn)
	if all := d.answer(m); all[0].Decision != agent.AllowAlways {
		t.Errorf("the answer is %v", all)
	}
	d.idle()
	m.calls = []agent.Pending{worded("hidden \u202E")}
	d.send("go")
	d.sees("1 hidden character in the new text. It can make text read differently from what the model receives. goated marks it like ⟨U+202E⟩.")
	if !d.Pressable("Allow once") {
		t.Error("the card does not offer to allow the call once")
	}
	d.answers("Revoke “Always”")
	if all := d.answer(m); all[0].Decision != agent.Deny || len(o.Policy.Grants.List()) > 0 {
		t.Errorf("the answer is %v; granted are %v", all, o.Policy.Grants.List())
	}
}

// The user reads that goated can't save an "always". The next start would ask again without a reason.
func TestTheUserReadsThatAlwaysIsNotSaved(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	o := ui.Options{Policy: consent.NewPolicy(filepath.Join(file, "grants.json"), time.Now)} // a folder that can't be made
	d, m := calling(t, o, callOf("m", &mcp.Tool{Name: "s"}, nil))
	d.send("go")
	d.sees(allowThis)
	d.later()
	d.Press("Always")
	d.Ctrl(fyne.KeyReturn)
	if all := d.answer(m); all[0].Decision != agent.AllowAlways {
		t.Errorf("the answer is %v", all)
	}
	d.until("the user reads it", func() bool {
		return d.Says("goated could not save this permission (") && d.Says("It lasts until goated quits.")
	})
}

// The user edits the arguments of a call in the fields of the tool's schema, including nested
// ones. An argument that the call omits is not added, and numbers keep every digit. A wrong
// value keeps Allow inactive, and the card names the error.
func TestNestedArgumentsAreEditedAsFields(t *testing.T) {
	tool := &mcp.Tool{Name: "plan", Title: "Plan a trip", InputSchema: schema(t, `{"type":"object","required":["id","stop"],"properties":{
		"id":{"type":"integer"},"note":{"type":"string","default":"none"},
		"stop":{"$ref":"#/$defs/Stop"}},
		"$defs":{"Stop":{"type":"object","required":["city"],"properties":{"city":{"type":"string"},"nights":{"type":"integer","maximum":5}}}}}`)}
	d, m := calling(t, ui.Options{}, callOf("Travel", tool, map[string]any{
		"id": json.Number("1234567890123456789"), "stop": map[string]any{"city": "Porto", "extra": true}}))
	d.send("plan")
	d.sees(allowThis)
	d.later()
	d.PressIcon("pencil")
	if id, city := d.Field("id"), d.Field("city"); id != "1234567890123456789" || city != "Porto" {
		t.Fatalf("the fields hold %q and %q", id, city)
	}
	d.Enter("id", "none")
	d.Ctrl(fyne.KeyReturn)
	d.Key(fyne.KeyEscape)
	if !m.none() || d.Pressable("Allow") || !d.Reads("Id must be a whole number.") && !d.Reads("Id must be a number.") {
		t.Fatalf("with a wrong value the card shows %q, and the call is answered: %t", d.Texts(), !m.none())
	}
	d.Enter("id", "1234567890123456789")
	d.Enter("city", "Lisbon")
	d.Ctrl(fyne.KeyReturn) // closes the fields and allows the call
	want := map[string]any{"id": json.Number("1234567890123456789"), "stop": map[string]any{"city": "Lisbon", "extra": true}}
	if all := d.answer(m); len(all) != 1 || !reflect.DeepEqual(all[0].Args, want) {
		t.Errorf("the answers are %+v, want %v", all, want)
	}
}

// A text of several lines gets a field with several lines, and so does a text that usually has
// them. While the fields are open, the card says that Esc keeps the change rather than that it
// denies the call.
func TestTextsOfACallAreEditedInTheirLines(t *testing.T) {
	tool := &mcp.Tool{Name: "create_issue", Title: "Create an issue", InputSchema: schema(t, `{"type":"object","required":["title"],"properties":{
		"title":{"type":"string"},"steps":{"type":"string"},"description":{"type":"string"}}}`)}
	steps := "Open it.\nPress Save.\nIt is gone."
	d, m := calling(t, ui.Options{}, callOf("Linear", tool, map[string]any{"title": "A fault", "steps": steps, "description": "Short."}))
	d.send("report")
	d.sees(allowThis)
	d.later()
	d.PressIcon("pencil")
	_, one, _ := d.PlaceOfField("title")
	for _, name := range []string{"steps", "description"} {
		if _, size, _ := d.PlaceOfField(name); size.Height < 2*one.Height-8 {
			t.Errorf("the field of %s is %v high, one of a line %v", name, size.Height, one.Height)
		}
	}
	if !d.Reads("Ctrl+Enter allows · Esc keeps the change") || d.Reads("Esc") {
		t.Errorf("the card says that Esc denies: %q", d.Texts())
	}
	d.Enter("steps", steps+"\nAlways.")
	d.Key(fyne.KeyEscape)
	if d.Icons("pencil") != 1 || !d.Reads("Ctrl+Enter allows · Esc denies") || !d.Reads("Esc") {
		t.Errorf("Esc does not close the fields: %q", d.Texts())
	}
	d.Ctrl(fyne.KeyReturn)
	if all := d.answer(m); len(all) != 1 || all[0].Args["steps"] != steps+"\nAlways." {
		t.Errorf("the answers are %+v", all)
	}
}

// Safety 2: the card offers and names all read-only tools of the server as a scope, and the
// answer can have this scope. A server with a single read-only tool does not offer it.
func TestAllThatReadIsAScope(t *testing.T) {
	reading := func(title string) agent.Pending {
		return callOf("m", &mcp.Tool{Name: title, Title: title, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}}, nil)
	}
	search, list := reading("Search mail"), reading("List folders")
	list.Call.Name = "" // only listed, not called
	o := ui.Options{Policy: newPolicy(t)}
	d, m := calling(t, o, search, list)
	d.send("go")
	d.sees(allowThis)
	d.later()
	const names = "goated always allows these tools: Search mail, List folders. The server declares them read-only. If one changes, goated asks again."
	if d.Reads(names) {
		t.Error("the tools of a scope that is not chosen are shown")
	}
	for _, scope := range []string{"Once", "This conversation", "Always", "Both read-only tools"} {
		if !d.Pressable(scope) {
			t.Fatalf("the scope %q is not offered, but %q", scope, d.Texts())
		}
	}
	// The choices leave no room beside them, so Deny and Allow move below them and stay on the
	// right.
	edge, _, _ := d.Place("Search mail")
	if deny, _, _ := d.Place("Deny"); deny.X < edge.X+200 {
		t.Errorf("Deny begins at %v, and the card's text at %v", deny.X, edge.X)
	}
	d.Window.Resize(fyne.NewSize(520, 700))
	at, size, _ := d.Place("Ctrl+Enter") // where the buttons end
	end := at.X + size.Width
	for _, scope := range []string{"Once", "This conversation", "Always", "Both read-only tools"} {
		if at, size, _ := d.Place(scope); at.X+size.Width > end {
			t.Errorf("in a narrow window %q ends at %v, and the buttons at %v", scope, at.X+size.Width, end)
		}
	}
	d.Window.Resize(fyne.NewSize(1280, 840))
	d.Press("Both read-only tools")
	if !d.Reads(names) {
		t.Error("the card does not name the tools")
	}
	d.Ctrl(fyne.KeyReturn)
	if all := d.answer(m); len(all) != 1 || all[0].Decision != agent.AllowReads {
		t.Errorf("the answer is %v", all)
	}

	d, _ = calling(t, ui.Options{Policy: newPolicy(t)}, search)
	d.send("go")
	d.sees(allowThis)
	if !d.Reads("Always") || d.Says("read-only tools") {
		t.Errorf("a server with one tool offers the scope: %q", d.Texts())
	}
}

// While the user edited arguments or had ticked no call, the card named keys that did nothing, and
// told the user to look at every argument.
func TestTheHintNamesWhatIsMissing(t *testing.T) {
	tool := &mcp.Tool{Name: "plan", Title: "Plan a trip", InputSchema: schema(t, `{"type":"object","required":["id"],"properties":{"id":{"type":"integer"}}}`)}
	d, m := calling(t, ui.Options{}, callOf("Travel", tool, map[string]any{"id": 7}), moveFiles())
	d.send("plan")
	d.sees("Allow 2 calls?")
	d.later()
	d.PressIcon("pencil")
	d.Enter("id", "none")
	if !d.Reads("Correct the arguments first") || !d.Reads("Correct the arguments to allow") {
		t.Errorf("with a wrong value the card shows %q", d.Texts())
	}
	d.Enter("id", "8")
	d.sees("Ctrl+Enter allows · Esc keeps the change")
	d.Key(fyne.KeyEscape)
	for range 2 {
		d.PressIcon("check")
	}
	if !d.Reads("Nothing is ticked") || !d.Reads("Tick a call to allow · Esc denies") {
		t.Errorf("without a tick the card shows %q", d.Texts())
	}
	d.Key(fyne.KeyEscape)
	d.answer(m)
}
