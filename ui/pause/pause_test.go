package pause_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"goated/servers/pause/dialog"
	"goated/ui/internal/screentest"
	"goated/ui/kit"
	"goated/ui/pause"
	"goated/ui/shell"
)

// A desk is a window with one dialog, and records the answers of the dialog.
type desk struct {
	*screentest.Screen
	answers []dialog.Answer
	later   func() // skips the time during which a dialog takes no answer
}

func open(t *testing.T, q dialog.Question, change func(*pause.Dialog)) *desk {
	t.Helper()
	return openIn(t, 1280, q, change)
}

// openIn opens a dialog in a window with the given width.
func openIn(t *testing.T, width float32, q dialog.Question, change func(*pause.Dialog)) *desk {
	t.Helper()
	if err := q.Check(); err != nil {
		t.Fatal(err)
	}
	a := test.NewTempApp(t)
	a.Settings().SetTheme(kit.Theme{Measure: kit.NewMeasure()})
	w := a.NewWindow("")
	w.Resize(fyne.NewSize(width, 840))
	w.Show()
	t.Cleanup(w.Close)
	d := &desk{Screen: screentest.New(t, w)}
	sh, now := shellOf(w), time.Unix(0, 0)
	sh.Now = func() time.Time { return now }
	p := pause.Dialog{Question: q, Caller: dialog.Caller{Name: "Claude Code", Folder: "/home/ada/trip-planner"}}
	if change != nil {
		change(&p)
	}
	p.Count = sh.NewCounter()
	p.Answer = func(answer dialog.Answer) { d.answers = append(d.answers, answer) }
	sheet := pause.NewSheet(sh, p)
	w.Canvas().SetOnTypedKey(func(e *fyne.KeyEvent) {
		if e.Name == fyne.KeyEscape {
			sheet.OnClose()
		}
	})
	sh.Sheets.Open(sheet.Sheet)
	d.Key(fyne.KeyEscape)
	if len(d.answers) > 0 {
		t.Fatal("a key that was meant for what the dialog covers answers it")
	}
	now = time.Unix(1, 0)
	d.later = func() { now = now.Add(time.Second) }
	if dir := os.Getenv("GOATED_LOOK"); dir != "" {
		save(t, filepath.Join(dir, strings.ReplaceAll(t.Name(), "/", "-")+".png"), d)
	}
	return d
}

// shellOf returns the shell for the dialogs of a window.
func shellOf(w fyne.Window) *shell.Shell {
	clock := kit.NewClock(func(f func()) { f() })
	sh := &shell.Shell{Ctx: context.Background(), Now: time.Now, Clock: clock, Toasts: kit.NewToasts(clock)}
	sh.Sheets = &shell.Sheets{Window: w, OnTop: func(*kit.Sheet) {}}
	return sh
}

// answer returns the only answer, without its time.
func (d *desk) answer(t *testing.T) dialog.Answer {
	t.Helper()
	if len(d.answers) != 1 {
		t.Fatalf("%d answers: %+v", len(d.answers), d.answers)
	}
	a := d.answers[0]
	if !a.Time.Equal(time.Unix(1, 0)) {
		t.Errorf("the answer has the time %v", a.Time)
	}
	a.Time = time.Time{}
	return a
}

// TestEachKindHasItsDialog opens a dialog of each kind, because a kind that the window does not
// support would crash goated.
func TestEachKindHasItsDialog(t *testing.T) {
	for _, kind := range dialog.Kinds() {
		t.Run(string(kind), func(t *testing.T) {
			q, err := dialog.Parse(kind, []byte(`{"question":"Which way?","decision_context":"Which way?","plan":"Go","options":[{"label":"Left"},{"label":"Right"}]}`))
			if err != nil {
				t.Fatal(err)
			}
			if d := open(t, q, nil); !d.Reads("Which way?") {
				t.Errorf("the dialog says %q", d.Texts())
			}
		})
	}
}

func plan() *dialog.Planner {
	return &dialog.Planner{
		DecisionContext: "Which part should come first?", VisualOutput: "The app must work **without** a network.\n\n- store\n- screens",
		Plan: "1. Keep trips in `sqlite`\n2. Queue changes", Options: []dialog.Option{
			{Label: "Store first", Value: "store", Description: "Safest."}, {Label: "Screens first", Value: "screens"}, {Label: "Never", Value: "never", Disabled: true}},
	}
}

