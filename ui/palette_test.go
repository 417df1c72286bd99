package ui_test

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"

	"goated/registry"
	"goated/ui"
	"goated/ui/internal/samplechat"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client"
)

// withTools returns a connected server with tools of these names.
func withTools(names ...string) client.Snapshot {
	s := samplechat.Servers()
	var tools []registry.Entry
	for _, name := range names {
		tools = append(tools, registry.Entry{Name: "filesystem__" + name, Server: "filesystem", Tool: &mcp.Tool{Name: name, Description: "It does " + name + ".",
			InputSchema: map[string]any{"type": "object", "properties": map[string]any{"path": map[string]any{"type": "string"}}}}})
	}
	s.Servers[0].Tools = tools
	return s
}

func TestPaletteRunsWhatIsFound(t *testing.T) {
	d := newDesk(t, ui.Options{})
	d.window.ShowServers(withTools("read_media_file", "read_text_file"))
	d.run("sett")
	if d.Layers() != 1 || !d.Reads("Settings") {
		t.Fatalf("Enter did not open the settings alone: %q", d.Texts())
	}
	d.Ctrl(fyne.KeyK)
	d.Type("try read")
	d.Key(fyne.KeyDown)
	d.Key(fyne.KeyReturn)
	if d.Layers() != 1 || !d.Reads("It does read_text_file.") {
		t.Fatalf("the second match is not tried, or the settings are still there: %q", d.Texts())
	}
	d.closeSheets()
	d.Ctrl(fyne.KeyK)
	d.Key(fyne.KeyEscape)
	if d.Layers() != 0 {
		t.Error("Escape does not close the palette")
	}
}

func TestNothingIsRunWhileAQuestionWaits(t *testing.T) {
	d := shown(t, ui.Options{})
	suggest(d, background(t), "write")
	d.sees("Did you mean write?")
	d.Ctrl(fyne.KeyK)
	if d.Layers() != 1 || !d.Reads("Did you mean write?") {
		t.Error("the palette lies over a question")
	}
}

func TestTooltipComesAndGoes(t *testing.T) {
	d := newDesk(t, ui.Options{})
	before := d.window.Ticking()
	d.HoverIcon("clip")
	d.beats(7)
	if !d.Reads("Attach files") {
		t.Fatal("no tooltip names the button")
	}
	d.Leave()
	if d.Reads("Attach files") || d.window.Ticking() != before {
		t.Error("the tooltip stays, or its clock ticks on")
	}
	d.HoverIcon("clip")
	d.beats(7)
	d.Ctrl(fyne.KeyT) // opens the Tools page
	if d.Reads("Attach files") {
		t.Error("the tooltip stays over another page")
	}
}

// Commands come before conversations whose titles happen to contain the word. Scattered letters
// do not match a title. Headings name the sections. A stranger found these faults.
func TestPaletteRanksCommandsFirst(t *testing.T) {
	s, _ := archive(t)
	d := keeping(t, s)
	for _, text := range []string{"refactor the parser", "the hotel meeting", "refactor the printer"} {
		d.newChat()
		d.says(text)
	}
	d.newChat()
	d.Ctrl(fyne.KeyK)
	for _, heading := range []string{"Recent", "Commands"} {
		d.sees(heading)
	}
	palette := func() []string { return d.Texts() } // the palette covers the page and is drawn last
	before := func(a, b string) bool {
		rows := palette()
		i, j := lastIndex(rows, a), lastIndex(rows, b)
		return i >= 0 && j > i
	}
	if !before("Recent", "refactor the printer") || !before("refactor the printer", "Commands") || !d.Says("You said: refactor the printer") {
		t.Errorf("the palette begins with %q", palette())
	}
	d.Type("the")
	if !before("Theme: light", "Recent") || !before("Recent", "the hotel meeting") {
		t.Errorf("\"the\" finds %q", palette())
	}
	d.Type("me")
	if got := palette(); lastIndex(got, "the hotel meeting") > lastIndex(got, "Commands") || !slices.Contains(got, "Theme: dark") {
		t.Errorf("\"theme\" finds %q", got)
	}
}

func lastIndex(rows []string, text string) int {
	for i, row := range slices.Backward(rows) {
		if row == text {
			return i
		}
	}
	return -1
}

// The palette knew conversations by their place when it opened. It opened another one if the order had
// changed in the meantime, such as when an answer ended, and crashed if the list was shorter.
func TestThePaletteOpensTheConversationThatItNames(t *testing.T) {
	d := shown(t, ui.Options{})
	alpha, beta, gamma := chatWith("alpha"), chatWith("beta"), chatWith("gamma")
	d.window.ShowChats(2, alpha, beta, gamma)
	d.Ctrl(fyne.KeyK)
	d.window.ShowChats(2, beta, alpha, gamma)
	d.Insert("alpha")
	d.Key(fyne.KeyReturn)
	if got := d.title(); got != "alpha" {
		t.Errorf("the window shows %q", got)
	}
	d.Ctrl(fyne.KeyK)
	d.window.ShowChats(0, alpha)
	d.Insert("gamma")
	d.Key(fyne.KeyReturn)
	if got := d.title(); got != "alpha" || d.Layers() > 0 {
		t.Errorf("after gamma is deleted, the window shows %q", got)
	}
}
