package main

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"goated/internal/servertest"
)

// "goated servers" saves what a README contains, and --server accepts the name.
func TestServersAreSavedByTheirWords(t *testing.T) {
	p := newPlace(t)
	dice, err := os.ReadFile(servertest.Dice())
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
	if out, aside, code := p.run("servers", "add", "npx", "-y", "@modelcontextprotocol/server-memory"); code == 0 || !strings.Contains(aside, "already saved as memory") {
		t.Errorf("a second time: status %d\n%s%s", code, out, aside)
	}
	if out, aside, code := p.run("servers", "add", "node", script, "--fast", "--help"); code != 0 || !strings.Contains(out, "Usage:") {
		t.Errorf("--help behind the command: status %d\n%s%s", code, out, aside)
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
	if _, aside, code := p.run("servers", "remove", "nobody"); code == 0 || !strings.Contains(aside, "The saved servers are Dice, memory") {
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
	if _, aside, code := p.run("servers", "restart", "Dice"); code == 0 || !strings.Contains(aside, "goated: goated's window is not open") {
		t.Errorf("restart without a window: status %d\n%s", code, aside)
	}
	if _, aside, code := p.run("servers", "remove", "Dice"); code != 0 {
		t.Errorf("status %d\n%s", code, aside)
	}
	if out, _, _ := p.run("servers", "list"); strings.Contains(out, "Dice") {
		t.Errorf("after its removal\n%s", out)
	}
}

// toolSwitches turns a tool of Dice off and on. While the tool is off, it is not declared and
// cannot be called.
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
	if _, aside, code := p.run("call", "roll", "--no-bundled", "--server", "dice", "--no-sandbox", "--yes"); code == 0 || !strings.Contains(aside, "roll of Dice is off. Turn it on with: goated servers tool Dice roll on") {
		t.Errorf("a call: status %d\n%s", code, aside)
	}
	if _, aside, code := p.run("servers", "tool", "dice", "rolll", "off"); code == 0 || !strings.Contains(aside, `The server Dice has no tool "rolll". Its tools are `) {
		t.Errorf("a name that is none: status %d\n%s", code, aside)
	}
	if _, aside, code := p.run("servers", "tools", "memory"); code == 0 || !strings.Contains(aside, "The server memory has not run yet") {
		t.Errorf("a server that never ran: status %d\n%s", code, aside)
	}
	if out, _, code := p.run("servers", "tool", "Dice", "roll", "on"); code != 0 || out != "roll of Dice is on\n" {
		t.Errorf("status %d\n%s", code, out)
	}
}

// A failing server stops neither a turn nor a call of another server. A list that contains a failed
// server does not exit with success.
func TestAFailedServerStopsNothing(t *testing.T) {
	p := newPlace(t)
	broken := filepath.Join(p.project, "broken.js")
	p.write("broken.js", "console.error('no luck'); process.exit(3)\n")
	dice := servertest.Dice()
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

// Without a keyring, "servers add" saves no key. It recommended passing the name of the variable,
// but that failed with the same error. The current recommendation works.
func TestServerWithAKeyAndNoKeyring(t *testing.T) {
	p := newPlace(t)
	script := filepath.Join(p.project, "keyed.js")
	p.write("keyed.js", "if (!process.env.CATS_API_KEY) { console.error('CATS_API_KEY is not set'); process.exit(1) }\nrequire("+strconv.Quote(servertest.Dice())+")\n")
	p.env = append(p.env, "CATS_API_KEY=purr") // there is no bus on which a keyring would answer
	_, aside, code := p.run("servers", "add", "--name", "Cats", "--env", "CATS_API_KEY", "--env", "CATS_COLOR=grey", "node", script)
	_, advice, ok := strings.Cut(aside, "pass them at each start: ")
	if code == 0 || !ok {
		t.Fatalf("status %d\n%s", code, aside)
	}
	flags := strings.Fields(strings.TrimRight(advice, ".\n"))
	if want := []string{"--server", "Cats", "--env", "CATS_API_KEY"}; !slices.Equal(flags, want) {
		t.Fatalf("the advice is %q, want %q", flags, want)
	}
	if _, aside, code := p.run("servers", "add", "--name", "Cats", "--env", "CATS_COLOR=grey", "node", script); code != 0 {
		t.Fatalf("status %d\n%s", code, aside)
	}
	if out, aside, code := p.run(append([]string{"tools", "--no-bundled"}, append(flags, "--no-sandbox")...)...); code != 0 || !strings.Contains(out, "roll") {
		t.Errorf("by the advice: status %d\n%s%s", code, out, aside)
	}
}

// mcp-atlassian starts without its key and offers no tools, and goated only printed "0 tools".
func TestServerWithoutTools(t *testing.T) {
	p := newPlace(t)
	p.write("bare.js", `require('readline').createInterface({ input: process.stdin }).on('line', line => {
  const m = JSON.parse(line)
  const answer = { initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'bare', version: '1' } }, 'tools/list': { tools: [] } }[m.method]
  if (m.id !== undefined) console.log(JSON.stringify(answer ? { jsonrpc: '2.0', id: m.id, result: answer } : { jsonrpc: '2.0', id: m.id, error: { code: -32601, message: 'no such method' } }))
})
`)
	out, aside, code := p.run("tools", "--no-bundled", "--server", filepath.Join(p.project, "bare.js"), "--no-sandbox")
	if code != 0 || !strings.Contains(out, "bare · 0 tools\n  It runs, but offers no tools.") {
		t.Errorf("status %d\n%s%s", code, out, aside)
	}
}

// --allow-install allows the same as "Add and start": the package, and the hosts in the arguments
// and variables.
func TestServersAreAddedWithTheHostsTheyName(t *testing.T) {
	p := newPlace(t)
	words := []string{"npx", "-y", "a-postgres-server", "postgres://me@localhost:5433/db"}
	out, aside, code := p.run(append([]string{"servers", "add", "--name", "careful"}, words...)...)
	if code != 0 || strings.Contains(out, "allowed") {
		t.Errorf("without the flag: status %d\n%s%s", code, out, aside)
	}
	out, aside, code = p.run(append([]string{"servers", "add", "--allow-install", "--name", "other", "--env", "API=https://api.example.test/v1"}, words...)...)
	if code != 0 || !strings.Contains(out, "\n  allowed: Install packages\n  allowed: Reach localhost:5433\n  allowed: Reach api.example.test\n") {
		t.Errorf("status %d\n%s%s", code, out, aside)
	}
}

// goated reports that a first start installs packages, and when that is done. Here the installation
// is just a delay.
func TestFirstInstallationIsAnnounced(t *testing.T) {
	p := newPlace(t)
	dice, err := os.ReadFile(servertest.Dice())
	if err != nil {
		t.Fatal(err)
	}
	script := p.write("dice.js", "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2000);\n"+string(dice))
	for _, first := range []bool{true, false} {
		out, aside, code := p.run("tools", "--no-bundled", "--server", script, "--allow-install")
		if code != 0 || strings.Contains(out, "install") {
			t.Fatalf("status %d\n%s%s", code, out, aside)
		}
		began, ended := strings.Contains(aside, "dice installs its packages. The first start can take a few minutes.\n"), strings.Contains(aside, "dice is installed, after ")
		if began != first || ended != first {
			t.Errorf("first start: %t. It says\n%s", first, aside)
		}
	}
}

// A flag after the command of a server would go to the server, and goated would ask later. The
// error about a wrong command shows the right one.
func TestWrongWordsSayWhatIsRight(t *testing.T) {
	p := newPlace(t)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"servers", "add", "uvx", "mcp-server-time", "--allow-install"}, "Write it first: goated servers add --allow-install …."},
		{[]string{"servers", "add", "uvx", "mcp-server-time", "--allow-host=a.test"}, "Write it first: goated servers add --allow-host …."},
		{[]string{"ask", "hello"}, `goated has no command "goated ask". "goated --help" lists them`},
		{[]string{"servers", "ad", "uvx"}, `goated has no command "goated servers ad". Did you mean "goated servers add"?`},
		{[]string{"cal", "roll"}, `goated has no command "goated cal". Did you mean "goated call"?`},
		{[]string{"chat", "what", "now"}, `Write the message like this: goated chat -p 'what now'`},
		{[]string{"call", "roll", "--json", "--output", "."}, "Use --json or --output, not both"},
		{[]string{"chat", "-p", " "}, "The message of -p is empty"},
		{[]string{"chat", "--no-bundled", "-p", "-"}, "Stdin has no message"},
		{[]string{"call"}, `Write it like this: goated call TOOL`},
		{[]string{"servers", "remove"}, `Write it like this: goated servers remove NAME`},
	} {
		if _, aside, code := p.run(c.args...); code != 1 || !strings.Contains(aside, c.want) {
			t.Errorf("%q: status %d\n%s", c.args, code, aside)
		}
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"tools", "./logs.py"}, "Write a server like this: goated tools --server ./logs.py"},
		{[]string{"./logs.py"}, "Write a server like this: goated --server ./logs.py"},
		{[]string{"call", "echo", "text=hi"}, `goated call echo --args '{"text": "hi"}', or --arg text=hi`},
		{[]string{"call", "echo", `{"text": 1}`}, `goated call echo --args '{"text": 1}'`},
		{[]string{"tools", "--servr", "x"}, "Did you mean --server?"},
		{[]string{"tools", "--call-timeout", "5"}, "it has no unit. Write 5s for seconds"},
		{[]string{"tools", "--call-timeout=-5s"}, "a time limit can't be negative"},
	} {
		if _, aside, code := p.run(c.args...); code != 1 || !strings.Contains(aside, c.want) {
			t.Errorf("%q: status %d\n%s", c.args, code, aside)
		}
	}
	p.write("server.js", "")
	p.write("other.js", "")
	if out, aside, code := p.run("servers", "add", "node", "other.js", "--env", "A=b"); code != 0 || !strings.Contains(aside, "--env after the command goes to the server. If it is for goated, write it first") {
		t.Errorf("a flag that may be of goated: status %d\n%s%s", code, out, aside)
	}
	if _, aside, _ := p.run("tools", "--no-bundled", "--server", p.write("keyless.py", "import os, sys\nif 'ACME_TOKEN' not in os.environ: sys.exit('ACME_TOKEN environment variable is required')\n")); !strings.Contains(aside, "--env ACME_TOKEN=…") {
		t.Errorf("a missing key: %s", aside)
	}
	if out, aside, code := p.run("servers", "add", "--", "node", "server.js", "--no-sandbox"); code != 0 || !strings.Contains(out, " --no-sandbox") {
		t.Errorf("a flag of the server: status %d\n%s%s", code, out, aside)
	}
}