func TestPlannerByKeyboard(t *testing.T) {
	d := open(t, plan(), nil)
	if !d.Says("Claude Code asks in trip-planner") || !d.Reads("Plan") || d.Pressable("Execute") || d.Icons("shield") > 0 {
		t.Errorf("the dialog reads %q", d.Texts())
	}
	d.Type("2u")
	if !d.Pressable("Execute") {
		t.Fatal("an option is chosen, and Execute is inactive")
	}
	d.Ctrl(fyne.KeyReturn)
	a := d.answer(t)
	if a.Choice != "screens" || a.ThinkingMode != dialog.Ultra || a.Action != dialog.Execute {
		t.Errorf("%+v", a)
	}
	d.Ctrl(fyne.KeyReturn)
	d.Key(fyne.KeyEscape)
	if len(d.answers) != 1 {
		t.Error("the dialog answers twice")
	}
}

// Letters in a field are text, never shortcuts of the dialog.
func TestLettersInAFieldAreText(t *testing.T) {
	d := open(t, plan(), nil)
	d.Enter("Anything to add", "quick 1 plan")
	d.Press("Send and ask me again")
	a := d.answer(t)
	if a.Context != "quick 1 plan" || a.Choice != "" || a.ThinkingMode != dialog.Normal || a.Action != dialog.Submit {
		t.Errorf("%+v", a)
	}
}

func TestPlanOnly(t *testing.T) {
	d := open(t, plan(), nil)
	d.Type("p")
	if len(d.answers) > 0 {
		t.Fatal("an inactive button was pressed by its key")
	}
	d.Type("3") // disabled
	d.Type("1p")
	if a := d.answer(t); a.Choice != "store" || a.Action != dialog.Plan {
		t.Errorf("%+v", a)
	}
}

func TestEscapeCancels(t *testing.T) {
	for _, q := range []dialog.Question{plan(), &dialog.TextInput{Question: "Name?"}, &dialog.Confirm{Question: "Sure?"}, &dialog.Screenshot{Question: "Show me"}} {
		d := open(t, q, nil)
		d.Key(fyne.KeyEscape)
		if a := d.answer(t); !a.Cancelled {
			t.Errorf("%s: %+v", q.Kind(), a)
		}
	}
}

func TestSwitchToText(t *testing.T) {
	d := open(t, plan(), nil)
	d.Press("Switch to text")
	d.Press("Execute", 0)
	d.Type("Neither: stop.")
	d.Ctrl(fyne.KeyReturn)
	if a := d.answer(t); !a.SwitchToText || a.Text != "Neither: stop." || a.Choice != "" {
		t.Errorf("%+v", a)
	}
}

func TestText(t *testing.T) {
	d := open(t, &dialog.TextInput{Question: "Name?", DefaultText: "Ad", MaxLength: 3}, nil)
	d.Type("a") // the cursor is at the end
	if !d.Reads("3 of 3 characters") || !d.Pressable("Send") {
		t.Errorf("the dialog reads %q", d.Texts())
	}
	d.Type("!")
	if d.Pressable("Send") {
		t.Error("a text that is too long can be sent")
	}
	d.Key(fyne.KeyBackspace)
	d.Ctrl(fyne.KeyReturn)
	if a := d.answer(t); a.Text != "Ada" {
		t.Errorf("%+v", a)
	}
}

func TestChoices(t *testing.T) {
	d := open(t, &dialog.SingleChoice{Question: "Which?", Options: []dialog.Option{{Label: "A"}, {Label: "B"}, {Label: "C", Disabled: true}}}, nil)
	d.Key(fyne.KeyReturn)
	if len(d.answers) > 0 {
		t.Fatal("Enter answers without a choice")
	}
	d.Key(fyne.KeyDown)
	d.Key(fyne.KeyDown)
	d.Key(fyne.KeyDown)
	d.Key(fyne.KeyReturn)
	if a := d.answer(t); a.Choice != "B" {
		t.Errorf("%+v", a)
	}

	many := &dialog.MultiChoice{Question: "Which?", MinSelections: 1, MaxSelections: 2, Options: []dialog.Option{
		{Label: "A", Group: "Letters"}, {Label: "B", Group: "Letters"}, {Label: "1", Group: "Numbers", Tags: []string{"odd"}}}}
	d = open(t, many, nil)
	if !d.Reads("Letters") || !d.Reads("Numbers") || !d.Reads("# odd") || !d.Reads("0 chosen. Choose 1 to 2.") {
		t.Errorf("the dialog reads %q", d.Texts())
	}
	d.Ctrl(fyne.KeyA)
	if !d.Reads("2 chosen. Choose 1 to 2.") {
		t.Errorf("the dialog reads %q", d.Texts())
	}
	d.Type("13")
	d.Key(fyne.KeyReturn)
	if a := d.answer(t); fmt.Sprint(a.Choices) != "[B 1]" {
		t.Errorf("%+v", a)
	}
}

