package door

import (
	"path/filepath"
	"testing"
	"time"

	"goated/servers/pause/dialog"
)

// cut ends the connection of a client, and waits for the next one.
func (c *Client) cut() {
	c.mu.Lock()
	l := c.link
	c.mu.Unlock()
	_ = l.ws.NetConn().Close()
	<-l.done
	for again := false; !again; time.Sleep(time.Millisecond) {
		c.mu.Lock()
		again = c.link != nil && c.link != l
		c.mu.Unlock()
	}
}

// A person thinks for days, and a computer sleeps in between: each connection that held
// for a while may be lost three times again.
func TestEachLossIsCountedAfresh(t *testing.T) {
	u := newUser()
	s := listenAt(t, Options{Folder: t.TempDir(), Ask: u.ask})
	c := clientAt(t, s.o.Folder)
	done := make(chan dialog.Answer)
	go func() {
		got, err := c.Ask(t.Context(), someone, question)
		if err != nil {
			t.Error(err)
		}
		done <- got
	}()
	<-u.asked
	for range 2 * retries {
		time.Sleep(2 * settled * c.Base)
		c.cut()
	}
	u.answers <- dialog.Answer{Text: "Ada"}
	if got := <-done; got.Text != "Ada" || len(u.asked) != 0 {
		t.Errorf("%+v, asked %d times more", got, len(u.asked))
	}
}

// The address file of a goated that was killed does not count as an open door: the caller
// waits for the goated that it starts.
func TestDoorOfAKilledGoatedIsNotOpen(t *testing.T) {
	folder := t.TempDir()
	if Open(t.Context(), folder) {
		t.Error("a door without an address is open")
	}
	for _, a := range []Address{{Network: "unix", Address: filepath.Join(folder, "door.sock")}, {Network: "tcp", Address: "127.0.0.1:1"}} {
		if err := writeFile(filepath.Join(folder, AddressFile), a); err != nil {
			t.Fatal(err)
		}
		if Open(t.Context(), folder) {
			t.Errorf("the door at %s is open", a.Network)
		}
	}
	listenAt(t, Options{Folder: folder, Ask: newUser().ask})
	if !Open(t.Context(), folder) {
		t.Error("the door of a running goated is closed")
	}
}
