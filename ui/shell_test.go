package ui

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/storage"
	"fyne.io/fyne/v2/test"
	"google.golang.org/genai"

	"goated/agent"
	"goated/client"
	"goated/internal/config"
	"goated/registry"
	"goated/ui/kit"
	"goated/ui/view"
)

func TestCommandsAreDistinct(t *testing.T) {
	d := newDesk(t, Options{})
	ids, keys := map[string]bool{}, map[kit.Shortcut]string{}
	for _, c := range d.commands() {
		if ids[c.ID] || c.Title == "" || c.Run == nil {
			t.Errorf("command %q", c.ID)
		}
		ids[c.ID] = true
		for _, s := range append([]kit.Shortcut{c.Shortcut}, c.Also...) {
			if other := keys[s]; s.Key != "" && other != "" {
				t.Errorf("%s is for %s and for %s", s, other, c.ID)
			}
			keys[s] = c.ID
		}
		if c.Icon == "" || kit.NewIconCache().Icon(c.Icon, 16, 16) == nil {
			t.Errorf("%s has no icon %q", c.ID, c.Icon)
		}
	}
}

func TestPaletteRunsWhatIsFound(t *testing.T) {
	d := newDesk(t, Options{})
	d.see(toolServers())
	d.openPalette()
	p := d.top()
	in := p.First.(*kit.Input)
	in.SetText("sett")
	press(in, fyne.KeyReturn)
	if d.book == nil || len(d.stack.list) != 1 {
		t.Fatal("Enter did not open the settings alone")
	}
	d.openPaletteOver(t)
	in = d.top().First.(*kit.Input)
	in.SetText("try read")
	press(in, fyne.KeyDown)
	press(in, fyne.KeyReturn)
	if d.station == nil || d.station.tool != "read_text_file" || d.book != nil {
		t.Fatal("the second match was not tried, or the settings are still there")
	}
	d.clear()
	d.openPalette()
	press(d.top().First.(*kit.Input), fyne.KeyEscape)
	if len(d.stack.list) != 0 {
		t.Error("Escape does not close it")
	}
}

// openPaletteOver opens it as its key does.
func (d *desk) openPaletteOver(t *testing.T) {
	t.Helper()
	for _, c := range d.commands() {
		if c.ID == "palette" {
			d.run(c)
		}
	}
}

func TestNothingIsRunWhileAQuestionWaits(t *testing.T) {
	d := newDesk(t, Options{})
	d.show()
	approve(d, background(t), "write")
	d.until("the question is there", func() bool { return d.asked != nil })
	d.openPaletteOver(t)
	if len(d.stack.list) != 1 {
		t.Error("the palette lies over a question")
	}
}

// kept is a place for settings that remembers the last.
type kept struct {
	mu   sync.Mutex
	last config.Settings
	n    int
}

func (k *kept) save(s config.Settings) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.last, k.n = s, k.n+1
	return nil
}

func TestSettingsAreSavedAtTheLatestWithClose(t *testing.T) {
	var k kept
	d := newDesk(t, Options{Save: k.save})
	d.Show()
	d.openSettings(settingsLook)
	test.Tap(d.book.Names[settingsLimits].Spot)
	d.setTheme("dark")
	d.zoom(1)
	d.Close()
	if k.last.Theme != "dark" || k.last.Zoom != 110 {
		t.Errorf("saved is %+v", k.last)
	}
}

func TestWelcomeIsShownOnce(t *testing.T) {
	var k kept
	d := newDesk(t, Options{Save: k.save})
	d.Show()
	if len(d.stack.list) != 1 {
		t.Fatal("nobody is welcomed")
	}
	test.Tap(d.button("Try"))
	if d.composer.input.Text != firstPrompt || len(d.stack.list) != 0 {
		t.Errorf("the composer holds %q", d.composer.input.Text)
	}
	d.Close()
	if !k.last.Welcomed {
		t.Fatal("it is not remembered")
	}
	again := newDesk(t, Options{Save: k.save, Settings: k.last})
	again.show()
	if len(again.stack.list) != 0 {
		t.Error("it comes again")
	}
}

