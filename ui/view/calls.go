package view

import (
	"fmt"
	"strings"
	"time"

	"goated/ui/view/format"
)

// A CallRun is a range of items from From up to, but not including, To. It contains calls and the
// thoughts between them.
type CallRun struct{ From, To int }

// CallRuns returns the runs in list that can be shown as one line. A run has two or more
// successive calls that succeeded. The search begins at from, which CallsBegin returned. So that
// nothing moves while a step is running, the calls of a step belong to no run until the last of
// them ends. A call with a picture belongs to no run either, because the picture is what the user
// asked for.
func CallRuns(list []Item, from int) (runs []CallRun) {
	var run CallRun
	calls := 0 // the number of calls in run
	end := func() {
		if calls > 1 {
			runs = append(runs, run)
		}
		calls = 0
	}
	busy := -1 // the step that is running
	for i := from; i < len(list); i++ {
		if belongsToCalls(list[i]) && (i == from || !belongsToCalls(list[i-1])) {
			busy = busyStep(list[i:])
		}
		switch item := list[i].(type) {
		case Thought: // belongs to the run if another call follows
		case Card:
			if !item.isPlainSuccess() || item.Step == busy {
				end()
				continue
			}
			if calls == 0 {
				run.From = i
			}
			calls, run.To = calls+1, i+1
		default:
			end()
		}
	}
	end()
	return runs
}

// CallsBegin returns where the calls and thoughts before index begin. A change of the item at
// index can change the runs from there on.
func CallsBegin(list []Item, index int) int {
	for index > 0 && belongsToCalls(list[index-1]) {
		index--
	}
	return index
}

// belongsToCalls reports whether an item is a call, or can be between two calls.
func belongsToCalls(item Item) bool {
	switch item.(type) {
	case Card, Thought:
		return true
	}
	return false
}

// busyStep returns the step of the first call in list without a result, or the step that a
// question after the calls refers to. It returns -1 if there is none.
func busyStep(list []Item) int {
	for _, item := range list {
		switch item := item.(type) {
		case Card:
			if item.Open() {
				return item.Step
			}
		case Thought:
		case Question:
			return item.Step
		default:
			return -1
		}
	}
	return -1
}

// isPlainSuccess reports whether a call succeeded and shows no picture.
func (c Card) isPlainSuccess() bool {
	if c.Status != Complete {
		return false
	}
	for _, p := range c.Parts() {
		if p.Kind == ImagePart {
			return false
		}
	}
	return true
}

// A CallCount summarizes calls for one line.
type CallCount struct {
	Calls int
	Tools string        // "read_file ×3, search"
	Took  time.Duration // the sum over all steps of the longest call
}

// CountCalls counts the calls of list.
func CountCalls(list []Item) (n CallCount) {
	var order []string
	times := make(map[string]int)
	step, longest := -1, time.Duration(0)
	for _, item := range list {
		c, ok := item.(Card)
		if !ok {
			continue
		}
		n.Calls++
		name := format.Cut(c.Heading(), 40)
		if times[name]++; times[name] == 1 {
			order = append(order, name)
		}
		if c.Step != step {
			n.Took += longest
			step, longest = c.Step, 0
		}
		longest = max(longest, c.Duration)
	}
	n.Took += longest
	for i, name := range order {
		if times[name] > 1 {
			order[i] = fmt.Sprintf("%s ×%d", name, times[name])
		}
	}
	n.Tools = format.Cut(strings.Join(order, ", "), maxPreview)
	return n
}

// String returns, for example, "5 calls".
func (n CallCount) String() string { return fmt.Sprintf("%d calls", n.Calls) }

// nextStep returns the step of a call that arrives now. It is the step of the previous calls,
// unless all of them have ended. All calls of a step arrive before the first of them runs.
func (c Chat) nextStep() int {
	for _, item := range c.items.backward() {
		switch item := item.(type) {
		case Card:
			for _, live := range c.items.live {
				if isOpenCall(live) {
					return item.Step
				}
			}
			return item.Step + 1
		case Thought:
		default:
			return 0
		}
	}
	return 0
}
