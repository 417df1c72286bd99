package replay_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"goated/servers/desktop/apps"
	"goated/servers/desktop/atspi/privatebus"
	"goated/servers/desktop/backend"
	"goated/servers/desktop/journal"
	"goated/servers/desktop/link"
	pb "goated/servers/desktop/macosusesdk"
	"goated/servers/desktop/replay"
	"goated/servers/desktop/x11/hidden"
	"goated/servers/desktop/x11/x11test"
)

var desk x11test.Desk

func TestMain(m *testing.M) {
	os.Exit(x11test.Main(m, &desk, hidden.Options{Width: 1000, Height: 700}))
}

// A place is a hidden desktop whose actions are recorded.
type place struct {
	*testing.T
	folder string
	buses  *privatebus.Bus // of desk, where the place works; nil: it starts its own desktop
	change func(*backend.Options)
	wait   time.Duration
	opened *backend.Backend
}

func (p *place) open(begins func(journal.Entry) error, ends func(journal.Entry)) (pb.Backend, error) {
	o := backend.Options{Hidden: &hidden.Options{Width: 1000, Height: 700}, Record: backend.Record{Folder: p.folder, Begins: begins, Ends: ends}}
	if p.buses != nil {
		o.Workplace = func(context.Context) (*hidden.Desktop, *privatebus.Bus, error) {
			d, err := hidden.Attach(desk.Display, desk.Cookie())
			return d, privatebus.Attach(p.buses.Session, p.buses.Accessibility), err
		}
	}
	if p.change != nil {
		p.change(&o)
	}
	b, err := backend.New(p.Context(), o)
	p.opened = b
	return b, err
}

// record performs actions and returns their records.
func (p *place) record(act func(call func(method string, req, reply proto.Message))) []journal.Entry {
	p.Helper()
	b, err := p.open(nil, nil)
	if err != nil {
		p.Fatal(err)
	}
	l, err := link.Local(b, 0)
	if err != nil {
		p.Fatal(err)
	}
	act(func(method string, req, reply proto.Message) {
		p.Helper()
		var err error
		if method == "OpenApplication" {
			err = l.Run(p.Context(), method, req, reply, time.Minute, nil)
		} else {
			err = l.Call(p.Context(), method, req, reply)
		}
		if err != nil {
			p.Fatalf("%s: %v", method, err)
		}
	})
	if err := l.Close(); err != nil {
		p.Fatal(err)
	}
	entries, err := journal.Read(filepath.Join(p.folder, backend.JournalFile))
	if err != nil {
		p.Fatal(err)
	}
	return entries
}

func (p *place) replay(entries []journal.Entry, done func(journal.Entry)) (int, error) {
	return replay.Run(p.Context(), replay.Options{Entries: entries, Open: p.open, Program: apps.Name, Done: done, Wait: p.wait,
		Ask: func(context.Context, journal.Entry) error { return errors.New("you did not agree to it") }})
}

// compute opens the calculator, presses 1 2 × 3 = through its elements, moves its window and types.
func compute(call func(string, proto.Message, proto.Message)) {
	var opened pb.OpenApplicationResponse
	call("OpenApplication", &pb.OpenApplicationRequest{Id: "galculator"}, &opened)
	app := opened.GetApplication().GetName()
	for _, name := range []string{"1", "2", "*", "3", "="} {
		s := &pb.ElementSelector{Criteria: &pb.ElementSelector_Compound{Compound: &pb.CompoundSelector{Operator: pb.CompoundSelector_OPERATOR_AND, Selectors: []*pb.ElementSelector{
			{Criteria: &pb.ElementSelector_Role{Role: "toggle button"}}, {Criteria: &pb.ElementSelector_Text{Text: name}}}}}}
		var found pb.FindElementsResponse
		call("FindElements", &pb.FindElementsRequest{Parent: app, Selector: s}, &found)
		call("ClickElement", &pb.ClickElementRequest{Parent: app, Target: &pb.ClickElementRequest_ElementId{ElementId: found.GetElements()[0].GetElementId()}}, new(pb.ClickElementResponse))
	}
	var windows pb.ListWindowsResponse
	call("ListWindows", &pb.ListWindowsRequest{Parent: app}, &windows)
	call("MoveWindow", &pb.MoveWindowRequest{Name: windows.GetWindows()[0].GetName(), X: 77, Y: 66}, new(pb.Window))
	call("CreateInput", &pb.CreateInputRequest{Parent: app, Input: &pb.Input{Action: &pb.InputAction{InputType: &pb.InputAction_TypeText{TypeText: &pb.TextInput{Text: "+4"}}}}}, new(pb.Input))
}

