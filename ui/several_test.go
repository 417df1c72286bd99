package ui_test

import (
	"os"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"goated/client"
	"goated/ui"
)

// A server of a pasted configuration without its token appeared only among the recent ones. No
// list contained it, and nothing asked for the token.
func TestAServerThatLacksItsTokenIsSaved(t *testing.T) {
	python := pythonPath(t)
	k := newTokens(t)
	d := hosted(t, ui.Options{})
	d.openConnect()
	d.FocusField(scriptField)
	d.Paste(`{"mcpServers":{"echo":{"command":"` + python + `","args":["` + echoServer(t) + `"]},
		"web":{"url":"` + k.URL + `/mcp","headers":{"Authorization":"Bearer <YOUR_TOKEN>"}},"rests":{"url":"` + k.URL + `/rests","disabled":true}}}`)
	d.Press("Add and start")
	d.until("two are off", func() bool {
		off := 0
		for _, l := range d.saved.get().Launch {
			if l.Off {
				off++
			}
		}
		return off == 2 && len(d.saved.get().Launch) == 3
	})
	d.until("one runs", func() bool {
		s := d.host.Snapshot().Servers
		return len(s) == 1 && s[0].Status == client.Connected
	})
	d.Press("Tools")
	d.sees("Needs a value")
	d.sees("web")
	d.sees("rests")
	d.sees("Needs you 1")
	if got := k.got(); got != "" {
		t.Errorf("a server that is off was asked: %s", got)
	}
	d.Press("Add server")
	d.sees("RECENT")
	d.sees("web")
}

// The list of several servers had no hint about a placeholder path, and started the server with
// that path.
func TestAServerOfSeveralLacksItsPath(t *testing.T) {
	python := pythonPath(t)
	d := hosted(t, ui.Options{})
	dir := t.TempDir()
	d.openConnect()
	d.FocusField(scriptField)
	d.Paste(`{"mcpServers":{"echo":{"command":"` + python + `","args":["` + echoServer(t) + `"]},
		"fs":{"command":"` + python + `","args":["` + scriptOf(t, "fs.py", sayEnvironment) + `","/Users/username/Desktop"]}}}`)
	d.until("the list names the path", func() bool { return d.Says("Replace /Users/username/Desktop with your own value.") })
	d.Press("Add and start")
	d.until("one runs", func() bool { return d.host.Snapshot().Connected() == 1 })
	d.sees("2 servers added. 1 is off until you enter its values")
	if len(d.host.Snapshot().Servers) != 1 {
		t.Error("the server runs with a path of another person's computer")
	}
	d.Press("Tools")
	d.sees("Needs a value")
	d.Key(fyne.KeyEnd)
	d.Press("fs")
	d.Key(fyne.KeySpace)
	d.until("the sheet opens", func() bool { return d.Reads("Values of fs") })
	d.Enter("your path in place of /Users/username/Desktop", dir)
	d.Press("Start")
	d.until("it runs", func() bool { return d.host.Snapshot().Connected() == 2 })
	d.until("it is saved with the path", func() bool {
		for _, l := range d.saved.get().Launch {
			if l.Name == "fs" && l.Args[1] == dir && !l.Off {
				return true
			}
		}
		return false
	})
}

// A single server was started with the path of another person, although the sheet said to
// replace it.
func TestAServerAloneLacksItsPath(t *testing.T) {
	d := hosted(t, ui.Options{})
	script, dir := scriptOf(t, "fs.py", keyed), t.TempDir()
	d.openConnect()
	d.Enter(scriptField, script+" /Users/username/Desktop --key=YOUR_KEY")
	d.Press("Add and start")
	d.sees("It needs your path in place of /Users/username/Desktop.")
	d.Type(dir)
	d.Press("Add and start")
	d.sees("It needs key.")
	if len(d.host.Snapshot().Servers) > 0 {
		t.Fatal("the server runs with a path of another person's computer")
	}
	d.Type("s3cret")
	d.Press("Add and start")
	d.wrote("given None None ['" + dir + "', '--key=s3cret']")
	d.connected()
	d.until("it is saved with the path", func() bool {
		list := d.saved.get().Launch
		return len(list) == 1 && strings.Join(list[0].Args, " ") == dir+" --key=${input:key}"
	})
	for _, v := range d.saved.get().Launch[0].Env {
		if v.Value != "" || v.Ref == "" {
			t.Errorf("saved is %+v", v)
		}
	}
}

// The list of several servers did not show which variables they get, nor that no keyring stores
// their secrets. A field below the list accepted variables that no server got.
func TestSeveralServersShowTheirVariables(t *testing.T) {
	d := hosted(t, ui.Options{})
	d.openConnect()
	d.Enter(scriptField, `{"mcpServers":{"notes":{"command":"python3","args":["notes.py"],"env":{"NOTES_TOKEN":"hunter2","LOG_LEVEL":"debug"}},
		"web":{"url":"https://web.example/mcp","headers":{"Authorization":"Bearer of-web"}},"plain":{"command":"python3","args":["plain.py"]}}}`)
	d.sees("LOG_LEVEL=debug   NOTES_TOKEN=••••••••")
	d.sees("Authorization: ••••••••")
	d.sees("This system has no keyring, so goated keeps secrets such as API_KEY or TOKEN only until it quits.")
	if d.Reads("Values") {
		t.Error("there are fields that nothing reads")
	}
	d.Enter(scriptField, `{"mcpServers":{"plain":{"command":"python3","args":["plain.py"]},"other":{"command":"python3","args":["other.py"]}}}`)
	d.sees("2 servers")
	if d.Says("keyring") {
		t.Error("it says where it keeps secrets, and there is none")
	}
}

