// Command mutants applies deliberate faults to the program, one at a time, runs the tests that
// should notice, and lists the faults that survive.
//
// The faults are in internal/mutants/faults, in one file for each area of the program; [parseBlock]
// documents their form. The tree is never modified: each fault is an overlay of "go test". A fault
// is killed if a test fails or times out because of it. If the source text of a fault is missing or
// ambiguous, or if the fault does not compile, that is an error in the table.
//
// The package is a tool for developers. It imports nothing from goated, and goated does not import
// it.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"
)

// maxSurvivors is the maximum share of faults that may survive.
const maxSurvivors = 0.03

func main() {
	only := flag.String("only", "", "run the faults of these areas, packages, functions (agent.cut) or ids, separated by commas")
	list := flag.Bool("list", false, "list the faults and run nothing")
	fix := flag.Bool("fix", false, "write the new path of moved source text into the tables")
	parallel := flag.Int("p", 2, "faults tested at the same time")
	timeout := flag.Duration("timeout", time.Minute, "time limit of one go test command")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	code, err := run(ctx, strings.FieldsFunc(*only, func(r rune) bool { return r == ',' || r == ' ' }), *list, *fix, tester{parallel: *parallel, timeout: *timeout})
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		code = 1
	}
	os.Exit(code)
}

// run returns the exit code: 1 if the table has errors or too many faults survive.
func run(ctx context.Context, only []string, list, fix bool, t tester) (int, error) {
	tables, err := filepath.Glob("internal/mutants/faults/*.txt")
	if err != nil || len(tables) == 0 {
		return 1, fmt.Errorf("no tables in internal/mutants/faults: run it in the root of the module")
	}
	if fix {
		return 0, relocate(".", tables)
	}
	mutants, problems := load(".", tables)
	for _, p := range problems {
		fmt.Println("ERROR   ", p)
	}
	mutants = choose(mutants, only)
	if list {
		for _, m := range mutants {
			fmt.Printf("%-12s %-60s %s\n", m.area, m.id, m.file)
		}
		fmt.Println(len(mutants), "faults")
		return min(len(problems), 1), nil
	}
	if t.dir, err = os.MkdirTemp("", "goated-mutants-"); err != nil {
		return 1, err
	}
	defer os.RemoveAll(t.dir)
	began := time.Now()
	results, err := t.all(ctx, mutants)
	if err != nil {
		return 1, err
	}
	return summarize(results, len(problems), time.Since(began)), ctx.Err()
}

// choose returns the mutants that only selects: by area, package, function or id. If only is empty,
// it returns all of them.
func choose(mutants []mutant, only []string) []mutant {
	if len(only) == 0 {
		return mutants
	}
	var chosen []mutant
	for _, m := range mutants {
		for _, word := range only {
			if m.area == word || m.id == word || strings.HasPrefix(m.file, word+"/") || strings.HasPrefix(m.id, word+".") || strings.HasPrefix(m.id, word+" ") {
				chosen = append(chosen, m)
				break
			}
		}
	}
	return chosen
}

// summarize prints the survivors and the counts, and returns the exit code.
func summarize(results []result, problems int, took time.Duration) int {
	counts := make(map[verdict]int)
	for _, r := range results {
		counts[r.verdict]++
	}
	valid := counts[killed] + counts[timedOut] + counts[survived]
	fmt.Printf("\n%d faults in %v: %d killed, %d timed out, %d survived; %d errors of the table\n",
		len(results), took.Round(time.Second), counts[killed], counts[timedOut], counts[survived], counts[invalid]+problems)
	for _, r := range results {
		if r.verdict == survived {
			fmt.Printf("  survived  %s  %s (%s:%d)\n", r.mutant.id, r.mutant.title, r.mutant.file, r.mutant.line())
		}
	}
	share := float64(counts[survived]) / float64(max(valid, 1))
	fmt.Printf("%.1f %% survive; at most %.0f %% may\n", 100*share, 100*maxSurvivors)
	if counts[invalid]+problems > 0 || share > maxSurvivors {
		return 1
	}
	return 0
}
