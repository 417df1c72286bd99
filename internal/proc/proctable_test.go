package proc

import (
	"slices"
	"testing"
)

func TestBelow(t *testing.T) {
	now := procTable{
		1: {}, 10: {parent: 1}, 11: {parent: 10}, 12: {parent: 11}, 13: {parent: 10}, 20: {parent: 1}, 21: {parent: 20},
	}
	got := now.below(10)
	slices.Sort(got)
	if !slices.Equal(got, []int{11, 12, 13}) || len(now.below(12)) != 0 || len(procTable(nil).below(1)) != 0 {
		t.Errorf("below 10 are %v", got)
	}
}

// descendants finds a daemon by its group once it has seen the daemon's parent. It finds no
// unrelated process, and a reused pid does not mislead it.
func TestDescendants(t *testing.T) {
	const server, child, daemon, stranger = 100, 101, 102, 200
	k := newDescendants(server)
	look := func(now procTable) []int {
		now[1], now[stranger] = procEntry{group: 1}, procEntry{parent: 1, group: stranger, began: 5}
		got := k.living(now)
		slices.Sort(got)
		return got
	}
	first := procEntry{parent: 50, group: server, began: 10}
	for _, step := range []struct {
		name string
		now  procTable
		want []int
	}{
		{"the server alone", procTable{server: first}, []int{server}},
		{"its child", procTable{server: first, child: {parent: server, group: server, began: 11}}, []int{server, child}},
		{"its child, in a session of its own", procTable{server: first, child: {parent: server, group: child, began: 11}}, []int{server, child}},
		{"its orphan", procTable{server: first, daemon: {parent: 1, group: child, began: 12}}, []int{server, daemon}},
		{"without the server", procTable{daemon: {parent: 1, group: child, began: 12}}, []int{daemon}},
		{"another process with the server's pid", procTable{server: {parent: 1, group: stranger, began: 13}, daemon: {parent: 1, group: child, began: 12}}, []int{daemon}},
		{"and its child", procTable{server: {parent: 1, group: stranger, began: 13}, 300: {parent: server, group: stranger, began: 14}, daemon: {parent: 1, group: child, began: 12}}, []int{daemon}},
		{"another process with the daemon's pid", procTable{daemon: {parent: 1, group: daemon, began: 15}}, nil},
		{"empty", procTable{}, nil},
		{"empty again", procTable{}, nil},
		{"still empty", procTable{}, nil},
		{"another group with the child's pid", procTable{child: {parent: 1, group: child, began: 16}}, nil},
	} {
		if got := look(step.now); !slices.Equal(got, step.want) {
			t.Errorf("%s: got %v, want %v", step.name, got, step.want)
		}
	}
	// One snapshot of the table is enough to find children and grandchildren.
	k = newDescendants(server)
	line := procTable{server: first}
	for pid := server + 1; pid < server+50; pid++ {
		line[pid] = procEntry{parent: pid - 1, group: pid, began: int64(pid)}
	}
	if got := look(line); len(got) != 50 {
		t.Errorf("%d of 50 descendants are found", len(got))
	}
}
