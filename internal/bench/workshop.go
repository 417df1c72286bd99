package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/term"
)

// A workshop holds everything that the processes need: the model, the programs, a folder.
type workshop struct {
	options
	dir    string
	self   string // this program
	peers  string // program of the nested module; empty if it cannot be built here
	node   string // empty if it is not installed
	keeper string // the program that supervises servers; may be empty
	url    string // of the model
	strace string // empty if it is not installed
	stop   func()
}

func newWorkshop(ctx context.Context, o options) (*workshop, error) {
	w := &workshop{options: o}
	var err error
	if w.self, err = os.Executable(); err != nil {
		return nil, err
	}
	if w.dir, err = os.MkdirTemp("", "goated-bench-"); err != nil {
		return nil, err
	}
	if w.url, w.stop, err = startModel(); err != nil {
		_ = os.RemoveAll(w.dir)
		return nil, err
	}
	w.keeper = w.build(ctx, "keeper", "build", "-ldflags", "-s -w", "-o", filepath.Join(w.dir, "keeper"), "./cmd/keeper")
	w.peers = w.build(ctx, "peers", "build", "-C", filepath.Join("internal", "bench", "testdata", "peers"), "-o", filepath.Join(w.dir, "peers"), ".")
	w.strace, _ = exec.LookPath("strace")
	w.node, _ = exec.LookPath("node")
	return w, nil
}

// build compiles a program. If that fails, it reports why and returns an empty path.
func (w *workshop) build(ctx context.Context, name string, args ...string) string {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%s is left out, it does not build: %v\n%s", name, err, out)
		return ""
	}
	return filepath.Join(w.dir, name)
}

func (w *workshop) close() {
	w.stop()
	_ = os.RemoveAll(w.dir)
}

// measure runs each row, alternating between its contestants.
func (w *workshop) measure(ctx context.Context, rows []row) *table {
	t := &table{rows: rows, samples: make(map[string]map[string][]float64), errs: make(map[string]string)}
	done := make(map[string]bool) // rows that share a process
	screen := term.IsTerminal(int(os.Stderr.Fd()))
	for _, r := range rows {
		key := shared(r.name)
		if done[key] || ctx.Err() != nil {
			continue
		}
		done[key] = true
		runs := w.runs
		if r.once {
			runs = min(runs, 2)
		}
		for round := range runs {
			who := slices.Clone(r.who)
			rand.Shuffle(len(who), func(i, k int) { who[i], who[k] = who[k], who[i] })
			for _, name := range who {
				if screen {
					fmt.Fprintf(os.Stderr, "\r\x1b[K%s, round %d: %s", key, round+1, name)
				}
				f, err := w.run(ctx, name, key, r.trace)
				if err == nil && r.trace { // without the waits of opening and closing
					var half figures
					if half, err = w.run(ctx, name, key, true, "BENCH_HALF=yes"); err == nil {
						f[key] = (f[key] - half[key]) / (tracedSteps / 2)
					}
				}
				if err != nil {
					t.errs[name+" "+key] = err.Error()
					continue
				}
				for metric, value := range f {
					t.add(metric, name, value)
				}
			}
		}
	}
	if screen {
		fmt.Fprint(os.Stderr, "\r\x1b[K")
	}
	return t
}

// errAbsent means that a contestant is not installed.
var errAbsent = errors.New("not installed")

// tracedSteps is the number of steps in a traced row.
const tracedSteps = 200

// checkpointWaits is how often SQLite waits for the disk when it copies its log into the database:
// for the log, for the database, and for the restart of the log.
const checkpointWaits = 3

// run measures one row of one contestant in a process. With trace, the figure is the number of
// system calls that wait for the disk. SQLite's checkpoints do not count: one happens about every
// 1,000 pages, whatever a step writes.
func (w *workshop) run(ctx context.Context, who, row string, trace bool, env ...string) (figures, error) {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Minute)
	defer cancel()
	data, err := os.MkdirTemp(w.dir, "data")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(data)
	args := []string{w.self, "child", who, row}
	switch who {
	case "gosdk", "mcpgo":
		if w.peers == "" {
			return nil, errAbsent
		}
		args = []string{w.peers, who, row}
	case "ts", seed:
		name, modules := "peers.mjs", w.tools
		if who == seed {
			name, modules = "ai.mjs", filepath.Join(w.tools, "peers")
		}
		if _, err := os.Stat(filepath.Join(modules, "node_modules")); err != nil || w.node == "" {
			return nil, errAbsent
		}
		modules, _ = filepath.Abs(modules)
		script := filepath.Join(modules, "bench-"+name) // Node looks for modules starting at the script's folder
		text, err := os.ReadFile(filepath.Join("internal", "bench", "testdata", "peers", name))
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(script, text, 0o644); err != nil {
			return nil, err
		}
		defer os.Remove(script)
		args = []string{w.node, script, who, row}
	}
	calls := filepath.Join(data, "calls")
	if trace {
		if w.strace == "" {
			return nil, fmt.Errorf("strace: %w", errAbsent)
		}
		args = append([]string{w.strace, "-f", "-qq", "-y", "-e", "trace=fsync,fdatasync", "-o", calls}, args...)
	}
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Env = append(os.Environ(), "BENCH_URL="+w.url, "BENCH_SERVER="+w.self, "BENCH_DATA="+data, "BENCH_KEEPER="+w.keeper, "BENCH_PROFILE="+w.profile)
	cmd.Env = append(cmd.Env, env...)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, said.String())
	}
	var f figures
	if err := json.Unmarshal(out, &f); err != nil {
		return nil, err
	}
	if trace {
		text, err := os.ReadFile(calls)
		if err != nil {
			return nil, err
		}
		all, checkpoints := strings.Count(string(text), "sync("), strings.Count(string(text), "/history.db>")
		f[row] = float64(all - checkpointWaits*checkpoints)
	}
	return f, nil
}