// Enter answers a dangerous question with no. Yes needs an explicit choice.
func TestConfirm(t *testing.T) {
	for keys, want := range map[string]bool{"y": true, "N": false, "\n": false} {
		d := open(t, &dialog.Confirm{Question: "Delete all?", IsDangerous: true, YesLabel: "Delete", NoLabel: "Keep"}, nil)
		if !d.Reads("Press Y or N. Enter answers Keep.") || !d.Reads("This cannot be undone.") {
			t.Errorf("the dialog reads %q", d.Texts())
		}
		if keys == "\n" {
			d.Key(fyne.KeyReturn)
		} else {
			d.Type(keys)
		}
		if a := d.answer(t); a.Confirmed == nil || *a.Confirmed != want {
			t.Errorf("%q: %+v", keys, a)
		}
	}
}

func TestScreenshot(t *testing.T) {
	picture := dialog.Attachment{Name: "s.png", Type: "image/png", Data: []byte("png")}
	d := open(t, &dialog.Screenshot{Question: "Show me"}, func(p *pause.Dialog) {
		p.Files.Paste = func(add func([]dialog.Attachment)) { add([]dialog.Attachment{picture}) }
		p.Files.Pick = func(add func([]dialog.Attachment)) { add([]dialog.Attachment{{Name: "t.png", Type: "image/png"}}) }
		p.Files.Capture = func(add func([]dialog.Attachment)) { add([]dialog.Attachment{{Name: "region.png", Type: "image/png"}}) }
	})
	if d.Pressable("Send") {
		t.Error("an empty answer can be sent")
	}
	d.Ctrl(fyne.KeyV)
	d.Press("Choose a picture…")
	d.Press("Mark a region…")
	if !d.Reads("s.png") || !d.Reads("t.png") || !d.Reads("region.png") {
		t.Errorf("the dialog reads %q", d.Texts())
	}
	d.PressIcon("close", 1) // the close button of the sheet comes first
	d.Press("Send")
	if a := d.answer(t); len(a.Attachments) != 2 || a.Attachments[0].Name != "t.png" || a.Attachments[1].Name != "region.png" {
		t.Errorf("%+v", a)
	}
}

// The caller's text cannot hide anything or look like goated's text.
func TestWordsOfTheCallerAreMarked(t *testing.T) {
	d := open(t, &dialog.Confirm{Question: "Safe\u202eevil", YesLabel: "Y\u200bes"}, func(p *pause.Dialog) {
		p.Caller.Name = "goated\nThis is goated's own question."
	})
	text := strings.Join(d.Texts(), "\n")
	if !strings.Contains(text, "⟨U+202E⟩") || !strings.Contains(text, "⟨U+200B⟩") || strings.Contains(text, "goated\nThis") {
		t.Errorf("the dialog reads %q", text)
	}
}

// A password is never visible, unless the user asks to see it.
func TestASecretIsMasked(t *testing.T) {
	d := open(t, &dialog.TextInput{Question: "What is the API key?"}, nil)
	d.Type("hunter2")
	if text := strings.Join(d.Texts(), " "); strings.Contains(text, "hunter2") || !strings.Contains(text, "looks like a password") {
		t.Errorf("the dialog reads %q", text)
	}
	d.Ctrl(fyne.KeyReturn)
	if a := d.answer(t); a.Text != "hunter2" {
		t.Errorf("%+v", a)
	}
}

// "Switch to text" opened a field that showed the secret.
func TestASecretIsMaskedAsText(t *testing.T) {
	d := open(t, &dialog.TextInput{Question: "What is the API key?"}, nil)
	d.Press("Switch to text")
	d.Type("hunter2")
	if text := strings.Join(d.Texts(), " "); strings.Contains(text, "hunter2") {
		t.Errorf("the dialog reads %q", text)
	}
}

// A dialog does not look like an approval, even if its caller uses the texts of one. It has the
// icon of a conversation, and its first line names the asking program.
func TestADialogIsNoApproval(t *testing.T) {
	d := open(t, &dialog.Confirm{Title: "Allow this call?", Question: "goated asks: allow files__delete?", YesLabel: "Allow", NoLabel: "Deny"}, func(p *pause.Dialog) {
		p.Caller.Name = "goated 🛡"
	})
	if d.Icons("shield") > 0 || d.Icons("message") != 1 || !d.Says("goated 🛡 asks in trip-planner. It receives your answer.") {
		t.Errorf("the dialog reads %q", d.Texts())
	}
}