// goated dropped the inputs of pasted JSON, and the server got the text ${input:…}.
func TestInputsOfPastedJSON(t *testing.T) {
	p := newPlace(t)
	p.write("keyed.js", "if (process.argv[2] !== '--key=purr') { console.error('no key but', process.argv[2]); process.exit(1) }\nrequire("+strconv.Quote(servertest.Dice())+")\n")
	text := `code --add-mcp '{"name":"Cats","command":"node","args":[` + strconv.Quote(filepath.Join(p.project, "keyed.js")) + `,"--key=${input:key}"],"inputs":[{"id":"key","type":"promptString"}]}'`
	if out, aside, code := p.run("tools", "--no-bundled", "--server", text, "--env", "input:key=purr", "--no-sandbox"); code != 0 || !strings.Contains(out, "roll") {
		t.Errorf("status %d\n%s%s", code, out, aside)
	}
	if _, aside, code := p.run("tools", "--no-bundled", "--server", text, "--no-sandbox"); code == 0 || !strings.Contains(aside, "Cats needs key. Set it with --env input:key=value") {
		t.Errorf("status %d\n%s", code, aside)
	}
	out, aside, code := p.run("servers", "add", text)
	if code != 0 || !strings.Contains(aside, "key has no value yet, so the server is off") {
		t.Errorf("status %d\n%s%s", code, out, aside)
	}
	if out, _, _ := p.run("servers", "list"); !strings.Contains(out, "Cats                 off") {
		t.Error(out)
	}
	if _, aside, code := p.run("servers", "enable", "Cats"); code == 0 || !strings.Contains(aside, "Cats needs key. Run this in a terminal") {
		t.Errorf("status %d\n%s", code, aside)
	}
}

