package direct

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
	"go.uber.org/goleak"

	"goated/internal/waittest"
	"goated/servers/desktop/atspi/direct/directtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type pair struct {
	Bus  string
	Path dbus.ObjectPath
}

// values are answers that applications give, both in the forms that this package decodes itself and in
// other forms.
var values = map[string][]any{
	"GetRole":       {uint32(86)},
	"GetState":      {[]uint32{1 << 30, 7}},
	"NoState":       {[]uint32{}},
	"GetInterfaces": {[]string{"org.a11y.atspi.Accessible", "", "naïve 日本語 🙂"}},
	"GetChildren":   {[]pair{{":1.3", "/a/b"}, {":1.44", "/c"}, {":1.5", "/"}}},
	"NoChildren":    {[]pair{}},
	"Name":          {dbus.MakeVariant("naïve 日本語 🙂")},
	"Parent":        {dbus.MakeVariant(pair{":1.3", "/a"})},
	"Count":         {dbus.MakeVariant(int32(-5))},
	"Value":         {dbus.MakeVariant(2.5)},
	"GetText":       {"text"},
	"GetIndex":      {int32(-1)},
	"GetExtents":    {struct{ X, Y, W, H int32 }{1, 2, 3, 4}},
	"GetAttributes": {map[string]string{"a": "b"}},
	"Two":           {uint32(1), "two"},
	"None":          nil,
}

func dial(t *testing.T, address string) *Conn {
	t.Helper()
	c, err := Dial(t.Context(), ":1.3", address, func(ctx context.Context, path string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "unix", path)
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// list returns a next function for [Conn.Ask].
func list(questions ...Question) func() (Question, bool) {
	return func() (q Question, ok bool) {
		if len(questions) == 0 {
			return q, false
		}
		q, questions = questions[0], questions[1:]
		return q, true
	}
}

// An application can direct questions only to sockets with the names that ATK uses.
func TestAddresses(t *testing.T) {
	for address, want := range map[string]string{
		"unix:path=/run/user/1000/at-spi2-AB12/socket,guid=1":    "/run/user/1000/at-spi2-AB12/socket",
		"tcp:host=x;unix:path=/tmp/my%20dir/at-spi2-socket-1234": "/tmp/my dir/at-spi2-socket-1234",
		"unix:path=/run/user/1000/bus":                           "",
		"unix:path=/var/run/docker.sock":                         "",
		"unix:path=/tmp/at-spi2-AB12/../socket":                  "",
		"unix:path=at-spi2-AB12/socket":                          "",
		"unix:abstract=/tmp/at-spi2-AB12/socket":                 "",
		"":                                                       "",
	} {
		if got, err := socket(address); got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v", address, got, err)
		}
	}
}

// The application receives each question completely, and the caller receives the same values as from
// godbus, in either byte order.
func TestAnswersAreThoseOfTheBus(t *testing.T) {
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		c := dial(t, directtest.Serve(t, func(m *dbus.Message) []byte {
			member := m.Headers[dbus.FieldMember].Value().(string)
			if err := m.IsValid(); err != nil || m.Headers[dbus.FieldDestination].Value() != ":1.3" || m.Headers[dbus.FieldPath].Value() != dbus.ObjectPath("/e/1") || m.Headers[dbus.FieldInterface].Value() != "org.example" {
				t.Errorf("the application gets %v: %v", m, err)
			}
			if member == "Args" {
				return directtest.Reply(t, order, m, "", m.Body...)
			}
			return directtest.Reply(t, order, m, "", values[member]...)
		}))
		for member, want := range values {
			got := []any{"no answer"}
			late, failed, err := c.Ask(t.Context(), list(Question{"/e/1", "org.example." + member, nil, func(body []any) { got = body }}))
			if err != nil || late+failed != 0 || len(got) != len(want) || !reflect.DeepEqual(got, decoded(t, want)) {
				t.Errorf("%s: %#v, want %#v; %d, %d, %v", member, got, decoded(t, want), late, failed, err)
			}
		}
		args := []any{"naïve", int32(-7), uint32(9), []int32{1}}
		for n := range len(args) + 1 {
			var got []any
			if _, _, err := c.Ask(t.Context(), list(Question{"/e/1", "org.example.Args", args[:n], func(body []any) { got = body }})); err != nil || len(got) != n || n > 0 && !reflect.DeepEqual(got, args[:n]) {
				t.Errorf("the application gets %v of %v: %v", got, args[:n], err)
			}
		}
	}
}

