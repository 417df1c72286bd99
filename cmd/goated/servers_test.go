package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goated/internal/servertest"
)

// "goated servers" saves what a README says, and --server takes the name.
func TestServersAreSavedByTheirWords(t *testing.T) {
	p := newPlace(t)
	dice, err := os.ReadFile(servertest.Script("dice.js"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(p.project, "dice"), 0o755); err != nil {
		t.Fatal(err)
	}
	p.write("dice/server.js", string(dice))
	script := filepath.Join(p.project, "dice", "server.js")
	if out, aside, code := p.run("servers", "add", "--name", "Dice", "--env", "SHADE=green", "node", script, "--fast"); code != 0 || !strings.Contains(out, "added Dice: ") {
		t.Fatalf("status %d\n%s%s", code, out, aside)
	}
	if out, _, code := p.run("servers", "add", "npx", "-y", "@modelcontextprotocol/server-memory"); code != 0 || !strings.Contains(out, "added memory: a command that runs a package from npm") {
		t.Errorf("status %d\n%s", code, out)
	}
	if _, aside, code := p.run("servers", "disable", "memory"); code != 0 {
		t.Errorf("status %d\n%s", code, aside)
	}
	out, _, code := p.run("servers", "list")
	if code != 0 || !strings.Contains(out, "Dice                 on   node "+script+" --fast") || !strings.Contains(out, "memory               off  npx -y") || !strings.Contains(out, "ghost                on   comes with goated") {
		t.Errorf("status %d\n%s", code, out)
	}
	if out, _, _ := p.run("servers", "show", "dice"); !strings.Contains(out, "variables    SHADE") || strings.Contains(out, "green") {
		t.Errorf("show prints\n%s", out)
	}
	if out, aside, code := p.run("tools", "--no-bundled", "--server", "dice", "--no-sandbox"); code != 0 || !strings.Contains(out, "Dice · ") || !strings.Contains(out, "roll") {
		t.Errorf("the saved server: status %d\n%s%s", code, out, aside)
	}
	toolSwitches(t, p)
	if out, aside, code := p.run("tools", "--no-bundled", "--server", "node "+script+" --fast", "--no-sandbox"); code != 0 || strings.Count(out, "roll") != 1 {
		t.Errorf("the saved server by its command: status %d\n%s%s", code, out, aside)
	}
	if _, aside, code := p.run("servers", "remove", "nobody"); code == 0 || !strings.Contains(aside, "The saved ones are Dice, memory") {
		t.Errorf("an unknown name: status %d\n%s", code, aside)
	}
	if _, aside, code := p.run("servers", "signout", "Dice"); code == 0 || !strings.Contains(aside, "signs in only to servers with a URL") {
		t.Errorf("signing out of a server without a URL: status %d\n%s", code, aside)
	}
	if _, aside, code := p.run("servers", "add", "--name", "calendar", "https://calendar.test/mcp"); code != 0 {
		t.Errorf("status %d\n%s", code, aside)
	}
	if out, aside, code := p.run("servers", "signout", "Calendar"); code != 0 || !strings.Contains(out, "signed out of calendar") {
		t.Errorf("signing out: status %d\n%s%s", code, out, aside)
	}
	if _, aside, code := p.run("servers", "restart", "Dice"); code == 0 || !strings.Contains(aside, "window is not open") {
		t.Errorf("restart without a window: status %d\n%s", code, aside)
	}
	if _, aside, code := p.run("servers", "remove", "Dice"); code != 0 {
		t.Errorf("status %d\n%s", code, aside)
	}
	if out, _, _ := p.run("servers", "list"); strings.Contains(out, "Dice") {
		t.Errorf("after its removal\n%s", out)
	}
}

// toolSwitches turns a tool of Dice off and on. It is not declared and can't be called
// meanwhile.
func toolSwitches(t *testing.T, p *place) {
	t.Helper()
	if out, aside, code := p.run("servers", "tool", "dice", "roll", "off"); code != 0 || out != "roll of Dice is off\n" {
		t.Errorf("status %d\n%s%s", code, out, aside)
	}
	if out, aside, code := p.run("servers", "tools", "dice"); code != 0 || !strings.Contains(out, "off  roll ") || !strings.Contains(out, "tokens in every turn") {
		t.Errorf("status %d\n%s%s", code, out, aside)
	}
	if out, _, _ := p.run("tools", "--no-bundled", "--server", "dice", "--no-sandbox"); strings.Contains(out, "roll ") && !strings.Contains(out, "roll                         is off") {
		t.Errorf("a tool that is off is listed\n%s", out)
	}
	if _, aside, code := p.run("call", "roll", "--no-bundled", "--server", "dice", "--no-sandbox", "--yes"); code == 0 || !strings.Contains(aside, "is turned off") {
		t.Errorf("a call: status %d\n%s", code, aside)
	}
	if _, aside, code := p.run("servers", "tool", "dice", "rolll", "off"); code == 0 || !strings.Contains(aside, `Dice has no tool "rolll". Its tools are `) {
		t.Errorf("a name that is none: status %d\n%s", code, aside)
	}
	if _, aside, code := p.run("servers", "tools", "memory"); code == 0 || !strings.Contains(aside, "has not run yet") {
		t.Errorf("a server that never ran: status %d\n%s", code, aside)
	}
	if out, _, code := p.run("servers", "tool", "Dice", "roll", "on"); code != 0 || out != "roll of Dice is on\n" {
		t.Errorf("status %d\n%s", code, out)
	}
}

// A server that fails stops neither a turn nor a call of another one, and a list with
// a failed server is no success.
func TestAFailedServerStopsNothing(t *testing.T) {
	p := newPlace(t)
	broken := filepath.Join(p.project, "broken.js")
	p.write("broken.js", "console.error('no luck'); process.exit(3)\n")
	dice := servertest.Script("dice.js")
	if out, aside, code := p.run("call", "roll", "--args", `{"sides":6}`, "--yes", "--no-bundled", "--server", dice, "--no-sandbox", "--server", broken, "--no-sandbox"); code != 0 || !strings.Contains(aside, "no luck") {
		t.Errorf("call: status %d\n%s%s", code, out, aside)
	}
	if out, aside, code := p.run("tools", "--no-bundled", "--server", dice, "--no-sandbox", "--server", broken, "--no-sandbox"); code != 1 || !strings.Contains(out, "broken · did not start") || !strings.Contains(out, "roll") {
		t.Errorf("tools: status %d\n%s%s", code, out, aside)
	}
	if out, aside, code := p.run("chat", "-p", `/roll {"sides":6}`, "--yes", "--no-bundled", "--server", dice, "--no-sandbox", "--server", broken, "--no-sandbox"); code != 0 || !strings.Contains(aside, "no luck") {
		t.Errorf("chat: status %d\n%s%s", code, out, aside)
	}
	if _, aside, code := p.run("tools", "--server", "please help me"); code != 1 || !strings.Contains(aside, `"please" is neither a program`) || strings.Contains(aside, "goroutine") {
		t.Errorf("prose: status %d\n%s", code, aside)
	}
}
