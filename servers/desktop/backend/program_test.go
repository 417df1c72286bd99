package backend_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/godbus/dbus/v5"

	"goated/servers/desktop/atspi"
	"goated/servers/desktop/atspi/atspitest"
)

// envProgram makes the test binary act as a program with a window and an entry. The value is the
// window's title. The program obeys the lines on its stdin.
const envProgram = "GOATED_TEST_PROGRAM"

// asking is the title of a dialog of the desktop.
const asking = "Share your keyboard?"

// longList is the title of a program with a long list.
const longList = "Long list"

// program is that program. "active" and "idle" give the keys to its window and take them. "tab"
// gives them to a password field, after the program was busy for a while. "slow" delays each answer
// about the button until "quick", and "looked" is obeyed when several looks have asked for it.
// "shorter" removes the first element of the window. That of longList has a list of which it tells a part.
func program(title string) int {
	runtime.LockOSThread() // lock the main thread, whose state shows whether the program is busy
	states, text, children := uint64(atspitest.Shown), "old", []int{2, 3}
	app := &atspitest.App{Item: func(id int) atspitest.Item {
		switch id {
		case 0:
			return atspitest.Item{Role: uint32(atspi.RoleApplication), Name: title, Children: []int{1}, Toolkit: "test", States: atspitest.Shown}
		case 1:
			return atspitest.Item{Role: uint32(atspi.RoleFrame), Name: title, Children: children, States: states, Bounds: [4]int32{0, 0, 200, 100}, Interfaces: []string{"Component"}}
		case 2:
			return atspitest.Item{Role: uint32(atspi.RoleEntry), Name: "Name", Parent: 1, Text: text, States: atspitest.Shown | 1<<atspi.StateEditable,
				Interfaces: []string{"Component", "Text", "EditableText"}, Bounds: [4]int32{5, 5, 90, 20}}
		case 4:
			return atspitest.Item{Role: uint32(atspi.RolePasswordText), Parent: 1, Index: 2, States: atspitest.Shown | 1<<atspi.StateFocused, Interfaces: []string{"Component"}, Bounds: [4]int32{5, 70, 90, 20}}
		}
		return atspitest.Item{Role: 43, Name: "Send", Parent: 1, Index: 1, States: atspitest.Shown, Interfaces: []string{"Component", "Action"}, Bounds: [4]int32{5, 40, 90, 20}}
	}}
	var slow sync.RWMutex // write-locked while the button does not answer
	asked := make(chan struct{})
	app.Wait = func(id int) {
		if id != 3 {
			return
		}
		select {
		case asked <- struct{}{}:
		default:
		}
		slow.RLock()
		defer slow.RUnlock()
	}
	if title == longList {
		for id := range 66 {
			children = append(children, id+5)
		}
		states |= 1 << atspi.StateManagesDescendants
		app.Cache = func() []int { return append([]int{0, 1}, children[:2]...) }
	}
	app.Do = func(int) { text = "sent" }
	app.Write = func(_ int, t string) bool { text = t; return true }
	if err := app.Serve(context.Background(), os.Getenv("AT_SPI_BUS_ADDRESS")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if title == asking { // acts as a portal backend, which asks the user
		conn, err := dbus.ConnectSessionBus()
		if err == nil {
			_, err = conn.RequestName("org.freedesktop.impl.portal.desktop.other", 0)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	fmt.Println("ready")
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		tab := lines.Text() == "tab"
		for began := time.Now(); tab && time.Since(began) < 100*time.Millisecond; {
		}
		switch lines.Text() {
		case "slow":
			slow.Lock()
		case "looked":
			for range 30 {
				<-asked
			}
		case "quick":
			slow.Unlock()
		}
		app.Lock(func() {
			switch {
			case tab:
				children = []int{2, 3, 4}
				return
			case lines.Text() == "shorter":
				children = children[1:]
				return
			}
			states = atspitest.Shown
			if lines.Text() == "active" {
				states |= 1 << atspi.StateActive
			}
		})
		fmt.Println("done")
	}
	return 0
}
