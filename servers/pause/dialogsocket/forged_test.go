package dialogsocket

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"goated/servers/pause/dialog"
)

// times returns how often a test repeats: the number in an environment variable, or few.
func times(t *testing.T, variable string, few int) int {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return few
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s: %v", variable, err)
	}
	return n
}

// handshake returns the handshake that goated accepts.
func handshake(a Address) string {
	return "GET / HTTP/1.1\r\nHost: " + a.Address + "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n" +
		"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nAuthorization: Bearer " + a.Token + "\r\n\r\n"
}

// forge changes a handshake so that goated must reject it.
func forge(r *rand.Rand, a Address) (string, string) {
	whole := handshake(a)
	swap := func(old, now string) string { return strings.Replace(whole, old, now, 1) }
	letters := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[r.IntN(32)]
		}
		return string(b)
	}
	bytesOf := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.IntN(256))
		}
		return string(b)
	}
	switch r.IntN(11) {
	case 0:
		return "a random token", swap(a.Token, letters(len(a.Token)))
	case 1:
		return "a part of the token", swap(a.Token, a.Token[:r.IntN(len(a.Token))])
	case 2:
		i := r.IntN(len(a.Token))
		return "a token with one wrong letter", swap(a.Token, a.Token[:i]+string(a.Token[i]^1)+a.Token[i+1:])
	case 3:
		return "a token and more", swap(a.Token, a.Token+letters(1+r.IntN(9)))
	case 4:
		return "another scheme", swap("Bearer", []string{"Basic", "bearer", "Bearer:", "", "Token"}[r.IntN(5)])
	case 5:
		return "a web page", swap("\r\n\r\n", "\r\nOrigin: "+[]string{"null", "https://x.example", "http://localhost", "file://", "http://" + a.Address}[r.IntN(5)]+"\r\n\r\n")
	case 6:
		return "another host", swap("Host: "+a.Address, "Host: "+[]string{"x.example:80", "127.0.0.1.x.example:80", "0.0.0.0:1", "[::2]:1", "localhost.:1", ""}[r.IntN(6)])
	case 7:
		return "another path", swap("GET /", "GET /"+letters(1+r.IntN(20)))
	case 8:
		return "no token", swap("Authorization: Bearer "+a.Token+"\r\n", "")
	case 9:
		return "no handshake", bytesOf(1+r.IntN(300)) + "\r\n\r\n"
	}
	return "half a handshake", whole[:r.IntN(strings.Index(whole, "Authorization"))]
}

