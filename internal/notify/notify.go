// Package notify shows desktop notifications with buttons, over D-Bus (Desktop Notifications
// Specification 1.2).
//
// It owns a connection to the session bus and the notifications that it shows. It must not know
// their meaning.
package notify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"html"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/godbus/dbus/v5"
)

const (
	service = "org.freedesktop.Notifications"
	object  = dbus.ObjectPath("/org/freedesktop/Notifications")
)

// ErrNone means that the desktop shows no notifications.
var ErrNone = errors.New("the desktop shows no notifications")

// callTime is how long the desktop may take to answer a call.
const callTime = 5 * time.Second

// A Note is a notification. Its texts are plain text.
type Note struct {
	Title, Text string
	Actions     []Action
	Sound       bool // the desktop plays its message sound; otherwise it is silent
}

// An Action is a button of a notification.
type Action struct{ Key, Label string }

// Open is the key that means a click on the notification itself.
const Open = "default"

// A Desktop shows notifications. It is safe for concurrent use. Create one with [Dial].
type Desktop struct {
	conn      *dbus.Conn
	end       context.CancelFunc
	abilities []string
	signals   chan *dbus.Signal
	ended     chan struct{} // closed when the goroutine that reads signals has ended

	mu    sync.Mutex
	shown map[uint32]chan string // channels that receive the key of the button; closed when the notification is gone
	calls int                    // calls of Notify that have no response yet
	early map[uint32]string      // by id: keys from signals that came before these responses
}

// Dial connects to the notification service of a session bus. An empty address means the bus of the
// environment. The error is [ErrNone] if nothing there shows notifications. The caller must close
// the Desktop.
func Dial(ctx context.Context, address string) (*Desktop, error) {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	life, end := context.WithCancel(context.Background())
	stop := context.AfterFunc(ctx, end) // in case the bus does not answer
	conn, err := connect(address, dbus.WithContext(life))
	if err != nil {
		end()
		return nil, fmt.Errorf("%w: %w", ErrNone, err)
	}
	d := &Desktop{conn: conn, end: end, signals: make(chan *dbus.Signal, 64), ended: make(chan struct{}), shown: make(map[uint32]chan string), early: make(map[uint32]string)}
	err = conn.Object(service, object).CallWithContext(ctx, service+".GetCapabilities", 0).Store(&d.abilities)
	if err == nil {
		err = conn.AddMatchSignalContext(ctx, dbus.WithMatchObjectPath(object), dbus.WithMatchInterface(service))
	}
	if err != nil || !stop() {
		_ = conn.Close()
		end()
		return nil, fmt.Errorf("%w: %w", ErrNone, cmp.Or(err, ctx.Err()))
	}
	conn.Signal(d.signals)
	go d.hear() // ends with the connection; Close waits for it
	return d, nil
}

func connect(address string, o dbus.ConnOption) (*dbus.Conn, error) {
	if address == "" {
		return dbus.ConnectSessionBus(o)
	}
	return dbus.Connect(address, o)
}

// Close closes the connection, and each running Show returns. Notifications stay on the screen as
// long as the desktop shows them.
func (d *Desktop) Close() {
	_ = d.conn.Close() // it closes signals
	d.end()
	<-d.ended
}

// Show shows a notification and waits until the user presses one of its buttons or dismisses it.
// When ctx ends, Show removes the notification. It returns the key of the button, or "" if the user
// pressed none.
func (d *Desktop) Show(ctx context.Context, n Note) (key string, err error) {
	actions := []string{}
	if slices.Contains(d.abilities, "actions") {
		for _, a := range n.Actions {
			actions = append(actions, a.Key, a.Label)
		}
	}
	text := n.Text
	if slices.Contains(d.abilities, "body-markup") {
		text = html.EscapeString(text)
	}
	hints := map[string]dbus.Variant{"desktop-entry": dbus.MakeVariant("goated"), "category": dbus.MakeVariant("im.received")}
	if n.Sound {
		hints["sound-name"] = dbus.MakeVariant("message-new-instant")
	} else {
		hints["suppress-sound"] = dbus.MakeVariant(true)
	}
	d.mu.Lock()
	d.calls++
	d.mu.Unlock()
	calling, cancel := context.WithTimeout(context.WithoutCancel(ctx), callTime) // if the call were cancelled, its notification would stay behind
	defer cancel()
	var id uint32
	err = d.conn.Object(service, object).CallWithContext(calling, service+".Notify", 0, "goated", uint32(0), "", strings.TrimSpace(n.Title), text, actions, hints, int32(0)).Store(&id)
	pressed := d.watch(id)
	if err != nil {
		return "", fmt.Errorf("showing a notification: %w", err)
	}
	select {
	case key := <-pressed:
		return key, nil
	case <-d.ended:
		return "", ErrNone
	case <-ctx.Done():
		d.mu.Lock()
		delete(d.shown, id)
		d.mu.Unlock()
		d.conn.Object(service, object).Go(service+".CloseNotification", dbus.FlagNoReplyExpected, nil, id)
		return "", ctx.Err()
	}
}

// watch returns the channel that receives the key of the pressed button. It is called after the
// response to Notify. A failed call has the id 0.
func (d *Desktop) watch(id uint32) <-chan string {
	d.mu.Lock()
	defer d.mu.Unlock()
	pressed := make(chan string, 1)
	key, ok := d.early[id]
	switch {
	case ok:
		pressed <- key
	case id != 0:
		d.shown[id] = pressed
	}
	if d.calls--; d.calls == 0 {
		clear(d.early)
	}
	return pressed
}

// hear handles the signals of the desktop until the connection ends.
func (d *Desktop) hear() {
	defer close(d.ended)
	for s := range d.signals {
		if len(s.Body) < 2 {
			continue
		}
		id, ok := s.Body[0].(uint32)
		key, _ := s.Body[1].(string)
		if !ok || s.Name != service+".ActionInvoked" && s.Name != service+".NotificationClosed" {
			continue
		}
		d.mu.Lock()
		if pressed, ok := d.shown[id]; ok {
			delete(d.shown, id)
			pressed <- key
		} else if _, known := d.early[id]; d.calls > 0 && !known {
			d.early[id] = key
		}
		d.mu.Unlock()
	}
}
