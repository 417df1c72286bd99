package terminal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"goated/internal/waittest"
)

// pseudoTerminal makes stdin a terminal, and returns the end with its keyboard and screen.
func pseudoTerminal(t *testing.T) (keyboard, stdin *os.File) {
	t.Helper()
	keyboard, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = keyboard.Close() })
	if err := unix.IoctlSetPointerInt(int(keyboard.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(int(keyboard.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	stdin, err = os.OpenFile(fmt.Sprint("/dev/pts/", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	own := os.Stdin
	os.Stdin = stdin
	t.Cleanup(func() {
		os.Stdin = own
		_ = stdin.Close()
	})
	return keyboard, stdin
}

// The question for a secret used to ignore Ctrl+C, and the terminal showed no typed text afterwards.
func TestSecretEndsOnCtrlC(t *testing.T) {
	keyboard, stdin := pseudoTerminal(t)
	r := NewReader(stdin)
	type answer struct {
		text string
		err  error
	}
	for _, c := range []struct {
		keys string
		want answer
	}{{"s3cret\r", answer{text: "s3cret"}}, {"s3\x03", answer{err: io.EOF}}} {
		got := make(chan answer, 1)
		go func() {
			text, err := r.Secret(t.Context(), "Key: ")
			got <- answer{text, err}
		}()
		shown := make([]byte, 256)
		n, _ := keyboard.Read(shown) // the prompt, so that the terminal is ready
		if _, err := keyboard.WriteString(c.keys); err != nil {
			t.Fatal(err)
		}
		select {
		case a := <-got:
			if a.text != c.want.text || !errors.Is(a.err, c.want.err) {
				t.Errorf("%q is %+v after %q", c.keys, a, shown[:n])
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("%q does not end the question", c.keys)
		}
		if state, err := unix.IoctlGetTermios(int(stdin.Fd()), unix.TCGETS); err != nil || state.Lflag&unix.ECHO == 0 {
			t.Errorf("after %q, the terminal shows no text: %v", c.keys, err)
		}
		for n > 0 && shown[n-1] != '\n' && c.want.err == nil { // the rest of the screen
			n, _ = keyboard.Read(shown)
		}
	}
}

// When a server took its question back, the terminal stayed in raw mode, so Ctrl+C did nothing, and the next line
// of the user went to the old question.
func TestLineEndsWithItsContext(t *testing.T) {
	keyboard, stdin := pseudoTerminal(t)
	screen := make(chan string, 100)
	go func() {
		for shown := make([]byte, 256); ; {
			n, err := keyboard.Read(shown)
			if err != nil {
				return
			}
			screen <- string(shown[:n])
		}
	}()
	r := NewReader(stdin)
	for secret, ask := range map[bool]func(context.Context, string) (string, error){false: r.Line, true: r.Secret} {
		half := "half"
		if secret {
			half = "" // the screen does not show when it is read
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() {
			_, err := ask(ctx, "Name: ")
			ended <- err
		}()
		raw := func() bool {
			state, err := unix.IoctlGetTermios(int(stdin.Fd()), unix.TCGETS)
			return err == nil && state.Lflag&unix.ISIG == 0
		}
		waittest.Until(t, "the question is open", raw)
		if _, err := keyboard.WriteString(half); err != nil {
			t.Fatal(err)
		}
		for shown := ""; !strings.Contains(shown, half); {
			shown += waittest.Receive(t, "the text is read", screen)
		}
		cancel()
		if err := waittest.Receive(t, "the question ends", ended); !errors.Is(err, context.Canceled) || raw() {
			t.Errorf("%v, raw: %t", err, raw())
		}
		got := make(chan string, 1)
		go func() {
			text, _ := ask(t.Context(), "Next: ")
			got <- text
		}()
		waittest.Until(t, "the next question is open", raw)
		if _, err := keyboard.WriteString("whole\r"); err != nil {
			t.Fatal(err)
		}
		if text := waittest.Receive(t, "the next line", got); text != "whole" {
			t.Errorf("the next line is %q", text)
		}
	}
}

// A piped line that arrives in parts is complete, although a question ended between them.
func TestPipedLineOfTwoQuestions(t *testing.T) {
	out, in := io.Pipe()
	r := newPiped(out, io.Discard)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := r.Line(ctx, "")
		ended <- err
	}()
	if _, err := io.WriteString(in, "be"); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := waittest.Receive(t, "the question ends", ended); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	go func() { _, _ = io.WriteString(in, "gun\nnext\n") }()
	for _, want := range []string{"begun", "next"} {
		if text, err := r.Line(t.Context(), ""); err != nil || text != want {
			t.Errorf("%q, %v", text, err)
		}
	}
}