// "servers add" rejects a --name that is in use, and its messages contain the name that it saves.
func TestNamesThatAreTaken(t *testing.T) {
	p := newPlace(t)
	p.saved("Cats")
	for name, want := range map[string]string{
		"cats":  "The name Cats is taken. Choose another --name, or remove that server first: goated servers remove Cats",
		"ghost": "The name ghost is taken by a server that comes with goated. Choose another --name",
	} {
		if out, aside, code := p.run("servers", "add", "--name", name, "https://cats.test/mcp"); code == 0 || !strings.Contains(aside, want) {
			t.Errorf("%s: status %d\n%s%s", name, code, out, aside)
		}
	}
	asks := `{"mcpServers":{"cats":{"url":"https://cats.test/mcp","headers":{"X-Api-Key":"<your key>"}}}}`
	if out, aside, code := p.run("servers", "add", asks); code != 0 || !strings.Contains(out, "added cats-2: ") || !strings.Contains(aside, "cats-2: X-Api-Key has no value yet") {
		t.Errorf("without --name: status %d\n%s%s", code, out, aside)
	}
	if out, aside, code := p.run("servers", "add", "--name", "dogs", "uvx", "no-such-package", "/path/to/dogs"); code != 0 || !strings.Contains(aside, "dogs: ") || strings.Contains(aside, "no-such-package: ") {
		t.Errorf("a remark: status %d\n%s%s", code, out, aside)
	}
}
