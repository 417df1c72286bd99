package transcript

import (
	"fmt"
	"image"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/agent"
	"goated/ui/kit"
	"goated/ui/view"
)

// calling adds a complete call with a text as its result.
func calling(chat view.Chat, tool, text string) view.Chat {
	return chat.Apply(agent.ToolCalled{ID: tool, Server: "s", Tool: tool}).
		Apply(agent.ToolDecided{ID: tool, Decision: agent.AllowOnce}).
		Apply(agent.ToolReturned{ID: tool, Result: &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}})
}

// marked reports whether a text has the background colour of a mark in a picture of the window.
func (d *desk) marked(img image.Image, text string) bool {
	at, size, _ := d.Place(text)
	at = at.AddXY(1, size.Height-2)
	scale := float32(img.Bounds().Dx()) / d.Canvas().Size().Width
	r, g, b, _ := img.At(int(at.X*scale), int(at.Y*scale)).RGBA()
	for _, name := range []fyne.ThemeColorName{kit.ColorHere, kit.ColorWarnSoft} {
		if x, y, z, _ := theme.Color(name).RGBA(); x>>8 == r>>8 && y>>8 == g>>8 && z>>8 == b>>8 {
			return true
		}
	}
	return false
}

// Find scrolls to the row of a table, the value of a tree or the line of a text in a result, and
// marks it.
func TestFindMarksWhatIsInACard(t *testing.T) {
	d := newDesk(t)
	var rows, lines []string
	for i := range 60 {
		rows = append(rows, fmt.Sprintf(`{"i": %d, "word": "row %d"}`, i, i))
		lines = append(lines, fmt.Sprintf("line %d", i))
	}
	rows[40], lines[50] = `{"i": 40, "word": "needle of a table"}`, "a Needle of a list"
	chat := calling(view.Chat{}.Say("Look for it."), "rows", "["+strings.Join(rows, ",")+"]")
	chat = calling(chat, "tree", `{"a": {"b": {"c": [`+strings.Repeat("1,", 40)+`"needle of a tree"]}}}`)
	chat = calling(chat, "long", strings.Join(lines, "\n"))
	chat = calling(chat, "short", "some\nwords\n\nneedle of a text")
	d.show(chat.Apply(agent.TurnEnded{Reason: agent.Done}), false)
	d.page.Find.Open()
	d.Type("needle")
	all := []string{"needle of a table", `"needle of a tree"`, "a Needle of a list", "some\nwords\n\nneedle of a text"}
	for turn, back := range []bool{false, true} {
		for i := range all {
			if back {
				i = len(all) - 1 - i
			}
			if says := fmt.Sprintf("%d of 4", i+1); !d.Reads(says) {
				t.Fatalf("the bar does not say %s", says)
			}
			at, size, seen := d.Place(all[i])
			if !seen || at.Y < 48 || at.Y+size.Height > 700 {
				t.Errorf("turn %d: %q is at %v, out of sight", turn, all[i], at)
				continue
			}
			img := d.Canvas().Capture()
			if !d.marked(img, all[i]) {
				t.Errorf("turn %d: %q is not marked", turn, all[i])
			}
			for k, other := range all {
				if _, _, seen := d.Place(other); seen && k != i && d.marked(img, other) {
					t.Errorf("%q is still marked", other)
				}
			}
			if back {
				d.PressIcon("chevron-up")
			} else if i < len(all)-1 {
				d.Key(fyne.KeyReturn)
			}
		}
	}
	d.page.Find.Close()
	if d.marked(d.Canvas().Capture(), all[3]) {
		t.Error("the mark stays after the search")
	}
}

// Each value of a result that contains the words is one hit. This includes the values outside the
// rows of a table.
func TestFindCountsRows(t *testing.T) {
	d := newDesk(t)
	d.show(calling(view.Chat{}.Say("Go."), "rows", `{"total": "two fish", "items": [{"a": "fish fish"}, {"a": "none"}, {"a": "a fish"}]}`), false)
	d.page.Find.Open()
	d.Type("fish")
	for _, says := range []string{"1 of 3", "2 of 3", "3 of 3", "1 of 3"} {
		if !d.Reads(says) {
			t.Fatalf("the bar does not say %s", says)
		}
		d.Key(fyne.KeyReturn)
	}
}

