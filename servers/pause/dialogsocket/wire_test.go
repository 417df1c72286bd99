package dialogsocket

import (
	"bytes"
	"context"
	"encoding/json"
	"goated/servers/pause/dialog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// dial opens a connection that change can modify.
func dial(t *testing.T, s *Server, change func(http.Header, *string)) (*websocket.Conn, error) {
	t.Helper()
	c := clientAt(t, s.o.Folder)
	a, err := c.address()
	if err != nil {
		t.Fatal(err)
	}
	header := http.Header{"Authorization": {"Bearer " + a.Token}}
	url := "ws://" + a.Address + "/"
	if a.Network == "unix" {
		url = "ws://localhost/"
	}
	if change != nil {
		change(header, &url)
	}
	d := websocket.Dialer{NetDialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, a.Network, a.Address)
	}}
	ws, _, err := d.DialContext(t.Context(), url, header)
	if err == nil {
		t.Cleanup(func() { _ = ws.Close() })
	}
	return ws, err
}

func TestForgedHandshakes(t *testing.T) {
	s := listenAt(t, Options{Folder: t.TempDir(), Ask: newUser().ask, TCP: "127.0.0.1:0"})
	if _, err := dial(t, s, nil); err != nil {
		t.Fatalf("the user's own program is refused: %v", err)
	}
	for name, forge := range map[string]func(http.Header, *string){
		"no token":       func(h http.Header, _ *string) { h.Del("Authorization") },
		"a wrong token":  func(h http.Header, _ *string) { h.Set("Authorization", "Bearer "+strings.Repeat("A", 52)) },
		"a longer token": func(h http.Header, _ *string) { h.Set("Authorization", h.Get("Authorization")+"A") },
		"a prefix":       func(h http.Header, _ *string) { h.Set("Authorization", h.Get("Authorization")[:20]) },
		"a web page":     func(h http.Header, _ *string) { h.Set("Origin", "https://evil.example") },
		"a local page":   func(h http.Header, _ *string) { h.Set("Origin", "http://localhost:3000") },
		"a null origin":  func(h http.Header, _ *string) { h.Set("Origin", "null") },
		"another host":   func(_ http.Header, url *string) { *url = "ws://evil.example:80/" },
		"another path":   func(_ http.Header, url *string) { *url += "admin" },
		"a large header": func(h http.Header, _ *string) { h.Set("X", strings.Repeat("x", 2*maxHeader)) },
	} {
		if _, err := dial(t, s, forge); err == nil {
			t.Errorf("%s gets in", name)
		}
	}
}

// These are the messages of the seed and of the original program, as in their documents.
func TestWireOfTheSeedAndOfTheOriginal(t *testing.T) {
	u := newUser()
	s := listenAt(t, Options{Folder: t.TempDir(), Ask: u.ask})
	ws, err := dial(t, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	receive := func() map[string]any {
		t.Helper()
		var got map[string]any
		if err := ws.ReadJSON(&got); err != nil {
			t.Fatal(err)
		}
		return got
	}
	say := func(text string) {
		t.Helper()
		if err := ws.WriteMessage(websocket.TextMessage, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if got := receive(); got["type"] != "connection" || got["status"] != "connected" || got["connectionId"] == "" {
		t.Errorf("greeting %v", got)
	}
	u.answers <- dialog.Answer{Choice: "api_first", ThinkingMode: dialog.Deep, Context: "a solid foundation"}
	say(`{"jsonrpc":"2.0","id":"req_abc123","method":"tools/call","params":{"name":"planner","arguments":{"decision_context":"a feature","options":[{"label":"API","value":"api_first"}]}}}`)
	got := receive()
	r, _ := got["result"].(map[string]any)
	if got["id"] != "req_abc123" || r["choice"] != "api_first" || r["thinkingMode"] != "deep" || r["additionalContext"] != "a solid foundation" || r["timestamp"] == nil {
		t.Errorf("the result is %v", got)
	}
	u.answers <- dialog.Answer{Cancelled: true}
	say(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"confirm","arguments":{"question":"Delete?"}}}`)
	e, _ := receive()["error"].(map[string]any)
	if data, _ := e["data"].(map[string]any); e["code"] != -32603.0 || data["cancelled"] != true || data["timestamp"] == nil {
		t.Errorf("the error is %v", e)
	}
	u.answers <- dialog.Answer{Attachments: []dialog.Attachment{{Name: "s.png", Type: "image/png", Data: []byte("x")}}, Context: "here"}
	say(`{"type":"dialog_request","id":"1-a","dialogType":"screenshot_request","parameters":{"question":"Show me"}}`)
	got = receive()
	data, _ := got["data"].(map[string]any)
	if images, _ := data["images"].([]any); got["type"] != "dialog_response" || got["id"] != "1-a" || len(images) != 1 || data["additionalText"] != "here" {
		t.Errorf("the original's response is %v", got)
	}
	say(`{"type":"ping"}`)
	if got := receive(); got["type"] != "pong" {
		t.Errorf("%v", got)
	}
	for text, code := range map[string]float64{
		`{`: -32700, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`: -32601, `{"id":1,"method":"ping"}`: -32600,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"rm","arguments":{}}}`:      -32601,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"confirm","arguments":{}}}`: -32602,
		`{"jsonrpc":"2.0","id":{},"method":"tools/call","params":{"name":"confirm"}}`:               -32600,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}`:                                -32602,
	} {
		say(text)
		if e, _ := receive()["error"].(map[string]any); e["code"] != code {
			t.Errorf("%s: %v", text, e)
		}
	}
}

// If a caller takes an answer and exits without an acknowledgement, its request does not stay
// active forever. The same applies if goated exits.
func TestUnacknowledgedAnswerEndsItsRequest(t *testing.T) {
	for _, end := range []string{"the caller leaves", "goated ends"} {
		u := newUser()
		s := listenAt(t, Options{Folder: t.TempDir(), Ask: u.ask, Grace: time.Millisecond})
		ws, err := dial(t, s, func(h http.Header, _ *string) { h.Set(headerAcknowledge, "1") })
		if err != nil {
			t.Fatal(err)
		}
		if err := ws.WriteMessage(websocket.TextMessage, []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"text_input","arguments":{"question":"Name?"}}}`)); err != nil {
			t.Fatal(err)
		}
		u.answers <- dialog.Answer{Text: "Ada"}
		_ = ws.SetReadDeadline(time.Now().Add(30 * time.Second))
		for {
			_, text, err := ws.ReadMessage()
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Contains(text, []byte("Ada")) {
				break
			}
		}
		if end == "the caller leaves" {
			_ = ws.Close()
			for deadline := time.Now().Add(10 * time.Second); s.Tracker().Metrics().Active > 0 && time.Now().Before(deadline); {
				time.Sleep(time.Millisecond)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if m := s.Tracker().Metrics(); m.Active != 0 || m.Completed+m.Errors+m.Cancelled != 1 {
			t.Errorf("%s: figures %+v", end, m)
		}
	}
}

