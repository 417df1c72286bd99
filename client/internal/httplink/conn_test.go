package httplink

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"goated/client/internal/limits"
	"goated/client/internal/trace"
	"goated/internal/waittest"
)

// A stream that breaks off before the response is resumed after its last event, and the response
// arrives once.
func TestStreamIsResumed(t *testing.T) {
	s := newWeb(t, func(w http.ResponseWriter, r seen) {
		switch {
		case welcome(w, r):
		case r.Method == http.MethodGet && r.Header.Get(eventHeader) == "e2":
			stream(w, "id: e3\ndata: {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"n\":3}}\n\n")
		case r.Method == http.MethodGet:
			w.WriteHeader(http.StatusMethodNotAllowed)
		default:
			stream(w, "id: e1\nretry: 1\ndata:\n\nid: e2\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{}}\n\n")
		}
	})
	c := open(t, Options{URL: s.URL})
	initialized(t, c)
	if r := ask(t, c, 2, "tools/call", `{"name":"x"}`); r.Error != nil || string(r.Result) != `{"n":3}` {
		t.Errorf("the answer is %s, %v", r.Result, r.Error)
	}
	_ = c.Close()
	list := strings.Join(s.requests(), "\n")
	if strings.Count(list, "POST tools/call") != 1 || !strings.HasSuffix(list, "DELETE ") {
		t.Errorf("the requests are\n%s", list)
	}
}

