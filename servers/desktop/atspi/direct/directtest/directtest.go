// Package directtest serves the socket of an application for tests, as programs with ATK do.
package directtest

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/godbus/dbus/v5"
)

// Serve serves an application's socket until the test ends, and returns its address. answer is called
// for one message at a time on each connection. It returns the bytes that the application sends.
func Serve(t testing.TB, answer func(*dbus.Message) []byte) (address string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "at-spi2-") // the path of t.TempDir is too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "socket")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var open []net.Conn
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return // the test ends
			}
			mu.Lock()
			open = append(open, c)
			mu.Unlock()
			serving.Go(func() { serve(c, answer) })
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		mu.Lock()
		for _, c := range open {
			_ = c.Close()
		}
		mu.Unlock()
		serving.Wait()
		_ = os.RemoveAll(dir)
	})
	return "unix:path=" + path
}

// serve answers until the other side disconnects, or answer returns nil.
func serve(c net.Conn, answer func(*dbus.Message) []byte) {
	defer c.Close()
	r := bufio.NewReader(c)
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return
		}
		if strings.HasPrefix(line, "BEGIN") {
			break
		}
		if _, err := c.Write([]byte("OK 00112233445566778899aabbccddeeff\r\n")); err != nil {
			return
		}
	}
	for {
		m, err := dbus.DecodeMessage(r)
		if err != nil {
			return
		}
		b := answer(m)
		if b == nil {
			return
		}
		if _, err := c.Write(b); err != nil {
			return
		}
	}
}

// Reply returns a message that answers m with some values, or with an error if failure names one.
func Reply(t testing.TB, order binary.ByteOrder, m *dbus.Message, failure string, values ...any) []byte {
	reply := dbus.Message{Type: dbus.TypeMethodReply, Headers: map[dbus.HeaderField]dbus.Variant{dbus.FieldReplySerial: dbus.MakeVariant(m.Serial())}, Body: values}
	if failure != "" {
		reply.Type = dbus.TypeError
		reply.Headers[dbus.FieldErrorName] = dbus.MakeVariant(failure)
	}
	if len(values) > 0 {
		reply.Headers[dbus.FieldSignature] = dbus.MakeVariant(dbus.SignatureOf(values...))
	}
	var b bytes.Buffer
	if err := reply.EncodeTo(&b, order); err != nil {
		t.Errorf("an answer: %v", err)
		return nil
	}
	order.PutUint32(b.Bytes()[8:], m.Serial()) // a message needs a serial number
	return b.Bytes()
}
