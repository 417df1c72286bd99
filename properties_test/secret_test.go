package properties_test

import (
	"bytes"
	"context"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"goated/internal/geminitest"
	"goated/internal/servertest"
)

// secretKey does not look like a key, so no pattern can redact it.
const secretKey = "canary-of-the-real-program"

// tellingServer returns the script of a server that returns everything that it knows and receives.
func tellingServer(t *testing.T) string {
	t.Helper()
	servertest.UsePython(t)
	path := filepath.Join(t.TempDir(), "fast.py")
	err := os.WriteFile(path, []byte(servertest.Small(t)+`
import os
server = MCPServer("fast")

@server.tool()
def environment() -> str:
    return json.dumps(dict(os.environ))

@server.tool()
def echo(message: str) -> str:
    return message

@server.tool()
def fail(why: str) -> str:
    raise ValueError(why)

@server.tool()
def die(code: int) -> str:
    os._exit(code)

server.run()
`), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// The key stays in goated. It is in no output of the real program and in no file that the program
// leaves. It is in neither the environment nor the arguments of the processes that it starts. This
// holds for valid and invalid keys. The servers are processes: one in Python, which returns its
// environment, and the bundled ones.
func TestSecretNeverAppears(t *testing.T) {
	goated := goated(t)
	script := tellingServer(t)
	for _, tt := range []struct {
		name    string
		base    string // replaces the address of the API server
		replies []geminitest.Reply
		code    int
		saw     string // shows that the run got as far as it should
	}{
		{"environment", "", []geminitest.Reply{
			geminitest.Turn(geminitest.Thought("Hm."), geminitest.Calls(geminitest.Call("fast__environment", nil), geminitest.Call("fast__echo", map[string]any{"message": "hi"}))),
			geminitest.Text("Done."),
		}, 0, `"PATH`},
		{"failing tools", "", []geminitest.Reply{
			geminitest.Calls(geminitest.Call("fast__fail", map[string]any{"why": "no ink"}), geminitest.Call("fast__die", map[string]any{"code": 7}), geminitest.Call("nobody__has", nil)),
			geminitest.Text("Done."),
		}, 0, "no ink"},
		{"bad key", "", []geminitest.Reply{geminitest.BadKey()}, 1, "API key not valid"},
		{"key said back", "", []geminitest.Reply{geminitest.Fail(http.StatusForbidden, "PERMISSION_DENIED", "Key "+secretKey+" is suspended.",
			geminitest.Detail{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "key": secretKey})}, 1, "is suspended"},
		{"key said back within the stream", "", []geminitest.Reply{geminitest.Turn(geminitest.Text("I "),
			geminitest.Fail(http.StatusBadRequest, "INVALID_ARGUMENT", "not with "+secretKey))}, 1, "not with"},
		{"broken stream", "", []geminitest.Reply{geminitest.Turn(geminitest.Text("I "), geminitest.Malformed())}, 1, `"type":"error"`},
		{"cut stream", "", []geminitest.Reply{geminitest.Turn(geminitest.Text("I "), geminitest.Drop())}, 1, `"type":"error"`},
		{"nobody there", "http://127.0.0.1:1", nil, 1, "connection refused"},
		{"no address", "http://127.0.0.1:1/%zz", nil, 1, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			api, err := geminitest.Start(secretKey)
			if err != nil {
				t.Fatal(err)
			}
			defer api.Close()
			watch := &watcher{started: make(chan struct{})}
			var mu sync.Mutex
			api.Handle(func(geminitest.Request) geminitest.Reply {
				watch.look()
				mu.Lock()
				defer mu.Unlock()
				reply := tt.replies[0]
				tt.replies = tt.replies[1:]
				return reply
			})
			base := tt.base
			if base == "" {
				base = api.URL
			}

			home, data := t.TempDir(), t.TempDir()
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			args := []string{"chat", "--data", data, "-v", "-p", "what is there?", "--yes", "--json"}
			servers := 1      // ghost
			if tt.code == 0 { // otherwise the turn ends before a tool can run
				args = append(args, "--server", script)
				servers++
			}
			cmd := exec.CommandContext(ctx, goated, args...)
			cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "GEMINI_API_KEY=" + secretKey, "GOOGLE_GEMINI_BASE_URL=" + base}
			var stdout, stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			watch.pid = cmd.Process.Pid
			close(watch.started)
			_ = cmd.Wait()

			if code := cmd.ProcessState.ExitCode(); code != tt.code || !strings.Contains(stdout.String()+stderr.String(), tt.saw) {
				t.Errorf("exit status %d, want %d; stdout\n%s\nstderr\n%s", code, tt.code, &stdout, &stderr)
			}
			for stream, text := range map[string][]byte{"stdout": stdout.Bytes(), "stderr": stderr.Bytes()} {
				if bytes.Contains(text, []byte(secretKey)) {
					t.Errorf("the key is on %s:\n%s", stream, text)
				}
			}
			if searched := searchFiles(t, data) + searchFiles(t, home); searched == 0 && tt.code != 0 {
				t.Error("the error left nothing behind, not even a log")
			}
			if len(api.Requests()) == 0 {
				servers = 0 // nothing looked for servers
			}
			watch.check(t, servers)
		})
	}
}

// A tool may know the key and return it. goated must then show it, but does not save it.
func TestSecretIsNotKept(t *testing.T) {
	goated := goated(t)
	script := tellingServer(t)
	data := t.TempDir()
	cmd := exec.CommandContext(t.Context(), goated, "call", "fail", "--args", `{"why": "`+secretKey+`"}`, "--yes", "--no-bundled",
		"--data", data, "--server", script)
	cmd.Env = []string{"HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH"), "GEMINI_API_KEY=" + secretKey}
	out, _ := cmd.CombinedOutput()
	if !bytes.Contains(out, []byte("Error executing tool fail: "+secretKey)) || searchFiles(t, data) == 0 {
		t.Errorf("the tool did not come to say it: %s", out)
	}
}

// searchFiles looks for the key in all files below dir, and their names.
func searchFiles(t *testing.T, dir string) (searched int) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		searched++
		if bytes.Contains(content, []byte(secretKey)) || strings.Contains(path, secretKey) {
			t.Errorf("the key is in %s:\n%s", path, content)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	return searched
}

// A watcher inspects the processes that goated has started while goated waits for the model.
type watcher struct {
	started chan struct{} // closed when pid is known
	pid     int

	mu       sync.Mutex
	children int
	leaks    []string
}

// look works only on Linux. On other systems the servers' own answers must suffice.
func (w *watcher) look() {
	<-w.started
	parents := make(map[int]int)
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		data, err := os.ReadFile(path)
		if err != nil {
			continue // the process has exited
		}
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		_, rest, _ := strings.Cut(string(data), ") ")
		if fields := strings.Fields(rest); len(fields) > 1 {
			parents[pid], _ = strconv.Atoi(fields[1])
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for pid := range parents {
		up := parents[pid]
		for up > 1 && up != w.pid {
			up = parents[up]
		}
		if up != w.pid {
			continue
		}
		w.children++
		for _, of := range []string{"environ", "cmdline"} {
			data, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), of))
			if err == nil && bytes.Contains(data, []byte(secretKey)) {
				w.leaks = append(w.leaks, of+": "+string(data))
			}
		}
	}
}

func (w *watcher) check(t *testing.T, least int) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, leak := range w.leaks {
		t.Errorf("a server has the key in its %s", leak)
	}
	if _, err := os.Stat("/proc/self/stat"); err == nil && w.children < least {
		t.Errorf("%d servers were seen running, want %d", w.children, least)
	}
}