// Since 2026-07-28 streams are not resumed. The call fails and is not sent twice.
func TestModernStreamIsNotResumed(t *testing.T) {
	s := newWeb(t, func(w http.ResponseWriter, r seen) {
		if r.mcp() == "server/discover" {
			result(w, r, `{"supportedVersions":["2026-07-28"],"capabilities":{}}`)
			return
		}
		stream(w, "id: e1\nretry: 1\ndata:\n\n")
	})
	c := open(t, Options{URL: s.URL})
	meta := `{"name":"naïve","arguments":{"at":{"region":" eu "},"n":3,"f":1.5},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}`
	if r := ask(t, c, 1, "server/discover", meta); r.Error != nil {
		t.Fatal(r.Error)
	}
	c.mirror.learn([]byte(`{"tools":[{"name":"naïve","inputSchema":{"properties":{"at":{"properties":{"region":{"type":"string","x-mcp-header":"Region"}}},
		"n":{"type":"integer","x-mcp-header":"N"},"f":{"x-mcp-header":"F"},"gone":{"x-mcp-header":"Gone"},"bad":{"x-mcp-header":"a b"}}}}]}`))
	if r := ask(t, c, 2, "tools/call", meta); r.Error == nil || !strings.Contains(r.Error.Error(), "ended before the server answered") {
		t.Errorf("the answer is %v", r)
	}
	last := s.seen[len(s.seen)-1]
	for name, want := range map[string]string{
		versionHeader: "2026-07-28", methodHeader: "tools/call", nameHeader: "=?base64?bmHDr3Zl?=",
		paramPrefix + "Region": "=?base64?IGV1IA==?=", paramPrefix + "N": "3", paramPrefix + "F": "", paramPrefix + "Gone": "", sessionHeader: "",
	} {
		if got := last.Header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if got := len(s.seen); got != 2 {
		t.Errorf("%d requests: %q", got, s.requests())
	}
}

// A stream of changes that the server ends is opened again.
func TestListeningGoesOn(t *testing.T) {
	var mu sync.Mutex
	streams := 0
	s := newWeb(t, func(w http.ResponseWriter, r seen) {
		mu.Lock()
		defer mu.Unlock()
		if streams++; streams > 3 {
			result(w, r, `{}`)
			return
		}
		stream(w, "retry: 1\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/subscriptions/acknowledged\"}\n\n")
	})
	c := open(t, Options{URL: s.URL})
	if r := ask(t, c, 1, "subscriptions/listen", `{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}`); r.Error != nil || streams != 4 {
		t.Errorf("%v after %d streams", r.Error, streams)
	}
}

// Redirects are followed only within the origin, because headers may be keys.
func TestRedirects(t *testing.T) {
	stranger := newWeb(t, func(http.ResponseWriter, seen) {})
	s := newWeb(t, func(w http.ResponseWriter, r seen) {
		switch r.URL.Path {
		case "/old":
			http.Redirect(w, r.Request, "/new", http.StatusFound)
		case "/new":
			result(w, r, `{"protocolVersion":"2025-11-25"}`)
		default:
			http.Redirect(w, r.Request, stranger.URL+"/steal", http.StatusTemporaryRedirect)
		}
	})
	key := http.Header{"X-Key": {"secret"}}
	c := open(t, Options{URL: s.URL + "/old", Header: key})
	if r := ask(t, c, 1, "initialize", hello); r.Error != nil || s.seen[1].Method != http.MethodPost || s.seen[1].Header.Get("X-Key") != "secret" {
		t.Errorf("%v, %q", r.Error, s.requests())
	}
	c = open(t, Options{URL: s.URL + "/away", Header: key})
	number, _ := jsonrpc.MakeID(1.0)
	_ = c.Write(t.Context(), &jsonrpc.Request{ID: number, Method: "initialize", Params: json.RawMessage(hello)})
	waittest.Receive(t, "the connection ends", c.Ended())
	var f *Fault
	if !errors.As(c.Fault(), &f) || f.Kind != Moved || len(stranger.seen) > 0 {
		t.Errorf("the fault is %v; the stranger saw %d requests", c.Fault(), len(stranger.seen))
	}
}

// An HTTP+SSE server may redirect its message URL. Frameworks that add a slash do that.
func TestMessageAddressRedirects(t *testing.T) {
	answers := make(chan string)
	s := newWeb(t, func(w http.ResponseWriter, r seen) {
		switch {
		case r.URL.Path == "/messages":
			http.Redirect(w, r.Request, "/messages/", http.StatusTemporaryRedirect)
		case r.URL.Path == "/messages/":
			w.WriteHeader(http.StatusAccepted)
			if r.id() != "" {
				answers <- `data: {"jsonrpc":"2.0","id":` + r.id() + `,"result":{"protocolVersion":"2024-11-05"}}` + "\n\n"
			}
		case r.Method == http.MethodGet && r.URL.Path == "/sse":
			stream(w, "event: endpoint\ndata: /messages\n\n")
			for {
				select {
				case a := <-answers:
					stream(w, a)
				case <-r.Context().Done():
					return
				}
			}
		default:
			w.WriteHeader(http.StatusMethodNotAllowed)
		}
	})
	c := open(t, Options{URL: s.URL + "/sse"})
	if r := ask(t, c, 1, "initialize", hello); r.Error != nil {
		t.Fatal(r.Error)
	}
	if last := s.seen[len(s.seen)-1]; last.URL.Path != "/messages/" {
		t.Errorf("the last request is for %s", last.URL)
	}
}

// An HTTP+SSE server cannot make goated send its messages to another host.
func TestSSEEndpointStaysWithinTheOrigin(t *testing.T) {
	stranger := newWeb(t, func(http.ResponseWriter, seen) {})
	s := newWeb(t, func(w http.ResponseWriter, r seen) {
		if r.Method == http.MethodGet {
			stream(w, "event: endpoint\ndata: "+stranger.URL+"/messages\n\n")
			return
		}
		w.WriteHeader(http.StatusMethodNotAllowed)
	})
	c := open(t, Options{URL: s.URL + "/sse"})
	number, _ := jsonrpc.MakeID(1.0)
	_ = c.Write(t.Context(), &jsonrpc.Request{ID: number, Method: "initialize", Params: json.RawMessage(hello)})
	waittest.Receive(t, "the connection ends", c.Ended())
	var f *Fault
	if !errors.As(c.Fault(), &f) || f.Kind != Moved || f.Suggest != stranger.URL+"/sse" || len(stranger.seen) > 0 {
		t.Errorf("the fault is %v; the stranger saw %d requests", c.Fault(), len(stranger.seen))
	}
}

// An old server may refuse the POST with any 4xx status. Its message URL may name this computer in
// another way. A refusal by another server is not reinterpreted.
func TestOldServersThatRefuseThePost(t *testing.T) {
	for status, old := range map[int]bool{400: true, 403: true, 404: true, 405: true, 406: true, 415: true, 422: true, 401: false, 429: false, 500: false} {
		t.Run(strconv.Itoa(status), func(t *testing.T) {
			t.Parallel()
			answers := make(chan string)
			s := newWeb(t, func(w http.ResponseWriter, r seen) {
				switch {
				case r.URL.Path == "/messages":
					w.WriteHeader(http.StatusAccepted)
					answers <- `data: {"jsonrpc":"2.0","id":` + r.id() + `,"result":{"protocolVersion":"2024-11-05"}}` + "\n\n"
				case r.Method == http.MethodGet:
					_, port, _ := net.SplitHostPort(r.Host)
					stream(w, "event: endpoint\ndata: http://localhost:"+port+"/messages\n\n")
					select {
					case a := <-answers:
						stream(w, a)
						<-r.Context().Done()
					case <-r.Context().Done():
					}
				default:
					w.WriteHeader(status)
				}
			})
			c := open(t, Options{URL: s.URL})
			if old {
				if r := ask(t, c, 1, "initialize", hello); r.Error != nil {
					t.Error(r.Error)
				}
				return
			}
			refused(t, c, status)
		})
	}
	s := newWeb(t, func(w http.ResponseWriter, _ seen) { w.WriteHeader(http.StatusForbidden) })
	refused(t, open(t, Options{URL: s.URL}), http.StatusForbidden)
}

// refused expects a connection that ends with the server's status.
func refused(t *testing.T, c *Conn, status int) {
	t.Helper()
	number, _ := jsonrpc.MakeID(1.0)
	_ = c.Write(t.Context(), &jsonrpc.Request{ID: number, Method: "initialize", Params: json.RawMessage(hello)})
	waittest.Receive(t, "the connection ends", c.Ended())
	var f *Fault
	if !errors.As(c.Fault(), &f) || f.Status != status {
		t.Errorf("the fault is %v", c.Fault())
	}
}

// An invalid response fails only its own call, and the connection continues. The trace reports the
// end of each request. The inspector showed requests whose response was not JSON-RPC as waiting
// forever.
func TestFaultyAnswersFailOneCall(t *testing.T) {
	answers := map[string]func(w http.ResponseWriter, r seen){
		"too large": func(w http.ResponseWriter, r seen) { result(w, r, `"`+strings.Repeat("x", 5000)+`"`) },
		"large event": func(w http.ResponseWriter, r seen) {
			stream(w, `data: {"jsonrpc":"2.0","id":`+r.id()+`,"result":"`+strings.Repeat("x", 9000)+"\"}\n\n")
		},
		"large event, id last": func(w http.ResponseWriter, r seen) { // as the SDK for TypeScript writes it
			stream(w, `data: {"result":"`+strings.Repeat("x", 9000)+`","jsonrpc":"2.0","id":`+r.id()+"}\n\n")
		},
		"not JSON": func(w http.ResponseWriter, r seen) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, "{oops")
		},
		"another id": func(w http.ResponseWriter, r seen) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":99,"result":{}}`)
		},
		"page": func(w http.ResponseWriter, r seen) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, "<html>")
		},
		"nothing": func(w http.ResponseWriter, r seen) { w.WriteHeader(http.StatusAccepted) },
		"cut":     func(w http.ResponseWriter, r seen) { stream(w, "data: {\"jsonrpc\":\"2.0\"") },
		"status":  func(w http.ResponseWriter, r seen) { w.WriteHeader(http.StatusTeapot) },
		"failing": func(w http.ResponseWriter, r seen) { http.Error(w, "out of memory", http.StatusInternalServerError) },
		"dropped": func(w http.ResponseWriter, r seen) { panic(http.ErrAbortHandler) },
		"refused": func(w http.ResponseWriter, r seen) {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":`+r.id()+`,"error":{"code":-32602,"message":"no such argument"}}`)
		},
		"no id": func(w http.ResponseWriter, r seen) {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32602,"message":"no such argument"}}`)
		},
	}
	s := newWeb(t, func(w http.ResponseWriter, r seen) {
		if !welcome(w, r) && r.Method == http.MethodPost {
			for name, answer := range answers {
				if strings.Contains(r.body, `"`+name+`"`) {
					answer(w, r)
					return
				}
			}
			result(w, r, `"fine"`)
		}
	})
	var told ends
	c := open(t, Options{URL: s.URL, MaxFrame: 4500, Trace: trace.New("web", nil, told.add)})
	initialized(t, c)
	n := 2
	for name := range answers {
		if r := ask(t, c, n, "tools/call", `{"name":"`+name+`"}`); r.Error == nil {
			t.Errorf("%s is an answer: %s", name, r.Result)
		}
		waittest.Until(t, "the trace says the end of "+name, func() bool { return told.of(n) != "" })
		switch end := told.of(n); name {
		case "failing":
			if !strings.Contains(end, "HTTP 500): out of memory") {
				t.Errorf("%s ends with %q", name, end)
			}
		case "large event, id last":
			if !strings.Contains(end, "more than 4500 bytes") {
				t.Errorf("%s ends with %q", name, end)
			}
		case "refused":
			if !strings.Contains(end, `"code":-32602`) {
				t.Errorf("%s ends with %q", name, end)
			}
		}
		n++
	}
	if r := ask(t, c, n, "tools/call", `{"name":"good"}`); string(r.Result) != `"fine"` {
		t.Errorf("the connection does not go on: %v", r.Error)
	}
}

// A busy server gets the pause that it requests, if the pause is short.
func TestBusyServerIsAskedAgain(t *testing.T) {
	busy := 2
	s := newWeb(t, func(w http.ResponseWriter, r seen) {
		if busy--; busy >= 0 {
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		result(w, r, `1`)
	})
	c := open(t, Options{URL: s.URL})
	if r := ask(t, c, 1, "tools/call", `{"name":"x"}`); r.Error != nil {
		t.Error(r.Error)
	}
}

// Each of many calls that notice a lost session at the same time gets a response, and goated
// initializes only one new session.
func TestLostSessionIsRenewedOnce(t *testing.T) {
	var mu sync.Mutex
	sessions := 0
	s := newWeb(t, func(w http.ResponseWriter, r seen) {
		mu.Lock()
		defer mu.Unlock()
		switch {
		case r.mcp() == "initialize":
			sessions++
			w.Header().Set(sessionHeader, fmt.Sprint("session-", sessions))
			result(w, r, `{"protocolVersion":"2025-11-25","capabilities":{}}`)
		case r.Header.Get(sessionHeader) == "session-1" && r.mcp() == "tools/call":
			w.WriteHeader(http.StatusNotFound)
		case r.Method == http.MethodPost && r.id() != "":
			result(w, r, `{}`)
		case r.Method == http.MethodGet:
			w.WriteHeader(http.StatusMethodNotAllowed)
		default:
			w.WriteHeader(http.StatusAccepted)
		}
	})
	c := open(t, Options{URL: s.URL})
	initialized(t, c)
	const n = 20
	for i := range n {
		number, _ := jsonrpc.MakeID(float64(i + 2))
		if err := c.Write(t.Context(), &jsonrpc.Request{ID: number, Method: "tools/call", Params: json.RawMessage(`{}`)}); err != nil {
			t.Fatal(err)
		}
	}
	for range n {
		if r := answer(t, c); r.Error != nil {
			t.Error(r.Error)
		}
	}
	if sessions != 2 {
		t.Errorf("%d sessions", sessions)
	}
}

// goated reopens the stream of changes less and less often if the server ends it immediately.
func TestShortStreamsAreOpenedLessOften(t *testing.T) {
	t.Parallel()
	s := newWeb(t, func(w http.ResponseWriter, r seen) {
		if !welcome(w, r) {
			stream(w, "")
		}
	})
	c := open(t, Options{URL: s.URL, Notified: func(*jsonrpc.Request) limits.Verdict { return limits.Used }})
	initialized(t, c)
	time.Sleep(3 * time.Second)
	if n := strings.Count(strings.Join(s.requests(), "\n"), "GET"); n < 2 || n > 5 {
		t.Errorf("the stream was opened %d times in 3 s", n)
	}
}
