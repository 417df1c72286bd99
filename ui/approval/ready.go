package approval

import "slices"

// ready reports whether the user may allow the calls.
func (c *Card) ready() bool {
	unseen := slices.ContainsFunc(c.rows, func(r *callRow) bool { return r.ticked && r.unseen > 0 })
	return c.ticked() > 0 && !c.wrong() && !unseen && c.body.Seen
}

// wrong reports whether an argument of a ticked call is invalid.
func (c *Card) wrong() bool {
	return slices.ContainsFunc(c.rows, func(r *callRow) bool { return r.ticked && r.wrong() })
}

// ticked counts the ticked calls.
func (c *Card) ticked() (n int) {
	for _, r := range c.rows {
		if r.ticked {
			n++
		}
	}
	return n
}
