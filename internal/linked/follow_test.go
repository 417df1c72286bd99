package linked

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"

	"goated/client"
	"goated/internal/config"
	"goated/internal/servertest"
	"goated/internal/waittest"
)

// plain is a server that uses no library, because the tests start many servers.
const plain = `
import json, sys
if "--slow" in sys.argv:
    sys.stdin.read() # it never answers
for line in sys.stdin:
    m = json.loads(line)
    if "id" not in m:
        continue
    answer = {"jsonrpc": "2.0", "id": m["id"]}
    if m["method"] == "initialize":
        answer["result"] = {"protocolVersion": m["params"]["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": {"name": "plain", "version": "1"}}
    elif m["method"] == "tools/list":
        answer["result"] = {"tools": [{"name": "roll", "inputSchema": {"type": "object"}}]}
    else:
        answer["error"] = {"code": -32601, "message": "unknown"}
    print(json.dumps(answer), flush=True)
`

// A following is a host that follows linked files in a test.
type following struct {
	t        *testing.T
	host     *client.Host
	follower *Follower
	watcher  *fsnotify.Watcher
	python   string
	script   string // runs each server

	mu       sync.Mutex
	settings config.Settings
	broken   error         // error of the settings
	failed   chan struct{} // receives a value when the settings are read with that error
	told     []string
	heard    chan struct{}
}

func newFollowing(t *testing.T) *following {
	env := servertest.Environ(t)
	f := &following{t: t, script: filepath.Join(t.TempDir(), "plain.py"), heard: make(chan struct{}, 100), failed: make(chan struct{}, 100)}
	write(t, f.script, plain)
	for _, kv := range env {
		if path, ok := strings.CutPrefix(kv, "PATH="); ok {
			t.Setenv("PATH", path)
			f.python, _ = exec.LookPath("python3")
		}
	}
	f.host = client.New(client.Options{Env: env, Unconfined: func(context.Context, string, client.Config) bool { return true }})
	t.Cleanup(func() { f.host.Close() })
	f.follower = &Follower{Host: f.host, File: filepath.Join(t.TempDir(), "new", "settings.json"), Settings: func() (config.Settings, error) {
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.broken != nil {
			f.failed <- struct{}{}
		}
		return f.settings, f.broken
	}, Tell: func(text string) {
		f.mu.Lock()
		f.told = append(f.told, text)
		f.mu.Unlock()
		f.heard <- struct{}{}
	}}
	return f
}

// run starts the servers of the present files, and follows the files until the test ends.
func (f *following) run() {
	f.follower.Start(f.t.Context(), nil)
	f.follow(f.t.Context())
}

// follow follows the files until the test ends.
func (f *following) follow(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	w, err := fsnotify.NewWatcher()
	if err != nil {
		f.t.Fatal(err)
	}
	f.watcher = w
	settings, now := f.follower.begin(w)
	var wg sync.WaitGroup
	wg.Go(func() { f.follower.loop(ctx, w, settings, now) })
	f.t.Cleanup(func() {
		cancel()
		waittest.Return(f.t, "the following ends", wg.Wait)
		_ = w.Close()
	})
}

// entry returns a server's entry in a file.
func (f *following) entry(name string) string {
	return `"` + name + `": {"command": "` + f.python + `", "args": ["` + f.script + `", "--` + name + `"]}`
}

// write replaces a file with one that has the named servers, as editors do.
func (f *following) write(file string, names ...string) {
	f.t.Helper()
	entries := make([]string, len(names))
	for i, name := range names {
		entries[i] = f.entry(name)
	}
	write(f.t, file, `{"mcpServers": {`+strings.Join(entries, ",")+`}}`)
}

// link returns a link to a file in which the user agreed to the named servers.
func (f *following) link(file string, names ...string) config.Link {
	f.t.Helper()
	path := filepath.Join(f.t.TempDir(), filepath.Base(file))
	f.write(path, names...)
	list, err := Read(config.Link{Path: path})
	if err != nil || len(list) != len(names) {
		f.t.Fatalf("%+v, %v", list, err)
	}
	link := config.Link{Path: file}
	for _, one := range list {
		link.Agreed = append(link.Agreed, one.Mark)
	}
	return link
}

