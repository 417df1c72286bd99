package linked

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"goated/client"
	"goated/internal/config"
	"goated/internal/servertest"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("go.opencensus.io/stats/view.(*worker).start"))
}

func write(t *testing.T, path, text string) {
	t.Helper()
	part := path + ".part"
	if err := os.WriteFile(part, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(part, path); err != nil { // as editors do
		t.Fatal(err)
	}
}

// A mark changes with everything that decides what a server runs and gets.
func TestMark(t *testing.T) {
	base := config.Launch{Command: "a", Args: []string{"b"}, Env: []config.Variable{{Name: "A", Value: "1"}, {Name: "B", Value: "2"}}}
	same := base
	same.Name, same.Env = "other", []config.Variable{base.Env[1], base.Env[0]}
	if Mark(base) != Mark(same) {
		t.Error("a name or an order changes the mark")
	}
	for name, change := range map[string]func(l *config.Launch){
		"command": func(l *config.Launch) { l.Command = "x" }, "arguments": func(l *config.Launch) { l.Args = []string{"b", "c"} }, "folder": func(l *config.Launch) { l.Dir = "/x" },
		"a value": func(l *config.Launch) { l.Env = []config.Variable{{Name: "A", Value: "9"}, {Name: "B", Value: "2"}} }, "a header": func(l *config.Launch) { l.Headers = base.Env },
	} {
		l := base
		if change(&l); Mark(l) == Mark(base) {
			t.Errorf("%s does not change the mark", name)
		}
	}
}

// The servers of a linked file run if the user agreed to their exact commands. goated follows
// the file, never starts what changed, and never writes it.
func TestLinkedFileIsFollowed(t *testing.T) {
	env := servertest.Environ(t)
	node := ""
	for _, kv := range env {
		if path, ok := strings.CutPrefix(kv, "PATH="); ok {
			t.Setenv("PATH", path)
			node, _ = exec.LookPath("node")
		}
	}
	file := filepath.Join(t.TempDir(), ".mcp.json")
	dice := servertest.Script("dice.js")
	one := `"one": {"command": "` + node + `", "args": ["` + dice + `"]}`
	two := `"two": {"command": "` + node + `", "args": ["` + dice + `", "--two"]}`
	evil := `"one": {"command": "` + node + `", "args": ["` + dice + `", "--evil"]}`
	write(t, file, `{"mcpServers": {`+one+`}}`)
	link := config.Link{Path: file}
	list, err := Read(link)
	if err != nil || len(list) != 1 || list[0].Agreed {
		t.Fatalf("%+v, %v", list, err)
	}
	link.Agreed = []string{list[0].Mark}
	write(t, file, `{"mcpServers": {`+two+`}}`)
	list, _ = Read(link)
	link.Agreed = append(link.Agreed, list[0].Mark)

	h := client.New(client.Options{Env: env, Unconfined: func(context.Context, string, client.Config) bool { return true }})
	defer h.Close()
	var mu sync.Mutex
	var told []string
	heard := make(chan struct{}, 100)
	f := Follower{Host: h, Settings: func() config.Settings { return config.Settings{Linked: []config.Link{link}} }, Tell: func(text string) {
		mu.Lock()
		told = append(told, text)
		mu.Unlock()
		heard <- struct{}{}
	}}
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := f.Run(ctx); err != nil {
			t.Error(err)
		}
	})
	defer wg.Wait()
	defer cancel()
	names := func(want string) {
		t.Helper()
		limited, stop := context.WithTimeout(ctx, 20*time.Second)
		defer stop()
		got := ""
		for snap := range h.Watch(limited) {
			var all []string
			for _, s := range snap.Servers {
				if s.Status == client.Connected {
					all = append(all, s.Name)
				}
			}
			if got = strings.Join(all, " "); got == want {
				return
			}
		}
		t.Fatalf("running are %q, want %q", got, want)
	}
	f.Compare(ctx)
	names("two")
	write(t, file, `{"mcpServers": {`+one+`,`+two+`}}`)
	names("two one")
	write(t, file, `{"mcpServers": {`+evil+`}}`)
	names("")
	for !func() bool {
		mu.Lock()
		defer mu.Unlock()
		return strings.Contains(strings.Join(told, "\n"), "one in "+file+" is new or has changed")
	}() {
		<-heard
	}
	write(t, file, `{"mcpServers": {`)
	before, _ := os.ReadFile(file)
	f.Compare(ctx)
	if now, _ := os.ReadFile(file); string(now) != string(before) {
		t.Error("the file changed")
	}
}
