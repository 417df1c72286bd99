package dialogsocket

import (
	"encoding/json"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// A link is the client's end of a connection.
type link struct {
	ws    *websocket.Conn
	done  chan struct{} // closed when the connection is lost
	ended chan struct{} // closed when its goroutine has returned
	err   error         // why it was lost; valid after done

	writing sync.Mutex

	mu      sync.Mutex
	once    sync.Once
	holders int
	kept    bool // never closed as idle, because closing it would mean that this process has exited
	idle    *time.Timer
	waiting map[string]chan frame // by request id
}

func newLink(ws *websocket.Conn) *link {
	l := &link{ws: ws, done: make(chan struct{}), ended: make(chan struct{}), waiting: make(map[string]chan frame)}
	go l.read() // ends with the connection
	return l
}

func (l *link) end(err error) {
	l.once.Do(func() {
		l.err = err
		close(l.done)
		_ = l.ws.Close()
	})
}

// read passes each reply to the dialog that waits for it.
func (l *link) read() {
	defer close(l.ended)
	alive := func() { _ = l.ws.SetReadDeadline(time.Now().Add(3 * heartbeat)) }
	alive()
	l.ws.SetPingHandler(func(text string) error {
		alive()
		return l.ws.WriteControl(websocket.PongMessage, []byte(text), time.Now().Add(writeTimeout))
	})
	for {
		_, text, err := l.ws.ReadMessage()
		if err != nil {
			l.end(&net.OpError{Op: "read", Net: "socket", Err: err})
			return
		}
		alive()
		var f frame
		if err := json.Unmarshal(text, &f); err != nil {
			l.end(fmt.Errorf("reading a message of goated: %w", err))
			return
		}
		l.mu.Lock()
		waiting := l.waiting[string(f.ID)]
		l.mu.Unlock()
		if waiting != nil && f.Method == "" {
			select {
			case waiting <- f:
			default: // a second reply to the same request
			}
		}
	}
}

func (l *link) write(f frame) error {
	l.writing.Lock()
	defer l.writing.Unlock()
	_ = l.ws.SetWriteDeadline(time.Now().Add(writeTimeout))
	if err := l.ws.WriteJSON(f); err != nil {
		err = &net.OpError{Op: "write", Net: "socket", Err: err}
		l.end(err)
		return err
	}
	return nil
}

// addUse keeps the connection open for a dialog, until release.
func (l *link) addUse() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.holders++
	if l.idle != nil {
		l.idle.Stop()
		l.idle = nil
	}
}

// keepOpen keeps the connection open until the process exits. The process no longer waits for an open
// dialog, but that dialog would close with the connection.
func (l *link) keepOpen() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.kept = true
}

func (l *link) expect(id string) <-chan frame {
	l.mu.Lock()
	defer l.mu.Unlock()
	reply := make(chan frame, 1)
	l.waiting[id] = reply
	return reply
}

func (l *link) release(id string, idle time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.waiting, id)
	if l.holders--; l.holders == 0 && !l.kept {
		l.idle = time.AfterFunc(idle, l.closeIfUnused)
	}
}

// closeIfUnused closes the connection, unless a dialog has begun to use it in the meantime.
func (l *link) closeIfUnused() {
	l.mu.Lock()
	unused := l.holders == 0 && !l.kept
	l.mu.Unlock()
	if unused {
		l.end(net.ErrClosed)
	}
}
