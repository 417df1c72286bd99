package dialogsocket

import (
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"goated/internal/state"
)

// A line is a connection of a client.
type line struct {
	id           string
	process      string // the process at the other end; see [processOf]
	ws           *websocket.Conn
	out          chan []byte
	done         chan struct{}
	once         sync.Once
	acknowledges bool
}

// send queues a message, and reports whether it is in the queue. It closes a connection that does
// not accept messages for too long; the connection's answers stay stored.
func (l *line) send(f frame) bool {
	text, err := json.Marshal(f)
	if err != nil {
		panic(err) // the raw messages come from json.Marshal
	}
	select {
	case <-l.done:
		return false
	default:
	}
	select {
	case l.out <- text:
		return true
	default:
		l.close()
		return false
	}
}

func (l *line) close() { l.once.Do(func() { close(l.done); _ = l.ws.Close() }) }

// write sends the queued messages and the heartbeat until the connection closes.
func (l *line) write() {
	tick := time.NewTicker(heartbeat)
	defer tick.Stop()
	defer l.close()
	for {
		select {
		case <-l.done:
			return
		case text := <-l.out:
			_ = l.ws.SetWriteDeadline(time.Now().Add(writeTimeout))
			if l.ws.WriteMessage(websocket.TextMessage, text) != nil {
				return
			}
		case <-tick.C:
			if l.ws.WriteControl(websocket.PingMessage, nil, time.Now().Add(writeTimeout)) != nil {
				return
			}
		}
	}
}

// read passes each message to handle until the connection closes, or until the other side has been
// silent for three heartbeats.
func (l *line) read(handle func([]byte)) {
	alive := func(string) error { return l.ws.SetReadDeadline(time.Now().Add(3 * heartbeat)) }
	l.ws.SetReadLimit(maxCall)
	l.ws.SetPongHandler(alive)
	_ = alive("")
	for {
		kind, text, err := l.ws.ReadMessage()
		if err != nil {
			return
		}
		_ = alive("")
		if kind == websocket.TextMessage {
			handle(text)
		}
	}
}

// writeFile replaces a file with a value as JSON. Only the user can read the file.
func writeFile(path string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	if err := state.ReplaceBytes(path, text); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return nil
}
