package view

import (
	"fmt"
	"strings"
	"time"

	"goated/ui/view/format"
)

// A CallRun is the calls from item From up to item To, with the thoughts between them.
type CallRun struct{ From, To int }

// CallRuns returns the runs in list that one line can stand for: two or more calls, one after the
// other, that ended well. It begins at from, which CallsBegin returned. Nothing moves while a step is
// under way: its calls are in no run until the last of them ends. Nor is a call with a picture, which
// is what the user asked for.
func CallRuns(list []Item, from int) (runs []CallRun) {
	var run CallRun
	calls := 0 // in run
	end := func() {
		if calls > 1 {
			runs = append(runs, run)
		}
		calls = 0
	}
	busy := -1 // the step that is under way
	for i := from; i < len(list); i++ {
		if ofCalls(list[i]) && (i == from || !ofCalls(list[i-1])) {
			busy = busyStep(list[i:])
		}
		switch item := list[i].(type) {
		case Thought: // it belongs to the run if another call follows
		case Card:
			if !item.quiet() || item.Step == busy {
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

// CallsBegin returns where the calls and thoughts before an index begin. A change of the item at the
// index can change the runs from there on.
func CallsBegin(list []Item, index int) int {
	for index > 0 && ofCalls(list[index-1]) {
		index--
	}
	return index
}

// ofCalls reports whether an item is a call, or can stand between two.
func ofCalls(item Item) bool {
	switch item.(type) {
	case Card, Thought:
		return true
	}
	return false
}

// busyStep returns the step of the first call of list without a result, or that a question after the calls is
// about; -1 if there is none.
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

// quiet reports whether a call ended well and shows no picture.
func (c Card) quiet() bool {
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

// A CallCount is what one line says of some calls.
type CallCount struct {
	Calls int
	Tools string        // "read_file ×3, search"
	Took  time.Duration // the longest call of each step
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

// String returns "5 calls".
func (n CallCount) String() string { return fmt.Sprintf("%d calls", n.Calls) }

// nextStep returns the step of a call that comes now: that of the calls before it, unless they have all
// ended. The calls of a step come before the first of them runs.
func (c Chat) nextStep() int {
	for _, item := range c.items.backward() {
		switch item := item.(type) {
		case Card:
			for _, live := range c.items.live {
				if open(live) {
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
