package ghost

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// A deed is one operation of a process on the memory. One process at a time writes a key, with
// increasing numbers.
type deed struct {
	What       string // "begin" and "wrote", or "read"
	Key        string
	Number     int
	Start, End int64 // system time in nanoseconds
}

// countRole writes numbers to its own key and reads the other keys, until it is killed.
func countRole() {
	g := newGhost(Options{Memory: os.Getenv("GHOST_TEST_MEMORY")})
	own := os.Getenv("GHOST_TEST_ID")
	number, _ := strconv.Atoi(os.Getenv("GHOST_TEST_COUNT"))
	others, _ := strconv.Atoi(os.Getenv("GHOST_TEST_OTHERS"))
	out := json.NewEncoder(os.Stdout)
	ask := func(call memoryArgs) (answer string, start, end int64) {
		for {
			start = time.Now().UnixNano()
			res, _, err := g.memory.manage(context.Background(), nil, call)
			if err == nil {
				return resultText(res), start, time.Now().UnixNano()
			}
			if !strings.Contains(err.Error(), "in use by another program") {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}
	}
	for ; ; number++ {
		value := strconv.Itoa(number)
		_ = out.Encode(deed{What: "begin", Key: own, Number: number, Start: time.Now().UnixNano()})
		_, start, end := ask(memoryArgs{Action: "write", Key: own, Value: &value})
		_ = out.Encode(deed{What: "wrote", Key: own, Number: number, Start: start, End: end})
		if number%4 > 0 {
			continue
		}
		key := strconv.Itoa(rand.IntN(others))
		answer, start, end := ask(memoryArgs{Action: "read", Key: key})
		_, read, _ := strings.Cut(answer, "Memory value for "+key+": ")
		n, _ := strconv.Atoi(read) // 0: there was none
		_ = out.Encode(deed{What: "read", Key: key, Number: n, Start: start, End: end})
	}
}

// F47: many processes share a memory and are killed at random times. No acknowledged write is lost,
// no reader sees a damaged file, and all reads and writes fit one sequence. GOATED_MEMORY sets the
// number of writes.
func TestMemoryOfTheKilled(t *testing.T) {
	// 64 processes on two processors start slowly. With short lives, they would do nothing but start.
	processes, writes, lifetime := 8, 400, 400*time.Millisecond
	if n, err := strconv.Atoi(os.Getenv("GOATED_MEMORY")); err == nil {
		processes, writes, lifetime = 64, n, 64*400*time.Millisecond
	} else if testing.Short() {
		writes = 50
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "clippy_memory.json")
	ctx, cancel := context.WithCancel(t.Context())
	var mu sync.Mutex
	var deeds []deed
	acked, kills := 0, 0
	note := func(d deed) (enough bool) {
		mu.Lock()
		defer mu.Unlock()
		deeds = append(deeds, d)
		if d.What == "wrote" {
			acked++
		}
		return acked >= writes
	}
	// life runs one process until it is killed.
	life := func(id, number int) (last int) {
		cmd := exec.CommandContext(ctx, os.Args[0])
		cmd.Env = append(os.Environ(), "GHOST_TEST_ROLE=count", "GHOST_TEST_MEMORY="+path, fmt.Sprint("GHOST_TEST_ID=", id),
			fmt.Sprint("GHOST_TEST_COUNT=", number), fmt.Sprint("GHOST_TEST_OTHERS=", processes))
		var stderr strings.Builder
		cmd.Stderr = &stderr
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			if ctx.Err() == nil { // there were enough in the meantime
				t.Error(err)
			}
			cancel()
			return number
		}
		timer := time.AfterFunc(rand.N(lifetime), func() { _ = cmd.Process.Kill() })
		defer timer.Stop()
		for lines := bufio.NewScanner(out); lines.Scan(); {
			var d deed
			if json.Unmarshal(lines.Bytes(), &d) != nil {
				break // an incomplete line
			}
			if d.What == "begin" {
				number = d.Number
			}
			if note(d) {
				cancel()
			}
		}
		_ = cmd.Wait()
		if stderr.Len() > 0 {
			t.Errorf("process %d: %s", id, stderr.String())
			cancel()
		}
		mu.Lock()
		kills++
		mu.Unlock()
		return number
	}
	var all sync.WaitGroup
	for id := range processes {
		all.Go(func() {
			for number := 1; ctx.Err() == nil; number++ {
				number = life(id, number)
			}
		})
	}
	unparsable, reads := 0, 0
	all.Go(func() { // reads without the lock
		for ; ctx.Err() == nil; time.Sleep(time.Millisecond) {
			if data, err := os.ReadFile(path); err == nil {
				if reads++; !json.Valid(data) {
					unparsable++
				}
			}
		}
	})
	all.Wait()
	cancel()

	var kept map[string]string
	if err := json.Unmarshal([]byte(content(t, path)), &kept); err != nil {
		t.Fatal(err)
	}
	now := time.Now().UnixNano()
	for id := range processes { // the final file counts as one more read of each key
		key := strconv.Itoa(id)
		n, _ := strconv.Atoi(kept[key])
		deeds = append(deeds, deed{What: "read", Key: key, Number: n, Start: now, End: now})
	}
	wrong := disorder(deeds)
	for i, w := range wrong[:min(len(wrong), 10)] {
		t.Errorf("%d: %s", i, w)
	}
	if unparsable > 0 {
		t.Errorf("%d of %d reads could not be parsed", unparsable, reads)
	}
	for _, left := range readNames(t, dir) {
		switch left {
		case "clippy_memory.json", "clippy_memory.json.bak", "clippy_memory.json.lock":
		case ".clippy_memory.json.tmp", ".clippy_memory.json.bak.tmp": // left by a killed process; the next write replaces it
		default:
			t.Errorf("left behind: %s", left)
		}
	}
	t.Logf("%d processes, %d writes acknowledged, %d kills, %d reads without the lock: %d lost or out of order, %d unparsable",
		processes, acked, kills, reads, len(wrong), unparsable)
}

