package atspi_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"goated/servers/desktop/atspi"
	"goated/servers/desktop/atspi/atspitest"
	"goated/servers/desktop/element"
)

const (
	frame, list, listItem, button, text, password, dialog, application = 23, 31, 32, 43, 61, 40, 16, 75

	editable, modal, enabled, sensitive, showing = 1 << 7, 1 << 16, 1 << 8, 1 << 24, 1 << 25
)

// budget is the time limit of a tree, with a margin for a busy machine. patient is the limit of tests
// that check the tree and not its timing.
const (
	budget  = atspi.DefaultBudget + time.Second
	patient = 3 * time.Second
)

// rows returns an application with a list of n rows.
func rows(name string, n int, cache bool) *atspitest.App {
	all := make([]int, n+3)
	for i := range all {
		all[i] = i
	}
	app := &atspitest.App{Item: func(id int) atspitest.Item {
		switch id {
		case 0:
			return atspitest.Item{Role: application, Name: name, Toolkit: "test", Children: []int{1}}
		case 1:
			return atspitest.Item{Role: frame, Name: name, States: atspitest.Shown, Children: []int{2}}
		case 2:
			return atspitest.Item{Role: list, States: atspitest.Shown, Parent: 1, Children: all[3:]}
		}
		return atspitest.Item{Role: listItem, Name: fmt.Sprintf("row %d", id-2), States: atspitest.Shown, Parent: 2, Index: id - 3, Interfaces: []string{"Component"}, Bounds: [4]int32{0, int32(20 * id), 100, 20}}
	}}
	if cache {
		app.Cache = func() []int { return all }
	}
	return app
}

// A list of ten thousand rows is read completely from a cache, and partially without one. Both take no
// longer than the budget.
func TestTenThousandRows(t *testing.T) {
	n := 10_000
	if testing.Short() {
		n = 2000 // the race detector slows down both sides
	}
	b := connect(t, atspi.Options{Budget: patient})
	cached := serve(t, b, rows("cached rows", n, true))
	last := fmt.Sprintf("row %d", n-124)
	desk.Until(t, last, func() (found bool) {
		within(t, patient+time.Second, "the cached list", func() {
			tree, err := b.Snapshot(t.Context(), cached)
			if hung := new(atspi.HungError); errors.As(err, &hung) {
				return // on a busy machine it may take longer than a call
			}
			if err != nil {
				t.Fatal(err)
			}
			if len(tree.Nodes) < n+3 && len(tree.Partial) == 0 {
				t.Fatalf("%d elements, %v", len(tree.Nodes), tree.Partial)
			}
			rows := find(t, tree, last)
			if len(rows) == 1 {
				path := tree.Path(rows[0])
				found = len(path) > 2 && int(path[2]) == n-125 // a partial tree may contain this row only
			}
		})
		return found
	})
	plain := serve(t, b, rows("plain rows", n, false))
	desk.Until(t, "the list without a cache", func() (whole bool) {
		within(t, patient+time.Second, "the list without a cache", func() {
			tree, err := b.Snapshot(t.Context(), plain)
			if err != nil {
				t.Fatal(err)
			}
			partial := strings.Join(tree.Partial, " ")
			if whole = !strings.Contains(partial, "answers slowly"); !whole {
				return // the machine is busy
			}
			if len(tree.Nodes) < 100 || len(tree.Nodes) > 1000 || !strings.Contains(partial, "Long lists are cut") {
				t.Errorf("%d elements, %v", len(tree.Nodes), tree.Partial)
			}
		})
		return whole
	})
}

// Concurrent snapshots of one application share its cache's answer, and each completes its own tree.
// The race detector reports a snapshot that writes to the shared answer.
func TestTreesReadAtOnce(t *testing.T) {
	b := connect(t, atspi.Options{Budget: patient})
	const n = 30
	app := rows("read at once", n, false)
	app.Cache = func() []int { return []int{0, 1, 2, 3} } // the walk finds the other rows
	a := serve(t, b, app)
	for range 5 {
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				tree, err := b.Snapshot(t.Context(), a)
				if err != nil {
					t.Error(err)
				} else if len(tree.Nodes) != n+3 && len(tree.Partial) == 0 {
					t.Errorf("%d elements, want %d", len(tree.Nodes), n+3)
				}
			})
		}
		wg.Wait()
	}
}

