package atspi_test

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"goated/servers/desktop/atspi"
	"goated/servers/desktop/atspi/atspitest"
	"goated/servers/desktop/element"
)

// The focus of a busy program is in a password field. An answer that does not arrive in time must not
// be taken for an ordinary field. A program that stays silent is an error, so no key is pressed.
func TestFocusOfABusyProgram(t *testing.T) {
	b := connect(t, atspi.Options{Budget: 50 * time.Millisecond})
	app := &atspitest.App{Item: func(id int) atspitest.Item {
		switch id {
		case 0:
			return atspitest.Item{Role: application, Name: "busy", Toolkit: "test", Children: []int{1}}
		case 1:
			return atspitest.Item{Role: frame, Name: "Sign in", States: atspitest.Shown, Children: []int{2}}
		}
		return atspitest.Item{Role: uint32(atspi.RolePasswordText), Name: "Password", Parent: 1, States: atspitest.Shown | 1<<atspi.StateFocused, Bounds: [4]int32{1, 2, 30, 40}, Interfaces: []string{"Component"}}
	}}
	serve(t, b, app)
	pid := os.Getpid() // the fake application runs in this process
	hold := func() (release func()) {
		held, free := make(chan bool), make(chan bool)
		go app.Lock(func() { close(held); <-free })
		<-held
		return func() { close(free) }
	}
	secure := func() bool {
		f, err := b.Focus(t.Context(), pid)
		if err == nil && !f.Secure {
			t.Error("the password field is an ordinary one")
		}
		return err == nil && f.Secure
	}
	desk.Until(t, "the focus of a program that answers", secure)
	desk.Until(t, "the focus of a program that answers late", func() bool {
		time.AfterFunc(400*time.Millisecond, hold())
		return secure()
	})
	desk.Until(t, "the password fields of a program that answers late", func() bool {
		time.AfterFunc(400*time.Millisecond, hold())
		fields, blind, err := b.Secure(t.Context())
		if err == nil && len(fields) == 0 && len(blind) == 0 {
			t.Error("the password field is not listed, and nobody is named")
		}
		return err == nil && len(fields) > 0
	})
	release := hold()
	defer release()
	desk.Until(t, "the refusal of a program that stays silent", func() bool {
		_, err := b.Focus(t.Context(), pid)
		var hung *atspi.HungError
		if err == nil {
			t.Error("the focus of a silent program is known")
		}
		return errors.As(err, &hung)
	})
}

// A program that does not answer a press in time may have performed it, so the press must not be
// repeated. A program whose button is disabled was never asked to press it, so nothing happened.
func TestAPressWithoutAnAnswerMayHaveHappened(t *testing.T) {
	b := connect(t, atspi.Options{Call: time.Second})
	free := make(chan struct{})
	presses, states := 0, uint64(atspitest.Shown)
	app := &atspitest.App{Item: func(id int) atspitest.Item {
		switch id {
		case 0:
			return atspitest.Item{Role: application, Name: "late", Toolkit: "test", Children: []int{1}}
		case 1:
			return atspitest.Item{Role: frame, Name: "Save as", States: atspitest.Shown, Children: []int{2}}
		}
		return atspitest.Item{Role: uint32(atspi.RolePushButton), Name: "Save", Parent: 1, States: states, Bounds: [4]int32{1, 2, 30, 40}, Interfaces: []string{"Action", "Component"}}
	}, Do: func(int) { presses++; <-free }}
	serve(t, b, app)
	pid := os.Getpid() // the fake application runs in this process
	_, target := one(t, b, tree(t, b, pid, "button"), "role:button AND text:Save")
	app.Lock(func() { states &^= 1<<atspi.StateEnabled | 1<<atspi.StateSensitive })
	if _, err := b.Act(t.Context(), target, atspi.Expect{}, "press"); !atspi.NotPerformed(err) {
		t.Errorf("a disabled button: %v", err)
	}
	app.Lock(func() { states = atspitest.Shown })
	_, err := b.Act(t.Context(), target, atspi.Expect{}, "press")
	close(free)
	if app.Lock(func() {}); presses != 1 || err == nil || atspi.NotPerformed(err) {
		t.Errorf("%d presses, %v", presses, err)
	}
}

// Everything that was not asked before the deadline counts as missing. Fetch used to report such
// answers as complete.
func TestFetchWithoutTimeIsIncomplete(t *testing.T) {
	b := connect(t, atspi.Options{Budget: patient})
	tree, err := b.Snapshot(t.Context(), serve(t, b, rows("no time", 3, true)))
	if err != nil {
		t.Fatal(err)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if n := tree.Fetch(over, []int{3, 4}, element.FieldBounds); n != 2 || tree.Complete() {
		t.Errorf("%d answers are missing, and the tree is whole: %t", n, tree.Complete())
	}
}

// An element that reports nothing in time is left out of the tree. It used to be listed as disabled,
// with the role "invalid", so a wait for a disabled element ended early.
func TestAnElementThatDoesNotAnswerIsLeftOut(t *testing.T) {
	b := connect(t, atspi.Options{})
	app, free := rows("a silent row", 3, false), make(chan bool)
	app.Wait = func(id int) {
		if id == 4 {
			<-free
		}
	}
	a := serve(t, b, app)
	t.Cleanup(func() { close(free) })
	tree, err := b.Snapshot(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	for i := range tree.Nodes[1:] {
		if e := tree.Element(i + 1); e.Role == "invalid" || !e.Enabled {
			t.Errorf("%+v", e)
		}
	}
	if tree.Complete() || len(tree.Partial) == 0 {
		t.Errorf("it is whole: %v", tree.Partial)
	}
}
