package ui_test

import (
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/agent"
	"goated/registry"
	"goated/ui"
)

// moveFiles, editFile and sendMessage return the calls that the tests of approvals ask about.
// The first two change files, and the last sends a message.
func moveFiles() agent.Pending {
	return callOf("Files", &mcp.Tool{Name: "move_files", Title: "Move files", Description: "Moves files into a folder. Existing files are never replaced.", Annotations: &mcp.ToolAnnotations{OpenWorldHint: new(bool)}},
		map[string]any{"files": []any{"receipt-1.pdf", "receipt-2.pdf"}, "to": "~/trip/receipts/"})
}

func editFile() agent.Pending {
	return callOf("Files", &mcp.Tool{Name: "edit_file", Title: "Edit a file", Description: "Replaces one passage of a text file.", Annotations: &mcp.ToolAnnotations{OpenWorldHint: new(bool)}},
		map[string]any{"file": "~/trip/budget.md", "change": "spent: 640, 410, 215"})
}

func sendMessage() agent.Pending {
	yes := true
	return callOf("Mail", &mcp.Tool{Name: "send", Title: "Send a message", Description: "Sends a plain-text message from your account.", Annotations: &mcp.ToolAnnotations{OpenWorldHint: &yes}},
		map[string]any{"to": "mara@example.org", "text": "The receipts are sorted."})
}

// The names of arguments are shown in full, because a user who allows a call reads each of
// them. A very long name leaves room for the values.
func TestNamesOfArgumentsAreWhole(t *testing.T) {
	long := strings.Repeat("very_long_name_", 6)
	d, _ := calling(t, ui.Options{}, callOf("Linear", &mcp.Tool{Name: "create_issue", Title: "Create an issue"}, map[string]any{"team": "WEB", "description": "It is broken."}),
		callOf("Linear", &mcp.Tool{Name: "other", Title: "Other"}, map[string]any{long: "its value"}))
	d.send("go")
	d.sees("Allow 2 calls?")
	name, size, _ := d.Place("description")
	value, _, _ := d.Place("It is broken.")
	if need := fyne.MeasureText("description", 12, fyne.TextStyle{Monospace: true}).Width; size.Width < need-1 || value.X < name.X+need {
		t.Errorf("the name has %v of %v, and its value begins %v after it", size.Width, need, value.X-name.X)
	}
	if team, _, _ := d.Place("WEB"); team.X != value.X {
		t.Errorf("the values begin at %v and %v", team.X, value.X)
	}
	far, _, _ := d.Place(long)
	if at, _, _ := d.Place("its value"); at.X > far.X+160 {
		t.Errorf("the value begins %v after a long name", at.X-far.X)
	}
}

// The user sees the file that a call writes before the many lines that it writes.
func TestRequiredArgumentsComeFirst(t *testing.T) {
	tool := &mcp.Tool{Name: "write_file", Title: "Write a file", InputSchema: map[string]any{"type": "object", "required": []any{"path", "content"},
		"properties": map[string]any{"append": map[string]any{"type": "boolean"}, "content": map[string]any{"type": "string"}, "path": map[string]any{"type": "string"}}}}
	d, _ := calling(t, ui.Options{}, callOf("Files", tool, map[string]any{"append": true, "content": "Buy butter.", "path": "list.txt"}))
	d.send("go")
	d.sees(allowThis)
	path, _, _ := d.Place("list.txt")
	content, _, _ := d.Place("Buy butter.")
	last, _, _ := d.Place("true")
	if path.Y >= content.Y || content.Y >= last.Y {
		t.Errorf("path, content and append are at %v, %v and %v", path, content, last)
	}
}

// callOf returns a call of a tool. A tool without a schema takes any arguments.
func callOf(server string, tool *mcp.Tool, args map[string]any) agent.Pending {
	if tool.InputSchema == nil {
		tool.InputSchema = map[string]any{"type": "object"}
	}
	e := registry.Entry{Name: server + "__" + tool.Name, Server: server, Origin: registry.Origin{Start: "npx " + server, Version: "1.5.0"}, Tool: tool}
	return agent.Pending{Call: agent.ToolCalled{Name: e.Name, Args: args}, Entry: e}
}

const allowThis = "Allow this call?"

