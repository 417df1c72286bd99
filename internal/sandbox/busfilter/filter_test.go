//go:build linux

package busfilter_test

import (
	"context"
	"errors"
	"net"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
	"go.uber.org/goleak"
	"golang.org/x/sys/unix"

	"goated/internal/bustest"
	"goated/internal/sandbox/busfilter"
)

const (
	denied  = "org.freedesktop.DBus.Error.AccessDenied"
	friend  = "org.example.Friend"
	systemd = "org.freedesktop.systemd1"
	limit   = 10 * time.Second
)

// rules let a client call one method of a friend.
var rules = busfilter.Rules{
	Talk: []busfilter.Talk{{Name: friend, Signals: []string{friend}, Calls: []busfilter.Call{
		{Interface: friend, Members: []string{"Echo"}},
		{Interface: friend, Members: []string{"File"}, Files: true},
		{Interface: "org.freedesktop.DBus.Properties", Members: []string{"Get"}, First: []string{friend}},
	}}},
	See: []string{"org.example.Seen.*"},
}

// A service counts the calls that reach it.
type service struct {
	conn  *dbus.Conn
	calls atomic.Int64
}

func (s *service) Echo(text string) (string, *dbus.Error) { s.calls.Add(1); return text, nil }
func (s *service) Other() *dbus.Error                     { s.calls.Add(1); return nil }

func (s *service) File() (dbus.UnixFD, *dbus.Error) {
	var ends [2]int
	if err := unix.Pipe2(ends[:], unix.O_CLOEXEC); err != nil {
		return 0, dbus.MakeFailedError(err)
	}
	_, _ = unix.Write(ends[1], []byte("content"))
	_ = unix.Close(ends[1])
	return dbus.UnixFD(ends[0]), nil // closed with the test
}

func (s *service) Leak() (dbus.UnixFD, *dbus.Error) { s.calls.Add(1); return s.File() }

func (s *service) StartTransientUnit(string, string, []string, []string) (dbus.ObjectPath, *dbus.Error) {
	s.calls.Add(1)
	return "/job/1", nil
}

