package terminal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"
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
			text, err := r.Secret("Key: ")
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
