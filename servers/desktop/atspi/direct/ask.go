package direct

import (
	"bytes"
	"context"
	"errors"
	"os"
	"slices"

	"github.com/godbus/dbus/v5"
)

const (
	open       = 192      // how many questions may be unanswered at a time
	maxMessage = 64 << 20 // bytes in one message
	maxRead    = 64 << 10 // bytes to read at a time
	maxKept    = 1 << 20  // bytes of buffer to keep for the next messages
)

// errBusy means that another Ask is running. No question was sent.
var errBusy = errors.New("the application answers other questions")

// errMalformed means that the application sent something that is not a D-Bus message.
var errMalformed = errors.New("a message of the application violates the D-Bus Specification")

// Ask pipelines questions until ctx ends: it sends them without waiting for the answers to earlier
// ones. next returns the next question. The Done functions may add questions for next to return. Ask
// returns how many questions got no answer in time, and how many got an error. err is set if another
// Ask is running, or if the connection has ended. In the second case the unanswered questions count as
// late.
func (c *Conn) Ask(ctx context.Context, next func() (Question, bool)) (late, failed int, err error) {
	if !c.mu.TryLock() {
		return 0, 0, errBusy
	}
	defer c.mu.Unlock()
	if c.broken != nil {
		return 0, 0, c.broken
	}
	defer c.until(ctx)()
	waiting := make(map[uint32]func([]any), open)
	for {
		for len(waiting) < open && ctx.Err() == nil {
			q, ok := next()
			if !ok {
				break
			}
			c.serial = max(c.serial+1, 1)
			if c.out, err = call(c.out, c.app, c.serial, q); err != nil {
				return len(waiting), failed, c.end(err)
			}
			waiting[c.serial] = q.Done
		}
		if len(waiting) == 0 {
			for ctx.Err() != nil {
				if _, ok := next(); !ok {
					break
				}
				late++ // not even sent
			}
			return late, failed, nil
		}
		if err := c.write(); err != nil { // a part may be written already, so the connection is unusable
			return len(waiting), failed, c.end(err)
		}
		before := len(waiting)
		for len(waiting) == before {
			if err := c.answers(waiting, &failed); err != nil {
				return len(waiting), failed, c.end(err)
			}
			if len(waiting) < before {
				break
			}
			switch err := c.read(maxRead); {
			case err == nil:
			case errors.Is(err, os.ErrDeadlineExceeded) && ctx.Err() != nil: // later answers are ignored
				return len(waiting), failed, nil
			default:
				return len(waiting), failed, c.end(err)
			}
		}
	}
}

func (c *Conn) end(err error) error {
	c.broken = err
	_ = c.conn.Close()
	return err
}

func (c *Conn) write() error {
	if len(c.out) == 0 {
		return nil
	}
	_, err := c.conn.Write(c.out)
	c.out = c.out[:0]
	return err
}

func (c *Conn) read(most int) error {
	c.in = slices.Grow(c.in, most)
	n, err := c.conn.Read(c.in[len(c.in) : len(c.in)+most])
	c.in = c.in[:len(c.in)+n]
	return err
}

// answers handles the complete messages in c.in, and keeps the rest for the next read.
func (c *Conn) answers(waiting map[uint32]func([]any), failed *int) error {
	used := 0
	defer func() {
		left := c.in[used:]
		if c.in = c.in[:0]; cap(c.in) > maxKept {
			c.in = nil
		}
		c.in = append(c.in, left...)
	}()
	for len(c.in)-used >= fixed {
		b := c.in[used:]
		size, ok := size(b)
		if !ok || size > maxMessage {
			return errMalformed
		}
		if len(b) < size {
			break
		}
		used += size
		kind, serial, body, err := answer(b[:size:size])
		if err != nil {
			return err
		}
		done, ok := waiting[serial]
		if !ok || kind != dbus.TypeMethodReply && kind != dbus.TypeError { // a signal, or the answer to an earlier Ask
			continue
		}
		delete(waiting, serial)
		if kind == dbus.TypeError {
			*failed++
			continue
		}
		done(body)
	}
	return nil
}

// slow decodes a message of any form with godbus.
func slow(b []byte) (kind dbus.Type, serial uint32, body []any, err error) {
	m, err := dbus.DecodeMessage(bytes.NewReader(b))
	if err != nil {
		return 0, 0, nil, errors.Join(errMalformed, err)
	}
	serial, _ = m.Headers[dbus.FieldReplySerial].Value().(uint32)
	return m.Type, serial, m.Body, nil
}
