package bustest_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"

	"goated/internal/bustest"
)

// child is the environment variable that makes the test run as the process to kill.
const child = "GOATED_BUSTEST_CHILD"

// A test's bus ends with the test, and also with the test's process if that is killed, for example
// at a timeout.
func TestBusEndsWithAKilledTest(t *testing.T) {
	if os.Getenv(child) != "" {
		fmt.Println(bustest.Start(t))
		_, _ = io.Copy(io.Discard, os.Stdin) // blocks until it is killed
		return
	}
	if runtime.GOOS != "linux" {
		t.Skip("only Linux ends a program with its parent")
	}
	if _, err := exec.LookPath("dbus-daemon"); err != nil {
		t.Skip("dbus-daemon is not installed: make tools installs it")
	}
	dir, err := os.MkdirTemp("", "bus") // a path below t.TempDir is too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	cmd := exec.Command(os.Args[0], "-test.run=^TestBusEndsWithAKilledTest$")
	cmd.Env = append(os.Environ(), child+"=1", "TMPDIR="+dir)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	conn, err := dbus.Connect(strings.TrimSpace(address))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	select {
	case <-conn.Context().Done(): // the bus closed the connection
	case <-time.After(time.Minute):
		t.Error("the bus outlives its test")
	}
}
