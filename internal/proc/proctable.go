package proc

// A procTable is a snapshot of the system's process table, by pid.
type procTable map[int]procEntry

// A procEntry is one process of a table.
type procEntry struct {
	parent, group int
	began         int64 // start time, in the system's unit: pids are reused, start times are not
}

// below lists the descendants of pid.
func (c procTable) below(pid int) []int {
	children := make(map[int][]int)
	for id, p := range c {
		children[p.parent] = append(children[p.parent], id)
	}
	var all []int
	for next := []int{pid}; len(next) > 0; {
		more := children[next[0]]
		all = append(all, more...)
		next = append(next[1:], more...)
	}
	return all
}

// A descendants records the descendants of a server, on systems where the keeper does not adopt
// orphans. It recognizes an orphan because an earlier snapshot contained it, or by its process
// group. The group is reliable: the server leads a session, and a process cannot join a group of
// another session.
type descendants struct {
	seen   map[int]int64 // start times by pid
	groups map[int]int   // by group: the number of consecutive snapshots without a member
}

// emptyReads is the number of snapshots without a member after which a group's number counts as
// reused. One is not enough, because reading the table is not atomic: it can miss a process that
// forks and exits in the meantime, together with its child.
const emptyReads = 3

// newDescendants records the descendants of server, which leads a process group.
func newDescendants(server int) *descendants {
	return &descendants{seen: make(map[int]int64), groups: map[int]int{server: 0}}
}

// update adds the descendants in now. It forgets processes that have exited, because the system may
// reuse their pids.
func (d *descendants) update(now procTable) {
	held := make(map[int]bool)
	for _, p := range now {
		held[p.group] = true
	}
	for pid, began := range d.seen {
		if p, ok := now[pid]; !ok || p.began != began {
			delete(d.seen, pid)
		} else {
			d.groups[p.group] = 0 // it may have created the group since the last snapshot
		}
	}
	for group := range d.groups {
		if d.groups[group]++; held[group] {
			d.groups[group] = 0
		} else if d.groups[group] > emptyReads {
			delete(d.groups, group)
		}
	}
	for found := true; found; {
		found = false
		for pid, p := range now {
			_, known := d.seen[pid]
			_, child := d.seen[p.parent]
			_, inGroup := d.groups[p.group]
			if known || !child && !inGroup {
				continue
			}
			d.seen[pid], d.groups[p.group] = p.began, 0
			found = true
		}
	}
}

// living lists the descendants that still run.
func (d *descendants) living(now procTable) []int {
	d.update(now)
	all := make([]int, 0, len(d.seen))
	for pid := range d.seen {
		all = append(all, pid)
	}
	return all
}
