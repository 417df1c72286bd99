package ui

import (
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"goated/agent"
	"goated/internal/config"
	"goated/ui/chats"
	"goated/ui/dialogs"
	"goated/ui/internal/samples"
	"goated/ui/kit"
	"goated/ui/settings"
	"goated/ui/shell"
	"goated/ui/transcript"
	"goated/ui/view"
	"goated/ui/view/format"
)

// states are what the window can look like, each drawn into a desk.
func states(t *testing.T) map[string]func(d *desk) {
	long := strings.Repeat("A sentence that goes on for a while, so that it takes lines. ", 30)
	all := map[string]func(d *desk){
		"empty": func(*desk) {},
		"chat": func(d *desk) {
			d.chats.Transcript.On.Regenerate, d.chats.Transcript.On.Edit, d.chats.Transcript.On.Delete = func(int) {}, func(int) {}, func(int) {}
			d.chats.Chats[0].Chat = samples.Chat().Say(long).Apply(agent.ThoughtDelta{Text: long}).Apply(agent.TextDelta{Text: long}).Fail(errBoom)
			d.chats.Chats = append(d.chats.Chats, &chats.Conversation{Chat: view.Chat{}.Say("Another one")})
			d.chats.Refresh()
			for i := range d.chats.Transcript.View.Rows {
				if c, ok := d.chats.Transcript.View.Make(i).(*transcript.Card); ok {
					c.Toggle()
				}
			}
			toTop(d.chats.Transcript)
		},
		"attachments": func(d *desk) { someFiles(d); d.chats.Composer.Input.Put("And this?") },
		"connect":     func(d *desk) { d.servers.Connect() },
		"environment": func(d *desk) {
			d.prefs.current = d.prefs.current.Used(config.Launch{Path: "/a/b.py"}).Used(config.Launch{Path: "/a/c.js", Args: []string{long}})
			d.servers.Connect()
			d.servers.Connector.Fill(config.Launch{Path: "/home/ada/" + strings.Repeat("deep/", 30) + "weather.py", Args: []string{"a", "b c"}, Dir: "/tmp",
				Env: []config.Variable{{Name: "A_TOKEN", Value: long}, {Name: "B", Value: "2"}}})
			d.servers.Connector.Fail(errBoom)
		},
		"approval": func(d *desk) { ask(d, dialogs.Approval(toolCall(format.Cut(long, 400)))) },
		"help":     func(d *desk) { d.commands.openHelp() },
		"palette":  func(d *desk) { d.commands.openPalette() },
		"welcome":  func(d *desk) { d.openWelcome() },
		"tool":     func(d *desk) { d.see(toolServers()); d.servers.OpenServer("filesystem", "move_file") },
	}
	for page, name := range []string{"model", "limits", "look", "approvals", "servers", "data"} {
		all["settings "+name] = func(d *desk) {
			d.settingsPages.Keys = &settings.Keys{From: "keyring"}
			var tools []string
			for i := range 12 {
				tools = append(tools, fmt.Sprintf("read_text_file_%d", i))
			}
			d.settingsPages.Policy = grantedPolicy(t, tools...)
			d.settingsPages.Bundled = []config.Bundled{{Name: "ghost", Default: true}}
			d.settingsPages.DataDir, d.settingsPages.LogFile = "/home/ada/.local/share/goated", "/home/ada/.local/share/goated/logs/goated.log"
			d.prefs.current = d.prefs.current.Start(config.Launch{Path: "/home/ada/tools/filesystem.js", Args: []string{long}}, true)
			d.settingsPages.Open(page)
			for i := range 20 {
				d.settingsPages.Shown.Models = append(d.settingsPages.Shown.Models, fmt.Sprintf("gemini-%d-flash", i))
			}
			d.settingsPages.Shown.Redo()
		}
	}
	for page, name := range []string{"tools", "resources", "prompts", "log", "process"} {
		all["server "+name] = func(d *desk) {
			d.see(toolServers())
			d.servers.OpenServer("filesystem", "")
			d.servers.Page.Select(page)
		}
	}
	return all
}

// toolCall is a call that has to be approved.
func toolCall(path string) agent.ToolCalled {
	return agent.ToolCalled{ID: "1", Name: "filesystem__write", Server: "filesystem", Tool: "write", Args: map[string]any{"path": path, "text": strings.Repeat("line\n", 60)}}
}

func ask(d *desk, q shell.Question) { d.shell.Sheets.Open(q.Draw(d.shell, 1, func(any) {})) }

// ringed reports whether what has the focus shows that it has it.
func ringed(o fyne.Focusable) bool {
	switch o := o.(type) {
	case *kit.Button:
		_, _, _, a := test.WidgetRenderer(o).(*kit.ButtonRenderer).Ring.StrokeColor.RGBA()
		return a > 0
	case *kit.Tappable:
		return test.WidgetRenderer(o).(*kit.TappableRenderer).Ground.Stroke == kit.ColorAccent
	case *kit.Input:
		return o.Lit || o.OnFocus != nil || o.Hold.Beat != nil // which shows the cursor at least
	case *kit.List:
		return o.Bar.Hovered
	}
	return false
}

