//go:build unix

package ghost

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"goated/internal/waittest"
)

// A process is a server process with which a test exchanges raw lines.
type process struct {
	*exec.Cmd
	in     io.WriteCloser
	out    *bufio.Scanner
	stderr *buffer
	raw    bytes.Buffer
}

func (s *rig) launch(t *testing.T) *process {
	t.Helper()
	cwd := t.TempDir()
	p := &process{Cmd: exec.CommandContext(t.Context(), os.Args[0]), stderr: new(buffer)}
	p.Dir = cwd
	p.Env = []string{
		"GHOST_TEST_ROLE=serve", "PATH=" + s.dir, "CALLS=" + s.calls, "HOME=" + filepath.Join(cwd, "home"),
		"XDG_DESKTOP_DIR=" + s.desk, "XDG_CACHE_HOME=" + filepath.Join(cwd, "cache"), "XDG_DATA_DIRS=" + cwd,
	}
	p.Stderr = p.stderr
	in, err := p.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.in, p.out = in, bufio.NewScanner(io.TeeReader(out, &p.raw))
	p.out.Buffer(nil, 16<<20)
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	return p
}

// ask sends one line and returns the response line.
func (p *process) ask(t *testing.T, line string) string {
	t.Helper()
	if _, err := fmt.Fprintln(p.in, line); err != nil {
		t.Fatal(err)
	}
	if !p.out.Scan() {
		t.Fatalf("no answer to %s: %v\n%s", line, p.out.Err(), p.stderr)
	}
	return p.out.Text()
}

func request(id int, method, params string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, params)
}

