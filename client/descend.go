//go:build linux || darwin

package client

// descendants lists all below pid, where each process has its children.
func descendants(children map[int][]int, pid int) []int {
	var all []int
	for next := []int{pid}; len(next) > 0; {
		more := children[next[0]]
		all = append(all, more...)
		next = append(next[1:], more...)
	}
	return all
}
