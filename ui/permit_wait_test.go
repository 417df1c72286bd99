package ui

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"goated/agent"
	"goated/client"
	"goated/internal/servertest"
)

// A waiter is a window with the server "weather", in whose conversation a call runs.
type waiter struct {
	*desk
	host *client.Host
	held int // how often a question was seen; read it after an answer
}

func newWaiter(t *testing.T) *waiter {
	t.Helper()
	servertest.UsePython(t)
	script := filepath.Join(t.TempDir(), "weather.py")
	if err := os.WriteFile(script, []byte(servertest.Small(t)+"MCPServer(\"weather\").run()\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	h := client.New(client.Options{Data: t.TempDir(), Env: servertest.Environ(t), Unconfined: func(context.Context, string, client.Config) bool { return true }})
	t.Cleanup(h.Close)
	if _, err := h.Connect(t.Context(), client.Config{Path: script, Name: "weather"}); err != nil {
		t.Fatal(err)
	}
	d := &waiter{desk: newDesk(t, Options{Host: h}), host: h}
	d.show()
	c := d.chats.Conversation()
	c.Chat, c.Cancel = forecast(), func() {}
	return d
}

// permits asks while a call waits, and returns the channel of the answer.
func (d *waiter) permits(ctx context.Context) <-chan bool {
	got := make(chan bool, 1)
	go func() {
		got <- d.options.Dialogs.Permit(ctx, client.Asker{ID: "weather", Name: "weather"}, reachWeather, func() { d.held++ })
		d.queue <- func() {} // for until
	}()
	return got
}

// opens waits until the question is there, and can be answered.
func (d *waiter) opens() {
	d.t.Helper()
	d.until("the question is open", d.chats.Questions.Open)
	d.clock = d.clock.Add(time.Second)
}

// gets waits for the answer.
func (d *waiter) gets(got <-chan bool, want bool) {
	d.t.Helper()
	d.until("there is an answer", func() bool { return len(got) > 0 })
	if <-got != want {
		d.t.Errorf("the answer is not %v", want)
	}
}

const (
	waits   = "The call goes on by itself when you answer. Its time limit is paused. goated remembers it if you allow it. The server runs weather.py."
	refused = "The sandbox refused it. If you allow it, the server restarts, and goated remembers your answer. The server runs weather.py."
)

// A call waits for the answer on the card in its conversation. A yes is remembered without a
// restart.
func TestACallWaitsForTheAnswerToAPermission(t *testing.T) {
	d := newWaiter(t)
	since := d.host.Snapshot().Servers[0].Since
	got := d.permits(t.Context())
	d.opens()
	if !d.reads("weather wants to reach api.open-meteo.com") || !d.reads(waits) || len(d.shell.Sheets.All) > 0 {
		t.Error("the card does not say that the call waits")
	}
	d.hurry()
	d.gets(got, true)
	d.until("it is remembered", func() bool {
		all := d.prefs.current.Decided()
		return len(all) == 1 && all[0].Allowed.Has(reachWeather)
	})
	if now := d.host.Snapshot().Servers[0]; now.Since != since || d.held != 1 {
		t.Errorf("it restarted at %v, held %d times", now.Since, d.held)
	}
}

// "Not now" is for this call, and "Never" for all: then nobody is asked.
func TestACallThatWaitsIsRefused(t *testing.T) {
	d := newWaiter(t)
	got := d.permits(t.Context())
	d.opens()
	d.escape()
	d.gets(got, false)
	got = d.permits(t.Context())
	d.opens()
	d.button("Never").OnTapped()
	d.gets(got, false)
	d.until("it is remembered", func() bool {
		all := d.prefs.current.Decided()
		return len(all) == 1 && all[0].Refused.Has(reachWeather)
	})
	d.gets(d.permits(t.Context()), false)
	if d.held != 2 {
		t.Errorf("held %d times", d.held)
	}
}

// The patience of a call ends before that of people: the question stays, says that, and its yes
// restarts the server. Meanwhile nobody is asked the same again.
func TestAQuestionOutlivesTheCallThatWaits(t *testing.T) {
	d := newWaiter(t)
	since := d.host.Snapshot().Servers[0].Since
	ctx, cancel := context.WithCancel(t.Context())
	got := d.permits(ctx)
	d.opens()
	cancel()
	d.gets(got, false)
	d.until("the card says that the call does not wait", func() bool { return d.reads(refused) && !d.reads(waits) })
	d.gets(d.permits(t.Context()), false)
	d.hurry()
	d.until("the server has restarted", func() bool {
		s := d.servers.Snapshot.Servers
		c, _ := d.host.Config("weather")
		return len(s) == 1 && s[0].Since != since && s[0].Status == client.Connected && len(c.Grant.Hosts) == 1
	})
}

// Where no conversation shows a call of the server under way, a call does not wait.
func TestNobodyIsAskedWithoutACall(t *testing.T) {
	d := newWaiter(t)
	c := d.chats.Conversation()
	c.Chat = c.Chat.Apply(agent.ToolReturned{ID: "call-1", Error: "no network"})
	d.gets(d.permits(t.Context()), false)
	if d.held > 0 || d.chats.Questions.Open() {
		t.Error("somebody was asked")
	}
}
