package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"goated/internal/proctest"
	"goated/internal/servertest"
)

// program is the path of the static goated. The first test that uses it builds it. Under the race
// detector no test uses it.
var program string

var buildOnce = sync.OnceValue(func() error { return headless(program) })

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == landless {
		fmt.Fprintln(os.Stderr, withoutLandlock(os.Args[2:]))
		os.Exit(1)
	}
	dir, err := os.MkdirTemp("", "goated-test-*")
	if err == nil {
		program = filepath.Join(dir, "goated")
		_ = os.Chmod(dir, 0o755) // for tests that run it as another user
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// headless creates the static goated at path. If GOATED_HEADLESS is set, it links or copies that.
func headless(path string) error {
	if made := os.Getenv("GOATED_HEADLESS"); made != "" {
		// A link is no reading, and go test repeats the tests only if a file has changed that they
		// looked at or read.
		if _, err := os.Stat(made); err != nil {
			return err
		}
		if os.Link(made, path) == nil {
			return nil
		}
		data, err := os.ReadFile(made)
		if err != nil {
			return err
		}
		return errors.Join(proctest.WriteProgram(path, data), os.Chmod(path, 0o755)) // also for other users
	}
	build := exec.Command("go", "build", "-tags", "headless", "-o", path, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("building goated: %w\n%s", err, out)
	}
	return nil
}

// A place is where a test runs goated: a home, a project, and no key.
type place struct {
	t       *testing.T
	home    string
	project string
	env     []string
	through []string // program with arguments that runs goated; may be empty
}

// newPlace creates a place, and lets the test run in parallel with others.
func newPlace(t *testing.T) *place {
	t.Helper()
	if raceDetector && testing.Short() {
		t.Skip("goated is another process, which the race detector does not see; make racewindow starts one that it sees")
	}
	t.Parallel()
	if err := buildOnce(); err != nil {
		t.Fatal(err)
	}
	path, modules := servertest.Programs(t)
	return furnish(t, path, modules)
}

func furnish(t *testing.T, path, modules string) *place {
	t.Helper()
	p := &place{t: t, home: t.TempDir(), project: t.TempDir()}
	p.write("hello.txt", "hello")
	if err := os.Mkdir(filepath.Join(p.project, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	caches, err := goCaches()
	if err != nil || len(caches) != 2 {
		t.Fatalf("go env: %q, %v", caches, err)
	}
	p.env = []string{
		"PATH=" + path, "HOME=" + p.home, "NODE_PATH=" + modules,
		"GOCACHE=" + caches[0], "GOMODCACHE=" + caches[1], "GOFLAGS=-mod=mod",
		"GOGC=400", // like in Makefile: collecting the garbage of small heaps took a tenth of what the commands take
	}
	return p
}

// goCaches returns the folders of the go command, for the Go servers of the tests.
var goCaches = sync.OnceValues(func() ([]string, error) {
	out, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE").Output()
	return strings.Fields(string(out)), err
})

// quietGo keeps "go version" of the doctor from starting a process that writes telemetry into a new
// home after the command has ended.
func (p *place) quietGo() {
	p.t.Helper()
	folder := filepath.Join(p.home, ".config", "go", "telemetry")
	if err := errors.Join(os.MkdirAll(folder, 0o700), os.WriteFile(filepath.Join(folder, "mode"), []byte("off"), 0o600)); err != nil {
		p.t.Fatal(err)
	}
}

func (p *place) write(name, content string) string {
	p.t.Helper()
	path := filepath.Join(p.project, name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		p.t.Fatal(err)
	}
	return path
}

// dice writes a small server that rolls dice, below a comment.
func (p *place) dice(comment string) string {
	p.t.Helper()
	return p.write("dice.py", comment+servertest.Small(p.t)+`
import random

server = MCPServer("dice")

@server.tool()
def roll(sides: int) -> int:
    """Roll a dice with this many sides."""
    return random.randint(1, sides)

server.run()
`)
}

func (p *place) command(ctx context.Context, args ...string) *exec.Cmd {
	argv := slices.Concat(p.through, []string{program}, args)
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = p.project, p.env
	return cmd
}

// run runs goated until it exits. The first start of a Go server compiles its modules, which takes
// half a minute of processor time while other tests use both cores.
func (p *place) run(args ...string) (stdout, stderr string, code int) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), 5*time.Minute)
	defer cancel()
	cmd := p.command(ctx, args...)
	var out, aside bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &aside
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		p.t.Fatal(err)
	}
	return out.String(), aside.String(), cmd.ProcessState.ExitCode()
}
