//go:build linux

package busfilter_test

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"os"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
	"pgregory.net/rapid"

	"goated/internal/bustest"
)

// raw connects a client that sends bytes and already has its name.
func raw(t *testing.T, address string) (c *net.UnixConn, r *bufio.Reader) {
	t.Helper()
	c = socket(t, filter(t), address, rules)
	r = bufio.NewReader(c)
	for _, line := range []string{"\x00AUTH\r\n", "AUTH EXTERNAL\r\n", "DATA\r\n", "NEGOTIATE_UNIX_FD\r\n"} {
		if _, err := io.WriteString(c, line); err != nil {
			t.Fatal(err)
		}
		if _, err := r.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := io.WriteString(c, "BEGIN\r\n"); err != nil {
		t.Fatal(err)
	}
	write(t, c, frame(t, binary.LittleEndian, 1, "org.freedesktop.DBus", "org.freedesktop.DBus", "Hello"))
	if m := read(t, r); m.Type != dbus.TypeMethodReply {
		t.Fatal(m)
	}
	return c, r
}

func write(t *testing.T, c net.Conn, b []byte) {
	t.Helper()
	if _, err := c.Write(b); err != nil {
		t.Fatal(err)
	}
}

// read reads the next message that is not a signal from the bus.
func read(t *testing.T, r *bufio.Reader) *dbus.Message {
	t.Helper()
	for {
		m, err := dbus.DecodeMessage(r)
		if err != nil {
			t.Fatal(err)
		}
		if m.Type != dbus.TypeSignal {
			return m
		}
	}
}

// frame returns the bytes of a call.
func frame(t testing.TB, order binary.ByteOrder, serial uint32, to, face, member string, args ...any) []byte {
	t.Helper()
	m := &dbus.Message{Type: dbus.TypeMethodCall, Headers: map[dbus.HeaderField]dbus.Variant{
		dbus.FieldPath: dbus.MakeVariant(dbus.ObjectPath("/o")), dbus.FieldMember: dbus.MakeVariant(member),
		dbus.FieldInterface: dbus.MakeVariant(face), dbus.FieldDestination: dbus.MakeVariant(to),
	}, Body: args}
	if len(args) > 0 {
		m.Headers[dbus.FieldSignature] = dbus.MakeVariant(dbus.SignatureOf(args...))
	}
	return encode(t, order, serial, m)
}

func encode(t testing.TB, order binary.ByteOrder, serial uint32, m *dbus.Message) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := m.EncodeTo(&b, order); err != nil {
		t.Fatal(err)
	}
	out := b.Bytes()
	order.PutUint32(out[8:], serial)
	return out
}

// Both byte orders pass, even one byte at a time.
func TestByteOrders(t *testing.T) {
	address := bustest.Start(t)
	serve(t, address, friend)
	c, r := raw(t, address)
	for i, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		for _, b := range frame(t, order, uint32(2+2*i), friend, friend, "Echo", "hello") {
			write(t, c, []byte{b})
		}
		if m := read(t, r); m.Type != dbus.TypeMethodReply || m.Body[0] != "hello" {
			t.Errorf("%v: %v", order, m)
		}
		write(t, c, frame(t, order, uint32(3+2*i), systemd, friend, "Echo", "hello"))
		if m := read(t, r); m.Type != dbus.TypeError || m.Headers[dbus.FieldErrorName].Value() != denied {
			t.Errorf("%v: %v", order, m)
		}
	}
}

// A client cannot set the sender, and cannot call without a destination or an interface.
func TestForgedFields(t *testing.T) {
	address := bustest.Start(t)
	s := serve(t, address, friend)
	c, r := raw(t, address)
	for i, change := range []func(map[dbus.HeaderField]dbus.Variant){
		func(h map[dbus.HeaderField]dbus.Variant) {
			h[dbus.FieldSender] = dbus.MakeVariant("org.freedesktop.DBus")
		},
		func(h map[dbus.HeaderField]dbus.Variant) { delete(h, dbus.FieldDestination) },
		func(h map[dbus.HeaderField]dbus.Variant) { delete(h, dbus.FieldInterface) },
		func(h map[dbus.HeaderField]dbus.Variant) { h[dbus.FieldUnixFDs] = dbus.MakeVariant(uint32(1)) },
	} {
		m := &dbus.Message{Type: dbus.TypeMethodCall, Headers: map[dbus.HeaderField]dbus.Variant{
			dbus.FieldPath: dbus.MakeVariant(dbus.ObjectPath("/o")), dbus.FieldMember: dbus.MakeVariant("Echo"), dbus.FieldSignature: dbus.MakeVariant(dbus.SignatureOf("")),
			dbus.FieldInterface: dbus.MakeVariant(friend), dbus.FieldDestination: dbus.MakeVariant(friend),
		}, Body: []any{"x"}}
		change(m.Headers)
		write(t, c, encode(t, binary.LittleEndian, uint32(2+i), m))
		if m := read(t, r); m.Type != dbus.TypeError || m.Headers[dbus.FieldErrorName].Value() != denied {
			t.Errorf("%d: %v", i, m)
		}
	}
	if s.calls.Load() != 0 {
		t.Error("a call reached the program")
	}
}