// The limit applies to a process. A new name or a new connection does not reset it.
func TestRateLimit(t *testing.T) {
	s := listenAt(t, Options{Folder: t.TempDir(), Ask: func(context.Context, Request) (dialog.Answer, error) {
		return dialog.Answer{Text: "x"}, nil
	}})
	c := clientAt(t, s.o.Folder)
	for i := range callsAMinute {
		if _, err := c.Ask(t.Context(), someone, question); err != nil {
			t.Fatalf("dialog %d: %v", i, err)
		}
	}
	if _, err := clientAt(t, s.o.Folder).Ask(t.Context(), dialog.Caller{Name: "other"}, question); err == nil || !strings.Contains(err.Error(), "rate limit") {
		t.Errorf("got %v", err)
	}
}

func TestUnreadableAnswersAreSetAside(t *testing.T) {
	for _, text := range []string{`{"x":`, "null"} {
		folder := t.TempDir()
		path := filepath.Join(folder, "answers.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		s := listenAt(t, Options{Folder: folder, Ask: newUser().ask})
		if kept, err := os.ReadFile(path + ".corrupt"); err != nil || string(kept) != text {
			t.Errorf("%q is set aside as %q: %v", text, kept, err)
		}
		if _, err := s.answers.put("question", dialog.Answer{}, origin{}); err != nil {
			t.Errorf("after %q, no answer is stored: %v", text, err)
		}
	}
}

// No bytes from a caller crash the socket, or open a dialog for an invalid question.
func FuzzFrames(f *testing.F) {
	for _, seed := range []string{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"confirm","arguments":{"question":"?"}}}`,
		`{"type":"dialog_request","id":"a","dialogType":"planner","parameters":{}}`, `{"type":"ping"}`, `[]`, `null`, `{"id":1e999}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, `{"jsonrpc":"2.0","method":"dialog/received","params":{"requestId":1}}`} {
		f.Add([]byte(seed))
	}
	folder := f.TempDir()
	s, err := Listen(Options{Folder: folder, Ask: func(_ context.Context, r Request) (dialog.Answer, error) {
		r.Shown()
		if err := r.Question.Check(); err != nil {
			panic(err)
		}
		return dialog.Answer{Cancelled: true}, nil
	}})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = s.Close() })
	f.Fuzz(func(t *testing.T, text []byte) {
		l := &line{out: make(chan []byte, maxQueue), done: make(chan struct{})}
		l.once.Do(func() {}) // it has no connection to close
		c := s.connect("fuzz", someone, l)
		s.handle(c, l, text)
		for len(l.out) > 0 {
			if reply := <-l.out; !json.Valid(reply) {
				t.Errorf("the reply is %s", reply)
			}
		}
	})
}
