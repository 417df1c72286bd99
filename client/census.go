package client

// A census is the processes of a system at one moment, by their numbers.
type census map[int]person

// A person is one process of a census.
type person struct {
	parent, group int
	began         int64 // in the system's units: numbers are given anew, and times are not
}

// below lists those that descend from pid.
func (c census) below(pid int) []int {
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

// A kin is all that has come of a server, as far as it was seen, on systems
// where an orphan goes to another parent. An orphan is known by having been seen
// before, or by its group: that is a process's of the same origin, since the
// server leads a session of its own, and nobody enters another's.
type kin struct {
	seen   map[int]int64 // when each began
	groups map[int]int   // and in how many looks, one after another, nobody was in them
}

// emptyLooks is how often a group may seem empty before its number may be
// another's: a system's table is not read in one moment, and who forks and ends
// meanwhile is in it neither as parent nor as child.
const emptyLooks = 3

// newKin is that of a server, which leads a group.
func newKin(server int) *kin {
	return &kin{seen: make(map[int]int64), groups: map[int]int{server: 0}}
}

// look takes in what there is now. It has those forgotten that are gone, whose
// numbers may be others' soon.
func (k *kin) look(now census) {
	held := make(map[int]bool)
	for _, p := range now {
		held[p.group] = true
	}
	for pid, began := range k.seen {
		if p, ok := now[pid]; !ok || p.began != began {
			delete(k.seen, pid)
		} else {
			k.groups[p.group] = 0 // which it may have made since
		}
	}
	for group := range k.groups {
		if k.groups[group]++; held[group] {
			k.groups[group] = 0
		} else if k.groups[group] > emptyLooks {
			delete(k.groups, group)
		}
	}
	for found := true; found; {
		found = false
		for pid, p := range now {
			_, known := k.seen[pid]
			_, child := k.seen[p.parent]
			_, akin := k.groups[p.group]
			if known || !child && !akin {
				continue
			}
			k.seen[pid], k.groups[p.group] = p.began, 0
			found = true
		}
	}
}

// living are those that are still who they were.
func (k *kin) living(now census) []int {
	k.look(now)
	all := make([]int, 0, len(k.seen))
	for pid := range k.seen {
		all = append(all, pid)
	}
	return all
}
