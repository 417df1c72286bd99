package wire

import "time"

// Silent asks the server for an answer, unless a question is open, and returns how long that
// question has been open. It does not wait: 0 says that the server answered the one before. After
// the end of the connection it returns 0.
func (c *Conn) Silent() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.asked.IsZero() {
		return time.Since(c.asked)
	}
	c.asked = time.Now()
	asks := c.pump.Go(func() { // ends with the connection at the latest
		_ = c.Sync() // fails at the end of the connection, which Gone tells
		c.mu.Lock()
		defer c.mu.Unlock()
		c.asked = time.Time{}
	})
	if !asks {
		c.asked = time.Time{}
	}
	return 0
}

// Hangs reports whether a question of [Conn.Silent] has been open for longer than d. It asks
// nothing.
func (c *Conn) Hangs(d time.Duration) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.asked.IsZero() && time.Since(c.asked) > d
}