// An endless tree is partial, and its Partial explains why. The cases are a tree that grows in depth,
// one that grows in breadth, and one that leads back to its root.
func TestEndlessTrees(t *testing.T) {
	b := connect(t, atspi.Options{Budget: patient})
	for name, children := range map[string]func(id int) []int{
		"deep":  func(id int) []int { return []int{id + 1} },
		"wide":  func(id int) []int { return []int{3*id + 1, 3*id + 2, 3*id + 3} },
		"round": func(id int) []int { return []int{(id + 1) % 50, 0, id} },
	} {
		a := serve(t, b, &atspitest.App{Item: func(id int) atspitest.Item {
			return atspitest.Item{Role: frame, Name: name, States: atspitest.Shown, Toolkit: "test", Children: children(id)}
		}})
		within(t, patient+time.Second, name, func() {
			tree, err := b.Snapshot(t.Context(), a)
			if err != nil || len(tree.Nodes) < 30 {
				t.Fatalf("%s: %d elements, %v", name, len(tree.Nodes), err)
			}
			if partial := len(tree.Partial) > 0; partial != (name != "round") {
				t.Errorf("%s: %d elements, %v", name, len(tree.Nodes), tree.Partial)
			}
		})
	}
}

// A form is a user interface whose elements a test changes.
type form struct {
	*atspitest.App
	items map[int]*atspitest.Item
	done  []int
}

func newForm(name string) *form {
	f := &form{items: map[int]*atspitest.Item{
		0: {Role: application, Name: name, Toolkit: "test", Children: []int{1}},
		1: {Role: frame, Name: name, States: atspitest.Shown, Children: []int{2, 3, 4, 5}},
		2: {Role: button, Name: "Send", States: atspitest.Shown, Parent: 1, Index: 0, Interfaces: []string{"Action", "Component"}, Bounds: [4]int32{10, 10, 80, 20}},
		3: {Role: text, Name: "Comment", States: atspitest.Shown | editable, Parent: 1, Index: 1, Interfaces: []string{"Text", "EditableText", "Component"}, Bounds: [4]int32{10, 40, 80, 20}},
		4: {Role: password, Name: "PIN", States: atspitest.Shown | editable, Parent: 1, Index: 2, Interfaces: []string{"Text", "EditableText", "Component", "Action"}, Text: "hunter2", Bounds: [4]int32{10, 70, 80, 20}, Children: []int{6}},
		5: {Role: text, Name: "Fixed", States: atspitest.Shown | editable, Parent: 1, Index: 3, Interfaces: []string{"Text", "EditableText"}},
		6: {Role: text, Name: "inner", States: atspitest.Shown | editable, Parent: 4, Interfaces: []string{"Text", "EditableText"}, Text: "hunter2"},
	}}
	f.App = &atspitest.App{
		Item: func(id int) atspitest.Item {
			if f.items[id] == nil {
				return atspitest.Item{}
			}
			return *f.items[id]
		},
		Do: func(id int) { f.done = append(f.done, id) },
		Write: func(id int, s string) bool {
			if id == 3 {
				f.items[id].Text = s
			}
			return true
		},
	}
	return f
}

// pressed returns how many presses there were.
func (f *form) pressed() (times int) {
	f.Lock(func() { times = len(f.done) })
	return times
}