// decoded returns values as godbus decodes them.
func decoded(t *testing.T, values []any) []any {
	m := dbus.Message{Type: dbus.TypeMethodReply, Headers: map[dbus.HeaderField]dbus.Variant{dbus.FieldReplySerial: dbus.MakeVariant(uint32(1))}}
	_, _, body, err := slow(directtest.Reply(t, le, &m, "", values...))
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// Done functions ask further questions, far more than may be open at a time, and each one gets its own
// answer.
func TestQuestionsFollowAnswers(t *testing.T) {
	c := dial(t, directtest.Serve(t, func(m *dbus.Message) []byte { return directtest.Reply(t, le, m, "", m.Body...) }))
	const most = 20_000
	var queue []Question
	sent, right := uint32(0), 0
	ask := func() {
		n := sent
		sent++
		queue = append(queue, Question{"/e", "org.example.Echo", []any{n}, func(body []any) {
			if len(body) == 1 && body[0] == n {
				right++
			}
		}})
	}
	ask()
	late, failed, err := c.Ask(t.Context(), func() (q Question, ok bool) {
		for len(queue) < 3 && sent < most {
			ask()
		}
		if len(queue) == 0 {
			return q, false
		}
		q, queue = queue[0], queue[1:]
		return q, true
	})
	if right != most || late+failed != 0 || err != nil {
		t.Errorf("%d right answers, %d late, %d failed: %v", right, late, failed, err)
	}
}

// An application that does not answer in time delays Ask no longer than ctx allows, and its late
// answers are not taken for the answers to later questions.
func TestLateAnswersAreLeftOut(t *testing.T) {
	var slow atomic.Bool
	slow.Store(true)
	var kept []byte
	c := dial(t, directtest.Serve(t, func(m *dbus.Message) []byte {
		b := directtest.Reply(t, le, m, "", m.Body...)
		if slow.Load() {
			kept = append(kept, b...)
			return []byte{}
		}
		b, kept = append(kept, b...), nil
		return b
	}))
	late := 0
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	wrong := func([]any) { t.Error("a late answer is used") }
	begin := time.Now()
	late, _, err := c.Ask(ctx, list(Question{"/e", "org.example.Echo", []any{"early"}, wrong}, Question{"/e", "org.example.Echo", []any{"early"}, wrong}))
	if took := time.Since(begin); late != 2 || err != nil || took > 5*time.Second {
		t.Errorf("%d late after %v: %v", late, took, err)
	}
	slow.Store(false)
	var got []any
	if late, failed, err := c.Ask(t.Context(), list(Question{"/e", "org.example.Echo", []any{"now"}, func(body []any) { got = body }})); late+failed != 0 || err != nil || !reflect.DeepEqual(got, []any{"now"}) {
		t.Errorf("%v, %d, %d, %v", got, late, failed, err)
	}
}

// Ask distinguishes an application that answers with an error, one that ends, and one that sends
// something other than D-Bus messages.
func TestFaultsOfAnApplication(t *testing.T) {
	for name, c := range map[string]struct {
		answer func(*dbus.Message) []byte
		failed int
		err    string
	}{
		"an error":     {func(m *dbus.Message) []byte { return directtest.Reply(t, le, m, "org.example.Error", "no") }, 1, ""},
		"the end":      {func(*dbus.Message) []byte { return nil }, 0, "EOF"},
		"another form": {func(*dbus.Message) []byte { return []byte("HTTP/1.1 200 OK\r\n\r\n") }, 0, "violates"},
		"a huge message": {func(*dbus.Message) []byte {
			return []byte("l\x02\x01\x01\xff\xff\xff\xff\x01\x00\x00\x00\x00\x00\x00\x00")
		}, 0, "violates"},
	} {
		t.Run(name, func(t *testing.T) {
			conn := dial(t, directtest.Serve(t, c.answer))
			late, failed, err := conn.Ask(t.Context(), list(Question{"/e", "org.example.X", nil, func([]any) { t.Error("it has an answer") }}))
			if failed != c.failed || late != 1-c.failed || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Errorf("%d late, %d failed, %v", late, failed, err)
			}
			if _, _, again := conn.Ask(t.Context(), list()); c.err != "" && !errors.Is(again, err) {
				t.Errorf("it is asked again: %v", again)
			}
		})
	}
}

// A second Ask does not wait for the first one, because its caller has its own time limit.
func TestASecondAskDoesNotWait(t *testing.T) {
	c := dial(t, directtest.Serve(t, func(*dbus.Message) []byte { return []byte{} }))
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan int)
	begun := make(chan bool, 1)
	go func() {
		one := list(Question{"/e", "org.example.X", nil, nil})
		late, _, _ := c.Ask(ctx, func() (Question, bool) {
			select {
			case begun <- true:
			default:
			}
			return one()
		})
		ended <- late
	}()
	waittest.Receive(t, "the first question begins", begun)
	if _, _, err := c.Ask(t.Context(), list()); !errors.Is(err, errBusy) {
		t.Error(err)
	}
	cancel()
	if late := waittest.Receive(t, "the first question ends", ended); late != 1 {
		t.Errorf("%d late", late)
	}
}

// No bytes from an application crash the reader. What it decodes itself equals what godbus decodes.
func FuzzAnswer(f *testing.F) {
	m := dbus.Message{Type: dbus.TypeMethodReply, Headers: map[dbus.HeaderField]dbus.Variant{dbus.FieldReplySerial: dbus.MakeVariant(uint32(1))}}
	for _, v := range values {
		f.Add(directtest.Reply(f, le, &m, "", v...))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) < fixed {
			return
		}
		if n, ok := size(b); !ok || n != len(b) {
			return
		}
		kind, serial, got, err := answer(b)
		k, s, want, slowErr := slow(b)
		if err != nil || slowErr != nil || kind != dbus.TypeMethodReply {
			return
		}
		if kind != k || serial != s || fmt.Sprintf("%#v", got) != fmt.Sprintf("%#v", want) { // NaN never equals itself
			t.Errorf("%d %#v, godbus %d %#v", serial, got, s, want)
		}
	})
}
