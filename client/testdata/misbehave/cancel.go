package main

import (
	"fmt"
	"math/rand/v2"
)

// These variables record the calls that can be cancelled. By the ID of a call, fates holds
// whether the server answered, and told how often the client cancelled.
var (
	fates          = make(map[string]bool)
	told           = make(map[string]int)
	reused, astray int
)

// fickle answers about half of the calls, and never answers the others.
func fickle(m message) {
	id := string(m.ID)
	if _, known := fates[id]; known {
		reused++
	}
	fates[id] = rand.IntN(2) == 0
	if fates[id] {
		result(m.ID, text("done"))
	}
}

func tally() string {
	lying, never, twice := 0, 0, 0
	for id, answered := range fates {
		if !answered {
			lying++
			if told[id] == 0 {
				never++
			}
		}
		if told[id] > 1 {
			twice++
		}
	}
	return fmt.Sprintf("calls=%d lying=%d cancels=%d never=%d twice=%d astray=%d reused=%d", len(fates), lying, cancels, never, twice, astray, reused)
}
