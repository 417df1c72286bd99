package ui_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"

	"goated/agent"
	"goated/client"
	"goated/internal/config"
	"goated/internal/sandbox"
	"goated/internal/servertest"
	"goated/ui"
	"goated/ui/view"
)

// A waiter is a window with the server "weather", whose call is running in the conversation.
type waiter struct {
	*desk
	held int // how often a question was seen; read it after an answer
}

func newWaiter(t *testing.T) *waiter {
	t.Helper()
	servertest.UsePython(t)
	script := filepath.Join(t.TempDir(), "weather.py")
	if err := os.WriteFile(script, []byte(servertest.Small(t)+"MCPServer(\"weather\").run()\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	h := client.New(client.Options{Data: t.TempDir(), Env: servertest.Environ(t), Unconfined: unconfined})
	t.Cleanup(h.Close)
	if _, err := h.Connect(t.Context(), client.Config{Path: script, Name: "weather"}); err != nil {
		t.Fatal(err)
	}
	d := &waiter{desk: shown(t, ui.Options{Host: h})}
	d.callUnderWay("weather", "forecast")
	return d
}

// weatherSite is the host that the server wants to reach.
var weatherSite = sandbox.Permission{Kind: sandbox.ToHost, Host: "api.open-meteo.com"}

const wantsWeather = "weather wants to reach api.open-meteo.com"

// permits asks while a call waits, and returns a channel for the answer.
func (d *waiter) permits(ctx context.Context) <-chan bool {
	got := make(chan bool, 1)
	go func() {
		got <- d.dialogs.Permit(ctx, client.Asker{ID: "weather", Name: "weather"}, weatherSite, func() { d.held++ })
	}()
	return got
}

// opens waits until the question is visible and can be answered.
func (d *waiter) opens() {
	d.T.Helper()
	d.sees(wantsWeather)
	d.later()
}

// gets waits for the answer.
func (d *waiter) gets(got <-chan bool, want bool) {
	d.T.Helper()
	d.until("there is an answer", func() bool { return len(got) > 0 })
	if <-got != want {
		d.T.Errorf("the answer is not %v", want)
	}
}

// decided waits until the settings contain exactly one decision and ok holds for it.
func (d *waiter) decided(ok func(config.Launch) bool) {
	d.T.Helper()
	d.until("the settings hold the decision", func() bool {
		all := d.saved.get().DecidedServers()
		return len(all) == 1 && ok(all[0])
	})
}

const (
	waits   = "The call continues when you answer. Its time limit is paused. If you allow it, goated remembers your answer. The server runs weather.py."
	refused = "The sandbox blocked it. If you allow it, the server restarts, and goated remembers your answer. The server runs weather.py."
)

// A call waits for the answer on the card in its conversation. goated remembers a yes without
// restarting the server.
func TestCallWaitsForTheAnswerToAPermission(t *testing.T) {
	d := newWaiter(t)
	since := d.host.Snapshot().Servers[0].Since
	got := d.permits(t.Context())
	d.opens()
	if !d.Reads(waits) || d.Layers() > 0 {
		t.Errorf("the card does not say that the call waits: %q", d.Texts())
	}
	d.Ctrl(fyne.KeyReturn)
	d.gets(got, true)
	d.decided(func(l config.Launch) bool { return l.Allowed.Has(weatherSite) })
	if now := d.host.Snapshot().Servers[0]; now.Since != since || d.held != 1 {
		t.Errorf("the server restarted at %v, and the call was held %d times", now.Since, d.held)
	}
}

// "Not now" refuses this call. "Never" refuses all calls, and goated does not ask again.
func TestCallThatWaitsIsRefused(t *testing.T) {
	d := newWaiter(t)
	got := d.permits(t.Context())
	d.opens()
	d.Key(fyne.KeyEscape)
	d.gets(got, false)
	got = d.permits(t.Context())
	d.opens()
	d.Press("Never")
	d.gets(got, false)
	d.decided(func(l config.Launch) bool { return l.Refused.Has(weatherSite) })
	d.gets(d.permits(t.Context()), false)
	if d.held != 2 {
		t.Errorf("calls were held %d times", d.held)
	}
}

// A call gives up before the user answers. The question stays and says so, and a yes restarts
// the server. Until then, goated does not ask the same question again.
func TestQuestionOutlivesTheCallThatWaits(t *testing.T) {
	d := newWaiter(t)
	since := d.host.Snapshot().Servers[0].Since
	ctx, cancel := context.WithCancel(t.Context())
	got := d.permits(ctx)
	d.opens()
	cancel()
	d.gets(got, false)
	d.until("the card says that the call does not wait", func() bool { return d.Reads(refused) && !d.Reads(waits) })
	d.gets(d.permits(t.Context()), false)
	d.Ctrl(fyne.KeyReturn)
	d.until("the server has restarted", func() bool {
		s := d.host.Snapshot().Servers
		c, _ := d.host.Config("weather")
		return len(s) == 1 && s[0].Since != since && s[0].Status == client.Connected && len(c.Grant.Hosts) == 1
	})
}

// If no conversation shows a running call of the server, the call does not wait.
func TestNobodyIsAskedWithoutACall(t *testing.T) {
	d := newWaiter(t)
	d.window.ShowChat(view.Chat{}.Say("go").Apply(agent.ToolCalled{ID: "call-1", Server: "weather", Tool: "forecast"}).
		Apply(agent.ToolDecided{ID: "call-1", Decision: agent.AllowOnce}).Apply(agent.ToolReturned{ID: "call-1", Error: "no network"}), true)
	d.gets(d.permits(t.Context()), false)
	if d.held > 0 || d.Reads(wantsWeather) {
		t.Error("the user was asked")
	}
}