// The question cuts a long description, which opens in full.
func TestALongDescriptionOpensWhole(t *testing.T) {
	long := strings.Repeat("It reads the file, and says what is in it. ", 30) + "The end."
	d, _ := calling(t, ui.Options{}, callOf("files", &mcp.Tool{Name: "read", Description: long}, map[string]any{"path": "a"}))
	d.send("read")
	d.sees(allowThis)
	if d.Says("The end.") {
		t.Fatal("the question shows all of it")
	}
	d.Press("Show all")
	d.until("all of it is shown", func() bool { return d.Layers() == 1 && d.Says("The end.") })
}

// "Open" in the note about a question of another conversation showed that conversation behind the open
// sheet, and the sheet then saved its instructions there.
func TestAnotherConversationLeavesTheInstructionsAlone(t *testing.T) {
	const field = "Such as: This is about the trip to Vienna. Prices in euros."
	d, m := calling(t, ui.Options{}, moveFiles())
	for _, text := range []string{"Prices in euros.", ""} {
		d.newChat()
		d.send("go")
		d.newChat()
		d.run("Custom instructions…")
		d.sees("Open")
		d.Type(text)
		d.Press("Open")
		if text != "" {
			if d.Field(field) != text {
				t.Fatalf("the sheet shows %q", d.Texts())
			}
			d.Press("Save")
			d.Press("go")
			d.run("Custom instructions…")
			if got := d.Field(field); got != "" {
				t.Errorf("the conversation that asks has the instructions %q", got)
			}
			d.closeSheets()
		}
		if d.Layers() > 0 || !d.Reads(allowThis) {
			t.Errorf("the question is not shown: %q", d.Texts())
		}
		d.later()
		d.Ctrl(fyne.KeyReturn)
		d.answer(m)
		d.idle()
	}
}

// A question takes no keys that are meant for the composer, and no answer during its first 500
// ms.
func TestQuestionLeavesTheComposerAlone(t *testing.T) {
	d, m := calling(t, ui.Options{}, moveFiles())
	d.send("add")
	d.Type("my next ")
	d.sees(allowThis)
	for _, r := range "question is longer" {
		if !d.FieldFocused(composer) {
			t.Fatalf("the focus is on %q", d.Focus())
		}
		d.TypeRune(r)
	}
	if got := d.draft(); got != "my next question is longer" {
		t.Errorf("the composer holds %q", got)
	}
	d.clock = d.clock.Add(499 * time.Millisecond)
	d.Ctrl(fyne.KeyReturn)
	d.Key(fyne.KeyEscape)
	if !d.Reads(allowThis) || d.draft() == "" {
		t.Fatal("the question took an answer within half a second")
	}
	d.clock = d.clock.Add(time.Millisecond)
	d.Ctrl(fyne.KeyReturn)
	if d.Reads(allowThis) {
		t.Error("Ctrl+Enter does not answer the question")
	}
	if all := d.answer(m); len(all) != 1 || all[0].Decision != agent.AllowOnce {
		t.Errorf("the answer is %v", all)
	}
	d.idle()
	// The user meant a second press for the question, so it does not send the draft.
	d.clock = d.clock.Add(900 * time.Millisecond)
	d.Ctrl(fyne.KeyReturn)
	if got := d.draft(); got != "my next question is longer" {
		t.Errorf("after a second press the composer holds %q", got)
	}
	d.clock = d.clock.Add(100 * time.Millisecond)
	d.Ctrl(fyne.KeyReturn)
	if got := d.draft(); got != "" {
		t.Errorf("Ctrl+Enter sends nothing later: the composer holds %q", got)
	}
}

// Nothing is animated while a question waits for the user, because each frame paints the whole
// window.
func TestNothingTurnsWhileAQuestionWaits(t *testing.T) {
	d, m := calling(t, ui.Options{}, sendMessage())
	still := d.window.Ticking() // the cursor of the composer
	d.send("Weekly report")
	if d.Spinners() == 0 || d.window.Ticking() <= still {
		t.Fatal("a turn that runs shows no sign")
	}
	d.sees(allowThis)
	if n, ticking := d.Spinners(), d.window.Ticking(); n != 0 || ticking > still {
		t.Errorf("%d spinners turn while the question waits, and %d parts move, before the turn %d", n, ticking, still)
	}
	d.later()
	d.Key(fyne.KeyEscape)
	d.answer(m)
}

