package serverlog

import (
	"log/slog"
	"os"
	"strings"
	"testing"
)

// A control character at the beginning of a message is escaped too, because a message must not
// begin a new line.
func TestLogEscapesTheFirstCharacter(t *testing.T) {
	for text, want := range map[string]string{"\nx": `\u000ax`, "x\n": `x\u000a`, "x": "x", "": ""} {
		var out strings.Builder
		New(&out).Printf(Warn, "%s", text)
		if _, got, _ := strings.Cut(out.String(), "] [WARN] "); got != want+"\n" {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestDefaultIsStderr(t *testing.T) {
	if New(nil).w != os.Stderr {
		t.Error("a log without a writer does not write to stderr")
	}
}

// The players, the workspace and the backend are closed when the last session ends, not when the
// first one does.
func TestStopsWithTheLastSession(t *testing.T) {
	var out strings.Builder
	stops := 0
	l := New(&out).Sessions(func() { stops++ })
	l.Info(sessionBegins)
	l.Info(sessionBegins)
	l.Info(sessionEnds)
	if stops != 0 {
		t.Error("one session is left, and the server stopped")
	}
	l.Info(sessionEnds)
	l.Error(runCancelled)
	l.Warn("a warning", slog.String("of", "the SDK"))
	l.Error("an error")
	if stops != 1 {
		t.Errorf("the server stopped %d times", stops)
	}
	if log := out.String(); strings.Contains(log, runCancelled) || !strings.Contains(log, "[WARN] a warning of=the SDK") || !strings.Contains(log, "[ERROR] an error") {
		t.Errorf("the log is\n%s", log)
	}
}
