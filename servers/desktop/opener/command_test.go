package opener

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"goated/internal/waittest"
	"goated/servers/desktop/command"
	"goated/servers/desktop/guard"
)

// The server's commands run as the user, with goated's environment variables but without its API
// keys, and only if the user's switch is on. A command ends with its call.
func TestCommandsRunAsTheUser(t *testing.T) {
	t.Setenv("GEMINI_API_KEY", "secret")
	h := New(Options{Scripts: true})
	run := AskCommand(direct{h})
	dir := t.TempDir()
	c := command.Command{Args: []string{"/bin/sh", "-c", `cat; echo "$A-$GEMINI_API_KEY-$PWD" > out; cat out; exit 3`}, Folder: dir, Env: []string{"A=b"}, Stdin: "in "}
	r, err := run(t.Context(), c, time.Minute)
	if err != nil || r.Code != 3 || r.Stdout != "in b--"+dir+"\n" || r.Error == "" || r.Took <= 0 {
		t.Errorf("%+v, %v", r, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	began := time.Now()
	if _, err := run(ctx, command.Command{Args: []string{"/bin/sh", "-c", "sleep 100; touch late"}, Folder: dir}, time.Minute); !errors.Is(err, context.Canceled) || time.Since(began) > 30*time.Second {
		t.Errorf("a cancelled command: %v after %v", err, time.Since(began))
	}
	waittest.Until(t, "it ends with the call", func() bool {
		h.mu.Lock()
		defer h.mu.Unlock()
		return len(h.running) == 0
	})
	if _, err := os.Stat(filepath.Join(dir, "late")); err == nil {
		t.Error("it went on after the call")
	}
	var refusal *guard.Refusal
	if _, err := AskCommand(direct{New(Options{})})(t.Context(), c, time.Minute); !errors.As(err, &refusal) || !strings.Contains(err.Error(), "did not turn on") {
		t.Errorf("without the switch: %v", err)
	}
	if _, err := run(t.Context(), c, time.Hour); err == nil {
		t.Error("a command runs for an hour")
	}
	made := filepath.Join(dir, "a", "b")
	if err := AskFolder(direct{h})(t.Context(), made); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(made); err != nil || !info.IsDir() {
		t.Error("the folder is missing: ", err)
	}
	if err := AskFolder(direct{h})(t.Context(), "a"); err == nil {
		t.Error("a folder is made somewhere")
	}
}
