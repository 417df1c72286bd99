package dialogsocket

import (
	"bufio"
	"context"
	"crypto/sha1"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"goated/internal/waittest"
	"goated/servers/pause/dialog"
)

// cut closes the connection of a client, and waits for the next one.
func (c *Client) cut(t *testing.T) {
	t.Helper()
	c.mu.Lock()
	l := c.link
	c.mu.Unlock()
	_ = l.ws.NetConn().Close()
	waittest.Receive(t, "the connection ends", l.done)
	waittest.Until(t, "the client connects again", func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.link != nil && c.link != l
	})
}

// asks asks the question in a goroutine. The answer arrives on the channel.
func (c *Client) asks(t *testing.T) <-chan dialog.Answer {
	done := make(chan dialog.Answer)
	go func() {
		got, err := c.Ask(t.Context(), someone, question)
		if err != nil {
			t.Error(err)
		}
		done <- got
	}()
	return done
}

// A person may think for days while the computer sleeps at times. After a connection has lasted for
// a while, it may be lost three times again.
func TestEachLossIsCountedAfresh(t *testing.T) {
	u := newUser()
	s := listenAt(t, Options{Folder: t.TempDir(), Ask: u.ask})
	c := clientAt(t, s.o.Folder)
	done := c.asks(t)
	waittest.Receive(t, "the user is asked", u.asked)
	for range 2 * retries {
		time.Sleep(2 * settled * c.Base)
		c.cut(t)
	}
	u.answers <- dialog.Answer{Text: "Ada"}
	if got := waittest.Receive(t, "the caller has the answer", done); got.Text != "Ada" || len(u.asked) != 0 {
		t.Errorf("%+v, asked %d times more", got, len(u.asked))
	}
}

// If goated was killed, its address file does not count as an open socket. The caller waits for the
// goated process that it starts.
func TestSocketOfAKilledGoatedIsNotOpen(t *testing.T) {
	folder := t.TempDir()
	if Open(t.Context(), folder) {
		t.Error("a socket without an address is open")
	}
	for _, a := range []Address{{Network: "unix", Address: filepath.Join(folder, "dialogs.sock")}, {Network: "tcp", Address: "127.0.0.1:1"}} {
		if err := writeFile(filepath.Join(folder, addressFile), a); err != nil {
			t.Fatal(err)
		}
		if Open(t.Context(), folder) {
			t.Errorf("the socket at %s is open", a.Network)
		}
	}
	listenAt(t, Options{Folder: folder, Ask: newUser().ask})
	if !Open(t.Context(), folder) {
		t.Error("the socket of a running goated is closed")
	}
}

// A receipt was sent while the client's mutex was held. If goated did not read, it blocked the
// answers to other questions, and the client could not close its connection.
func TestSocketThatDoesNotReadDelaysNoAnswer(t *testing.T) {
	near, far := net.Pipe() // unbuffered, so a write waits for its reader
	defer far.Close()
	accepted := make(chan error, 1)
	go func() {
		r, err := http.ReadRequest(bufio.NewReader(far))
		if err == nil {
			_, err = fmt.Fprintf(far, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n", acceptKey(r.Header.Get("Sec-WebSocket-Key")))
		}
		accepted <- err
	}()
	dialer := websocket.Dialer{NetDialContext: func(context.Context, string, string) (net.Conn, error) { return near, nil }}
	ws, _, err := dialer.Dial("ws://localhost", nil)
	if err := errors.Join(err, waittest.Receive(t, "the connection is accepted", accepted)); err != nil {
		t.Fatal(err)
	}
	c, l := &Client{}, newLink(ws)
	c.queueReceipt(l, json.RawMessage(`"first"`))
	settled := make(chan struct{})
	go func() { c.sendReceipts(nil); close(settled) }()
	if _, err := far.Read(make([]byte, 1)); err != nil { // reads the beginning of the receipt and never the rest
		t.Fatal(err)
	}
	received := make(chan struct{})
	go func() {
		c.queueReceipt(l, json.RawMessage(`"second"`))
		close(received)
	}()
	select {
	case <-received:
	case <-time.After(5 * time.Second):
		t.Error("an answer waits for the receipt of another")
	}
	l.end(net.ErrClosed)
	waittest.Receive(t, "the answer is settled", settled)
	waittest.Receive(t, "the receipt is read", received)
	c.sendReceipts(nil)
	waittest.Receive(t, "the link ends", l.ended)
}

// A goated that hangs accepts connections, and does not answer the handshake. A caller that gives up
// must not wait for the attempt of another caller to connect.
func TestCallerGivesUpWhileAnotherConnects(t *testing.T) {
	folder := t.TempDir()
	l, err := net.Listen("unix", filepath.Join(folder, "dialogs.sock"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if err := writeFile(filepath.Join(folder, addressFile), Address{Network: "unix", Address: l.Addr().String()}); err != nil {
		t.Fatal(err)
	}
	c := clientAt(t, folder)
	ask := func(ctx context.Context) <-chan error {
		done := make(chan error, 1)
		go func() {
			_, err := c.Ask(ctx, someone, question)
			done <- err
		}()
		return done
	}
	patient, stop := context.WithCancel(t.Context())
	first := ask(patient)
	conn, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	given, giveUp := context.WithCancel(t.Context())
	second := ask(given)
	giveUp()
	select {
	case err := <-second:
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	case <-time.After(headerTimeout / 2):
		t.Error("it waits for the other caller")
		<-second
	}
	stop()
	if err := waittest.Receive(t, "the first caller gives up", first); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// acceptKey returns the accept value for the key of a handshake (RFC 6455, 4.2.2).
func acceptKey(key string) string {
	sum := sha1.Sum([]byte(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
	return base64.StdEncoding.EncodeToString(sum[:])
}
