package dialogsocket

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"pgregory.net/rapid"

	"goated/internal/waittest"
	"goated/servers/pause/dialog"
	"goated/servers/pause/track"
)

// A machine is a dialog socket with programs that connect, ask, cancel, disconnect and come back, and a user
// who answers at any time. Its actions do not wait for each other. So a program can disconnect
// while an answer is written to the disk.
type machine struct {
	t        *rapid.T
	server   *Server
	address  Address
	programs []*program
	asked    int            // number of requests that goated accepted
	tracked  map[string]int // the requests by their id in the tracker

	mu     sync.Mutex
	open   []*shown
	given  map[string]string // the newest answer to each question
	serial int
}

// A shown is a dialog that the user sees.
type shown struct {
	question string
	answer   chan dialog.Answer // buffered: 1
	closed   bool
}

// A program is a process that asks questions.
type program struct {
	name string
	ids  []string
	ws   *websocket.Conn // nil: it is not connected

	mu    sync.Mutex
	got   map[string]string // the answers that it has read, by id
	pongs chan struct{}     // the answer to the ping of sync
	ended chan struct{}     // closed when its reader has returned
}

// ask plays the user.
func (m *machine) ask(ctx context.Context, r Request) (dialog.Answer, error) {
	d := &shown{question: r.Question.Subject(), answer: make(chan dialog.Answer, 1)}
	m.mu.Lock()
	m.open = append(m.open, d)
	m.mu.Unlock()
	r.Shown()
	select {
	case a := <-d.answer:
		return a, nil
	case <-ctx.Done():
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	d.closed = true
	select {
	case a := <-d.answer: // it was given before the dialog closed
		return a, nil
	default:
		return dialog.Answer{}, context.Cause(ctx)
	}
}

// pick chooses an open dialog and answers it.
func (m *machine) pick(cancelled bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, d := range m.open {
		if d.closed {
			continue
		}
		m.open = append(m.open[:i:i], m.open[i+1:]...)
		a := dialog.Answer{Cancelled: cancelled}
		if !cancelled {
			m.serial++
			a.Text, a.Time = fmt.Sprint("answer ", m.serial), time.Unix(int64(m.serial), 0)
			m.given[d.question] = a.Text
		}
		d.answer <- a
		return
	}
}

func (m *machine) connect(p *program) {
	d := websocket.Dialer{NetDialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, m.address.Network, m.address.Address)
	}}
	ws, _, err := d.Dial("ws://localhost/", http.Header{"Authorization": {"Bearer " + m.address.Token}, headerClient: {p.name},
		headerCaller: {`{"name":"` + p.name + `"}`}, headerAcknowledge: {"1"}})
	if err != nil {
		m.t.Fatal(err)
	}
	p.ws, p.ended = ws, make(chan struct{})
	go func() {
		defer close(p.ended)
		for {
			var f frame
			if ws.ReadJSON(&f) != nil {
				return
			}
			p.mu.Lock()
			if f.Type == "pong" {
				p.pongs <- struct{}{}
			}
			var a dialog.Answer
			if f.Result != nil && json.Unmarshal(f.Result, &a) == nil {
				p.got[string(f.ID)] = a.Text
			}
			p.mu.Unlock()
		}
	}()
}

