package httphead

import (
	"bufio"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
)

func read(text string) (Head, string, error) {
	r := bufio.NewReaderSize(strings.NewReader(text), 16) // lines are longer than the buffer
	h, err := Read(r)
	rest, _ := io.ReadAll(r)
	return h, string(rest), err
}

// Read stops after the empty line, and leaves the body.
func TestRead(t *testing.T) {
	h, rest, err := read("\r\nPOST http://a.test/x HTTP/1.1\r\nHost: a.test\r\nX-Long: " + strings.Repeat("y", 100) + "\nLast:\r\n\r\nthe body")
	if err != nil || rest != "the body" || h.First != "POST http://a.test/x HTTP/1.1" || len(h.Fields) != 3 || h.Fields[2] != "Last:" {
		t.Errorf("%q, %q, %v", h, rest, err)
	}
}

// Read refuses heads that programs parse in different ways, and large heads.
func TestReadRefuses(t *testing.T) {
	const first = "GET http://a.test/ HTTP/1.1\r\n"
	for text, want := range map[string]error{
		first + "A: b\r\n folded: c\r\n\r\n":                       ErrMalformed,
		first + "Host : a\r\n\r\n":                                 ErrMalformed,
		first + "nothing\r\n\r\n":                                  ErrMalformed,
		first + ": x\r\n\r\n":                                      ErrMalformed,
		first + "A: b\rHost: c\r\n\r\n":                            ErrMalformed,
		first + "A: " + strings.Repeat("x", maxBytes) + "\r\n\r\n": ErrLarge,
		first + "A: b\r\n":                                         io.ErrUnexpectedEOF,
		"":                                                         io.EOF,
	} {
		if h, _, err := read(text); !errors.Is(err, want) {
			t.Errorf("%.60q: %q, %v, want %v", text, h, err, want)
		}
	}
}

// WithoutHopByHop drops the fields for one connection, including those that Connection names. It never drops a
// field that determines the end of the message or the recipient.
func TestWithoutHopByHop(t *testing.T) {
	for in, want := range map[string]string{
		"A: 1\nConnection: keep-alive, X-Mine\nX-Mine: 2\nKeep-Alive: 5\nProxy-Connection: x\nProxy-Authorization: y": "A: 1|Connection: close",
		"Connection: Upgrade\nUpgrade: websocket\nA: 1":                                                               "Upgrade: websocket|A: 1|Connection: Upgrade",
		"Upgrade: h2c\nA: 1": "A: 1|Connection: close",
		"Connection: Transfer-Encoding\nconnection: host\nTransfer-Encoding: chunked\nHost: a": "Transfer-Encoding: chunked|Host: a|Connection: close",
	} {
		h := Head{First: "x", Fields: strings.Split(in, "\n")}.WithoutHopByHop()
		if got := strings.Join(h.Fields, "|"); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

func TestFirstLines(t *testing.T) {
	for line, want := range map[string][]string{
		"GET http://a/ HTTP/1.1":      {"GET", "http://a/"},
		"CONNECT a.test:443 HTTP/1.0": {"CONNECT", "a.test:443"},
		"GET  HTTP/1.1":               nil,
		"GET / HTTP/2.0":              nil,
		"GET /a b HTTP/1.1":           nil,
	} {
		method, target, ok := Head{First: line}.Request()
		if got := []string{method, target}; ok != (want != nil) || ok && !slices.Equal(got, want) {
			t.Errorf("%q: %q, %t", line, got, ok)
		}
	}
	for line, want := range map[string]int{"HTTP/1.1 200 OK": 200, "HTTP/1.0 404": 404, "HTTP/1.1 099 no": 0, "HTTP/1.1 2": 0, "ICY 200 OK": 0, "HTTP/1.1 abc": 0} {
		if code, ok := (Head{First: line}).Status(); ok != (want != 0) || ok && code != want {
			t.Errorf("%q: %d, %t", line, code, ok)
		}
	}
}

// WriteTo writes a parsed head byte for byte.
func TestWriteTo(t *testing.T) {
	const text = "HTTP/1.1 200 OK\r\nA: b\r\nC:d\r\n\r\n"
	h, _, err := read(text)
	var out strings.Builder
	if n, werr := h.WriteTo(&out); err != nil || werr != nil || out.String() != text || n != int64(len(text)) {
		t.Errorf("%q, %v, %v", out.String(), err, werr)
	}
}