// Act refuses each action whose target is no longer the one that the caller saw, or that a user could
// not reach. The error describes what is there instead.
func TestActionsVerifyTheirTarget(t *testing.T) {
	covered := ""
	b := connect(t, atspi.Options{Covered: func(_ context.Context, _ int, at element.Point) (string, error) {
		if at.X == 50 && at.Y == 20 {
			return covered, nil
		}
		return "", nil
	}})
	f := newForm("form")
	a := serve(t, b, f.App)
	snap, err := b.Snapshot(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	_, send := one(t, b, snap, "Send")
	press := func(x atspi.Expect) error { _, err := b.Act(t.Context(), send, x, "press"); return err }
	change := func(states uint64, name string) {
		f.Lock(func() { f.items[2].States, f.items[2].Name = states, name })
	}
	var changed *atspi.ChangedError
	var refused *atspi.RefusedError
	var cover *atspi.CoveredError

	if err := press(atspi.Expect{Role: "push button", Name: "Send"}); err != nil || f.pressed() != 1 {
		t.Fatal(err, f.pressed())
	}
	if err := press(atspi.Expect{Name: "Cancel"}); !errors.As(err, &changed) || changed.HaveName != "Send" {
		t.Errorf("another expected name: %v", err)
	}
	change(atspitest.Shown, "Delete everything")
	if err := press(atspi.Expect{}); !errors.As(err, &changed) || changed.WantName != "Send" || changed.HaveName != "Delete everything" {
		t.Errorf("another name now: %v", err)
	}
	change(atspitest.Shown&^(enabled|sensitive), "Send")
	if err := press(atspi.Expect{}); !errors.As(err, &refused) || !strings.Contains(err.Error(), "disabled") {
		t.Errorf("disabled: %v", err)
	}
	change(atspitest.Shown&^showing, "Send")
	if err := press(atspi.Expect{}); !errors.As(err, &refused) || !strings.Contains(err.Error(), "not on the screen") {
		t.Errorf("hidden: %v", err)
	}
	change(atspitest.Shown, "Send")
	covered = `the window "Popup"`
	if err := press(atspi.Expect{}); !errors.As(err, &cover) || cover.By != covered {
		t.Errorf("covered: %v", err)
	}
	covered = ""
	f.Lock(func() {
		f.items[0].Children = []int{1, 7}
		f.items[7] = &atspitest.Item{Role: dialog, Name: "Really?", States: atspitest.Shown | modal}
	})
	if err := press(atspi.Expect{}); !errors.As(err, &cover) || !strings.Contains(cover.By, "Really?") {
		t.Errorf("behind a dialog: %v", err)
	}
	f.Lock(func() { f.items[0].Children = []int{1} })
	if err := press(atspi.Expect{}); err != nil || f.pressed() != 2 {
		t.Error(err, f.pressed())
	}
	if _, err := b.Act(t.Context(), send, atspi.Expect{}, "fly"); !errors.As(err, &refused) || !strings.Contains(err.Error(), "only the actions click; use one of them") {
		t.Errorf("an action that it lacks: %v", err)
	}
}

// Password fields and the elements inside them are never read, pressed or filled. Their positions are
// known, so that pictures leave them out.
func TestPasswordFieldsAreLeftAlone(t *testing.T) {
	b := connect(t, atspi.Options{})
	f := newForm("secrets")
	a := serve(t, b, f.App)
	snap, err := b.Snapshot(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"PIN", "inner"} {
		e, target := one(t, b, snap, name)
		if !e.Secure || strings.Contains(fmt.Sprintf("%+v", e), "hunter2") {
			t.Errorf("%s is read: %+v", name, e)
		}
		target.Secure = false // as if it had been found in another way
		var secret *atspi.SecretError
		if text, ok, err := b.Content(t.Context(), target); !errors.As(err, &secret) || ok || text != "" {
			t.Errorf("the content of %s is read: %v", name, err)
		}
		if _, err := b.Write(t.Context(), target, atspi.Expect{}, "x"); !errors.As(err, &secret) {
			t.Errorf("%s is filled: %v", name, err)
		}
		if _, err := b.Act(t.Context(), target, atspi.Expect{}, "press"); !errors.As(err, &secret) {
			t.Errorf("%s is pressed: %v", name, err)
		}
	}
	if len(find(t, snap, "text_contains:hunter")) > 0 {
		t.Error("a search finds the password")
	}
	fields, _, err := b.Secure(t.Context())
	if err != nil || len(fields) == 0 || fields[0].Bounds != (element.Rect{X: 10, Y: 70, Width: 80, Height: 20}) {
		t.Errorf("%v, %v", fields, err)
	}
}

// goated's own process is not listed, and none of its elements is used.
func TestGoatedIsLeftOut(t *testing.T) {
	open := connect(t, atspi.Options{})
	f := newForm("goated")
	a := serve(t, open, f.App)
	snap, err := open.Snapshot(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	_, target := one(t, open, snap, "Send")

	b := connect(t, atspi.Options{Own: func(pid int) bool { return pid == os.Getpid() }})
	apps, err := b.Applications(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, other := range apps {
		if other.PID == os.Getpid() {
			t.Errorf("%+v is listed", other)
		}
	}
	_, errSnap := b.Snapshot(t.Context(), a)
	_, errAct := b.Act(t.Context(), target, atspi.Expect{}, "press")
	_, _, errRead := b.Content(t.Context(), target)
	_, errApp := b.Application(t.Context(), os.Getpid())
	_, errWatch := b.Watch(t.Context(), a)
	for name, err := range map[string]error{"snapshot": errSnap, "press": errAct, "read": errRead, "application": errApp, "watch": errWatch} {
		if !errors.Is(err, atspi.ErrOwn) {
			t.Errorf("%s: %v", name, err)
		}
	}
	target.PID = 0 // a caller that does not know the process id
	if _, err := b.Act(t.Context(), target, atspi.Expect{}, "press"); !errors.Is(err, atspi.ErrOwn) || f.pressed() > 0 {
		t.Errorf("pressed: %v, %d times", err, f.pressed())
	}
}

// A focused terminal in an editor is recognized by its role. Chromium has no such role, so there it is
// recognized by the class of xterm.js.
func TestTerminalOfAnEditor(t *testing.T) {
	b := connect(t, atspi.Options{})
	const focused = atspitest.Shown | 1<<atspi.StateFocused | 1<<atspi.StateEditable
	for _, test := range []struct {
		name, toolkit string
		item          atspitest.Item
		want          atspi.Focus
	}{
		{"builder", "gtk", atspitest.Item{Role: uint32(atspi.RoleTerminal), States: focused}, atspi.Focus{Terminal: true}},
		{"code", "Chromium", atspitest.Item{Role: uint32(atspi.RoleEntry), Name: "Terminal 1, bash", States: focused,
			Attributes: map[string]string{"class": "xterm-helper-textarea focused"}}, atspi.Focus{Terminal: true}},
		{"page", "Chromium", atspitest.Item{Role: uint32(atspi.RoleEntry), Name: "Terminal", States: focused, Attributes: map[string]string{"class": "input"}}, atspi.Focus{}},
		{"bank", "Chromium", atspitest.Item{Role: uint32(atspi.RolePasswordText), States: focused}, atspi.Focus{Secure: true}},
		{"idle", "gtk", atspitest.Item{Role: uint32(atspi.RoleTerminal), States: atspitest.Shown}, atspi.Focus{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			item := test.item
			item.Parent, item.Interfaces, item.Bounds = 1, []string{"Component", "Text"}, [4]int32{7, 8, 90, 40}
			app := &atspitest.App{Item: func(id int) atspitest.Item {
				switch id {
				case 0:
					return atspitest.Item{Role: uint32(atspi.RoleApplication), Name: test.name, Toolkit: test.toolkit, Children: []int{1}, States: atspitest.Shown}
				case 1:
					return atspitest.Item{Role: uint32(atspi.RoleFrame), Name: test.name, Children: []int{2}, States: atspitest.Shown}
				}
				return item
			}}
			a := serve(t, b, app)
			tree, err := b.Snapshot(t.Context(), a)
			if err != nil || len(tree.Nodes) != 3 {
				t.Fatalf("%v, %v", tree, err)
			}
			got, err := tree.Focus(t.Context())
			if err != nil || got != test.want {
				t.Errorf("%+v, %v", got, err)
			}
			places := tree.Terminals(t.Context())
			if shown := item.Role == uint32(atspi.RoleTerminal); shown != (len(places) == 1) || shown && places[0].X != 7 {
				t.Errorf("terminals at %v", places)
			}
		})
	}
}