func (p *program) say(t *rapid.T, text string) {
	if p.ws != nil {
		if err := p.ws.WriteMessage(websocket.TextMessage, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
}

// sync waits until goated has handled all messages from the program.
func (p *program) sync(t *rapid.T) {
	p.say(t, `{"type":"ping"}`)
	waittest.Receive(t, "goated answers the ping", p.pongs)
}

func (p *program) drop() {
	if p.ws != nil {
		_ = p.ws.Close()
		<-p.ended
		p.ws = nil
	}
}

// gone ends the time in which a program may reconnect.
func (m *machine) gone(p *program) {
	m.server.mu.Lock()
	var c *client
	for _, known := range m.server.clients {
		if known.caller.Name == p.name {
			c = known
		}
	}
	m.server.mu.Unlock()
	if c != nil {
		m.server.endClient(c) // it does nothing for a connected client
	}
}

// In whatever order programs ask, give up, disconnect and come back, each request reaches one
// terminal state. Each answer is either read by a program or stored for the next request.
func TestEachRequestOfTheSocketEndsOnceAndNoAnswerIsLost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		folder, err := os.MkdirTemp("", "socket")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(folder)
		m := &machine{t: t, given: make(map[string]string), tracked: make(map[string]int)}
		m.server, err = Listen(Options{Folder: folder, Ask: m.ask, Grace: time.Hour, process: func(net.Conn) string { return "p" }})
		if err != nil {
			t.Fatal(err)
		}
		closed := false
		defer func() {
			for _, p := range m.programs {
				p.drop()
			}
			if !closed {
				_ = m.server.Close()
			}
		}()
		m.address, err = (&Client{Folder: folder}).address()
		if err != nil {
			t.Fatal(err)
		}
		for i := range 3 {
			m.programs = append(m.programs, &program{name: fmt.Sprint("program ", i), got: make(map[string]string), pongs: make(chan struct{}, 1)})
		}
		one := func(t *rapid.T) *program { return rapid.SampledFrom(m.programs).Draw(t, "program") }
		t.Repeat(map[string]func(*rapid.T){
			"connect": func(t *rapid.T) {
				if p := one(t); p.ws == nil {
					m.connect(p)
				}
			},
			"ask": func(t *rapid.T) {
				p := one(t)
				if p.ws == nil || m.asked >= callsAMinute {
					return
				}
				id := fmt.Sprintf(`"%d"`, m.asked)
				m.asked++
				p.ids = append(p.ids, id)
				m.tracked["p/"+p.name+"/"+id]++
				question := p.name + rapid.SampledFrom([]string{" asks A", " asks B"}).Draw(t, "question")
				p.say(t, `{"jsonrpc":"2.0","id":`+id+`,"method":"tools/call","params":{"name":"text_input","arguments":{"question":"`+question+`"}}}`)
			},
			"cancel": func(t *rapid.T) {
				if p := one(t); len(p.ids) > 0 {
					id := rapid.SampledFrom(p.ids).Draw(t, "id")
					p.say(t, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":`+id+`}}`)
				}
			},
			"receive": func(t *rapid.T) {
				p := one(t)
				p.mu.Lock()
				defer p.mu.Unlock()
				for id := range p.got {
					p.say(t, `{"jsonrpc":"2.0","method":"dialog/received","params":{"requestId":`+id+`}}`)
				}
			},
			"wait":        func(t *rapid.T) { one(t).wait(t) },
			"drop":        func(t *rapid.T) { p := one(t); p.wait(t); p.drop() },
			"gone":        func(t *rapid.T) { m.gone(one(t)) },
			"answer":      func(*rapid.T) { m.pick(false) },
			"user cancel": func(*rapid.T) { m.pick(true) },
		})
		for _, p := range m.programs {
			p.wait(t)
			p.drop()
		}
		if err := m.server.Close(); err != nil {
			t.Fatal(err)
		}
		closed = true
		m.check(t)
	})
}

// wait calls sync if the program is connected.
func (p *program) wait(t *rapid.T) {
	if p.ws != nil {
		p.sync(t)
	}
}

func (m *machine) check(t *rapid.T) {
	if active := m.server.tracker.Active(); len(active) > 0 {
		t.Fatalf("requests have no end: %+v", active)
	}
	ends := make(map[string]int)
	for _, r := range m.server.tracker.History() {
		ends[r.ID]++
		if !track.State(r.State).Terminal() {
			t.Fatalf("a request ends as %s", r.State)
		}
	}
	for id := range m.tracked {
		if ends[id] != 1 {
			t.Fatalf("request %s ends %d times", id, ends[id])
		}
	}
	had := make(map[string]bool)
	for _, p := range m.programs {
		for _, text := range p.got {
			had[text] = true
		}
	}
	for _, k := range m.server.answers.kept {
		had[k.Answer.Text] = true
	}
	for question, text := range m.given {
		if !had[text] {
			t.Fatalf("the answer %q to %q is lost", text, question)
		}
	}
}
