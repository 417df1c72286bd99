//go:build unix

package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"

	"goated/internal/sandbox"
	"goated/internal/servertest"
)

// A screen is goated in a real terminal, with somebody at the keyboard.
type screen struct {
	t   *testing.T
	tty *os.File
	mu  sync.Mutex
	got bytes.Buffer
}

func (p *place) screen(args ...string) (*screen, func() int) {
	p.t.Helper()
	cmd := p.command(p.t.Context(), args...)
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 40, Cols: 160})
	if err != nil {
		p.t.Fatal(err)
	}
	s := &screen{t: p.t, tty: tty}
	read := make(chan struct{})
	go func() {
		defer close(read)
		_, _ = io.Copy(s, tty) // until the program ends
	}()
	return s, func() int {
		_ = cmd.Wait()
		<-read
		_ = tty.Close()
		return cmd.ProcessState.ExitCode()
	}
}

func (s *screen) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.got.Write(b)
}

func (s *screen) wait(text string) {
	s.t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		s.mu.Lock()
		at := strings.Index(s.got.String(), text)
		if at >= 0 {
			s.got.Next(at + len(text))
		}
		shown := s.got.String()
		s.mu.Unlock()
		if at >= 0 {
			return
		}
		if time.Now().After(deadline) {
			s.t.Fatalf("no %q on the screen:\n%s", text, shown)
		}
	}
}

func (s *screen) enter(text string) {
	s.t.Helper()
	if _, err := io.WriteString(s.tty, text+"\r"); err != nil {
		s.t.Fatal(err)
	}
}

// A person refuses, allows, and fills in what is missing.
func TestTerminalChat(t *testing.T) {
	p := newPlace(t)
	s, end := p.screen("chat", "--server", servertest.Script("dice.js"))
	s.wait("No model is answering")
	s.wait("› ")
	s.enter("remember tea as green")
	s.wait("[n]o: ")
	s.enter("n")
	s.wait("You did not allow this call.")
	s.wait("› ")
	s.enter("/roll")
	s.wait("sides")
	s.enter("none")
	s.wait("must be a number")
	s.enter("1")
	s.wait("[n]o: ")
	s.enter("always")
	s.wait("✓ roll")
	s.wait("› ")
	s.enter(`/roll {"sides": 1}`)
	s.wait("✓ roll") // not asked again
	s.wait("› ")
	_, _ = io.WriteString(s.tty, "\x04")
	if code := end(); code != 0 {
		t.Errorf("status %d", code)
	}
}

// A server's question reaches the person, under the server's name.
func TestTerminalElicitation(t *testing.T) {
	p := newPlace(t)
	servertest.UsePythonV1(t)
	p.env[0] = "PATH=" + os.Getenv("PATH")
	s, end := p.screen("call", "ask", "--yes", "--server", servertest.Script("fast.py"))
	s.wait("The server fast asks: What is your favourite colour?")
	s.wait("Colour: ")
	s.enter("sage")
	s.wait("Send this to fast?")
	s.enter("y")
	s.wait("accept sage")
	if code := end(); code != 0 {
		t.Errorf("status %d", code)
	}
}

// A server that lacks something is asked for at the terminal: Enter is a no, as is
// anything but a yes, and what opens far more than a file wants the whole word.
func TestTerminalPermission(t *testing.T) {
	if !sandbox.Probe().Confined() {
		t.Skip(sandbox.Probe())
	}
	p := newPlace(t)
	echo, err := os.ReadFile(filepath.Join("..", "..", "ui", "testdata", "echo.py"))
	if err != nil {
		t.Fatal(err)
	}
	diary := filepath.Join(t.TempDir(), "diary.txt")
	if err := os.WriteFile(diary, []byte("dear diary"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		first, wants, means, question, answer string
		allowed                               bool
	}{
		{"open(%q).read()", diary, "It could read everything there", "Allow it until goated quits? [y/N] ", "", false},
		{"open(%q).read()", diary, "It could read everything there", "Allow it until goated quits? [y/N] ", "no", false},
		{"open(%q).read()", diary, "It could read everything there", "Allow it until goated quits? [y/N] ", "y", true},
		{"import os; os.listdir(%q)", p.home, "That is all your files", "Allow it until goated quits? [yes/N] ", "y", false},
		{"import os; os.listdir(%q)", p.home, "That is all your files", "Allow it until goated quits? [yes/N] ", "yes", true},
	} {
		script := p.write("diarist.py", fmt.Sprintf(tt.first, tt.wants)+"\n"+string(echo))
		s, end := p.screen("chat", "--server", script)
		s.wait("diarist wants to read ")
		s.wait(tt.means)
		s.wait(tt.question)
		s.enter(tt.answer)
		if tt.allowed {
			s.wait("is available now")
			s.wait("› ")
			_, _ = io.WriteString(s.tty, "\x04")
		}
		if code := end(); (code == 0) != tt.allowed {
			t.Errorf("%s, %q: status %d", tt.wants, tt.answer, code)
		}
	}
}

// Ctrl+C stops the turn and its tool, not the chat, which takes another message.
func TestTerminalInterrupt(t *testing.T) {
	p := newPlace(t)
	servertest.UsePythonV1(t)
	p.env[0] = "PATH=" + os.Getenv("PATH")
	s, end := p.screen("chat", "--yes", "--server", servertest.Script("fast.py"))
	s.wait("› ")
	s.enter(`/slow {"mark": "mark"}`)
	s.wait("⚙ slow")
	_, _ = io.WriteString(s.tty, "\x03")
	s.wait("✗ slow")
	s.wait("› ")
	s.enter("list the files in .")
	s.wait("✓ read_project_context")
	s.wait("› ")
	_, _ = io.WriteString(s.tty, "\x04")
	if code := end(); code != 0 {
		t.Errorf("status %d", code)
	}
}

// A person who waits is told how far a tool is.
func TestTerminalProgress(t *testing.T) {
	p := newPlace(t)
	s, end := p.screen("chat", "--yes", "--server", servertest.Everything())
	s.wait("› ")
	s.enter(`/trigger-long-running-operation {"duration": 1, "steps": 4}`)
	s.wait("… trigger-long-running-operation 25 %")
	s.wait("✓ trigger-long-running-operation")
	s.wait("› ")
	_, _ = io.WriteString(s.tty, "\x04")
	if code := end(); code != 0 {
		t.Errorf("status %d", code)
	}
}