func TestKeyIsKeptTestedAndNeverShown(t *testing.T) {
	const key = "AIza-not-a-real-key"
	var saved string
	keys := &Keys{
		Save:   func(_ context.Context, k string) error { saved = k; return nil },
		Clear:  func(context.Context) error { saved = ""; return nil },
		Models: func(context.Context) ([]string, error) { return []string{"gemini-a", "gemini-b"}, nil },
	}
	d := newDesk(t, Options{Keys: keys, Model: "offline", Remake: func(context.Context, config.Settings) (Answering, error) {
		a := Answering{NewSession: func() *agent.Session { return &agent.Session{MaxSteps: 3} }, Model: "offline"}
		if saved != "" {
			a.Model, a.KeyFrom = "gemini-a", "keyring"
		}
		return a, nil
	}})
	d.show()
	d.openSettings(settingsModel)
	in, ok := find(d, func(in *kit.Input) bool { return in.Password })
	if !ok {
		t.Fatal("there is no field for a key")
	}
	in.SetText(key)
	test.Tap(d.button("Save"))
	d.until("it is tested", func() bool { return d.reads("The key works: 2 models can be chosen.") })
	if saved != key || d.model.Text != "gemini-a" || d.chats[0].session.MaxSteps != 3 {
		t.Errorf("saved %q, model %q", saved, d.model.Text)
	}
	if !d.reads("A key is set, from the keyring") {
		t.Error("it does not say where the key is")
	}
	if _, shown := find(d, func(in *kit.Input) bool { return strings.Contains(in.Text, "AIza") }); shown {
		t.Error("the key is shown")
	}
	test.Tap(d.button("Remove"))
	d.until("it is gone", func() bool { return d.reads("No key is set") })
	if saved != "" || d.model.Text != "offline" {
		t.Errorf("after removing: %q, %q", saved, d.model.Text)
	}
}

func TestGrantIsRevoked(t *testing.T) {
	p := &agent.Policy{}
	p.Grant(registry.Entry{Name: "files__write"})
	d := newDesk(t, Options{Policy: p})
	d.openSettings(settingsApprovals)
	test.Tap(d.button("Revoke"))
	if len(p.Grants()) != 0 || d.reads("files__write") {
		t.Error("it is still granted")
	}
}

func TestServerPageTriesAndRestarts(t *testing.T) {
	script, err := filepath.Abs("testdata/echo.py")
	if err != nil {
		t.Fatal(err)
	}
	host := client.New(client.Options{Unconfined: anyhow})
	defer host.Close()
	d := newDesk(t, Options{Host: host, Policy: &agent.Policy{}})
	d.show()
	d.joinThrough(script)
	id := d.servers.Servers[0].ID
	tool := d.servers.Servers[0].Tools[1] // echo
	d.visit(id, tool.Tool.Name)
	for _, fd := range d.form(t) {
		if in, ok := fd.(*kit.Input); ok {
			in.SetText("hello")
		}
	}
	test.Tap(d.button("Run"))
	d.until("it is asked for", func() bool { return d.asked != nil })
	d.later()
	test.Tap(d.button("Deny"))
	d.until("it is not run", func() bool { return d.reads("You did not allow it.") })
	test.Tap(d.button("Run"))
	d.until("it is asked for again", func() bool { return d.asked != nil })
	d.later()
	test.Tap(d.button("Always allow this tool"))
	d.until("the result is there", func() bool {
		_, ok := find(d, func(l *kit.Label) bool { return strings.HasPrefix(l.Text, "Result · ") })
		return ok
	})
	if g := d.options.Policy.Grants(); !slices.Equal(g, []string{tool.Name}) {
		t.Errorf("granted are %v", g)
	}
	test.Tap(d.button("Restart"))
	d.until("it runs anew", func() bool { return d.reads("echo is running anew") })
	test.Tap(d.station.Names[serverProcess].Spot)
	if !d.reads("PATH") {
		t.Error("its environment is not shown")
	}
	d.clear()
	if d.station != nil || len(d.stack.list) != 0 {
		t.Error("the page does not close")
	}
}

// joinThrough connects a script through the sheet and waits.
func (d *desk) joinThrough(script string) {
	d.t.Helper()
	d.connect()
	d.connector.path.SetText(`"` + script + `"`) // as pasted from a file manager
	test.Tap(d.button("Connect"))
	d.until("it is connected", func() bool {
		return d.connector == nil && len(d.servers.Servers) == 1 && len(d.servers.Servers[0].Tools) > 0
	})
	if len(d.settings.Recent) != 1 || d.settings.Recent[0].Path != script {
		d.t.Errorf("recent are %v", d.settings.Recent)
	}
}

// form lists what can be filled in on the top layer.
func (d *desk) form(t *testing.T) []fyne.CanvasObject {
	t.Helper()
	var all []fyne.CanvasObject
	find(d, func(in *kit.Input) bool { all = append(all, in); return false })
	return all
}