// A message that violates the specification ends the connection. So does a serial number whose call
// has no reply yet, because the reply to a list of names would then pass as the reply to another
// call.
func TestMalformedFramesEndTheConnection(t *testing.T) {
	address := bustest.Start(t)
	s := serve(t, address, friend)
	good := frame(t, binary.LittleEndian, 2, friend, friend, "Echo", "x")
	set := func(at int, b ...byte) []byte { out := bytes.Clone(good); copy(out[at:], b); return out }
	list := frame(t, binary.LittleEndian, 2, "org.freedesktop.DBus", "org.freedesktop.DBus", "ListNames")
	field := []byte{1, 1, 'o', 0, 2, 0, 0, 0, '/', 'o', 0, 0, 0, 0, 0, 0} // a path field, which already exists
	twice := append(append(bytes.Clone(good[:16]), field...), good[16:]...)
	binary.LittleEndian.PutUint32(twice[12:], binary.LittleEndian.Uint32(good[12:])+16)
	for name, b := range map[string][]byte{
		"byte order": set(0, 'x'), "type": set(1, 0), "version": set(3, 2), "no serial": set(8, 0, 0, 0, 0), "serial of the filter": set(8, 1, 0, 0, 128),
		"long body": set(4, 255, 255, 255, 7), "long header": set(12, 0, 0, 1, 0), "short header": set(12, 9, 0, 0, 0), "field code": set(16, 0), "field type": set(18, 'u'),
		"length of a text": set(20, 255, 255, 255, 255), "field twice": twice, "serial twice": append(bytes.Clone(list), list...),
	} {
		c, r := raw(t, address)
		write(t, c, b)
		_ = c.SetReadDeadline(time.Now().Add(limit))
		if _, err := io.Copy(io.Discard, r); errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%s: the connection does not end", name)
		}
	}
	if s.calls.Load() != 0 {
		t.Error("a call reached the program")
	}
}

// Whatever a client sends, no other method runs, and the filter still works.
func TestAnyBytes(t *testing.T) {
	address := bustest.Start(t)
	s := serve(t, address, systemd)
	serve(t, address, friend)
	f := filter(t)
	rapid.Check(t, func(rt *rapid.T) {
		c := socket(t, f, address, rules)
		defer c.Close()
		_, _ = io.WriteString(c, "\x00AUTH EXTERNAL 30\r\nBEGIN\r\n")
		_, _ = c.Write(frame(t, binary.LittleEndian, 1, "org.freedesktop.DBus", "org.freedesktop.DBus", "Hello"))
		for i := range rapid.IntRange(1, 4).Draw(rt, "frames") {
			to := rapid.SampledFrom([]string{friend, systemd, "org.freedesktop.DBus", ":1.0"}).Draw(rt, "to")
			face := rapid.SampledFrom([]string{friend, "org.freedesktop.systemd1.Manager"}).Draw(rt, "face")
			b := frame(t, binary.LittleEndian, uint32(i+2), to, face, rapid.SampledFrom([]string{"Echo", "StartTransientUnit", "Other"}).Draw(rt, "member"), "x")
			for range rapid.IntRange(0, 3).Draw(rt, "changes") {
				b[rapid.IntRange(0, len(b)-1).Draw(rt, "at")] = rapid.Byte().Draw(rt, "byte")
			}
			_, _ = c.Write(b) // an error: the connection has ended
		}
		_ = c.CloseWrite()
		_, _ = io.Copy(io.Discard, c)
	})
	if s.calls.Load() != 0 {
		t.Error("a call reached a program")
	}
	if err := call(t, client(t, f, address, rules), friend, friend+".Echo", "x").Err; err != nil {
		t.Error(err)
	}
}