// sight is where an object is, as far as what it lies in lets it be seen.
func sight(d *desk, o fyne.CanvasObject) (at fyne.Position, size fyne.Size, seen bool) {
	driver := fyne.CurrentApp().Driver()
	at, size = driver.AbsolutePositionForObject(o), o.Size()
	within := func(p fyne.Position, s fyne.Size) bool {
		const slack = 0.5
		high := min(size.Height, s.Height) // what is higher than its window begins there
		return at.X >= p.X-slack && at.Y >= p.Y-slack && at.X+size.Width <= p.X+s.Width+slack && at.Y+high <= p.Y+s.Height+slack
	}
	seen = within(fyne.NewPos(0, 0), d.frame.win.Canvas().Size())
	for _, s := range kit.ScrollersAround(d.front(), o, nil) {
		seen = seen && within(driver.AbsolutePositionForObject(s), s.Size())
	}
	return at, size, seen
}

// Tab comes to everything, in the order in which it is read, always in sight and
// with a ring, and goes round.
func TestTabWalksTheWholeWindow(t *testing.T) {
	for name, draw := range states(t) {
		for _, size := range []fyne.Size{{Width: 1280, Height: 840}, {Width: 640, Height: 480}} {
			if testing.Short() && size.Width > 640 {
				continue // a smaller window scrolls more
			}
			t.Run(fmt.Sprintf("%s %g", name, size.Width), func(t *testing.T) {
				d := newDesk(t, Options{})
				d.frame.win.Resize(size)
				d.see(samples.Servers())
				draw(d)
				walk(t, d)
			})
		}
	}
}

// A stop is a place that Tab came to.
type stop struct {
	o    fyne.Focusable
	area int
	y, h float32 // in its area, where nothing has scrolled
}

func walk(t *testing.T, d *desk) {
	t.Helper()
	c := d.frame.win.Canvas()
	c.Unfocus()
	var stops []stop
	seen := make(map[fyne.Focusable]bool)
	for range 400 {
		c.FocusNext()
		o := c.Focused()
		if o == nil || seen[o] {
			break
		}
		seen[o] = true
		at, size, visible := sight(d, o.(fyne.CanvasObject))
		what := describe(o)
		if !visible {
			t.Errorf("%s is not in sight: at %v, %v large", what, at, size)
		}
		if !ringed(o) {
			t.Errorf("%s shows no ring", what)
		}
		area, y := d.area(o.(fyne.CanvasObject), at)
		stops = append(stops, stop{o, area, y, size.Height})
	}
	if len(stops) == 0 {
		t.Fatal("Tab comes to nothing")
	}
	if first := c.Focused(); first != stops[0].o {
		t.Errorf("after %d places Tab goes to %s, and not round to %s", len(stops), describe(first), describe(stops[0].o))
	}
	for i, s := range stops[1:] {
		before := stops[i]
		switch {
		case s.area < before.area:
			t.Errorf("%s (area %d) comes after %s (area %d)", describe(s.o), s.area, describe(before.o), before.area)
		case s.area == before.area && s.y+s.h <= before.y:
			t.Errorf("%s lies above %s, and comes after it", describe(s.o), describe(before.o))
		}
	}
}

// area says in which part of the window an object is, as a number that grows in
// the order of reading, and where in it.
func (d *desk) area(o fyne.CanvasObject, at fyne.Position) (int, float32) {
	inside := func(root fyne.CanvasObject) bool {
		return kit.ScrollersAround(root, o, []*container.Scroll{nil}) != nil
	}
	offset := func(s *kit.Scroller) float32 { return at.Y + s.Scroll.Offset.Y }
	if n := len(d.shell.Sheets.All); n > 0 {
		s := d.shell.Sheets.All[n-1]
		switch {
		case s.Body != nil && inside(s.Body.Root):
			return 2, offset(s.Body)
		case s.Body != nil && at.Y > fyne.CurrentApp().Driver().AbsolutePositionForObject(s.Body.Root).Y+s.Body.Root.Size().Height:
			return 3, at.Y
		case d.settingsPages.Shown != nil && o.Size().Height == 36 || d.servers.Page != nil && o.Size().Height == 36:
			return 1, at.Y // the names of the pages
		}
		return 0, at.Y
	}
	switch {
	case inside(d.chats.Sidebar.Root):
		return 0, at.Y
	case inside(d.chats.Transcript.View.List):
		return 2, offset(d.chats.Transcript.View.Scroll)
	case inside(d.chats.Transcript.Root):
		return 3, at.Y
	case inside(d.chats.Composer.Root):
		return 4, at.Y
	}
	return 1, at.Y
}

