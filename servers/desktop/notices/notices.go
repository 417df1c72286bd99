// Package notices finds the process that shows a session's notifications. Buttons of notifications
// may answer goated's questions, so the desktop tools do not touch that process.
//
// The package owns a connection to the session bus. It must not know windows.
package notices

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/godbus/dbus/v5"
)

const (
	service = "org.freedesktop.Notifications"
	bus     = "org.freedesktop.DBus"
)

// A Watch follows which process shows notifications. It is safe for concurrent use. A nil Watch
// finds no process. The caller must close it.
type Watch struct {
	conn *dbus.Conn
	end  context.CancelFunc
	pid  atomic.Int64
	done chan struct{}
}

// callTime is how long the bus may take to answer.
const callTime = 5 * time.Second

// Follow connects to a session bus. If address is empty, it uses the bus in the environment.
func Follow(ctx context.Context, address string) (*Watch, error) {
	if address = cmp.Or(address, os.Getenv("DBUS_SESSION_BUS_ADDRESS")); address == "" {
		return nil, errors.New("this session has no bus (DBUS_SESSION_BUS_ADDRESS is not set)")
	}
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	life, end := context.WithCancel(context.Background())
	defer context.AfterFunc(ctx, end)() // ends the connection if the bus does not answer
	conn, err := dbus.Connect(address, dbus.WithContext(life))
	if err != nil {
		end()
		return nil, fmt.Errorf("connecting to the session bus: %w", err)
	}
	w := &Watch{conn: conn, end: end, done: make(chan struct{})}
	changes := make(chan *dbus.Signal, 16)
	conn.Signal(changes)
	go w.follow(changes) // ends with the connection; Close waits for it
	err = conn.AddMatchSignalContext(ctx, dbus.WithMatchSender(bus), dbus.WithMatchMember("NameOwnerChanged"), dbus.WithMatchArg(0, service))
	if err != nil {
		w.Close()
		return nil, fmt.Errorf("following what shows notifications: %w", err)
	}
	var owner string
	if conn.BusObject().CallWithContext(ctx, bus+".GetNameOwner", 0, service).Store(&owner) == nil { // on an error, nothing shows them yet
		w.identify(owner)
	}
	return w, nil
}

// follow stores each new owner of the name until the connection ends.
func (w *Watch) follow(changes <-chan *dbus.Signal) {
	defer close(w.done)
	for s := range changes {
		var name, old, owner string
		if dbus.Store(s.Body, &name, &old, &owner) != nil || name != service {
			continue
		}
		if owner == "" {
			w.pid.Store(0)
			continue
		}
		w.identify(owner)
	}
}

// identify stores the PID of a program on the bus.
func (w *Watch) identify(owner string) {
	var pid uint32
	if w.conn.BusObject().Call(bus+".GetConnectionUnixProcessID", 0, owner).Store(&pid) == nil { // on an error, it has ended
		w.pid.Store(int64(pid))
	}
}

// Shows reports whether a process shows notifications.
func (w *Watch) Shows(pid int) bool { return w != nil && pid != 0 && w.pid.Load() == int64(pid) }

// Close disconnects.
func (w *Watch) Close() {
	if w == nil {
		return
	}
	_ = w.conn.Close()
	w.end()
	<-w.done
}
