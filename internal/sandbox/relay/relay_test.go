package relay

import (
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"goated/internal/waittest"
)

// CopyResponse tells the client that its connection has only one response, even after informational
// responses. It copies the body, and other protocols, unchanged.
func TestCopyResponse(t *testing.T) {
	for in, want := range map[string]string{
		"HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nA: b\r\n\r\nbody":                          "HTTP/1.1 200 OK\r\nA: b\r\nConnection: close\r\n\r\nbody",
		"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nA: b\r\n\r\nHTTP/1.1 204 No\r\n\r\n": "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nA: b\r\n\r\nHTTP/1.1 204 No\r\nConnection: close\r\n\r\n",
		"HTTP/1.1 100 Continue\r\n\r\nSSH-2.0\n":                                                 "HTTP/1.1 100 Continue\r\n\r\nSSH-2.0\n",
		"HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n\x81\x00":    "HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n\x81\x00",
		"ICY 200 OK\r\n\r\nmusic": "ICY 200 OK\r\n\r\nmusic",
		"no HTTP at all":          "no HTTP at all",
		"":                        "",
	} {
		for name, far := range map[string]io.Reader{"at once": strings.NewReader(in), "byte by byte": &slow{in}} {
			var near strings.Builder
			err := CopyResponse(&near, far)
			rest, _ := io.ReadAll(far)
			if got := near.String() + string(rest); err != nil || got != want {
				t.Errorf("%s: %q becomes %q, %v, want %q", name, in, got, err, want)
			}
		}
	}
}

// slow returns one byte at a time.
type slow struct{ text string }

func (s *slow) Read(b []byte) (int, error) {
	if s.text == "" {
		return 0, io.EOF
	}
	b[0], s.text = s.text[0], s.text[1:]
	return 1, nil
}

// CopyBoth copies in both directions, forwards the end of each direction separately, and returns after
// both have ended.
func TestCopyBoth(t *testing.T) {
	client, near := pair(t)
	far, host := pair(t)
	done := make(chan struct{})
	go func() { CopyBoth(near, far, nil); close(done) }()
	if _, err := io.WriteString(client, "question"); err != nil {
		t.Fatal(err)
	}
	_ = client.CloseWrite()
	asked, err := io.ReadAll(host) // the end of one direction
	if err != nil || string(asked) != "question" {
		t.Errorf("%q, %v", asked, err)
	}
	if _, err := io.WriteString(host, "answer"); err != nil {
		t.Fatal(err)
	}
	_ = host.Close()
	answered, err := io.ReadAll(client)
	if err != nil || string(answered) != "answer" {
		t.Errorf("%q, %v", answered, err)
	}
	waittest.Receive(t, "the relay ends", done)
}

// If the beginning cannot be copied, both connections end.
func TestCopyBothFails(t *testing.T) {
	client, near := pair(t)
	far, host := pair(t)
	CopyBoth(near, far, func(io.Writer, io.Reader) error { return errors.New("as the test wants it") })
	for _, c := range []net.Conn{client, host} {
		if n, err := c.Read(make([]byte, 1)); n != 0 || err == nil {
			t.Errorf("it stays open: %d, %v", n, err)
		}
	}
}

// pair returns both ends of a connection.
func pair(t *testing.T) (a, b *net.TCPConn) {
	t.Helper()
	l, err := net.ListenTCP("tcp4", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if a, err = net.DialTCP("tcp4", nil, l.Addr().(*net.TCPAddr)); err != nil {
		t.Fatal(err)
	}
	if b, err = l.AcceptTCP(); err != nil {
		t.Fatal(err)
	}
	late := time.Now().Add(30 * time.Second)
	if err := errors.Join(a.SetDeadline(late), b.SetDeadline(late)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = a.Close(), b.Close() })
	return a, b
}
