package client

import (
	"slices"
	"testing"
)

func TestBelow(t *testing.T) {
	now := census{
		1: {}, 10: {parent: 1}, 11: {parent: 10}, 12: {parent: 11}, 13: {parent: 10}, 20: {parent: 1}, 21: {parent: 20},
	}
	got := now.below(10)
	slices.Sort(got)
	if !slices.Equal(got, []int{11, 12, 13}) || len(now.below(12)) != 0 || len(census(nil).below(1)) != 0 {
		t.Errorf("below 10 are %v", got)
	}
}

// A daemon by the book is found by its group once its parent was seen, and
// nobody else is; who has the number of one that is gone is not taken for it.
func TestKin(t *testing.T) {
	const server, child, daemon, stranger = 100, 101, 102, 200
	k := newKin(server)
	look := func(now census) []int {
		now[1], now[stranger] = person{group: 1}, person{parent: 1, group: stranger, began: 5}
		got := k.living(now)
		slices.Sort(got)
		return got
	}
	first := person{parent: 50, group: server, began: 10}
	for _, step := range []struct {
		name string
		now  census
		want []int
	}{
		{"the server alone", census{server: first}, []int{server}},
		{"its child", census{server: first, child: {parent: server, group: server, began: 11}}, []int{server, child}},
		{"its child, in a session of its own", census{server: first, child: {parent: server, group: child, began: 11}}, []int{server, child}},
		{"the child's, whose parent is gone", census{server: first, daemon: {parent: 1, group: child, began: 12}}, []int{server, daemon}},
		{"without the server", census{daemon: {parent: 1, group: child, began: 12}}, []int{daemon}},
		{"with a new process of the server's number", census{server: {parent: 1, group: stranger, began: 13}, daemon: {parent: 1, group: child, began: 12}}, []int{daemon}},
		{"and a child of that", census{server: {parent: 1, group: stranger, began: 13}, 300: {parent: server, group: stranger, began: 14}, daemon: {parent: 1, group: child, began: 12}}, []int{daemon}},
		{"the daemon's number is another's", census{daemon: {parent: 1, group: daemon, began: 15}}, nil},
		{"nobody is left", census{}, nil},
		{"for a while", census{}, nil},
		{"and longer", census{}, nil},
		{"the child's number leads another group", census{child: {parent: 1, group: child, began: 16}}, nil},
	} {
		if got := look(step.now); !slices.Equal(got, step.want) {
			t.Errorf("%s: %v, not %v", step.name, got, step.want)
		}
	}
	// A whole line of descent that is seen at once.
	k = newKin(server)
	line := census{server: first}
	for pid := server + 1; pid < server+50; pid++ {
		line[pid] = person{parent: pid - 1, group: pid, began: int64(pid)}
	}
	if got := look(line); len(got) != 50 {
		t.Errorf("%d of 50 are found", len(got))
	}
}
