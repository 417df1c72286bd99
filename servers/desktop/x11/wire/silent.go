package wire

import "time"

// Silent sends the server a question unless one is already open, and returns how long that one has been
// open. It does not wait. 0 means that the server has answered the previous question. Silent also
// returns 0 after the connection has ended.
func (c *Conn) Silent() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.asked.IsZero() {
		return time.Since(c.asked)
	}
	c.asked = time.Now()
	asks := c.pump.Go(func() { // ends with the connection, if not before
		_ = c.Sync() // fails only when the connection ends, which Gone reports
		c.mu.Lock()
		defer c.mu.Unlock()
		c.asked = time.Time{}
	})
	if !asks {
		c.asked = time.Time{}
	}
	return 0
}

// Hangs reports whether a question of [Conn.Silent] has been open for longer than d. It sends none
// itself.
func (c *Conn) Hangs(d time.Duration) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.asked.IsZero() && time.Since(c.asked) > d
}
