package httplink

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"goated/internal/waittest"
)

// keys is an Auth whose token changes after a rejection.
type keys struct {
	mu    sync.Mutex
	token string
	asked int
	again []bool // for each call of Rejected, whether it handled the message before
	quiet int    // calls of RejectedInBackground
}

func (k *keys) Authorization(context.Context) (string, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.token == "" {
		return "", nil
	}
	return "Bearer " + k.token, nil
}

func (k *keys) Rejected(_ context.Context, sent string, status int, h http.Header, repeated bool) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.again = append(k.again, repeated)
	if k.asked++; k.asked > 3 || status != http.StatusUnauthorized || h.Get("WWW-Authenticate") == "" {
		return errors.New("you did not sign in")
	}
	k.token = "token-2"
	return nil
}

func (k *keys) RejectedInBackground(context.Context, string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.quiet++
	k.token = "token-2"
	return nil
}

// A server that accepts calls but requires a sign-in for the stream of its own messages made goated
// ask the user at each connection. A new token is tried once, and the user is not asked.
func TestRejectedStreamAsksNobody(t *testing.T) {
	streams := make(chan string, 10)
	s := newWeb(t, func(w http.ResponseWriter, r seen) {
		if !welcome(w, r) {
			streams <- r.Header.Get("Authorization")
			w.Header().Set("WWW-Authenticate", "Bearer")
			w.WriteHeader(http.StatusUnauthorized)
		}
	})
	k := &keys{token: "token-1"}
	c := open(t, Options{URL: s.URL, Auth: k})
	initialized(t, c)
	if one, two := waittest.Receive(t, "the first stream opens", streams), waittest.Receive(t, "the second stream opens", streams); one != "Bearer token-1" || two != "Bearer token-2" {
		t.Errorf("the streams have %q and %q", one, two)
	}
	_ = c.Close()
	if k.asked != 0 || k.quiet != 1 {
		t.Errorf("%d questions, and %d in the background", k.asked, k.quiet)
	}
}

// A rejected request is authorized and sent again once.
func TestRejectedRequestIsAuthorized(t *testing.T) {
	s := newWeb(t, func(w http.ResponseWriter, r seen) {
		if r.Header.Get("Authorization") != "Bearer token-2" {
			w.Header().Set("WWW-Authenticate", `Bearer resource_metadata="x"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		if !welcome(w, r) {
			w.WriteHeader(http.StatusForbidden)
		}
	})
	k := &keys{}
	c := open(t, Options{URL: s.URL, Auth: k})
	initialized(t, c)
	if r := ask(t, c, 2, "tools/call", `{}`); r.Error == nil || k.asked != 2 {
		t.Errorf("%v after %d questions", r, k.asked)
	}
}

// Auth learns whether it has already handled a rejection of the same message. A redirect does not
// count as a rejection.
func TestRepeatedRejections(t *testing.T) {
	s := newWeb(t, func(w http.ResponseWriter, r seen) {
		if r.URL.Path != "/mcp" {
			http.Redirect(w, r.Request, "/mcp", http.StatusTemporaryRedirect)
			return
		}
		w.Header().Set("WWW-Authenticate", "Bearer")
		w.WriteHeader(http.StatusUnauthorized)
	})
	k := &keys{}
	c := open(t, Options{URL: s.URL, Auth: k})
	number, _ := jsonrpc.MakeID(1.0)
	_ = c.Write(t.Context(), &jsonrpc.Request{ID: number, Method: "initialize", Params: json.RawMessage(hello)})
	waittest.Receive(t, "the connection ends", c.Ended())
	if !slices.Equal(k.again, []bool{false, true, true, true}) {
		t.Errorf("repeated: %t", k.again)
	}
}

// Fields, line endings and truncated events follow the standard for server-sent events.
func TestEvents(t *testing.T) {
	for in, want := range map[string]string{
		"data: a\n\n":                                  `["a"]`,
		"data:a\r\rdata: b\r\n\r\n":                    `["a" "b"]`,
		"\ufeffdata: a\n\n":                            `["a"]`,
		": comment\n\nevent: x\n\ndata: a\n\n":         `["a"]`,
		"data: a\ndata: b\ndata\n\n":                   `["a\nb\n"]`,
		"data: lost":                                   `[]`,
		"data: " + strings.Repeat("x", 30000) + "\n\n": fmt.Sprintf("%q", []string{strings.Repeat("x", headBytes)}),
	} {
		r := newEventReader(strings.NewReader(in), 20000)
		got := []string{}
		for {
			ev, err := r.next()
			if err != nil {
				break
			}
			if got = append(got, string(ev.data)); len(ev.data) == headBytes && ev.cut != 30000 {
				t.Errorf("the size is %d", ev.cut)
			}
		}
		if fmt.Sprintf("%q", got) != want {
			t.Errorf("%.40q reads as %.100q, want %.100s", in, got, want)
		}
	}
}

// Any stream is read to its end within the size limit for one event.
func FuzzEvents(f *testing.F) {
	for _, in := range []string{"data: a\n\n", "id: 1\nretry: 9\ndata: {}\r\n\r\n", "data:\rdata:\r\r", "event: endpoint\ndata: /x\n\n"} {
		f.Add(in)
	}
	f.Fuzz(func(t *testing.T, in string) {
		r := newEventReader(iotest{strings.NewReader(in)}, 64)
		total := 0
		for {
			ev, err := r.next()
			if err != nil {
				if !isEnd(err) {
					t.Fatal(err)
				}
				break
			}
			if total += len(ev.data); len(ev.data) > max(64, headBytes) || ev.retry > maxRetry || ev.retry < 0 {
				t.Fatalf("an event of %d bytes", len(ev.data))
			}
		}
		if total > len(in)+1 {
			t.Fatalf("%d bytes of %d", total, len(in))
		}
	})
}

// An iotest returns one byte per read.
type iotest struct{ r io.Reader }

func (i iotest) Read(p []byte) (int, error) { return i.r.Read(p[:min(1, len(p))]) }

// Shown returns a URL without its secrets.
func TestRedactURL(t *testing.T) {
	for in, want := range map[string]string{
		"https://a.test/mcp":                               "https://a.test/mcp",
		"https://me:pw@a.test/mcp":                         "https://…@a.test/mcp",
		"https://a.test/mcp?api_key=abcd1234efgh&mode=dev": "https://a.test/mcp?api_key=…&mode=dev",
		"https://a.test/mcp#x":                             "https://a.test/mcp",
		"%zz":                                              "an invalid address",
	} {
		if got := RedactURL(in); got != want {
			t.Errorf("%s is shown as %s", in, got)
		}
	}
}

// A user name in a URL is often a key. Secrets returns it, except a plain word, which would mask ordinary text.
func TestSecretsOfAURL(t *testing.T) {
	for in, want := range map[string][]string{
		"https://ghp_4711abcd@a.test/mcp":        {"ghp_4711abcd"},
		"https://K3y%2F4711@a.test/mcp":          {"K3y/4711"},
		"https://ada:hunter2@a.test/mcp":         {"hunter2"},
		"https://a.test/mcp?key=a%2Fb4&mode=dev": {"a%2Fb4", "a/b4"},
		"https://a.test/mcp":                     nil,
	} {
		if got := Secrets(in); !slices.Equal(got, want) {
			t.Errorf("%s has the secrets %q, want %q", in, got, want)
		}
	}
}

// isEnd reports whether err is the normal end of a stream.
func isEnd(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) }