func describe(o fyne.Focusable) string {
	switch o := o.(type) {
	case nil:
		return "nothing"
	case *kit.Button:
		return fmt.Sprintf("button %q %s", o.Text, o.Icon)
	case *kit.Input:
		return fmt.Sprintf("field %q %s", o.PlaceHolder, o.Text)
	}
	return fmt.Sprintf("%T at %v", o, fyne.CurrentApp().Driver().AbsolutePositionForObject(o.(fyne.CanvasObject)))
}

// A message is chosen with Alt and the arrows, from the composer too, and has its
// keys then.
func TestMessagesHaveKeys(t *testing.T) {
	d := newDesk(t, Options{})
	done := ""
	note := func(what string) func(int) { return func(i int) { done = fmt.Sprint(what, i) } }
	d.chats.Transcript.On.Edit, d.chats.Transcript.On.Regenerate, d.chats.Transcript.On.Delete = note("edit"), note("again"), note("delete")
	d.chats.Chats[0].Chat = samples.Chat()
	for range 30 {
		d.chats.Chats[0].Chat = d.chats.Chats[0].Chat.Say("And?").Apply(agent.TextDelta{Text: "So."}).Apply(agent.TurnEnded{Reason: agent.Done})
	}
	d.chats.Refresh()
	kit.Focus(d.chats.Composer.Input)
	alt := func(key fyne.KeyName) {
		d.frame.win.Canvas().Focused().(fyne.Shortcutable).TypedShortcut(&desktop.CustomShortcut{KeyName: key, Modifier: fyne.KeyModifierAlt})
	}
	type_ := func(key fyne.KeyName) { press(d.frame.win.Canvas().Focused(), key) }
	last := len(d.chats.Transcript.View.Items) - 1
	alt(fyne.KeyUp)
	if d.chats.Transcript.Keyboard.Chosen-1 != last || d.chats.Transcript.Keyboard.Ring.Hidden {
		t.Fatalf("item %d is chosen, of %d", d.chats.Transcript.Keyboard.Chosen-1, last+1)
	}
	type_(fyne.KeyR)
	if done != fmt.Sprint("again", last) {
		t.Errorf("R does %q", done)
	}
	alt(fyne.KeyUp)
	type_(fyne.KeyE)
	if done != fmt.Sprint("edit", last-1) {
		t.Errorf("E does %q", done)
	}
	type_(fyne.KeyDelete)
	if done != fmt.Sprint("delete", last-1) {
		t.Errorf("Delete does %q", done)
	}
	type_(fyne.KeyC)
	if got := d.app.Clipboard().Content(); got != "And?" {
		t.Errorf("C copies %q", got)
	}
	type_(fyne.KeyTab)
	if b, ok := d.frame.win.Canvas().Focused().(*kit.Button); !ok || b.Icon != "copy" {
		t.Errorf("Tab goes to %s", describe(d.frame.win.Canvas().Focused()))
	}
	if d.chats.Transcript.Keyboard.Chosen != 0 {
		t.Error("the message is still chosen, although something else has the keys")
	}
	alt(fyne.KeyUp)
	type_(fyne.KeyHome)
	for d.chats.Transcript.Keyboard.Chosen > 0 {
		if _, ok := d.chats.Transcript.View.Items[d.chats.Transcript.Keyboard.Chosen-1].(view.Card); ok {
			break
		}
		type_(fyne.KeyDown)
	}
	at := d.chats.Transcript.Keyboard.Chosen - 1
	if at < 0 || d.chats.Transcript.View.Scroll.Scroll.Offset.Y > d.chats.Transcript.View.Heights.Before(at)+d.chats.Transcript.View.Headroom() {
		t.Fatalf("card %d is not in sight", at)
	}
	type_(fyne.KeyReturn)
	if c := d.chats.Transcript.View.Make(at).(*transcript.Card); !c.Open || d.chats.Transcript.Keyboard.Chosen-1 != at {
		t.Error("Enter does not open the card, or it is not chosen any more")
	}
	d.typed(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if d.chats.Transcript.Keyboard.Chosen != 0 || d.frame.win.Canvas().Focused() != d.chats.Composer.Input {
		t.Error("Escape does not go back to the composer")
	}
}

// The arrows walk through a list, and stay in it.
func TestArrowsWalkThroughLists(t *testing.T) {
	d := newDesk(t, Options{})
	d.settingsPages.Open(settings.Model)
	spots := d.settingsPages.Shown.Names
	kit.Focus(spots[0].Tappable)
	for i := range spots[1:] {
		press(d.frame.win.Canvas().Focused(), fyne.KeyDown)
		if d.frame.win.Canvas().Focused() != spots[i+1].Tappable {
			t.Fatalf("Down does not go to page %d", i+1)
		}
	}
	press(d.frame.win.Canvas().Focused(), fyne.KeyUp)
	press(d.frame.win.Canvas().Focused(), fyne.KeyReturn)
	if d.settingsPages.Shown.At != len(spots)-2 {
		t.Errorf("page %d is open", d.settingsPages.Shown.At)
	}
}
