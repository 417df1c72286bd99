//go:build linux

package client_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"goated/client"
	"goated/internal/proctest"
	"goated/internal/sandbox"
	"goated/internal/servertest"
	"goated/internal/waittest"
)

// descendants returns the running processes that have mark among their arguments.
func descendants(mark string) []int {
	proc, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer proc.Close()
	names, _ := proc.Readdirnames(-1)
	var pids []int
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		line, err := os.ReadFile(filepath.Join("/proc", name, "cmdline"))
		if err == nil && bytes.Contains(line, []byte(mark)) && pid != os.Getpid() && proctest.Alive(pid) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// mark returns an argument that no other test uses.
func mark(t testing.TB) string {
	return fmt.Sprintf("mark-%d-%s", os.Getpid(), strings.ReplaceAll(t.Name(), "/", "-"))
}

// F26: a server has a child that holds its pipes, a child in a separate session, and a daemon.
// No process is left after it is disconnected, whichever way it ends.
func TestNobodySurvivesAServer(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"family", "bomb", "family bare", "bomb bare"} {
		t.Run(mode, func(t *testing.T) {
			mode, _, bare := strings.Cut(mode, " ")
			id := strings.ReplaceAll(mark(t), " ", "-")
			h := host(t, client.Options{Process: client.ProcessOptions{NoBubble: bare}})
			server := connect(t, h, misbehave(t, mode, id))
			waittest.Until(t, "its descendants are there", func() bool { return len(descendants(id)) >= 4 })
			began := time.Now()
			if err := h.Disconnect(t.Context(), server); err != nil {
				t.Fatal(err)
			}
			took := time.Since(began)
			if left := descendants(id); len(left) > 0 {
				t.Errorf("%d survive: %v", len(left), left)
			}
			if late(took, 2200*time.Millisecond) {
				t.Errorf("it took %v", took)
			}
			t.Logf("disconnected in %v", took)
		})
	}
}

// TestHostToKill is the host of TestNobodySurvivesTheHost. It connects, reports that, and
// waits.
func TestHostToKill(t *testing.T) {
	id := os.Getenv("GOATED_TEST_MARK")
	if id == "" {
		t.Skip("is run by TestNobodySurvivesTheHost")
	}
	o := client.Options{Process: client.ProcessOptions{Keeper: append(keeper(t), id)}} // so that the keeper and its bubblewrap have the mark, too
	if os.Getenv("GOATED_SOAK_KEEPER") == "none" {                                     // to check that the test can fail
		o.Process.Keeper = nil
	}
	o.Process.NoBubble = os.Getenv("GOATED_TEST_BARE") != ""
	h := client.New(o)
	told := make(chan os.Signal, 1)
	signal.Notify(told, syscall.SIGUSR1)
	go func() { <-told; panic("as the test wants it") }()
	if os.Getenv("GOATED_TEST_BUILD") != "" {
		buildLong(t, o, os.Getenv("GOATED_TEST_SERVER"), id)
	}
	fmt.Println("ready")
	c := client.Config{Path: os.Getenv("GOATED_TEST_SERVER"), Name: "m", Args: []string{"family", id}, Bundled: true}
	if os.Getenv("GOATED_TEST_ALONE") != "" {
		c.Args, c.Alone = []string{"plain", id}, true
	}
	for {
		server, err := h.Connect(context.Background(), c)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println("connected")
		time.Sleep(20 * time.Millisecond)
		if rand.IntN(2) == 0 {
			go func() { _ = h.Disconnect(context.Background(), server) }()
			time.Sleep(5 * time.Millisecond)
		}
	}
}

// buildLong starts a compilation that takes seconds, and reports when it is running.
func buildLong(t *testing.T, o client.Options, script, id string) {
	text := []byte("package main\n\nfunc main() { println(f0(1)) }\n")
	for n := range 5_000 {
		text = fmt.Appendf(text, "func f%d(n int) int { if n > %d { return f%d(n * %d) }; return n }\n", n, n, (n+1)%5_000, n)
	}
	if err := os.WriteFile(script, text, 0o600); err != nil {
		t.Fatal(err)
	}
	o.Data, o.Env = filepath.Join(filepath.Dir(script), "data"), append(servertest.Environ(t), "GOFLAGS=", "GOTOOLCHAIN=local", "CGO_ENABLED=0")
	h := client.New(o)
	go func() {
		for !slices.ContainsFunc(descendants(id), func(pid int) bool {
			line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
			program, args, _ := strings.Cut(string(line), "\x00")
			return filepath.Base(program) == "compile" && strings.Contains(args, "\x00main\x00")
		}) {
			time.Sleep(time.Millisecond)
		}
		fmt.Println("ready")
	}()
	_, err := h.Connect(context.Background(), client.Config{Path: script})
	t.Fatal("it was built before it was killed", err)
}

