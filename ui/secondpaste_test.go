package ui_test

import (
	"testing"

	"goated/ui"
)

// The values of the first text took precedence over those of the next one, so a token of one
// server reached another.
func TestASecondPasteReplacesTheValuesOfTheFirst(t *testing.T) {
	d := hosted(t, ui.Options{})
	script := scriptOf(t, "keyed.py", keyed)
	config := func(env string) string {
		return `{"mcpServers":{"keyed":{"command":"python3","args":["` + script + `"],"env":` + env + `}}}`
	}
	d.openConnect()
	d.Enter(scriptField, config(`{"PASS":"wrong","REGION":"moon"}`))
	d.Enter(scriptField, config(`{"PASS":"right"}`))
	d.Press("Add and start")
	d.wrote("given None right []")
	d.connected()
	d.disconnect()
	d.Enter(scriptField, config(`{"PASS":"of another server"}`))
	d.Enter(scriptField, "python3 "+script+" plain")
	d.Press("Add and start")
	d.wrote("given None None ['plain']")
}

// What the user entered survives a second paste.
func TestASecondPasteKeepsWhatTheUserEntered(t *testing.T) {
	d := hosted(t, ui.Options{})
	script := scriptOf(t, "keyed.py", keyed)
	d.openConnect()
	d.Enter(scriptField, `{"mcpServers":{"keyed":{"command":"python3","args":["`+script+`"],"env":{"PASS":"<your token>","REGION":"moon"}}}}`)
	d.Enter("value", "mine")
	d.Enter(scriptField, `{"mcpServers":{"keyed":{"command":"python3","args":["`+script+`","again"],"env":{"PASS":"<your token>","REGION":"mars"}}}}`)
	d.Press("Add and start")
	d.wrote("given mars mine ['again']")
}

// The header of one address went to the host of another one.
func TestTheHeaderOfOneAddressDoesNotReachAnother(t *testing.T) {
	k := newTokens(t)
	d := hosted(t, ui.Options{})
	d.openConnect()
	d.Enter(scriptField, `{"mcpServers":{"a":{"url":"https://a.example/mcp","headers":{"Authorization":"Bearer of-a"}}}}`)
	d.Enter(scriptField, k.URL+"/mcp")
	d.Press("Add and start")
	d.until("the address is asked", k.asked)
	if got := k.got(); got != "" {
		t.Errorf("it received %q", got)
	}
}

// The server of the next text kept the name of the first.
func TestASecondPasteHasItsOwnName(t *testing.T) {
	script := scriptOf(t, "keyed.py", keyed)
	config := func(name string) string {
		return `{"mcpServers":{"` + name + `":{"command":"python3","args":["` + script + `"]}}}`
	}
	for _, c := range []struct{ second, own, want string }{
		{config("second"), "", "second"},
		{"python3 " + script, "", "keyed"},
		{config("second"), "mine", "mine"},
	} {
		d := hosted(t, ui.Options{})
		d.openConnect()
		d.Enter(scriptField, config("first"))
		if c.own != "" {
			d.Enter("Name", c.own)
		}
		d.Enter(scriptField, c.second)
		d.Press("Add and start")
		d.wrote("given")
		if s := d.host.Snapshot().Servers; s[0].Name != c.want {
			t.Errorf("after %q the server is called %q, want %q", c.second, s[0].Name, c.want)
		}
	}
}