// goated rejected a program's path that a README leaves to its reader. The sheet now asks for
// the path, and starts what the user enters.
func TestASheetAsksForThePathOfAProgram(t *testing.T) {
	d := hosted(t, ui.Options{})
	program := scriptOf(t, "fs-server", "#!/usr/bin/env python3\n"+keyed)
	if err := os.Chmod(program, 0o700); err != nil {
		t.Fatal(err)
	}
	d.openConnect()
	d.FocusField(scriptField)
	d.Paste(`{"mcpServers":{"fs":{"command":"/path/to/fs-server","args":["--stdio"]}}}`)
	d.sees("/path/to/fs-server")
	d.Press("Add and start")
	d.sees("It needs your path in place of /path/to/fs-server.")
	d.Type(program)
	d.Press("Add and start")
	d.connected()
	d.until("it is saved with the path", func() bool {
		list := d.saved.get().Launch
		return len(list) == 1 && list[0].Command == program && len(list[0].Env) == 0
	})
}

// A script in place of the user's own was "not found", and the row of a path showed its ID. The sheet asks
// for the script, and starts it as one.
func TestASheetAsksForThePathOfAScript(t *testing.T) {
	d := hosted(t, ui.Options{})
	script := scriptOf(t, "fs-server.py", keyed)
	d.openConnect()
	d.FocusField(scriptField)
	d.Paste("/path/to/fs-server.py")
	d.Press("Add and start")
	d.sees("Enter a value for /path/to/fs-server.py.")
	if d.Says("path.path.to") {
		t.Errorf("a row shows the ID of the path: %q", d.Texts())
	}
	d.Type(script)
	d.Press("Add and start")
	d.connected()
	d.until("it is saved as a script", func() bool {
		list := d.saved.get().Launch
		return len(list) == 1 && list[0].Path == script && list[0].Command == "" && len(list[0].Env) == 0
	})
}

// If one of several servers lacked the path of its program, the import omitted it. It is now
// off until the user enters the path, and its row shows the path from the text.
func TestAServerOfSeveralLacksItsProgram(t *testing.T) {
	d := hosted(t, ui.Options{})
	d.openConnect()
	d.FocusField(scriptField)
	d.Paste(`{"mcpServers":{"fs":{"command":"/path/to/fs-server"},"rests":{"command":"python3","args":["rests.py"],"disabled":true}}}`)
	d.sees("It needs your path in place of /path/to/fs-server. The server is off until then.")
	d.Press("Add and start")
	d.until("both are saved", func() bool { return len(d.saved.get().Launch) == 2 })
	d.Press("Tools")
	d.sees("Needs a value")
	d.sees("/path/to/fs-server")
}

// The sheet started a server with the empty key from its README.
func TestASheetAsksForAnEmptySecret(t *testing.T) {
	d := newDesk(t, ui.Options{})
	d.openConnect()
	d.FocusField(scriptField)
	d.Paste(`{"mcpServers":{"shop":{"command":"python3","args":["shop.py"],"env":{"SHOP_API_KEY":"","SHOP_NOTE":""}}}}`)
	d.Press("Add and start")
	d.sees("It needs SHOP_API_KEY.")
	d.sees("Enter its value, or remove the variable.")
}

// The form for the headers of a server with a URL called them variables.
func TestTheFormForHeadersSaysHeader(t *testing.T) {
	d := newDesk(t, ui.Options{})
	d.openConnect()
	d.FocusField(scriptField)
	d.Paste(`{"mcpServers":{"shop":{"url":"https://shop.example/mcp","headers":{"X-Api-Key":"<your key>"}}}}`)
	d.sees("Add header")
	d.Press("Add and start")
	d.sees("Enter its value, or remove the header.")
	d.sees("Or paste lines of Name: value. This system has no keyring, so goated keeps secrets such as API_KEY or TOKEN only until it quits.")
	d.FocusField("X-Api-Key")
	d.Paste("X-Team: blue\n\"X-Env\": \"test\",")
	if d.Field("X-Team") != "blue" && !d.Reads("blue") {
		t.Errorf("the pasted headers are not there: %q", d.Texts())
	}
	d.Press("Add header") // the focus is in an empty row
	if d.Paste("x-api-key: k1"); d.Reads("x-api-key") || !d.Reads("••") {
		t.Errorf("the pasted key is a second header: %q", d.Texts())
	}
	d.Enter(scriptField, "npx -y shop-mcp")
	d.sees("Add variable")
}
