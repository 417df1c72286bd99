package client

import (
	"errors"

	"goated/internal/proc"
)

// errMute and errDeaf are those of a server which closed a stream and went on
// running. Like one that ended, it is brought back.
var (
	errMute = errors.New("the server closed its stdout")
	errDeaf = errors.New("the server closed its stdin")
)

// listen waits until nobody reads the server's input any more. What the server
// has still to answer is waited for: some close their stdin with the last
// request, answer it, and end.
func (c *stdio) listen() {
	defer close(c.heard)
	if !proc.WaitUnread(c.p.Stdin) {
		return // it is closed on our side, or the system does not tell
	}
	c.mu.Lock()
	c.deaf = true
	c.mu.Unlock()
	c.dismiss()
}

// unheard notes that a message found no reader. The answers to earlier ones may
// come yet.
func (c *stdio) unheard() {
	c.mu.Lock()
	c.deaf = true
	c.mu.Unlock()
	c.dismiss()
}

// taken says that what was read is given on.
func (c *stdio) taken() {
	c.mu.Lock()
	c.taking = false
	c.mu.Unlock()
	c.dismiss()
}

// dismiss ends the connection to a server that hears nothing, once it owes
// nothing.
func (c *stdio) dismiss() {
	c.mu.Lock()
	over := c.deaf && !c.taking && c.owed() == 0
	c.mu.Unlock()
	if over {
		c.shut()
	}
}

// owed counts the requests whose answers are still to come; the caller holds mu.
func (c *stdio) owed() int {
	n := 0
	for _, method := range c.pending {
		if method != "subscriptions/listen" { // it has no answer
			n++
		}
	}
	return n
}

// gone is the fault of a server that runs, and whose connection is over.
func (c *stdio) gone() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.deaf {
		return errDeaf
	}
	return errMute
}
