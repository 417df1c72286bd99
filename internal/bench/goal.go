package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
)

// A goal bounds a figure of goated, either directly or as a ratio.
type goal struct {
	words string  // the text in the table
	most  float64 // the maximum figure or ratio that meets the goal
	over  string  // the contestant, or the row of goated, to compare with; may be empty
	who   string  // the contestant whose figure counts; empty means goated
}

// A miss is a goal that the medians do not meet.
type miss struct {
	row   row
	goal  goal
	is    float64 // the figure or the ratio
	least float64 // the same, for the luckiest runs
}

// clear reports whether even the luckiest runs miss the goal, so that the noise of this run does
// not explain the miss.
func (m miss) clear() bool { return m.least > m.goal.most }

// check compares a row's figures with one of its goals. known is false if there are no figures.
func (t *table) check(r row, g goal) (m miss, known bool) {
	mine := t.sorted(r.name, cmp.Or(g.who, goated))
	m = miss{row: r, goal: g}
	if len(mine) == 0 {
		return m, false
	}
	m.is, m.least = middle(mine), mine[0]
	if g.over == "" {
		return m, true
	}
	others := t.sorted(r.name, g.over)
	if len(others) == 0 {
		others = t.sorted(g.over, goated)
	}
	if len(others) == 0 || others[0] <= 0 {
		return m, false
	}
	m.is, m.least = m.is/middle(others), m.least/others[len(others)-1]
	return m, true
}

// missed returns the goals that are missed, and the goals that have no figures.
func (t *table) missed() (missed []miss, unknown []miss) {
	for _, r := range t.rows {
		for _, g := range r.goals {
			switch m, known := t.check(r, g); {
			case !known:
				unknown = append(unknown, m)
			case m.is > g.most:
				missed = append(missed, m)
			}
		}
	}
	return missed, unknown
}

// misses reports whether a row's medians miss one of its goals.
func (t *table) misses(r row) bool {
	return slices.ContainsFunc(r.goals, func(g goal) bool {
		m, known := t.check(r, g)
		return known && m.is > g.most
	})
}

// report lists the missed goals. The error contains how many are missed by more than the noise.
func (t *table) report(out io.Writer) error {
	missed, unknown := t.missed()
	far := 0
	for _, m := range missed {
		noise := "which the noise of these runs explains"
		if m.clear() {
			far++
			noise = "and more than noise"
		}
		of := ""
		if m.goal.who != "" {
			of = ", " + m.goal.who
		}
		fmt.Fprintf(out, "missed: %s%s: %s, goal %s, %s (%s in the luckiest runs)\n", m.row.title, of, m.text(m.is), m.goal.words, noise, m.text(m.least))
	}
	for _, m := range unknown {
		fmt.Fprintf(out, "not measured: %s, goal %s\n", m.row.title, m.goal.words)
	}
	if far > 0 {
		return fmt.Errorf("%d goals are missed by more than the noise of the runs; docs/speed.md explains those that are known", far)
	}
	return nil
}

// text formats a figure with its unit, or a ratio.
func (m miss) text(v float64) string {
	switch {
	case m.goal.over != "":
		return figure(v) + "×"
	case m.row.unit != "":
		return figure(v) + " " + m.row.unit
	}
	return figure(v)
}
