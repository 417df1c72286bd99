// Package doctor checks whether this computer has everything that goated needs: interpreters, the
// sandbox and sound. It changes nothing. It must not know goated's settings or servers.
package doctor

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"

	"goated/internal/sandbox"
)

// A Finding is the result of one check.
type Finding struct {
	Name  string `json:"name"`
	OK    bool   `json:"ok"`
	Found string `json:"found"`
	Fix   string `json:"fix,omitempty"` // the next step if the check failed
}

// Interpreter finds the program for a kind of server and asks for its version.
func Interpreter(ctx context.Context, look func(string) (string, error), what, fix, flag string, names ...string) Finding {
	for _, name := range names {
		path, err := look(name)
		if err != nil {
			continue
		}
		out, err := exec.CommandContext(ctx, path, flag).CombinedOutput()
		if err != nil {
			return Finding{Name: what, Found: fmt.Sprintf("%s does not run: %v", path, err), Fix: fix}
		}
		return Finding{Name: what, OK: true, Found: fmt.Sprintf("%s (%s)", strings.TrimSpace(string(out)), path)}
	}
	return Finding{Name: what, Found: names[0] + " is not on the PATH", Fix: fix}
}

// Sandbox checks which parts of the sandbox this system can enforce.
func Sandbox(ctx context.Context) Finding {
	s := sandbox.Probe()
	b := sandbox.FindBubble(ctx, os.Getenv("PATH"))
	if s.Confined() {
		s.Wrap = b.Wrap
		s.Signals = s.Signals || b.Wrap == sandbox.Wrapped
	}
	f := Finding{Name: "sandbox", OK: s.Confined(), Found: s.String()}
	if b.Wrap == sandbox.WrapFails {
		f.Found += " Error: " + b.Err.Error()
	}
	if !f.OK {
		f.Fix = "goated asks before it runs a server, because it would have all your rights. Use Linux 5.13 or newer with Landlock for a sandbox"
	}
	return f
}

// Sound checks whether ghost can play sounds.
func Sound() Finding {
	if runtime.GOOS != "linux" {
		return Finding{Name: "sound", OK: true, Found: "the system's player"}
	}
	for _, name := range []string{"paplay", "aplay", "pw-play"} {
		if path, err := exec.LookPath(name); err == nil {
			return Finding{Name: "sound", OK: true, Found: path}
		}
	}
	return Finding{Name: "sound", Found: "no audio player", Fix: "install pulseaudio-utils or alsa-utils; everything else works without them"}
}