// A recording is made on one desktop and replayed on another one. All replays share that one: each
// begins with an empty desktop, because the programs of a replay end with it.
func TestReplay(t *testing.T) {
	desk.Need(t, "galculator", "dbus-daemon")
	buses, err := privatebus.Start(t.Context(), desk.Environ(os.Environ()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(buses.Close)
	recorded := &place{T: t, folder: t.TempDir()}
	entries := recorded.record(compute)
	if len(entries) != 8 || entries[1].App != "galculator" || entries[6].Window != "galculator" {
		t.Fatalf("%d records, %+v", len(entries), entries)
	}
	t.Run("is refused", func(t *testing.T) { refused(t, entries, buses) })
	t.Run("in another session", func(t *testing.T) { elsewhere(t, recorded.folder, entries, buses) })
}

// elsewhere performs the actions of one session in another, where each application, window and
// element has a different number.
func elsewhere(t *testing.T, folder string, entries []journal.Entry, buses *privatebus.Bus) {
	p := &place{T: t, folder: folder, buses: buses}
	last, shows := entries[len(entries)-1], ""
	n, err := p.replay(entries, func(e journal.Entry) {
		for end := time.Now().Add(10 * time.Second); e.Seq == last.Seq && shows != "4" && time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
			shows = display(p)
		}
	})
	if n != len(entries) || err != nil || shows != "4" {
		t.Errorf("%d of %d actions, %v, and the calculator shows %q", n, len(entries), err, shows)
	}
	again, err := journal.Read(filepath.Join(p.folder, backend.JournalFile))
	if err != nil || len(again) != 2*len(entries) {
		t.Errorf("the replay recorded %d actions: %v", len(again)-len(entries), err)
	}
}

// display returns the text that the calculator shows.
func display(p *place) string {
	list, err := p.opened.ListApplications(p.Context(), &pb.ListApplicationsRequest{})
	if err != nil {
		p.Fatal(err)
	}
	for _, a := range list.GetApplications() {
		found, err := p.opened.FindElements(p.Context(), &pb.FindElementsRequest{Parent: a.GetName(), Selector: &pb.ElementSelector{Criteria: &pb.ElementSelector_Role{Role: "text"}}, VisibleOnly: true})
		if err == nil && len(found.GetElements()) == 1 {
			return found.GetElements()[0].GetText()
		}
	}
	return ""
}

// refused checks that a replay follows the rules of every action. It stops before an action whose
// target is gone or different, that needs a switch or the user's agreement, that the user halted, or
// whose record is incomplete.
func refused(t *testing.T, entries []journal.Entry, buses *privatebus.Bus) {
	touched := filepath.Join(t.TempDir(), "touched")
	opened, pressed, moved, typed := entries[0], entries[1], entries[6], entries[7]
	shell := journal.Entry{Seq: 9, Time: typed.Time, Method: "ExecuteShellCommand", Request: []byte(`{"command":"touch","args":["` + touched + `"]}`)}
	with := func(e journal.Entry, change func(*journal.Entry)) journal.Entry { change(&e); return e }
	for _, test := range []struct {
		name    string
		entries []journal.Entry
		change  func(*backend.Options)
		n       int
		why     string
	}{
		// This row is first, because the X server keeps the window of a program that ended for a moment.
		{"not open", []journal.Entry{pressed}, nil, 0, `no application "galculator"`},
		{"another program", []journal.Entry{opened, with(typed, func(e *journal.Entry) { e.Target = `the window "Letter" of Editor` })}, nil, 1, `it was about the window "Letter" of Editor then`},
		{"another element", []journal.Entry{opened, with(pressed, func(e *journal.Entry) { e.Target = `the toggle button "Send"` })}, nil, 1, `no toggle button "Send"`},
		{"another window", []journal.Entry{opened, with(moved, func(e *journal.Entry) { e.Window = "Letter" })}, nil, 1, `no window "Letter"`},
		{"other end", []journal.Entry{opened, with(moved, func(e *journal.Entry) { e.After = "at 1, 1, 2 × 2, shown" })}, nil, 2, "ended differently"},
		{"shell", []journal.Entry{shell}, func(o *backend.Options) { o.Shell = true }, 0, "did not agree"},
		{"left out", []journal.Entry{opened, with(typed, func(e *journal.Entry) { e.Redacted = true })}, nil, 0, "left out"},
		{"rollback", []journal.Entry{with(typed, func(e *journal.Entry) { e.Method = "RollbackTransaction" })}, nil, 0, "its transaction has ended"},
		{"no action", []journal.Entry{with(typed, func(e *journal.Entry) { e.Method = "Exec" })}, nil, 0, "no such action"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := &place{T: t, folder: t.TempDir(), buses: buses, change: test.change, wait: time.Second}
			n, err := p.replay(test.entries, nil)
			if n != test.n || err == nil || !strings.Contains(err.Error(), test.why) {
				t.Errorf("%d actions, %v", n, err)
			}
		})
	}
	if _, err := os.Stat(touched); err == nil {
		t.Error("the shell command ran")
	}
	t.Run("halted", func(t *testing.T) {
		p := &place{T: t, folder: t.TempDir(), buses: buses}
		n, err := p.replay(entries, func(e journal.Entry) {
			if e.Seq == pressed.Seq {
				p.opened.Halt()
			}
		})
		if n != 2 || err == nil || !strings.Contains(err.Error(), "stopped") {
			t.Errorf("%d actions, %v", n, err)
		}
	})
}
