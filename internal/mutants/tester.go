package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// A verdict is the tests' reaction to a fault.
type verdict string

const (
	killed   verdict = "killed"
	timedOut verdict = "timeout"
	survived verdict = "SURVIVED"
	invalid  verdict = "ERROR" // it does not compile
)

// A result is the verdict on one mutant.
type result struct {
	mutant  mutant
	verdict verdict
	detail  string // the first failed test, or the compiler's error
	took    time.Duration
}

// A tester runs the tests of mutants.
type tester struct {
	parallel int
	timeout  time.Duration
	dir      string // folder for overlays; the caller removes it
}

// all tests the mutants and prints each result. It returns an error if the tests fail even without
// a fault.
func (t tester) all(ctx context.Context, mutants []mutant) ([]result, error) {
	if err := t.baseline(ctx, mutants); err != nil {
		return nil, err
	}
	results := make([]result, len(mutants))
	next := make(chan int)
	var wg sync.WaitGroup
	for range max(t.parallel, 1) {
		wg.Go(func() {
			for i := range next {
				results[i] = t.one(ctx, i, mutants[i])
				r := results[i]
				fmt.Printf("%-8s %5.1fs  %-60s %s\n", r.verdict, r.took.Seconds(), r.mutant.id, r.detail)
			}
		})
	}
	for i := range mutants {
		next <- i
	}
	close(next)
	wg.Wait()
	return results, ctx.Err()
}

// baseline runs each test command once without a fault. That is cheap because go caches test
// results.
func (t tester) baseline(ctx context.Context, mutants []mutant) error {
	seen := make(map[string]bool)
	for _, m := range mutants {
		for _, args := range m.tests {
			line := strings.Join(args, " ")
			if seen[line] {
				continue
			}
			seen[line] = true
			out, err := t.run(ctx, "", args)
			if err != nil {
				return fmt.Errorf("the tests fail without a fault: go test %s: %w\n%s", line, err, out)
			}
			if bytes.Contains(out, []byte("[no tests to run]")) || bytes.Contains(out, []byte("[no test files]")) {
				return fmt.Errorf("go test %s runs no test", line)
			}
		}
	}
	return nil
}

// one runs the tests of a mutant until one command fails.
func (t tester) one(ctx context.Context, number int, m mutant) (r result) {
	began := time.Now()
	r.mutant = m
	defer func() { r.took = time.Since(began) }()
	overlay, err := t.overlay(number, m)
	if err != nil {
		return result{mutant: m, verdict: invalid, detail: err.Error()}
	}
	for _, args := range m.tests {
		out, err := t.run(ctx, overlay, args)
		switch {
		case errors.Is(err, context.DeadlineExceeded), bytes.Contains(out, []byte("panic: test timed out")):
			r.verdict, r.detail = timedOut, strings.Join(args, " ")
			return r
		case bytes.Contains(out, []byte("[build failed]")), bytes.Contains(out, []byte("[setup failed]")):
			r.verdict, r.detail = invalid, compilerWords(out)
			return r
		case err != nil:
			r.verdict, r.detail = killed, failedTest(out)
			return r
		}
	}
	r.verdict = survived
	return r
}

// overlay writes the overlay files for a mutant.
func (t tester) overlay(number int, m mutant) (string, error) {
	original, err := filepath.Abs(filepath.FromSlash(m.file))
	if err != nil {
		return "", err
	}
	// The file name must stay the same, because the compiler puts it into its output.
	source := filepath.Join(t.dir, fmt.Sprint(number), filepath.Base(m.file))
	if err := os.MkdirAll(filepath.Dir(source), 0o755); err != nil {
		return "", err
	}
	if err := os.WriteFile(source, m.source(), 0o644); err != nil {
		return "", err
	}
	data, err := json.Marshal(map[string]any{"Replace": map[string]string{original: source}})
	if err != nil {
		return "", err
	}
	path := filepath.Join(t.dir, fmt.Sprint(number), "overlay.json")
	return path, os.WriteFile(path, data, 0o644)
}

// run runs go test with arguments and returns what it prints.
func (t tester) run(ctx context.Context, overlay string, args []string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, t.timeout+time.Minute) // go test ends by itself before that
	defer cancel()
	// Without symbol tables, linking takes half the time.
	all := []string{"test", "-tags", "ci", "-ldflags=-s", "-vet=off", "-failfast", "-timeout", t.timeout.String()}
	if overlay != "" {
		all = append(all, "-overlay", overlay)
	}
	cmd := exec.CommandContext(ctx, "go", append(all, args...)...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return out, err
}

// failedTest returns the name of the first test that failed.
func failedTest(out []byte) string {
	for line := range strings.Lines(string(out)) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "--- FAIL: "); ok {
			name, _, _ = strings.Cut(name, " ")
			return name
		}
	}
	line, _, _ := strings.Cut(string(out), "\n")
	return line
}

// compilerWords returns the compiler's first error.
func compilerWords(out []byte) string {
	for line := range strings.Lines(string(out)) {
		if !strings.HasPrefix(line, "#") && strings.Contains(line, ": ") {
			return strings.TrimSpace(line)
		}
	}
	return "it does not compile"
}
