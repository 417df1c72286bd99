package pause_test

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"goated/servers/pause/dialog"
	"goated/ui/pause"
)

// A question that was answered before starts with that answer and a note about it. Enter or
// Ctrl+Enter sends the answer again.
func TestFormerAnswerIsFilledIn(t *testing.T) {
	yes := true
	options := func() []dialog.Option {
		return []dialog.Option{{Label: "A", Value: "a"}, {Label: "B", Value: "b", Checked: true}}
	}
	picture := []dialog.Attachment{{Name: "s.png", Type: "image/png"}}
	for name, test := range map[string]struct {
		question dialog.Question
		former   dialog.Answer
		key      fyne.KeyName // Enter; empty: Ctrl+Enter
	}{
		"planner":    {&dialog.Planner{DecisionContext: "How?", Options: options(), DefaultAction: "a"}, dialog.Answer{Choice: "b", ThinkingMode: dialog.Deep, Action: dialog.Execute, Context: "slowly", Attachments: picture}, ""},
		"text":       {&dialog.TextInput{Question: "Name?", DefaultText: "x"}, dialog.Answer{Text: "Ada"}, ""},
		"one":        {&dialog.SingleChoice{Question: "Which?", Options: options(), DefaultValue: "a"}, dialog.Answer{Choice: "b"}, fyne.KeyReturn},
		"several":    {&dialog.MultiChoice{Question: "Which?", Options: options()}, dialog.Answer{Choices: []string{"a"}}, fyne.KeyReturn},
		"screenshot": {&dialog.Screenshot{Question: "Show me"}, dialog.Answer{Attachments: picture, Context: "here"}, ""},
		"confirm":    {&dialog.Confirm{Question: "Delete?", IsDangerous: true}, dialog.Answer{Confirmed: &yes}, fyne.KeyReturn},
		"own words":  {&dialog.Confirm{Question: "Delete?", IsDangerous: true}, dialog.Answer{SwitchToText: true, Text: "later"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			d := open(t, test.question, func(p *pause.Dialog) { p.Former = &test.former })
			says := "You answered this before, and Claude Code did not get the answer. It is filled in below."
			if test.former.Confirmed != nil {
				says = "You answered “Yes” before, and Claude Code did not get the answer. Please answer again."
			}
			if !d.Says(says) {
				t.Errorf("the dialog reads %q", d.Texts())
			}
			if test.key == "" {
				d.Ctrl(fyne.KeyReturn)
			} else {
				d.Key(test.key)
			}
			if a := d.answer(t); !reflect.DeepEqual(a, test.former) {
				t.Errorf("%+v, want %+v", a, test.former)
			}
		})
	}
}

// numbered returns options with numbered labels.
func numbered(n int) (all []dialog.Option) {
	for i := range n {
		all = append(all, dialog.Option{Label: fmt.Sprintf("Option %d", i+1), Value: fmt.Sprint(i + 1)})
	}
	return all
}

// The arrow keys show their row, and reach the options without a number, which scroll into view.
func TestArrowKeysReachEachOption(t *testing.T) {
	options := numbered(30)
	options[10].Disabled = true
	var d *desk
	seen := func(text string) bool { _, _, seen := d.Place(text); return seen }
	d = open(t, &dialog.MultiChoice{Question: "Which?", Options: options}, nil)
	before := d.Picture()
	d.Key(fyne.KeyDown)
	if reflect.DeepEqual(before, d.Picture()) {
		t.Error("the arrow keys move an invisible cursor")
	}
	for range 10 {
		d.Key(fyne.KeyDown)
	}
	d.Key(fyne.KeySpace) // the 12th: the 11th is disabled
	d.Key(fyne.KeyEnd)
	if !seen("Option 30") || seen("Option 1") {
		t.Error("the option is not in view")
	}
	if dir := os.Getenv("GOATED_LOOK"); dir != "" {
		save(t, filepath.Join(dir, "cursor.png"), d)
	}
	d.Key(fyne.KeySpace)
	d.Key(fyne.KeyHome)
	d.Key(fyne.KeySpace)
	d.Key(fyne.KeyReturn)
	if a := d.answer(t); fmt.Sprint(a.Choices) != "[1 12 30]" {
		t.Errorf("%+v", a)
	}

	d = open(t, &dialog.SingleChoice{Question: "Which?", Options: numbered(12)}, nil)
	for range 11 {
		d.Key(fyne.KeyDown)
	}
	d.Key(fyne.KeyReturn)
	if a := d.answer(t); a.Choice != "11" {
		t.Errorf("%+v", a)
	}
}

// Each group has one heading, even if the caller does not keep its options together. The numbers
// follow the order on the screen, and the answer has the caller's order.
func TestEachGroupHasOneHeading(t *testing.T) {
	d := open(t, &dialog.MultiChoice{Question: "Which?", Options: []dialog.Option{
		{Label: "A", Group: "Letters"}, {Label: "1", Group: "Numbers"}, {Label: "none"}, {Label: "B", Group: "Letters"}, {Label: "2", Group: "Numbers"}}}, nil)
	var read []string
	for _, text := range d.Texts() {
		if slices.Contains([]string{"none", "Letters", "A", "B", "Numbers"}, text) {
			read = append(read, text)
		}
	}
	if got := strings.Join(read, " "); got != "none Letters A B Numbers" {
		t.Errorf("the dialog reads %q", got)
	}
	d.Type("341")
	d.Key(fyne.KeyReturn)
	if a := d.answer(t); fmt.Sprint(a.Choices) != "[1 none B]" {
		t.Errorf("%+v", a)
	}
}