// A host that is killed during the compilation of a server leaves no compiler behind.
func TestNobodySurvivesABuild(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("a compiler, under a host that is killed: the race detector sees neither")
	}
	if !sandbox.Probe().Confined() { // without a sandbox, go run compiles under the server's own keeper
		t.Skip(sandbox.Probe())
	}
	for n := range max(1, soak("GOATED_SOAK_KILLS", 1)/100) {
		base := t.TempDir() // an argument of all processes of the build and of its keeper
		left, took := killHost(t, filepath.Join(base, "x.go"), base, "BUILD", syscall.SIGKILL, 200*time.Millisecond)
		t.Logf("%d: %d survivors after %v", n, left, took)
		if left > 0 {
			t.Errorf("%d survivors", left)
		}
	}
}

// F28, F29: the host is killed at a random point of connecting, running or disconnecting, or
// ended by a panic. It leaves no process behind, with and without bubblewrap. GOATED_SOAK_KILLS
// sets the number of repetitions, 20 by default.
func TestNobodySurvivesTheHost(t *testing.T) {
	t.Parallel()
	server := misbehave(t, "plain").Path
	kills := soak("GOATED_SOAK_KILLS", 20)
	survivors := 0
	gone := make(map[string][]time.Duration)
	var mu sync.Mutex
	work := make(chan int)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for n := range work {
				how := []string{"ALONE", "BARE", "BUBBLE", "BUBBLE"}[n%4] // servers without a keeper start no processes
				end := syscall.SIGKILL
				if n%5 == 4 {
					end = syscall.SIGUSR1 // makes it panic
				}
				left, took := killHost(t, server, fmt.Sprintf("%s-%d-", mark(t), n), how, end, 150*time.Millisecond)
				mu.Lock()
				survivors += left
				gone[how] = append(gone[how], took)
				mu.Unlock()
			}
		})
	}
	for n := range kills {
		work <- n
	}
	close(work)
	wg.Wait()
	t.Logf("%d kills of the host: %d survivors", kills, survivors)
	for how, gone := range gone {
		slices.Sort(gone)
		t.Logf("%s: all were gone after %v at the median, %v at p99, %v at most", how, gone[len(gone)/2], gone[len(gone)*99/100], gone[len(gone)-1])
	}
	if survivors > 0 {
		t.Errorf("%d survivors", survivors)
	}
}

// killHost runs a host and kills it at a random moment within the duration first. It returns
// how many processes are left and how long they took to end.
func killHost(t *testing.T, server, id, how string, end syscall.Signal, first time.Duration) (left int, took time.Duration) {
	cmd := exec.Command(os.Args[0], "-test.run=^TestHostToKill$")
	cmd.Env = append(os.Environ(), "GOATED_TEST_MARK="+id, "GOATED_TEST_SERVER="+server, "GOATED_TEST_"+how+"=yes", "GOATED_TEST_KEEPER="+smallKeeper.build(t),
		"TMPDIR="+t.TempDir()) // a killed host does not clean up
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Error(err)
		return 0, 0
	}
	if err := cmd.Start(); err != nil {
		t.Error(err)
		return 0, 0
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
		t.Errorf("the host says %q, %v", line, err)
	}
	time.Sleep(time.Duration(rand.Int64N(int64(first))))
	// Searching for them repeatedly would slow them down.
	var watched []int
	for _, pid := range descendants(id) {
		if fd, err := unix.PidfdOpen(pid, 0); err == nil {
			watched = append(watched, fd)
		}
	}
	began := time.Now()
	_ = cmd.Process.Signal(end)
	_ = cmd.Wait()
	limit := time.Minute // after this they count as survivors
	for _, fd := range watched {
		_, _ = unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, max(0, int((limit-time.Since(began)).Milliseconds())))
		_ = unix.Close(fd)
	}
	took = time.Since(began)
	for len(descendants(id)) > 0 { // processes that were born since then, or that are between fork and exec and have no mark yet
		if time.Since(began) > limit {
			return len(descendants(id)), time.Since(began)
		}
		time.Sleep(10 * time.Millisecond)
		took = time.Since(began)
	}
	return 0, took
}

// A server with Alone set has no keeper between itself and goated.
func TestAloneHasNoKeeper(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{})
	for _, alone := range []bool{false, true} {
		id := mark(t) + strconv.FormatBool(alone)
		c := misbehave(t, "plain", id)
		c.Alone = alone
		connect(t, h, c)
		pids := descendants(id)
		if len(pids) != 1 {
			t.Fatalf("processes: %v", pids)
		}
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pids[0]))
		if err != nil {
			t.Fatal(err)
		}
		if ours := strings.Contains(string(stat), fmt.Sprintf("\nPPid:\t%d\n", os.Getpid())); ours != alone {
			t.Errorf("alone is %t, goated's own child is %t", alone, ours)
		}
	}
}