// set changes the links in the settings.
func (f *following) set(links ...config.Link) {
	f.t.Helper()
	f.mu.Lock()
	f.settings.Linked = links
	f.mu.Unlock()
	write(f.t, f.follower.File, "{}")
}

// runs waits until exactly these servers run.
func (f *following) runs(want ...string) {
	f.t.Helper()
	limited, stop := context.WithTimeout(f.t.Context(), 20*time.Second)
	defer stop()
	slices.Sort(want)
	var got []string
	for snap := range f.host.Watch(limited) {
		got = nil
		for _, s := range snap.Servers {
			if s.Status == client.Connected {
				got = append(got, s.Name)
			}
		}
		slices.Sort(got)
		if slices.Equal(got, want) {
			return
		}
	}
	f.t.Fatalf("running are %q, want %q", got, want)
}

// hears waits until the user gets a message, and returns how often.
func (f *following) hears(want string) (n int) {
	f.t.Helper()
	for limit := time.After(20 * time.Second); ; {
		f.mu.Lock()
		all := slices.Clone(f.told)
		f.mu.Unlock()
		if n := strings.Count(strings.Join(all, "\n"), want); n > 0 {
			return n
		}
		select {
		case <-f.heard:
		case <-limit:
			f.t.Fatalf("told are %q, want %q", all, want)
		}
	}
}

// A server of a linked file runs if the user agreed to its exact command. goated follows the file,
// never starts a changed server, and never writes the file.
func TestLinkedFileIsFollowed(t *testing.T) {
	f, file := newFollowing(t), filepath.Join(t.TempDir(), ".mcp.json")
	f.settings.Linked = []config.Link{f.link(file, "one", "two")}
	f.write(file, "two")
	f.run()
	f.runs("two")
	f.write(file, "one", "two")
	f.runs("one", "two")
	f.write(file, "evil")
	f.runs()
	if n := f.hears("evil in " + file + " is new or has changed"); n != 1 {
		t.Errorf("told %d times", n)
	}
	before, _ := os.ReadFile(file)
	f.write(file, "evil", "one")
	f.runs("one")
	if n := f.hears("evil in " + file + " is new or has changed"); n != 1 {
		t.Errorf("told %d times, although nothing of it changed", n)
	}
	f.write(file, "evil")
	f.runs()
	if now, _ := os.ReadFile(file); string(now) != string(before) {
		t.Error("the file changed")
	}
}

// A server that has other arguments in its file, to which the user then agrees, keeps its folder.
func TestAChangedServerKeepsItsFolder(t *testing.T) {
	f, file := newFollowing(t), filepath.Join(t.TempDir(), ".mcp.json")
	first := f.link(file, "one")
	changed := strings.Replace(f.entry("one"), `"--one"`, `"--one", "--verbose"`, 1)
	f.settings.Linked = []config.Link{first}
	f.write(file, "one")
	f.run()
	f.runs("one")
	was := f.host.Snapshot().Servers[0].Policy
	if was.State == "" {
		t.Skip("this system has no sandbox")
	}
	write(t, file, `{"mcpServers": {`+changed+`}}`)
	f.runs()
	list, err := Read(first)
	if err != nil || len(list) != 1 {
		t.Fatalf("%+v, %v", list, err)
	}
	f.set(config.Link{Path: file, Agreed: []string{list[0].Mark}})
	f.runs("one")
	if now := f.host.Snapshot().Servers[0].Policy; now.State != was.State {
		t.Errorf("it had %s and has %s", was.State, now.State)
	}
}

// A server that the user disconnected stays disconnected when its file changes elsewhere or is
// rewritten.
func TestADisconnectedServerStaysSo(t *testing.T) {
	f, file := newFollowing(t), filepath.Join(t.TempDir(), ".mcp.json")
	f.settings.Linked = []config.Link{f.link(file, "one", "two")}
	f.write(file, "one")
	f.run()
	f.runs("one")
	if err := f.host.Disconnect(t.Context(), f.host.Snapshot().Servers[0].ID); err != nil {
		t.Fatal(err)
	}
	f.write(file, "one", "two")
	f.runs("two")
}