// disorder returns the reads that fit no sequence of all deeds. With one writer per key, a read is
// wrong if it returns less than an earlier write or read, or more than any write that began before
// the read ended.
func disorder(deeds []deed) (wrong []string) {
	byKey := make(map[string][]deed)
	for _, d := range deeds {
		byKey[d.Key] = append(byKey[d.Key], d)
	}
	for key, all := range byKey {
		for _, r := range all {
			if r.What != "read" {
				continue
			}
			least, most := 0, 0
			for _, d := range all {
				if d.What != "begin" && d.End < r.Start {
					least = max(least, d.Number)
				}
				if d.What == "begin" && d.Start < r.End {
					most = max(most, d.Number)
				}
			}
			if r.Number < least || r.Number > most {
				wrong = append(wrong, fmt.Sprintf("key %s was read as %d, and is between %d and %d", key, r.Number, least, most))
			}
		}
	}
	return wrong
}

// The check of disorder can fail.
func TestDisorderIsSeen(t *testing.T) {
	wrote := []deed{{"begin", "k", 1, 1, 0}, {"wrote", "k", 1, 1, 2}, {"begin", "k", 2, 5, 0}, {"wrote", "k", 2, 5, 6}, {"begin", "k", 3, 9, 0}}
	for _, tt := range []struct {
		read deed
		fine bool
	}{
		{deed{"read", "k", 1, 3, 4}, true}, {deed{"read", "k", 0, 3, 4}, false}, {deed{"read", "k", 2, 3, 4}, false},
		{deed{"read", "k", 1, 5, 7}, true}, {deed{"read", "k", 1, 7, 8}, false}, {deed{"read", "k", 3, 10, 11}, true}, {deed{"read", "k", 2, 10, 11}, true},
	} {
		if got := disorder(append(wrote[:len(wrote):len(wrote)], tt.read)); (len(got) == 0) != tt.fine {
			t.Errorf("%+v: %v", tt.read, got)
		}
	}
}
