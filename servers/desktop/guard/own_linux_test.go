package guard

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"goated/internal/proctest"
)

// In tmux, goated's questions appear in the terminal of tmux's client, which did not start goated.
// That terminal is out of reach too.
func TestTheTerminalOfAMultiplexerIsGoateds(t *testing.T) {
	dir := t.TempDir()
	run := func(name, script string) (pid, below int) { // below is the PID that the script prints
		t.Helper()
		path := filepath.Join(dir, name)
		if err := proctest.WriteProgram(path, []byte("#!/bin/sh\n"+script)); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(path)
		in, err := cmd.StdinPipe() // closing it ends all of them
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = in.Close(); _ = cmd.Wait() })
		line, err := bufio.NewReader(out).ReadString('\n')
		if err == nil {
			below, err = strconv.Atoi(strings.TrimSpace(line))
		}
		if err != nil {
			t.Fatal(err)
		}
		return cmd.Process.Pid, below
	}
	const child = "sh -c 'echo $$; read x'\n"
	_, goated := run("tmux: server", child)
	client := filepath.Join(dir, "tmux: client")
	if err := proctest.WriteProgram(client, []byte("#!/bin/sh\necho $$; read x\n")); err != nil {
		t.Fatal(err)
	}
	terminal, shows := run("terminal", "'"+client+"'\n:\n")
	other, _ := run("other", child)
	own := Ancestors(goated, nil)
	for name, pid := range map[string]int{"goated": goated, "the client": shows, "its terminal": terminal, "the test": os.Getpid()} {
		if !slices.Contains(own, pid) {
			t.Errorf("%s is not goated's: %d in %v", name, pid, own)
		}
	}
	if slices.Contains(own, other) {
		t.Errorf("another program is goated's")
	}
	if inside := Ancestors(other, nil); slices.Contains(inside, terminal) {
		t.Errorf("without a multiplexer, its clients are goated's: %v", inside)
	}
}
