package ui_test

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/storage"

	"goated/agent"
	"goated/internal/install"
	"goated/ui"
	"goated/ui/internal/samplechat"
)

// withToken is the command of a server that needs a value for a variable.
const withToken = `npx -y mcp-remote https://shop.example/mcp --header "Authorization:Bearer ${GOATED_NO_TOK}"`

// A click beside the sheet threw away the pasted text.
func TestAPressBesideKeepsThePastedText(t *testing.T) {
	d := hosted(t, ui.Options{})
	d.openConnect()
	d.Enter(scriptField, "npx -y x-mcp")
	beside := fyne.NewPos(5, 400)
	d.PressAt(beside, 0)
	if !d.connecting() || d.Field(scriptField) != "npx -y x-mcp" {
		t.Fatalf("the text is gone: %q", d.Texts())
	}
	d.Enter(scriptField, "")
	d.PressAt(beside, 0)
	if d.connecting() {
		t.Error("an empty sheet stays open")
	}
	d.openConnect()
	d.Enter(scriptField, "npx -y x-mcp")
	d.Key(fyne.KeyEscape)
	if d.connecting() {
		t.Error("Escape does not close the sheet")
	}
}

// A click beside a sheet threw away what the user had typed there: instructions, the values of
// a server being installed, a title, a key. So did a shortcut, such as Ctrl+L for the message, and a
// file that was dropped onto the window. A sheet without such text still closes.
func TestAPressBesideKeepsWhatIsTyped(t *testing.T) {
	for name, open := range map[string]func(d *desk){
		"Custom instructions": func(d *desk) { d.run("Custom instructions…") },
		"Rename the conversation": func(d *desk) {
			d.says("hello")
			d.run("Rename the conversation…")
		},
		"New profile": func(d *desk) { d.run("New profile of servers…") },
		"Settings":    func(d *desk) { d.run("Settings"); d.FocusField(agent.DefaultModel) },
		"Install Weather": func(d *desk) {
			d.openConnect()
			d.Enter(scriptField, `{"name":"io.github.ada/weather","title":"Weather","version":"1.2.3","packages":[{"registryType":"npm","identifier":"@ada/weather","version":"1.2.3","transport":{"type":"stdio"},"environmentVariables":[{"name":"PLACE"}]}]}`)
			d.Press("Add and start")
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := archive(t)
			in := install.New(t.TempDir(), standInRegistry(t), "linux")
			d := shown(t, ui.Options{History: s, Files: ui.Files{DataDir: t.TempDir(), Installer: &in}, Agent: ui.AgentOptions{NewSession: sessions(samplechat.Echo)}})
			for how, leave := range map[string]func(){
				"a press beside": func() { d.PressAt(fyne.NewPos(5, 400), 0) },
				"a shortcut":     func() { d.Ctrl(fyne.KeyL) },
				"a file":         func() { d.drop(fyne.NewPos(5, 400), storage.NewFileURI("/nowhere.txt")) },
			} {
				for _, text := range []string{"typed", ""} {
					open(d)
					d.sees(name)
					layers := d.Layers()
					d.Type(text)
					leave()
					holds := text != "" || name == "Install Weather" && how != "a press beside" // the pasted text is on the sheet behind
					if stays := d.Layers() == layers && d.Reads(name); stays != holds {
						t.Errorf("%s: %q is typed, and the sheet stays: %v", how, text, stays)
					}
					if holds && how != "a press beside" && !d.Reads("Finish what you typed here first, or press Esc to discard it.") {
						t.Errorf("%s: the screen shows %q", how, d.Texts())
					}
					d.closeSheets()
				}
			}
		})
	}
}

