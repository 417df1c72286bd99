package dialogsocket

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"goated/servers/pause/dialog"
)

// TestMain makes the test program act as goated with the socket ("host FOLDER"), or as a program that
// asks ("ask FOLDER SUBJECT").
func TestMain(m *testing.M) {
	switch {
	case len(os.Args) == 3 && os.Args[1] == "host":
		host(os.Args[2])
	case len(os.Args) == 4 && os.Args[1] == "ask":
		asker(os.Args[2], os.Args[3])
	default:
		goleak.VerifyTestMain(m)
	}
}

// host opens a dialog socket whose user answers each question after a moment. It records each answer before
// it returns it.
func host(folder string) {
	var mu sync.Mutex
	n := 0
	_, err := Listen(Options{Folder: folder, Ask: func(_ context.Context, r Request) (dialog.Answer, error) {
		r.Shown()
		time.Sleep(rand.N(3 * time.Millisecond)) // the user thinks
		mu.Lock()
		defer mu.Unlock()
		n++
		a := dialog.Answer{Text: fmt.Sprintf("%s, answer %d of %d", r.Question.Subject(), n, os.Getpid())}
		f, err := os.OpenFile(filepath.Join(folder, "given"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err == nil {
			_, err = f.WriteString(a.Text + "\n")
			err = errors.Join(err, f.Close())
		}
		return a, err
	}})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("open")
	_, _ = io.Copy(io.Discard, os.Stdin) // until it is killed or the test ends
}

// asker asks one question and prints the answer.
func asker(folder, subject string) {
	c := &Client{Folder: folder, Base: 50 * time.Millisecond}
	defer c.Close()
	question := &dialog.TextInput{Question: subject, MaxLength: 100}
	a, err := c.Ask(context.Background(), dialog.Caller{Name: "killed"}, question)
	// On a busy machine, goated may need longer to restart than the retries wait.
	for patience := time.Now().Add(20 * time.Second); errors.Is(err, ErrClosed) && time.Now().Before(patience); {
		time.Sleep(50 * time.Millisecond)
		a, err = c.Ask(context.Background(), dialog.Caller{Name: "killed"}, question)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	time.Sleep(rand.N(4 * time.Millisecond)) // simulates passing the answer on
	fmt.Println(a.Text)
}

// A child is the test program in one of its roles.
type child struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	said bytes.Buffer // its stderr; valid after Wait
}

func start(t *testing.T, args ...string) *child {
	t.Helper()
	c := &child{cmd: exec.Command(os.Args[0], args...)}
	var err error
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.out = bufio.NewReader(out)
	c.cmd.Stderr = &c.said
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return c
}

// line returns the next line that the child prints, or "" if it exits before that.
func (c *child) line() string {
	text, _ := c.out.ReadString('\n')
	return strings.TrimSpace(text)
}

// kill kills the child like kill -9.
func (c *child) kill() {
	_ = c.cmd.Process.Kill()
	_, _ = c.cmd.Process.Wait() // it was killed; its output is read later
}

// goated, or the program that asks, is killed at random moments. No answer of the user is lost:
// once it is saved, the next request for the same question gets it, and the user is not asked
// again. No caller gets an answer that the user did not give to its question. GOATED_SOCKET_KILLS
// sets the number of kills.
func TestNoAnswerIsLostToKills(t *testing.T) {
	folder := t.TempDir()
	given := func(subject string) (all []string) {
		text, _ := os.ReadFile(filepath.Join(folder, "given")) // fails if no answer was given yet
		for l := range strings.Lines(string(text)) {
			if strings.HasPrefix(l, subject+",") {
				all = append(all, strings.TrimSpace(l))
			}
		}
		return all
	}
	socket := start(t, "host", folder)
	t.Cleanup(func() { socket.kill() })
	if socket.line() != "open" {
		t.Fatal("the socket does not open")
	}
	var saved, unsaved, received int
	for i := range times(t, "GOATED_SOCKET_KILLS", 25) {
		subject := fmt.Sprint("question ", i)
		k := key(dialog.Caller{Name: "killed"}, "", &dialog.TextInput{Question: subject, MaxLength: 100})
		c := start(t, "ask", folder, subject)
		time.Sleep(rand.N(16 * time.Millisecond))
		killed := rand.N(3)
		if killed != 1 {
			socket.kill()
		}
		if killed != 0 {
			c.kill()
		}
		if killed != 1 {
			if socket = start(t, "host", folder); socket.line() != "open" {
				t.Fatal("the socket does not open again")
			}
		}
		if killed != 0 && slices.Contains(given(subject), c.line()) { // it already had its answer
			received++
			continue
		}
		if killed == 0 { // the caller is alive, so it reconnects and gets the answer
			first := c.line()
			_ = c.cmd.Wait() // its output shows how it ended
			if all := given(subject); first == "" || !slices.Contains(all, first) {
				t.Fatalf("kill %d: the caller gets %q of %q, and says %q", i, first, all, &c.said)
			}
			received++
			continue
		}
		before := given(subject)
		text, err := os.ReadFile(filepath.Join(folder, "answers.json"))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		kept := make(map[string]keptAnswer)
		if err == nil {
			if err := json.Unmarshal(text, &kept); err != nil {
				t.Fatalf("kill %d: the saved answers are unreadable: %v", i, err)
			}
		}
		again := start(t, "ask", folder, subject)
		got := again.line()
		_ = again.cmd.Wait() // its output shows how it ended
		all := given(subject)
		if got == "" || !slices.Contains(all, got) {
			t.Fatalf("kill %d: the next caller gets %q of %q, and says %q", i, got, all, &again.said)
		}
		switch answer, ok := kept[k]; {
		case ok && got != answer.Answer.Text:
			t.Fatalf("kill %d: the answer %q was saved, and the next caller gets %q", i, answer.Answer.Text, got)
		case ok && len(all) > len(before):
			t.Fatalf("kill %d: the answer was saved, and the user is asked again", i)
		case ok:
			saved++
		default:
			unsaved++
		}
	}
	t.Logf("%d callers got their answer in spite of a kill, %d answers were saved when goated or the caller ended, %d questions were still open", received, saved, unsaved)
}