// If goated cannot take pictures of the screen, the dialog explains why and what to do.
func TestABlindDialogSaysWhy(t *testing.T) {
	d := open(t, &dialog.Screenshot{Question: "Show me"}, func(p *pause.Dialog) {
		p.Files.Blind = "on Wayland, goated cannot take pictures"
	})
	if d.Reads("Mark a region…") || !d.Says("On Wayland, goated cannot take pictures.") {
		t.Errorf("the dialog reads %q", d.Texts())
	}
}

// Tables in the overview were shown as one row of words per line: "Step · Risk".
func TestPlannerDrawsTablesAndFormulas(t *testing.T) {
	q := plan()
	q.VisualOutput = "| Step | Risk |\n|---|---|\n| Dump the database | low |\n| Drop it | `high` |\n\n$$\\frac{a}{b}$$\n\n```sql\ndrop table t;\n```"
	d := open(t, q, nil)
	const table = "Step\tRisk\nDump the database\tlow\nDrop it\thigh"
	at := func(word string) fyne.Position { return d.Word(table, word) }
	if step, drop, risk, low := at("Step"), at("Dump"), at("Risk"), at("low"); step.X != drop.X || risk.X != low.X || risk.X <= step.X+100 || step.Y != risk.Y || drop.Y != low.Y || low.Y <= risk.Y {
		t.Errorf("the cells of the table are at %v %v %v %v", step, risk, drop, low)
	}
	if a, b := d.Word("a/b", "a"), d.Word("a/b", "b"); a.Y >= b.Y {
		t.Errorf("the fraction has %v over %v", a, b)
	}
	if !d.Reads("drop table t;") {
		t.Errorf("the dialog reads %q", d.Texts())
	}
}

// The question of a dialog is Markdown. Neither the dialog nor the lists show its marks.
func TestTheQuestionShowsNoMarks(t *testing.T) {
	q := &dialog.Planner{DecisionContext: "Which **database** do we use in `store`?"}
	const want = "Which database do we use in store?"
	d := open(t, q, nil)
	if !d.Reads(want) || d.Says("**") || d.Says("`") {
		t.Errorf("the dialog reads %q", d.Texts())
	}
	if got := pause.Asked(q); got != want {
		t.Errorf("it is listed as %q", got)
	}
	if got := (pause.Dialog{Question: q}).Listed().What; got != want {
		t.Errorf("among the questions that wait it is %q", got)
	}
	lines := open(t, &dialog.Planner{DecisionContext: "Choose **one**:\n\n- SQLite\n- files"}, nil)
	if !lines.Says("SQLite") || lines.Says("**") || lines.Says("- SQLite") {
		t.Errorf("several lines read %q", lines.Texts())
	}
	if stars := pause.Asked(&dialog.Planner{DecisionContext: "Delete *.log and *.tmp, or 2 * 3 files?"}); stars != "Delete *.log and *.tmp, or 2 * 3 files?" {
		t.Errorf("stars that mark nothing are lost: %q", stars)
	}
}

// A question on one line keeps each character that may be part of a name. A confirmation keeps
// all characters.
func TestTheQuestionKeepsNames(t *testing.T) {
	for text, want := range map[string]string{
		"Delete __init__.py?":                        "Delete __init__.py?",
		`Delete C:\_tmp and C:\_old?`:                `Delete C:\_tmp and C:\_old?`,
		"Remove src/**/a/** and **/*.log?":           "Remove src/**/a/** and **/*.log?",
		"Is 2**3**4 <b>bold</b> &amp; [a](b)?":       "Is 2**3**4 <b>bold</b> &amp; [a](b)?",
		"# 1. Which **database**, `a_b_c` or `d_e`?": "# 1. Which database, a_b_c or d_e?",
		"**Which** of ``a`b``?":                      "Which of ``a`b``?",
	} {
		q := &dialog.SingleChoice{Question: text, Options: []dialog.Option{{Label: "One"}, {Label: "Two"}}}
		if got := pause.Asked(q); got != want {
			t.Errorf("%q is listed as %q, want %q", text, got, want)
		}
		if d := open(t, q, nil); !d.Reads(want) {
			t.Errorf("the dialog of %q reads %q", text, d.Texts())
		}
		sure := &dialog.Confirm{Question: text, IsDangerous: true}
		if got := pause.Asked(sure); got != text {
			t.Errorf("the confirmation of %q is listed as %q", text, got)
		}
		if d := open(t, sure, nil); !d.Reads(text) {
			t.Errorf("the confirmation of %q reads %q", text, d.Texts())
		}
	}
}
