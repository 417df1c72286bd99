package drop_test

import (
	"io"
	"log"
	"os"
	"testing"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"

	"goated/internal/waittest"
	"goated/servers/desktop/x11/drop"
	"goated/servers/desktop/x11/hidden"
	"goated/servers/desktop/x11/wire"
	"goated/servers/desktop/x11/x11test"
)

var desk x11test.Desk

func TestMain(m *testing.M) {
	xgb.Logger = log.New(io.Discard, "", 0)
	os.Exit(x11test.Main(m, &desk, hidden.Options{}))
}

// A program may know only an older version of the protocol, in which the last message does not tell
// whether it took the files. The drag uses that version.
func TestDropUsesTheVersionOfTheTarget(t *testing.T) {
	desk.Need(t)
	for version, used := range map[uint32]uint32{3: 3, 4: 4, 5: 5, 6: 5} {
		events := make(chan any, 64)
		c, err := wire.Dial(t.Context(), wire.Options{Display: desk.Display, Authority: desk.Authority(), Handle: func(e wire.Event) { events <- e.Core }})
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Intern("XdndAware", "XdndEnter", "XdndPosition", "XdndStatus", "XdndDrop", "XdndFinished"); err != nil {
			t.Fatal(err)
		}
		window, err := xproto.NewWindowId(c.X)
		if err != nil {
			t.Fatal(err)
		}
		xproto.CreateWindow(c.X, 0, window, c.Root, 0, 0, 100, 100, 0, xproto.WindowClassInputOutput, 0, 0, nil)
		xproto.ChangeProperty(c.X, xproto.PropModeReplace, window, c.Atom("XdndAware"), xproto.AtomAtom, 32, 1, []byte{byte(version), 0, 0, 0})
		if err := c.Sync(); err != nil {
			t.Fatal(err)
		}
		dropped := make(chan error, 1)
		go func() {
			dropped <- drop.Files(t.Context(), desk.Display, desk.Authority(), drop.Target{Window: uint32(window), X: 10, Y: 10}, []string{"/a"}, 3*time.Millisecond, nil)
		}()
		for finished := false; !finished; {
			m, ok := waittest.Receive(t, "a message of the drag", events).(xproto.ClientMessageEvent)
			if !ok {
				continue
			}
			answer := func(name string, data ...uint32) {
				to := xproto.Window(m.Data.Data32[0])
				e := xproto.ClientMessageEvent{Format: 32, Window: to, Type: c.Atom(name), Data: xproto.ClientMessageDataUnionData32New(append([]uint32{uint32(window)}, data...))}
				xproto.SendEvent(c.X, false, to, xproto.EventMaskNoEvent, string(e.Bytes()))
			}
			switch m.Type {
			case c.Atom("XdndEnter"):
				if got := m.Data.Data32[1] >> 24; got != used {
					t.Errorf("a target of version %d gets version %d", version, got)
				}
			case c.Atom("XdndPosition"):
				answer("XdndStatus", 1, 0, 0, 0)
			case c.Atom("XdndDrop"):
				accepted := uint32(0)
				if version >= 5 {
					accepted = 1
				}
				answer("XdndFinished", accepted, 0, 0, 0)
				finished = true
			}
		}
		if err := waittest.Receive(t, "the drag ends", dropped); err != nil {
			t.Errorf("a target of version %d: %v", version, err)
		}
		c.Close()
	}
}
