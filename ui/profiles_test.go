package ui_test

import (
	"context"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/genai"

	"goated/agent"
	"goated/client"
	"goated/internal/config"
	"goated/internal/readiness"
	"goated/internal/store"
	"goated/internal/waittest"
	"goated/ui"
)

// running returns the names of the running servers.
func running(h *client.Host) string {
	var names []string
	for _, s := range h.Snapshot().Servers {
		if s.Status == client.Connected {
			names = append(names, s.Name)
		}
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// A witness is a model that records which servers are running when it is asked.
type witness struct {
	host *client.Host
	mu   sync.Mutex
	saw  []string
}

func (w *witness) Generate(context.Context, []*genai.Content, *genai.GenerateContentConfig) iter.Seq2[*genai.GenerateContentResponse, error] {
	return func(yield func(*genai.GenerateContentResponse, error) bool) {
		w.mu.Lock()
		w.saw = append(w.saw, running(w.host))
		w.mu.Unlock()
		yield(&genai.GenerateContentResponse{Candidates: []*genai.Candidate{{
			Content: genai.NewContentFromText("Noted.", genai.RoleModel), FinishReason: genai.FinishReasonStop,
		}}}, nil)
	}
}

// nth returns the servers that were running when the model was asked for the nth time.
func (w *witness) nth(n int) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.saw) < n {
		return "not asked"
	}
	return w.saw[n-1]
}

// A profile starts and disconnects servers, here one server with two accounts. A conversation
// restores its profile before its next turn, which waits for the servers.
func TestProfilesOfServers(t *testing.T) {
	host := client.New(client.Options{Unconfined: unconfined})
	t.Cleanup(host.Close)
	tools := readiness.New(host)
	tools.Limit = 5 * time.Minute // for a busy machine
	history, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "h.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = history.Close() })
	script := echoServer(t)
	settings := config.Settings{Welcomed: true, Launch: []config.Launch{{Name: "own", Path: script, Off: true}, {Name: "office", Path: script, Off: true}}}
	settings.Profiles = []config.Profile{{Name: "Work", On: []string{"office"}}, {Name: "Home", On: []string{"own"}}}
	model := &witness{host: host}
	d := hosted(t, ui.Options{Host: host, History: history, Settings: settings, Agent: ui.AgentOptions{Tools: tools, NewSession: func() *agent.Session {
		return &agent.Session{Model: model, Tools: tools}
	}}})
	d.run("Profile: Work")
	d.says("first message") // answered immediately
	if got := model.nth(1); got != "office" {
		t.Errorf("with the profile Work run: %s", got)
	}
	d.newChat()
	d.run("Profile: Home")
	d.until("the servers change", func() bool { return running(host) == "own" })
	d.says("second message")
	if got := model.nth(2); got != "own" {
		t.Errorf("with the profile Home run: %s", got)
	}
	d.Press("Tools")
	d.until("the page names the profile", func() bool { return d.After("Profile") == "Home" })
	d.Press("Tools")
	d.Press("first message")
	d.until("the first conversation is shown", func() bool { return d.title() == "first message" })
	d.says("once more")
	if got := model.nth(3); !strings.Contains(got, "office") {
		t.Errorf("when a conversation of the profile Work goes on run: %s", got)
	}
	d.until("only the servers of its profile run", func() bool { return running(host) == "office" })
	d.until("the profile is saved", func() bool { return d.saved.get().ProfileInUse() == "Work" })
	all, err := history.Conversations(t.Context())
	if err != nil || len(all) != 2 {
		t.Fatalf("%d conversations, %v", len(all), err)
	}
	for _, c := range all {
		if want := map[bool]string{true: "Work", false: "Home"}[c.Title == "first message"]; c.Choices.Profile != want {
			t.Errorf("%q remembers %q, want %q", c.Title, c.Choices.Profile, want)
		}
	}
}

// A new profile starts with the servers that are on, and can be deleted.
func TestANewProfile(t *testing.T) {
	d := hosted(t, ui.Options{Settings: config.Settings{Welcomed: true, Launch: []config.Launch{{Name: "own", Path: echoServer(t)}}}})
	d.run("New profile of servers…")
	d.sees("A profile remembers which servers are on. The new one begins with those that are on now; turn others on or off on the Tools page. A conversation remembers its profile.")
	d.Type("Research")
	d.Press("Create")
	d.until("it is saved", func() bool {
		s := d.saved.get()
		return s.ProfileInUse() == "Research" && len(s.Launch) == 1 && !s.Launch[0].Off
	})
	d.run("New profile of servers…")
	d.Type("default")
	d.Press("Create")
	d.sees("There is a profile Default already. Enter another name.") // it silently switched to that profile
	if now := d.saved.get().ProfileInUse(); now != "Research" {
		t.Errorf("the profile %s is in use", now)
	}
	d.Press("Cancel")
	d.run("Delete the profile Research")
	d.until("it is gone", func() bool {
		s := d.saved.get()
		return s.ProfileInUse() == config.DefaultProfile && !slices.Contains(s.ProfileNames(), "Research") && !s.Launch[0].Off
	})
}

// If another conversation switches the profile, a running turn keeps its servers. They
// disconnect after that turn.
func TestProfileKeepsServersOfATurn(t *testing.T) {
	host := client.New(client.Options{Unconfined: unconfined})
	t.Cleanup(host.Close)
	tools := readiness.New(host)
	tools.Limit = 5 * time.Minute
	script := echoServer(t)
	settings := config.Settings{Welcomed: true, Launch: []config.Launch{{Name: "own", Path: script, Off: true}, {Name: "office", Path: script, Off: true}}}
	settings.Profiles = []config.Profile{{Name: "Work", On: []string{"office"}}, {Name: "Home", On: []string{"own"}}}
	asked, goOn := make(chan struct{}), make(chan struct{})
	var saw string
	model := func(_ context.Context, _ []*genai.Content, yield func(string, error) bool) {
		close(asked)
		<-goOn
		saw = running(host)
		yield("done", nil)
	}
	d := hosted(t, ui.Options{Host: host, Settings: settings, Agent: ui.AgentOptions{Tools: tools, NewSession: sessions(model)}})
	d.run("Profile: Work")
	d.until("the server runs", func() bool { return running(host) == "office" })
	d.send("a long task")
	waittest.Receive(t, "the model is asked", asked)
	d.newChat()
	d.run("Profile: Home")
	d.until("goated says what stays", func() bool { return d.Says("office stays on until the answers under way are complete") })
	d.until("the other server runs", func() bool { return strings.Contains(running(host), "own") })
	close(goOn)
	d.until("only the new profile's server runs", func() bool { return running(host) == "own" })
	if saw != "office, own" {
		t.Errorf("during the turn run: %s", saw)
	}
}

// Create silently ignored a name of 31 Cyrillic letters. It also gave no reason for rejecting a
// name that is too long.
func TestTheNameOfAProfileIsCountedInCharacters(t *testing.T) {
	d := hosted(t, ui.Options{Settings: config.Settings{Welcomed: true}})
	d.run("New profile of servers…")
	d.Press("Create")
	d.sees("Enter a name.")
	d.Type(strings.Repeat("ж", 61))
	d.Press("Create")
	d.sees("The name has 61 characters. Enter one of at most 60.")
	name := strings.Repeat("ж", 31)
	d.Enter("Such as Work or Research", name)
	d.Press("Create")
	d.until("it is saved", func() bool { return d.saved.get().ProfileInUse() == name })
}