// If a file is linked while goated runs, goated follows it from then on. If it is unlinked, its
// servers stop.
func TestAFileThatIsLinkedLaterIsFollowed(t *testing.T) {
	f, file := newFollowing(t), filepath.Join(t.TempDir(), ".mcp.json")
	f.write(file, "one")
	f.run()
	f.set(f.link(file, "one", "two"))
	f.runs("one")
	f.write(file, "one", "two")
	f.runs("one", "two")
	f.mu.Lock()
	f.broken = errors.New("damaged")
	f.mu.Unlock()
	f.set()
	waittest.Receive(t, "the failure is reported", f.failed)
	f.mu.Lock()
	f.broken = nil
	if len(f.told) > 0 {
		t.Errorf("told are %q after settings that cannot be read", f.told)
	}
	f.mu.Unlock()
	f.set()
	f.runs()
}

// A program that rewrites a file empties it first, and may write half of it. Neither stops a
// server, nor keeps goated from following the other files.
func TestHalfAFileEndsNoServer(t *testing.T) {
	for name, half := range map[string]string{"is empty": "", "the file ends too early": `{"mcpServers": {`} {
		t.Run(name, func(t *testing.T) {
			f, dir := newFollowing(t), t.TempDir()
			file, other := filepath.Join(dir, "a.json"), filepath.Join(dir, "b.json")
			f.settings.Linked = []config.Link{f.link(file, "one", "two"), f.link(other, "three")}
			f.write(file, "one")
			f.write(other)
			f.run()
			f.runs("one")
			if err := os.WriteFile(file, []byte(half), 0o600); err != nil {
				t.Fatal(err)
			}
			f.hears(name)
			f.write(other, "three")
			f.runs("one", "three")
			f.write(file, "two")
			f.runs("two", "three")
		})
	}
}

// After it lost events, goated compares the files.
func TestLostEventsLeadToAComparison(t *testing.T) {
	f, file := newFollowing(t), filepath.Join(t.TempDir(), ".mcp.json")
	f.settings.Linked = []config.Link{f.link(file, "one", "two")}
	f.write(file)
	f.run()
	f.write(file, "one")
	f.runs("one")
	if err := f.watcher.Remove(filepath.Dir(file)); err != nil {
		t.Fatal(err)
	}
	f.write(file, "two")
	f.watcher.Errors <- fsnotify.ErrEventOverflow
	f.runs("two")
}

// While a server was starting for minutes, because it signed in or compiled, goated did not follow
// its file: other servers of the file did not start, and a removed one kept running.
func TestFilesAreFollowedWhileAServerStarts(t *testing.T) {
	f, file := newFollowing(t), filepath.Join(t.TempDir(), ".mcp.json")
	f.settings.Linked = []config.Link{f.link(file, "one", "slow", "two")}
	f.write(file, "one")
	f.run()
	f.runs("one")
	f.write(file, "one", "slow")
	limited, stop := context.WithTimeout(t.Context(), 20*time.Second)
	defer stop()
	for snap := range f.host.Watch(limited) {
		if len(snap.Servers) == 2 {
			break
		}
	}
	f.write(file, "slow", "two")
	f.runs("two")
	f.write(file, "two")
	f.hears("slow is no longer in its file")
	f.runs("two")
	f.mu.Lock()
	defer f.mu.Unlock()
	if text := strings.Join(f.told, "\n"); strings.Contains(text, "slow: ") {
		t.Errorf("the end of its start counts as a failure: %s", text)
	}
}

// If a server left its file while goated started all servers, goated reported a failure: the first
// start did not know that it had been cancelled.
func TestAServerLeavesItsFileDuringTheFirstStart(t *testing.T) {
	f, file := newFollowing(t), filepath.Join(t.TempDir(), ".mcp.json")
	f.settings.Linked = []config.Link{f.link(file, "slow")}
	f.write(file, "slow")
	var first sync.WaitGroup
	first.Go(func() { f.follower.Start(t.Context(), nil) })
	limited, stop := context.WithTimeout(t.Context(), 20*time.Second)
	defer stop()
	for snap := range f.host.Watch(limited) {
		if len(snap.Servers) == 1 {
			break
		}
	}
	f.follow(t.Context())
	f.write(file)
	f.hears("slow is no longer in its file")
	waittest.Return(t, "the first start ends", first.Wait)
	f.mu.Lock()
	defer f.mu.Unlock()
	if text := strings.Join(f.told, "\n"); strings.Contains(text, "slow: ") {
		t.Errorf("the end of its start counts as a failure: %s", text)
	}
}