// In a small window the buttons were below its edge after the variables were opened.
func TestTheButtonsOfTheAddSheetStay(t *testing.T) {
	d := hosted(t, ui.Options{})
	for _, size := range []fyne.Size{smallestSize, usualSize} {
		d.Window.Resize(size)
		d.run("Connect a tool…")
		d.Enter(scriptField, withToken)
		for _, button := range []string{"Add and start", "Cancel"} {
			at, of, seen := d.Place(button)
			if !seen || at.Y+of.Height > size.Height {
				t.Errorf("%v: %s is at %v, seen: %v", size, button, at, seen)
			}
		}
		d.closeSheets()
	}
}

// The button looked enabled for a text that starts nothing. Enter now gives the reason.
func TestAnUnreadableTextCannotBeAdded(t *testing.T) {
	d := hosted(t, ui.Options{})
	d.openConnect()
	d.Enter(scriptField, "pip install x-mcp")
	if d.Pressable("Add and start") {
		t.Error("the button is enabled")
	}
	d.Key(fyne.KeyReturn)
	d.until("it says why", func() bool { return d.Icons("alert") > 0 })
	d.Enter(scriptField, "npx -y x-mcp")
	if !d.Pressable("Add and start") {
		t.Error("the button stays disabled")
	}
}

// The sheet showed fields for arguments and a working directory for a server with a URL. It
// showed the server's headers under "Environment", and then twice under "Headers". It showed
// these fields for several servers too, where they had no effect. It called a value
// "input:GOATED_NO_TOK".
func TestTheAddSheetShowsTheFieldsThatApply(t *testing.T) {
	d := hosted(t, ui.Options{})
	d.openConnect()
	for _, c := range []struct {
		text, title string
		program     bool
	}{
		{withToken, "Environment", true},
		{`claude mcp add --transport http lin https://lin.example/mcp --header "Authorization: Bearer YOUR_KEY"`, "Headers", false},
		{`{"inputs":[{"id":"k"}],"servers":{"a":{"url":"https://a.example/mcp?k=${input:k}"},"b":{"url":"https://b.example/mcp"}}}`, "Values", false},
	} {
		d.Enter(scriptField, c.text)
		d.sees(c.title)
		for _, part := range []string{"More arguments", "Working directory"} {
			if d.Reads(part) != c.program {
				t.Errorf("%s: %q is shown: %v", c.text, part, !c.program)
			}
		}
		for _, title := range []string{"Environment", "Headers", "Values"} {
			want := 0
			if title == c.title {
				want = 1
			}
			if n := d.Count(title); n != want {
				t.Errorf("%s: %q is shown %d times", c.text, title, n)
			}
		}
	}
	d.Enter(scriptField, withToken)
	if got := d.Field("NAME", 0); got != "GOATED_NO_TOK" {
		t.Errorf("the value is called %q", got)
	}
	d.Key(fyne.KeyReturn)
	d.sees("Enter a value for GOATED_NO_TOK.")
	d.Paste("GOATED_NO_TOK=abc")
	d.FocusField("NAME")
	d.Paste("GOATED_NO_TOK=abc")
	if n := d.CountFields("NAME"); n != 1 {
		t.Errorf("a pasted value makes %d rows", n)
	}
}

// The sheet still read fields that it had hidden, so a server with a URL got a working
// directory.
func TestTheAddSheetReadsOnlyTheFieldsThatApply(t *testing.T) {
	k := newTokens(t)
	d := hosted(t, ui.Options{})
	d.openConnect()
	d.Enter(scriptField, "npx -y some-server")
	d.Press("Arguments, environment, folder")
	d.Enter(`Optional, written as in a shell: --root "My files"`, `--root "My`)
	d.Enter(scriptField, `claude mcp add --transport http web `+k.URL+`/mcp --header "Authorization: Bearer abc"`)
	d.Press("Add and start")
	d.until("it is saved", func() bool { return len(d.saved.get().Launch) == 1 })
	if l := d.saved.get().Launch[0]; l.URL == "" || len(l.Args) > 0 || l.Dir != "" {
		t.Errorf("saved is %+v", l)
	}
}