func TestDrop(t *testing.T) {
	dir := t.TempDir()
	put := func(name string, data []byte) fyne.URI {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return storage.NewFileURI(path)
	}
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 30, 20))); err != nil {
		t.Fatal(err)
	}
	script, notes := put("tool.py", []byte("print()\n")), put("notes.txt", []byte("notes\n"))
	photo, binary := put("photo.png", picture.Bytes()), put("a.bin", []byte{0, 1, 2})

	d := newDesk(t, Options{})
	d.show()
	d.drop(fyne.NewPos(600, 200), []fyne.URI{script})
	if d.connector == nil || d.connector.path.Text != script.Path() || d.joining != nil {
		t.Fatal("the script is not offered to be connected, or runs already")
	}
	d.drop(fyne.NewPos(600, 200), []fyne.URI{notes})
	if !d.reads("Invalid server script type. Must be .py or .js.") {
		t.Error("nothing says that it is no script")
	}
	d.clear()
	d.drop(fyne.NewPos(600, 200), []fyne.URI{notes, photo, binary})
	d.until("two are attached", func() bool { return len(d.composer.chips.Objects) == 2 })
	d.until("the third is refused", func() bool {
		return d.reads("A.bin can't be attached: it is no text, and no image, sound, video or PDF that a model takes.") ||
			d.reads("a.bin can't be attached: it is no text, and no image, sound, video or PDF that a model takes.")
	})
	if d.chats[0].files[1].Preview == nil {
		t.Error("the picture has no preview")
	}
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(d.composer.root).AddXY(20, 20)
	d.drop(at, []fyne.URI{script})
	d.until("a script on the composer is attached", func() bool { return len(d.composer.chips.Objects) == 3 })
}

func TestAttachmentsAreSentAndShown(t *testing.T) {
	var got []*genai.Content
	d := newDesk(t, Options{NewSession: sessions(script(func(_ context.Context, h []*genai.Content, yield func(string, error) bool) {
		got = h
		yield("seen", nil)
	}))})
	d.show()
	clip := d.app.Clipboard()
	clip.SetContent(strings.Repeat("long ", view.LargePaste/5+1))
	d.composer.input.TypedShortcut(&fyne.ShortcutPaste{Clipboard: clip})
	d.until("it is attached", func() bool { return len(d.composer.chips.Objects) == 1 })
	if d.composer.input.Text != "" || d.composer.send.Disabled() {
		t.Error("the text is in the field as well, or it can't be sent alone")
	}
	d.composer.input.SetText("what is this?")
	press(d.composer.input, fyne.KeyReturn)
	d.until("the answer is there", func() bool { return d.idle() && d.reads("seen") })
	if len(got) != 1 || len(got[0].Parts) != 2 || !strings.HasPrefix(got[0].Parts[0].Text, `Attached file "Pasted text.txt":`) {
		t.Fatalf("the model reads %+v", got)
	}
	if len(d.composer.chips.Objects) != 0 || !d.reads("Pasted text.txt") {
		t.Error("the chip is still in the composer, or not in the conversation")
	}
}

func TestUnreadAndNotified(t *testing.T) {
	release := make(chan struct{})
	notified := make(chan string, 1)
	d := newDesk(t, Options{
		Notify: func(title, text string) { notified <- title + ": " + text },
		NewSession: sessions(script(func(context.Context, []*genai.Content, func(string, error) bool) {
			<-release
		})),
	})
	d.show()
	d.send("first")
	d.newChat()
	d.away = true
	d.clock = d.clock.Add(11 * time.Second)
	close(release)
	d.until("the turn ends", func() bool { return !d.chats[0].running() })
	if !d.chats[0].unread {
		t.Error("it is not marked as unread")
	}
	if got := <-notified; !strings.HasPrefix(got, "first: ") {
		t.Errorf("the notification says %q", got)
	}
	d.choose(0)
	if d.chats[0].unread {
		t.Error("it is still unread when it is shown")
	}
}

func TestTooltipComesAndGoes(t *testing.T) {
	d := newDesk(t, Options{})
	before := len(d.Window.clock.Beats)
	d.composer.clip.MouseIn(nil)
	d.beats(kit.TooltipBeats + 1)
	if !d.reads("Attach files") {
		t.Fatal("nothing says what the button is")
	}
	d.composer.clip.MouseOut()
	if d.reads("Attach files") || len(d.Window.clock.Beats) != before {
		t.Error("the tooltip stays, or its clock ticks on")
	}
}

func TestDataFolderOpensAsTheDesktopDoes(t *testing.T) {
	d := newDesk(t, Options{DataDir: "/home/ada/my data", LogFile: "/home/ada/my data/goated.log"})
	d.show()
	opened := make(chan string, 1)
	d.openURL = func(u *url.URL) error { opened <- u.String(); return errBoom }
	d.openSettings(settingsData)
	test.Tap(d.button("Open folder"))
	if got := <-opened; got != "file:///home/ada/my%20data" {
		t.Errorf("opened is %s", got)
	}
	d.until("it is told that it did not", func() bool { return d.reads("It did not open: " + errBoom.Error()) })
}