// serve runs a program with these names on the bus until the test ends.
func serve(t *testing.T, address string, names ...string) *service {
	t.Helper()
	conn, err := dbus.Connect(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	s := &service{conn: conn}
	for _, face := range []string{friend, "org.freedesktop.systemd1.Manager", "org.freedesktop.DBus.Properties"} {
		if err := conn.Export(s, "/o", face); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range names {
		if got, err := conn.RequestName(name, dbus.NameFlagDoNotQueue); err != nil || got != dbus.RequestNameReplyPrimaryOwner {
			t.Fatal(name, got, err)
		}
	}
	return s
}

// filter creates a filter that is closed when the test ends.
func filter(t *testing.T) *busfilter.Filter {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	f, err := busfilter.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("the filter leaves %v, %v", left, err)
	}
	return f
}

// socket connects a socket to a bus through a filter.
func socket(t *testing.T, f *busfilter.Filter, address string, r busfilter.Rules) *net.UnixConn {
	t.Helper()
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	file := os.NewFile(uintptr(fd), "client")
	defer file.Close()
	path, _, _ := strings.Cut(strings.TrimPrefix(address, "unix:path="), ",")
	if err := f.Connect(fd, &unix.SockaddrUnix{Name: path}, r); err != nil {
		t.Fatal(err)
	}
	c, err := net.FileConn(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	_ = c.SetDeadline(time.Now().Add(limit))
	return c.(*net.UnixConn)
}

// client connects a program to a bus through a filter.
func client(t *testing.T, f *busfilter.Filter, address string, r busfilter.Rules) *dbus.Conn {
	t.Helper()
	conn, err := dbus.DialUnix(socket(t, f, address, r))
	if err == nil {
		err = conn.Auth(nil)
	}
	if err == nil {
		err = conn.Hello()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

func call(t *testing.T, c *dbus.Conn, to, method string, args ...any) *dbus.Call {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	return c.Object(to, "/o").CallWithContext(ctx, method, 0, args...)
}

func isDenied(err error) bool {
	e := dbus.Error{}
	return errors.As(err, &e) && e.Name == denied
}

// An allowed call passes, both by the name and by the unique name of its owner. Other calls are
// refused and reach no program.
func TestCalls(t *testing.T) {
	address := bustest.Start(t)
	s, other := serve(t, address, friend), serve(t, address, systemd, "org.example.Seen.One")
	c := client(t, filter(t), address, rules)
	long := strings.Repeat("x", 1<<20)
	for _, to := range []string{friend, s.conn.Names()[0]} {
		for _, text := range []string{"hello", long} {
			var got string
			if err := call(t, c, to, friend+".Echo", text).Store(&got); err != nil || got != text {
				t.Errorf("%s: %d bytes, %v", to, len(got), err)
			}
		}
	}
	reached := s.calls.Load()
	for _, no := range [][]any{
		{systemd, "org.freedesktop.systemd1.Manager.StartTransientUnit", "a.service", "fail", []string{}, []string{}},
		{other.conn.Names()[0], "org.freedesktop.systemd1.Manager.StartTransientUnit", "a.service", "fail", []string{}, []string{}},
		{other.conn.Names()[0], friend + ".Echo", long},
		{"org.example.Seen.One", friend + ".Echo", "x"},
		{friend, friend + ".Other"},
		{friend, "org.freedesktop.systemd1.Manager.StartTransientUnit", "a.service", "fail", []string{}, []string{}},
		{friend, "org.freedesktop.DBus.Properties.Get", "org.example.Other", "x"},
		{friend, "org.freedesktop.DBus.Properties.Set", friend, "x", dbus.MakeVariant(1)},
		{friend, "org.freedesktop.DBus.Properties.Get"},
		{"org.freedesktop.DBus", "org.freedesktop.DBus.RequestName", "org.example.Mine", uint32(0)},
		{"org.freedesktop.DBus", "org.freedesktop.DBus.StartServiceByName", friend, uint32(0)},
		{"org.freedesktop.DBus", "org.freedesktop.DBus.UpdateActivationEnvironment", map[string]string{"LD_PRELOAD": "x"}},
		{"org.freedesktop.DBus", "org.freedesktop.DBus.Monitoring.BecomeMonitor", []string{}, uint32(0)},
		{"org.freedesktop.DBus", "org.freedesktop.DBus.GetNameOwner", systemd},
		{"org.freedesktop.DBus", "org.freedesktop.DBus.NameHasOwner", systemd},
		{"org.freedesktop.DBus", "org.freedesktop.DBus.GetConnectionUnixProcessID", other.conn.Names()[0] + "0"},
		{"org.freedesktop.DBus", "org.freedesktop.DBus.Hello"},
	} {
		if err := call(t, c, no[0].(string), no[1].(string), no[2:]...).Err; !isDenied(err) {
			t.Errorf("%v: %v", no[:2], err)
		}
	}
	if other.calls.Load() != 0 || s.calls.Load() != reached {
		t.Error("a refused call reached a program")
	}
	var owner string
	if err := call(t, c, "org.freedesktop.DBus", "org.freedesktop.DBus.GetNameOwner", "org.example.Seen.One").Store(&owner); err != nil || owner != other.conn.Names()[0] {
		t.Error(owner, err)
	}
	var pid uint32
	if err := call(t, c, "org.freedesktop.DBus", "org.freedesktop.DBus.GetConnectionUnixProcessID", owner).Store(&pid); err != nil || int(pid) != os.Getpid() {
		t.Error(pid, err)
	}
	var names []string
	if err := call(t, c, "org.freedesktop.DBus", "org.freedesktop.DBus.ListNames").Store(&names); err != nil || strings.Contains(strings.Join(names, " "), systemd) || !strings.Contains(strings.Join(names, " "), friend) || !strings.Contains(strings.Join(names, " "), "org.example.Seen.One") {
		t.Error(names, err)
	}
}

// Only match rules for signals pass, and none that eavesdrops on others.
func TestMatchRules(t *testing.T) {
	address := bustest.Start(t)
	serve(t, address, friend)
	c := client(t, filter(t), address, rules)
	for rule, want := range map[string]bool{
		"type='signal',sender='" + friend + "',interface='x.y'":                                       true,
		"type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='" + friend + "'": true,
		"type=signal,arg0='a,b'":                 true,
		"type='signal',eavesdrop='true'":         false,
		"eavesdrop=true,type='signal'":           false,
		"type='signal', eavesdrop='true'":        false,
		"type='signal',sender='" + systemd + "'": false,
		"type='method_call'":                     false,
		"interface='x.y'":                        false,
		"":                                       false,
		"type='signal',type='method_call'":       false,
		`type='signal',arg0=\\'a',eavesdrop='true',arg1='''`: false,
		"type='signal',arg0='a":                              false,
	} {
		err := call(t, c, "org.freedesktop.DBus", "org.freedesktop.DBus.AddMatch", rule).Err
		if want && err != nil || !want && !isDenied(err) {
			t.Errorf("%s: %v", rule, err)
		}
	}
}

// The client gets its friend's signals, but no signals of other programs, even if they are sent to
// it.
func TestSignals(t *testing.T) {
	address := bustest.Start(t)
	s, other := serve(t, address, friend), serve(t, address, systemd)
	c := client(t, filter(t), address, rules)
	got := make(chan *dbus.Signal, 16)
	c.Signal(got)
	if err := c.AddMatchSignal(); err != nil {
		t.Fatal(err)
	}
	for _, from := range []*dbus.Conn{other.conn, s.conn} {
		for _, name := range []string{"org.example.Unknown.S", friend + ".S"} {
			for _, to := range []string{"", c.Names()[0]} {
				m := &dbus.Message{Type: dbus.TypeSignal, Headers: map[dbus.HeaderField]dbus.Variant{
					dbus.FieldPath: dbus.MakeVariant(dbus.ObjectPath("/o")), dbus.FieldInterface: dbus.MakeVariant(name[:len(name)-2]), dbus.FieldMember: dbus.MakeVariant("S"),
				}}
				if to != "" {
					m.Headers[dbus.FieldDestination] = dbus.MakeVariant(to)
				}
				from.Send(m, nil)
			}
		}
		// The reply comes after the signals.
		if err := from.BusObject().Call("org.freedesktop.DBus.GetId", 0).Err; err != nil {
			t.Fatal(err)
		}
	}
	if err := s.conn.Emit("/o", friend+".Last"); err != nil {
		t.Fatal(err)
	}
	for n := 0; ; {
		select {
		case e := <-got:
			if strings.HasPrefix(e.Name, "org.freedesktop.DBus.") {
				continue
			}
			if e.Sender != s.conn.Names()[0] || !strings.HasPrefix(e.Name, friend) {
				t.Errorf("it gets %s of %s", e.Name, e.Sender)
			}
			if n++; e.Name == friend+".Last" {
				if n != 3 {
					t.Errorf("%d signals", n)
				}
				return
			}
		case <-time.After(limit):
			t.Fatal("the last signal does not come")
		}
	}
}

// A friend that restarts has another unique name.
func TestOwnerChanges(t *testing.T) {
	address := bustest.Start(t)
	s := serve(t, address, friend)
	before := s.conn.Names()[0]
	c := client(t, filter(t), address, rules)
	if _, err := s.conn.ReleaseName(friend); err != nil {
		t.Fatal(err)
	}
	after := serve(t, address, friend).conn.Names()[0]
	if err := call(t, c, friend, friend+".Echo", "x").Err; err != nil { // its reply comes after the change
		t.Fatal(err)
	}
	if err := call(t, c, before, friend+".Echo", "x").Err; !isDenied(err) {
		t.Error(err)
	}
	if err := call(t, c, after, friend+".Echo", "x").Err; err != nil {
		t.Error(err)
	}
}

// Open files pass in replies that may contain them, and in no others.
func TestOpenFiles(t *testing.T) {
	address := bustest.Start(t)
	serve(t, address, friend)
	leaky := rules
	leaky.Talk = []busfilter.Talk{{Name: friend, Calls: append([]busfilter.Call{{Interface: friend, Members: []string{"Leak"}}}, rules.Talk[0].Calls...)}}
	c := client(t, filter(t), address, leaky)
	for range 3 {
		var fd dbus.UnixFD
		if err := call(t, c, friend, friend+".File").Store(&fd); err != nil {
			t.Fatal(err)
		}
		f := os.NewFile(uintptr(fd), "file")
		b := make([]byte, 16)
		n, err := f.Read(b)
		if _ = f.Close(); string(b[:n]) != "content" {
			t.Errorf("%q, %v", b[:n], err)
		}
		if err := call(t, c, friend, friend+".Leak").Err; !isDenied(err) {
			t.Error(err)
		}
	}
	if err := call(t, c, friend, friend+".Echo", dbus.UnixFD(0)).Err; !isDenied(err) {
		t.Errorf("a file of the client: %v", err)
	}
}

// Many clients at the same time do not disturb each other.
func TestManyClients(t *testing.T) {
	address := bustest.Start(t)
	serve(t, address, friend)
	f := filter(t)
	var all sync.WaitGroup
	for i := range 40 {
		c := client(t, f, address, rules)
		all.Go(func() {
			for n := range 50 {
				want, got := strings.Repeat("y", i*n), ""
				if err := call(t, c, friend, friend+".Echo", want).Store(&got); err != nil || got != want {
					t.Errorf("client %d: %v", i, err)
					return
				}
				if err := call(t, c, systemd, "org.freedesktop.systemd1.Manager.StartTransientUnit").Err; !isDenied(err) {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
}

// When one side ends, the other side ends too, and no goroutine remains.
func TestEnds(t *testing.T) {
	address := bustest.Start(t)
	serve(t, address, friend)
	before := goleak.IgnoreCurrent()
	f, err := busfilter.New()
	if err != nil {
		t.Fatal(err)
	}
	one, two := client(t, f, address, rules), client(t, f, address, rules)
	silent := socket(t, f, address, rules)
	_ = one.Close()
	if err := call(t, two, friend, friend+".Echo", "x").Err; err != nil {
		t.Error(err)
	}
	f.Close()
	select {
	case <-two.Context().Done():
	case <-time.After(limit):
		t.Error("the client does not see the end")
	}
	if n, err := silent.Read(make([]byte, 1)); n != 0 || err == nil {
		t.Error("a client that said nothing is still connected")
	}
	if err := goleak.Find(before); err != nil {
		t.Error(err)
	}
	f.Close()
}