// None of 100,000 forged handshakes is accepted, and goated still serves its user.
// GOATED_SOCKET_FORGERIES sets the number.
func TestNoForgedHandshakeGetsIn(t *testing.T) {
	u := newUser()
	s := listenAt(t, Options{Folder: t.TempDir(), Ask: u.ask, TCP: "127.0.0.1:0"})
	a, err := clientAt(t, s.o.Folder).address()
	if err != nil {
		t.Fatal(err)
	}
	answer := func(text string) string {
		t.Helper()
		conn, err := net.Dial(a.Network, a.Address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
		_, _ = conn.Write([]byte(text))
		_ = conn.(*net.TCPConn).CloseWrite()
		line, _ := bufio.NewReader(conn).ReadString('\n') // it is also right if goated only closes the connection
		return line
	}
	if line := answer(handshake(a)); !strings.Contains(line, "101") {
		t.Fatalf("the true handshake gets %q", line)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for i := range times(t, "GOATED_SOCKET_FORGERIES", 1500) {
		name, text := forge(r, a)
		if line := answer(text); strings.HasPrefix(line, "HTTP/1.1 1") || strings.HasPrefix(line, "HTTP/1.1 2") {
			t.Fatalf("handshake %d, %s, gets %q:\n%q", i, name, line, text)
		}
	}
	u.answers <- dialog.Answer{Text: "Ada"}
	if got, err := clientAt(t, s.o.Folder).Ask(t.Context(), someone, question); err != nil || got.Text != "Ada" {
		t.Errorf("%+v, %v", got, err)
	}
}

// wireFrame returns a WebSocket frame, masked like a client's.
func wireFrame(first byte, payload []byte) []byte {
	out := []byte{first}
	switch n := len(payload); {
	case n < 126:
		out = append(out, 0x80|byte(n))
	default:
		out = binary.BigEndian.AppendUint16(append(out, 0x80|126), uint16(n))
	}
	mask := []byte{1, 2, 3, 4}
	out = append(out, mask...)
	for i, b := range payload {
		out = append(out, b^mask[i%4])
	}
	return out
}

// malform returns bytes that are not a question: a wrong frame, or a frame with a wrong message.
func malform(r *rand.Rand) []byte {
	valid := []string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"confirm","arguments":{"question":"Delete?"}}}`,
		`{"type":"dialog_request","id":"a","dialogType":"text_input","parameters":{"question":"Name?"}}`,
	}[r.IntN(2)]
	text := []byte(valid)
	switch r.IntN(10) {
	case 0: // unmasked
		return append([]byte{0x81, byte(len(text) % 126)}, text[:len(text)%126]...)
	case 1: // reserved bits
		return wireFrame(0x81|byte(1+r.IntN(7))<<4, text)
	case 2: // an unknown opcode
		return wireFrame(0x83+byte(r.IntN(5)), text)
	case 3: // longer than the maximum
		return binary.BigEndian.AppendUint64([]byte{0x81, 0x80 | 127}, uint64(r.Int64N(1<<40)+maxCall+1))
	case 4: // a continuation without a beginning
		return wireFrame(0x80, text)
	case 5: // binary
		return wireFrame(0x82, text)
	case 6: // invalid UTF-8
		text[r.IntN(len(text))] = 0xFF
		return wireFrame(0x81, text)
	case 7: // truncated JSON
		return wireFrame(0x81, text[:r.IntN(len(text))])
	case 8: // a wrong question
		text = bytes.Replace(text, []byte(`"question"`), []byte(`"`+strconv.Itoa(r.IntN(1e6))+`"`), 1)
		return wireFrame(0x81, text)
	}
	return wireFrame(0x81, []byte(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, r.IntN(9), []string{"tools/list", "x", "tools/call", "notifications/cancelled"}[r.IntN(4)], []string{"[]", "null", "{}", `{"requestId":{}}`}[r.IntN(4)])))
}

// None of 100,000 malformed frames from a caller with the token opens a dialog, and the socket still
// serves its user. GOATED_SOCKET_FORGERIES sets the number.
func TestNoMalformedFrameOpensADialog(t *testing.T) {
	var asked atomic.Int64
	s := listenAt(t, Options{Folder: t.TempDir(), Grace: time.Millisecond, Ask: func(_ context.Context, r Request) (dialog.Answer, error) {
		r.Shown()
		asked.Add(1)
		return dialog.Answer{Text: "Ada"}, nil
	}})
	a, err := clientAt(t, s.o.Folder).address()
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(3, 4))
	for left := times(t, "GOATED_SOCKET_FORGERIES", 1500); left > 0; {
		conn, err := net.Dial(a.Network, a.Address)
		if err != nil {
			t.Fatal(err)
		}
		_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
		_, _ = conn.Write([]byte(strings.Replace(handshake(a), a.Address, "localhost", 1)))
		in := bufio.NewReader(conn)
		if line, _ := in.ReadString('\n'); !strings.Contains(line, "101") {
			t.Fatalf("the true handshake gets %q", line)
		}
		for range 1 + r.IntN(12) { // goated may close the connection after any of them
			left--
			if _, err := conn.Write(malform(r)); err != nil {
				break
			}
		}
		_ = conn.(*net.UnixConn).CloseWrite()
		for { // until goated has read all of them
			if _, err := in.ReadByte(); err != nil {
				break
			}
		}
		_ = conn.Close()
	}
	if n := asked.Load(); n != 0 {
		t.Errorf("%d dialogs are opened", n)
	}
	if got, err := clientAt(t, s.o.Folder).Ask(t.Context(), someone, question); err != nil || got.Text != "Ada" || asked.Load() != 1 {
		t.Errorf("%+v, %v, asked %d times", got, err, asked.Load())
	}
}