// A question of another conversation appears as a mark and a toast, never as a dialog.
func TestAnotherConversationAsks(t *testing.T) {
	d, m := calling(t, ui.Options{}, sendMessage())
	d.send("Weekly report")
	d.newChat()
	d.sees("“Weekly report” asks you: Wants to run Send a message")
	if !d.Reads("Asks you") {
		t.Error("the sidebar does not say that the conversation asks")
	}
	if d.Reads(allowThis) || d.Layers() > 0 {
		t.Error("the question is over another conversation")
	}
	d.clock = d.clock.Add(time.Hour)
	d.Ctrl(fyne.KeyReturn)
	d.Press("Weekly report")
	d.Ctrl(fyne.KeyReturn) // the guard starts when the user sees the question
	if !d.Reads(allowThis) || !m.none() {
		t.Fatal("the question was answered before the user could have read it")
	}
	d.later()
	d.Key(fyne.KeyEscape)
	if all := d.answer(m); len(all) != 1 || all[0].Decision != agent.Deny {
		t.Errorf("the answer is %v", all)
	}
}

// The user has to see the end of a long argument before the call can be allowed. The server's
// name stays visible above it.
func TestAllowWaitsForTheEndOfTheArguments(t *testing.T) {
	long := moveFiles()
	long.Entry.Tool.Name = strings.Repeat("n", 3400) + "\nServer ghost"
	long.Entry.Tool.Title = long.Entry.Tool.Name
	long.Call.Args = map[string]any{"text": strings.Repeat("a line\n", 200) + "rm -rf ~"}
	d, m := calling(t, ui.Options{}, long)
	d.send("go")
	d.sees(allowThis)
	d.later()
	if _, _, seen := d.Place("Files"); !seen {
		t.Error("the server is out of sight")
	}
	if !d.Reads("PgDn or Ctrl+Enter to read on · Esc denies") {
		t.Errorf("nothing says how to see the rest: %q", d.Texts())
	}
	d.Ctrl(fyne.KeyReturn)
	if !m.none() || !d.Reads("PgDn to read on") {
		t.Fatal("the call was allowed unseen")
	}
	if d.Pressable("Allow") {
		t.Error("Allow is active")
	}
	for range 30 { // Page Down scrolled the conversation instead of the question
		d.Key(fyne.KeyPageDown)
	}
	d.later()
	d.Ctrl(fyne.KeyReturn)
	if all := d.answer(m); len(all) != 1 || all[0].Decision != agent.AllowOnce {
		t.Errorf("after its end was seen, the answer is %v", all)
	}
}

// Ctrl+Enter scrolls until the end is visible. A held key does not allow a call that has just
// become visible; the next press does.
func TestCtrlEnterReadsOn(t *testing.T) {
	long := moveFiles()
	long.Call.Args = map[string]any{"text": strings.Repeat("a line\n", 60) + "the end"}
	d, m := calling(t, ui.Options{}, long)
	d.send("go")
	d.sees(allowThis)
	for range 20 {
		d.later()
		if d.Reads("Ctrl+Enter allows · Esc denies") {
			break
		}
		d.Ctrl(fyne.KeyReturn)
		d.Ctrl(fyne.KeyReturn) // a repetition of the held key
		if !m.none() {
			t.Fatal("the call was allowed unseen")
		}
	}
	d.Ctrl(fyne.KeyReturn)
	if all := d.answer(m); len(all) != 1 || all[0].Decision != agent.AllowOnce {
		t.Errorf("the answer is %v", all)
	}
}

// Among several calls, a call without arguments gets no line for them.
func TestCallsWithoutArgumentsAreShort(t *testing.T) {
	a, b := sendMessage(), moveFiles()
	a.Call.Args, b.Call.Args = nil, nil
	d, m := calling(t, ui.Options{}, a, b)
	d.send("go")
	d.sees("Allow 2 calls?")
	if d.Reads("No arguments") {
		t.Error("the rows have a line that says nothing")
	}
	d.later()
	d.Key(fyne.KeyEscape)
	d.answer(m)
}

// Stopping the turn closes its question without an answer.
func TestStoppingATurnClosesItsQuestion(t *testing.T) {
	d, m := calling(t, ui.Options{}, moveFiles())
	d.send("go")
	d.sees(allowThis)
	d.PressIcon("stop")
	d.until("the question is closed", func() bool { return !d.Reads(allowThis) })
	if all := d.answer(m); all != nil {
		t.Errorf("the answer is %v", all)
	}
	d.idle()
}