// The find bar counted a match in a failure, but nothing in the window was marked.
func TestFindMarksAFailure(t *testing.T) {
	d := newDesk(t)
	d.show(view.NewChat([]view.Item{view.User{Text: "go"}, view.Failure{Text: "The quota is used up.", Advice: "Wait until noon."}}, view.Spent{}), false)
	d.page.Find.Open()
	d.Type("noon")
	if !d.Reads("1 of 1") || !d.marked(d.Canvas().Capture(), "Wait until noon.") {
		t.Error("the match is not marked")
	}
	d.page.Find.Close()
	if d.marked(d.Canvas().Capture(), "Wait until noon.") {
		t.Error("the mark stays after the search")
	}
}

// Find assumed that the first card of an open group is as high as the group's line above it, and
// scrolled too far up for its matches.
func TestFindKnowsWhereTheFirstCardOfAGroupIs(t *testing.T) {
	d := newDesk(t)
	chat := calling(calling(view.Chat{}.Say("Look for it."), "a", "needle a"), "b", "needle b")
	d.show(chat.Apply(agent.TextDelta{Text: "It is done."}).Apply(agent.TurnEnded{Reason: agent.Done}), false)
	d.page.Find.Open()
	d.Type("needle")
	d.Key(fyne.KeyReturn)
	v, cards := &d.page.View, 0
	for i := range v.Rows {
		if c, ok := v.Rows[i].Block.(*Card); ok {
			cards++
			if got, want := blockTop(v, i), c.root.Position().Y; got != want {
				t.Errorf("card %d is at %v, Find takes it for at %v", i, want, got)
			}
		}
	}
	if cards != 2 || !d.Reads("2 calls") {
		t.Errorf("%d cards on the screen: %q", cards, d.Texts())
	}
}

// Find and "Copy as Markdown" used the id of a server, but its card showed the name.
func TestFindHasTheNameOfTheServer(t *testing.T) {
	d := newDesk(t)
	d.page.Actions.Server = func(string) string { return "Weather" }
	d.show(calling(view.Chat{}.Say("Look for it."), "rain", "no").Apply(agent.TurnEnded{Reason: agent.Done}), false)
	d.page.Find.Open()
	if d.Type("weather"); !d.Reads("1 of 1") {
		t.Errorf("Find does not know the name: %q", d.Texts())
	}
	for _, item := range withServerNames(d.page, d.page.View.Items) {
		if c, ok := item.(view.Card); ok && !strings.Contains(c.Source(), "(Weather)") {
			t.Errorf("the copy is %q", c.Source())
		}
	}
}

// The remark about a tool that goated leaves out had the id of its server, and the cards the name.
func TestARemarkHasTheNameOfTheServer(t *testing.T) {
	d := newDesk(t)
	d.page.Actions.Server = func(string) string { return "Weather" }
	d.show(view.Chat{}.Say("Rain?").Apply(agent.ToolQuarantined{Name: "w1__rain", Server: "w1", Tool: "rain", Reason: "too odd"}).Apply(agent.TurnEnded{Reason: agent.Done}), false)
	if !d.Says("goated leaves the tool rain of Weather out of this conversation") {
		t.Errorf("%q", d.Texts())
	}
	d.page.Find.Open()
	if d.Type("of weather out"); !d.Reads("1 of 1") {
		t.Errorf("Find does not know the name: %q", d.Texts())
	}
}

// A copy as text had the ids of servers, and a copy as Markdown their names.
func TestACopyHasTheNameOfTheServer(t *testing.T) {
	for _, size := range []int{10, 100_000} { // a large copy is made elsewhere
		d := newDesk(t)
		d.page.Actions.Server = func(string) string { return "Weather" }
		d.show(view.Chat{}.Say("Rain?").Apply(agent.ToolQuarantined{Name: "w1__fog", Server: "w1", Tool: "fog", Reason: "too odd"}).
			Apply(agent.ToolCalled{ID: "1", Server: "w1", Tool: "rain"}).Apply(agent.ToolDecided{ID: "1", Decision: agent.AllowOnce}).
			Apply(agent.ToolReturned{ID: "1", Result: &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: strings.Repeat("x", size)}}}}).Apply(agent.TurnEnded{Reason: agent.Done}), false)
		d.page.Selection.AllFocused()
		d.Shortcut(fyne.KeyC, fyne.KeyModifierShortcutDefault)
		d.drain()
		if text := d.Clipboard(); !strings.Contains(text, "(Weather)") || !strings.Contains(text, "fog of Weather") || strings.Contains(text, "w1") {
			t.Errorf("%d: the copy begins with %.200q", size, text)
		}
	}
}
