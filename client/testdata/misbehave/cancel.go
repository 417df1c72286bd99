package main

import (
	"fmt"
	"math/rand/v2"
)

// What becomes of calls that may be cancelled: by their ids, whether they were
// answered, and how often they were cancelled.
var (
	fates          = make(map[string]bool)
	told           = make(map[string]int)
	reused, astray int
)

// fickle answers some calls, and lets others lie until they are cancelled.
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
