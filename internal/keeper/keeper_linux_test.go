package keeper

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"golang.org/x/sys/unix"

	"goated/internal/proc"
	"goated/internal/sandbox"
)

// build compiles cmd/keeper, once.
var build = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "goated-keeper-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "keeper")
	cmd := exec.Command("go", "build", "-buildvcs=false", "-ldflags=-s -w", "-o", path, "goated/cmd/keeper")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	return os.ReadFile(path)
})

func built(t *testing.T) []byte {
	t.Helper()
	image, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return image
}

// loaded returns the path of a keeper in memory.
func loaded(t *testing.T) string {
	t.Helper()
	path := load(bytes.NewReader(built(t)))
	if path == "" {
		t.Skip("this system does not run programs from memory")
	}
	var fd int
	if _, err := fmt.Sscanf(path, "/proc/self/fd/%d", &fd); err != nil {
		t.Fatal(path)
	}
	t.Cleanup(func() { _ = unix.Close(fd) })
	return path
}

// kept starts a program that echoes its input, under the keeper and as confined as this system
// allows.
func kept(t *testing.T, keeper string, bubble sandbox.Bubble) *proc.Process {
	t.Helper()
	program, err := exec.LookPath("cat")
	if err != nil {
		t.Skip(err)
	}
	c := proc.Command{Program: program, Keeper: []string{keeper}}
	if sandbox.Probe().Confined() {
		p := sandbox.For(program, "", t.TempDir(), nil)
		p.Network, p.Hosts = sandbox.NamedHosts, []string{"example.org"} // so that each server has a proxy
		c.Policy = &p
		c = c.WithBubble(bubble)
	}
	p, err := proc.Start(t.Context(), c, new(proc.LogRing))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.Stop()
		_ = p.Stdout.Close()
	})
	return p
}

// A keeper that exists only in memory supervises a server, with and without bubblewrap. The server
// inherits no open file of it.
func TestLoad(t *testing.T) {
	keeper := loaded(t)
	for name, bubble := range map[string]sandbox.Bubble{"bare": {}, "bubble": sandbox.FindBubble(t.Context(), os.Getenv("PATH"))} {
		t.Run(name, func(t *testing.T) {
			p := kept(t, keeper, bubble)
			if bubble.Wrap == sandbox.Wrapped && sandbox.Probe().Confined() && p.Sandbox().Wrap != sandbox.Wrapped {
				t.Errorf("it runs %v", p.Sandbox().Wrap)
			}
			if _, err := io.WriteString(p.Stdin, "hello"); err != nil {
				t.Fatal(err)
			}
			b := make([]byte, 5)
			if _, err := io.ReadFull(p.Stdout, b); err != nil || string(b) != "hello" {
				t.Errorf("%q, %v", b, err)
			}
			p.Stop()
			if p.Exit() != (proc.Exit{}) {
				t.Errorf("it ended with %v", p.Exit())
			}
		})
	}
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	out, lines, _, err := proc.Run(t.Context(), proc.Command{Program: sh, Args: []string{"-c", "for f in 3 4 5 6 7 8; do readlink /proc/$$/fd/$f; done; echo end"}, Keeper: []string{keeper}})
	if err != nil || out != "end\n" {
		t.Errorf("the server has %q, %q, %v", out, lines, err)
	}
}

// Nobody can change the program in memory. If the system cannot execute it, goated does not use it.
func TestLoadSeals(t *testing.T) {
	path := loaded(t)
	if f, err := os.OpenFile(path, os.O_WRONLY, 0); err == nil {
		if _, err := f.WriteString("x"); err == nil {
			t.Error("the program can be changed")
		}
		_ = f.Close()
	}
	if path := load(strings.NewReader("no program")); path != "" {
		t.Errorf("%s is used, which is no program", path)
	}
}

// If goated has no program that it can run, or one from another commit, it acts as its own keeper.
func TestCommand(t *testing.T) {
	own := []string{"/own", "keep-server"}
	image := built(t)
	files := func(image []byte, from string) fstest.MapFS {
		return fstest.MapFS{"program/keeper": {Data: image}, "program/made-from": {Data: []byte(from)}}
	}
	for name, f := range map[string]fstest.MapFS{
		"none": {}, "no commit": {"program/keeper": {Data: image}}, "another commit": files(image, "b0b\n"), "no program": files([]byte("text"), "ada\n"),
	} {
		if got := choose(f, "ada", own); !slices.Equal(got, own) {
			t.Errorf("%s: got %q", name, got)
		}
	}
	if load(bytes.NewReader(image)) == "" {
		t.Skip("this system does not run programs from memory")
	}
	for _, commit := range []string{"ada", ""} { // or unknown
		if got := choose(files(image, "ada\n"), commit, own); len(got) != 1 || !strings.HasPrefix(got[0], "/proc/self/fd/") {
			t.Errorf("%q: got %q", commit, got)
		}
	}
}

// 20 keepers use at most 30 MB. They used 85 to 156 MB when each was a whole goated.
func TestKeepersAreSmall(t *testing.T) {
	keeper, bubble := loaded(t), sandbox.FindBubble(t.Context(), os.Getenv("PATH"))
	for range 20 {
		kept(t, keeper, bubble)
	}
	count, sum := 0, 0
	processes, _ := filepath.Glob("/proc/[0-9]*")
	for _, process := range processes {
		line, err := os.ReadFile(filepath.Join(process, "cmdline"))
		if err != nil || !bytes.HasPrefix(line, []byte("/proc/self/fd/7\x00")) || !descends(process) {
			continue
		}
		count++
		sum += pss(t, process)
	}
	if count != 20 {
		t.Fatalf("%d keepers", count)
	}
	t.Logf("20 keepers use %d kB", sum)
	if sum > 30<<10 { // the kernel's kB is 1,024 bytes
		t.Errorf("20 keepers use %d kB, at most 30 MB are allowed", sum)
	}
}

// descends reports whether a process descends from this one.
func descends(process string) bool {
	for range 8 {
		status, err := os.ReadFile(filepath.Join(process, "status"))
		if err != nil {
			return false
		}
		_, rest, _ := strings.Cut(string(status), "\nPPid:\t")
		parent, _, _ := strings.Cut(rest, "\n")
		if parent == fmt.Sprint(os.Getpid()) {
			return true
		}
		process = filepath.Join("/proc", parent)
	}
	return false
}

// pss returns the memory of a process in kB, with its share of shared memory.
func pss(t *testing.T, process string) int {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(process, "smaps_rollup"))
	if err != nil {
		t.Skip(err)
	}
	_, rest, _ := strings.Cut(string(data), "\nPss:")
	kb := 0
	if _, err := fmt.Sscan(rest, &kb); err != nil {
		t.Fatal(err)
	}
	return kb
}