func (p *process) initialize(t *testing.T) {
	t.Helper()
	p.ask(t, request(1, "initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"raw","version":"0"}}`))
	fmt.Fprintln(p.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
}

// Only protocol messages go to standard output, whatever the tools and the players do.
func TestStdout(t *testing.T) {
	modern := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientInfo":{"name":"raw","version":"0"},"io.modelcontextprotocol/clientCapabilities":{}},`
	for name, meta := range map[string]string{"initialize": "", "discover": modern} {
		t.Run(name, func(t *testing.T) {
			s := newRig(t)
			s.add(t, "paplay", "echo noise; echo noise >&2; cat; exit 1")
			s.add(t, "aplay", "echo noise; printf '\\a'")
			p := s.launch(t)
			if meta == "" {
				p.initialize(t)
			} else {
				if got := p.ask(t, request(1, "server/discover", "{"+strings.TrimSuffix(meta, ",")+"}")); !strings.Contains(got, "2026-07-28") {
					t.Errorf("discover: %s", got)
				}
			}
			for i, tt := range []struct{ tool, args, want string }{
				{"haunt_desktop", `{"filename":"a.txt","content":"boo"}`, "File created at " + s.desk},
				{"haunt_desktop", `{"filename":"../a.txt","content":"boo"}`, `"isError":true`},
				{"play_system_sound", `{"type":"success"}`, "Successfully played success sound"},
				{"play_system_sound", `{"type":"nothing"}`, `"isError":true`},
				{"read_project_context", `{"directoryPath":"."}`, "entries"},
				{"read_project_context", `{"directoryPath":"/etc"}`, `"isError":true`},
				{"manage_memory", `{"action":"write","key":"k","value":"v\n"}`, "Memory updated"},
				{"manage_memory", `{"action":"write","key":"k"}`, `"isError":true`},
				{"forget_fact", `{"key":"j"}`, `Nothing is stored under the name \"j\", so nothing was removed.\nStored names:\n- k`},
				{"forget_fact", `{"key":"k"}`, `Memory removed: k = v\n`},
				{"forget_fact", `{"key":"k"}`, `nothing was removed. The memory is empty.`},
				{"forget_fact", `{"name":"k"}`, `"isError":true`},
				{"nothing", `{}`, `"error"`},
			} {
				got := p.ask(t, request(i+2, "tools/call", fmt.Sprintf(`{%s"name":%q,"arguments":%s}`, meta, tt.tool, tt.args)))
				if !strings.Contains(got, tt.want) {
					t.Errorf("%s %s: %s; want %s", tt.tool, tt.args, got, tt.want)
				}
			}
			p.in.Close()
			for p.out.Scan() {
			}
			if err := p.Wait(); err != nil {
				t.Errorf("exit: %v\n%s", err, p.stderr)
			}
			for line := range strings.Lines(p.raw.String()) {
				var msg struct{ JSONRPC string }
				if err := json.Unmarshal([]byte(line), &msg); err != nil || msg.JSONRPC != "2.0" {
					t.Errorf("standard output holds %q", line)
				}
			}
			if _, err := os.Stat(filepath.Join(p.Dir, "clippy_memory.json")); err != nil {
				t.Errorf("the memory is not in the working directory: %v", err)
			}
			for _, want := range []string{"[INFO] MCP Server started", "[DEBUG] Tool invoked: manage_memory", "[ERROR] [Tool Error] Value is required"} {
				if !strings.Contains(p.stderr.String(), want) {
					t.Errorf("no %q on standard error", want)
				}
			}
		})
	}
}

// The player exits with the server, however the server exits.
func TestProcessEnd(t *testing.T) {
	for name, end := range map[string]func(*process){
		"stdin closed": func(p *process) { p.in.Close() },
		"SIGTERM":      func(p *process) { p.Process.Signal(syscall.SIGTERM) },
		"SIGKILL":      func(p *process) { p.Process.Kill() },
	} {
		t.Run(name, func(t *testing.T) {
			if name == "SIGKILL" && runtime.GOOS != "linux" {
				t.Skip("only Linux ends the child of a killed process")
			}
			s := newRig(t)
			s.add(t, "paplay", `echo $$ $$ > "$CALLS.tmp"; /bin/mv "$CALLS.tmp" "$CALLS.pid"; exec /bin/sleep 60`)
			p := s.launch(t)
			p.initialize(t)
			if got := p.ask(t, request(2, "tools/call", `{"name":"play_system_sound","arguments":{"type":"error"}}`)); !strings.Contains(got, "Playing error sound") {
				t.Fatal(got)
			}
			pids := s.pids(t)
			end(p)
			p.Wait()
			if name == "SIGKILL" {
				waittest.Until(t, "the player ends", func() bool { return gone(pids) })
				return
			}
			if !gone(pids) {
				t.Errorf("one of the processes %d is alive", pids)
			}
			if log := p.stderr.String(); strings.Contains(log, "[ERROR]") || !strings.Contains(log, "[INFO] MCP Server stopped\n") {
				t.Errorf("an ordinary end is logged as\n%s", log)
			}
		})
	}
}

// "Invalid MCP messages: Log error and continue listening" (seed 000): each bad line produces one
// log line, and the next call gets a response. A request whose id is readable also gets a response,
// so that its client does not wait.
func TestInvalidMessages(t *testing.T) {
	p := newRig(t).launch(t)
	p.initialize(t)
	bad := []struct{ line, answer string }{
		{`garbage`, ""},
		{`{"jsonrpc":"2.0"}`, ""},
		{`[]`, ""},
		{`{`, ""},
		{`null`, ""},
		{`"text"`, ""},
		{"\xff\xfe\x00", ""},
		{`{"jsonrpc":"2.0","id":{},"method":"ping"}`, ""},
		{`{"jsonrpc":"2.0","id":"x","result":{}}`, ""},
		{`{"jsonrpc":"2.0","method":"notifications/initialized","params":[1]}`, ""},
		{`{"jsonrpc":"1.0","id":77,"method":"ping"}`, `"id":77`},
		{`{"jsonrpc":"2.0","id":78,"method":"tools/call","params":{"name":`, `"id":78`},
		{`{"jsonrpc":"2.0","id":79,"method":"tools/call","params":[]}`, `"id":79`},
		{`{"jsonrpc":"2.0","id":80,"method":"tools/call","params":{"a":1,"a":2}}`, `"id":80`},
		{`{"jsonrpc":"2.0","id":81,"method":"tools/call","params":{"x":"` + strings.Repeat("x", 17<<20) + `"}}`, `"id":81`},
	}
	for i, tt := range bad {
		if tt.answer != "" {
			if got := p.ask(t, tt.line); !strings.Contains(got, tt.answer) || !strings.Contains(got, `"error"`) {
				t.Errorf("%.60q is answered with %s", tt.line, got)
			}
		} else if _, err := fmt.Fprintln(p.in, tt.line); err != nil {
			t.Fatal(err)
		}
		if got := p.ask(t, request(100+i, "tools/call", `{"name":"read_project_context","arguments":{"directoryPath":"."}}`)); !strings.Contains(got, fmt.Sprintf(`"id":%d`, 100+i)) || !strings.Contains(got, "entries") {
			t.Fatalf("after %.60q: %s\n%s", tt.line, got, p.stderr)
		}
	}
	p.in.Close()
	if err := p.Wait(); err != nil {
		t.Errorf("exit: %v\n%s", err, p.stderr)
	}
	// The other lines are the calls, the beginning and the end.
	lines := strings.Split(strings.TrimSpace(p.stderr.String()), "\n")
	if got := strings.Count(p.stderr.String(), "] [ERROR] Invalid message: "); got != len(bad) || len(lines) != 2*len(bad)+2 {
		t.Errorf("%d bad lines are logged as %d, in %d lines:\n%s", len(bad), got, len(lines), p.stderr)
	}
}

// A bad argument produces one log line. A system failure is logged with its stack trace.
func TestBadArgumentsAreOneLine(t *testing.T) {
	p := newRig(t).launch(t)
	p.initialize(t)
	bad := []string{`{"filename":"../a","content":"x"}`, `{"filename":7}`, `{}`, `{"filename":"a\n[INFO] forged","content":"x"}`}
	for i, args := range bad {
		p.ask(t, request(10+i, "tools/call", `{"name":"haunt_desktop","arguments":`+args+`}`))
	}
	p.in.Close()
	p.Wait()
	lines := strings.Split(strings.TrimSpace(p.stderr.String()), "\n")
	if got := strings.Count(p.stderr.String(), "[ERROR] [Tool Error] "); got != len(bad) || len(lines) != 2*len(bad)+2 {
		t.Errorf("%d bad calls are logged in %d lines:\n%s", len(bad), len(lines), p.stderr)
	}
}

// The server creates the memory's folder if it is missing.
func TestMemoryMakesItsFolder(t *testing.T) {
	m := &memory{path: filepath.Join(t.TempDir(), "new", "folder", "clippy_memory.json"), now: time.Now, wait: lockWait, link: (*os.Root).Link}
	if _, err := m.write(t.Context(), "k", "v"); err != nil {
		t.Fatal(err)
	}
	if got, _, err := m.read(t.Context(), "k"); err != nil || !strings.Contains(got, "v") {
		t.Error(got, err)
	}
}
