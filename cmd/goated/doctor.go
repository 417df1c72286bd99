package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"goated/agent"
	"goated/internal/sandbox"
	"goated/internal/serverflags"
)

// A finding is the result of one check.
type finding struct {
	Name  string `json:"name"`
	OK    bool   `json:"ok"`
	Found string `json:"found"`
	Fix   string `json:"fix,omitempty"` // the next step if the check failed
}

func doctorCommand(o *options) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check what works here and how to fix the rest",
		Example: "  goated doctor\n" +
			"  goated doctor --json",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			found := o.examine(cmd.Context())
			if asJSON {
				enc := json.NewEncoder(cmd.OutOrStdout())
				enc.SetIndent("", "  ")
				return enc.Encode(found)
			}
			for _, f := range found {
				mark := "✓"
				if !f.OK {
					mark = "✗"
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%s %-18s %s\n", mark, f.Name, f.Found)
				if f.Fix != "" {
					fmt.Fprintf(cmd.OutOrStdout(), "  %-18s → %s\n", "", f.Fix)
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON array")
	return cmd
}

func (o *options) examine(ctx context.Context) []finding {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	found := []finding{
		{Name: "goated", OK: true, Found: fmt.Sprintf("%s, %s, %s/%s", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)},
		window(),
		interpreter(ctx, "Python servers", "install Python 3.10 or newer", "--version", "python3", "python"),
		interpreter(ctx, "JavaScript servers", "install Node.js 18 or newer", "--version", "node"),
		interpreter(ctx, "Go servers", "install Go from https://go.dev/dl", "version", "go"),
		confinement(ctx),
		sound(),
		key(ctx),
	}
	found = append(found, o.folders()...)
	return append(found, o.ghost(ctx))
}

func window() finding {
	if why := noWindow(); why != "" {
		fix := "start goated in a desktop session, or use \"goated chat\" here"
		if !hasWindow {
			fix = "run \"make build\", which needs a C compiler, or use \"goated chat\" here"
		}
		return finding{Name: "window", Found: why, Fix: fix}
	}
	return finding{Name: "window", OK: true, Found: strings.TrimSpace("display " + os.Getenv("DISPLAY"))}
}

// interpreter finds the program for a kind of server and asks for its version.
func interpreter(ctx context.Context, what, fix, flag string, names ...string) finding {
	for _, name := range names {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		out, err := exec.CommandContext(ctx, path, flag).CombinedOutput()
		if err != nil {
			return finding{Name: what, Found: fmt.Sprintf("%s does not run: %v", path, err), Fix: fix}
		}
		return finding{Name: what, OK: true, Found: fmt.Sprintf("%s (%s)", strings.TrimSpace(string(out)), path)}
	}
	return finding{Name: what, Found: names[0] + " is not on the PATH", Fix: fix}
}

// confinement checks which parts of the sandbox this system enforces.
func confinement(ctx context.Context) finding {
	s := sandbox.Probe()
	b := sandbox.FindBubble(ctx, os.Getenv("PATH"))
	if s.Confined() {
		s.Wrap = b.Wrap
		s.Signals = s.Signals || b.Wrap == sandbox.Wrapped
	}
	f := finding{Name: "sandbox", OK: s.Confined(), Found: s.String()}
	if b.Wrap == sandbox.WrapFails {
		f.Found += " Error: " + b.Err.Error()
	}
	if !f.OK {
		f.Fix = "goated asks before it runs a server, because it would have all your rights. Use Linux 5.13 or newer with Landlock for a sandbox"
	}
	return f
}

func sound() finding {
	if runtime.GOOS != "linux" {
		return finding{Name: "sound", OK: true, Found: "the system's player"}
	}
	for _, name := range []string{"paplay", "aplay", "pw-play"} {
		if path, err := exec.LookPath(name); err == nil {
			return finding{Name: "sound", OK: true, Found: path}
		}
	}
	return finding{Name: "sound", Found: "no audio player", Fix: "install pulseaudio-utils or alsa-utils; everything else works without them"}
}

// key checks whether there is a key, without showing it.
func key(ctx context.Context) finding {
	if _, from := findKey(ctx); from != "" {
		f := finding{Name: "Gemini key", OK: true, Found: "from " + from}
		if base := os.Getenv("GOOGLE_GEMINI_BASE_URL"); base != "" {
			f.Found += ", sent to " + base
		}
		return f
	}
	return finding{
		Name: "Gemini key", Found: "none: goated looks for the tool that fits your words",
		Fix: "set GEMINI_API_KEY, or run \"goated key set\"; the default model is " + agent.DefaultModel,
	}
}

// folders checks whether goated can write its data and read its settings.
func (o *options) folders() []finding {
	f := finding{Name: "data", OK: true, Found: o.dataDir()}
	err := os.MkdirAll(o.dataDir(), 0o700)
	if err == nil {
		var probe *os.File
		if probe, err = os.CreateTemp(o.dataDir(), ".doctor-*"); err == nil {
			_ = probe.Close()
			err = os.Remove(probe.Name())
		}
	}
	if err != nil {
		f = finding{Name: "data", Found: err.Error(), Fix: "make the folder writable, or choose another one with --data"}
	}
	s := finding{Name: "settings", OK: true, Found: o.settingsFile()}
	if _, err := o.loadSettings(); err != nil {
		s = finding{Name: "settings", Found: err.Error(), Fix: "check that file and its permissions"}
	} else if _, err := os.Stat(o.settingsFile()); err != nil {
		s.Found = "none yet, goated uses the defaults (" + filepath.Clean(o.settingsFile()) + ")"
	}
	return []finding{f, s}
}

// ghost connects the default bundled server, as every start does.
func (o *options) ghost(ctx context.Context) finding {
	own := *o
	own.given, own.bundled.none = serverflags.List{}, false
	a, err := own.open(nil, nil, anyKey(ctx))
	if err != nil {
		return finding{Name: "ghost", Found: err.Error(), Fix: "see above"}
	}
	defer a.close()
	var said strings.Builder
	failed, err := a.connect(ctx, &said, nil)
	if err == nil {
		err = failed.status()
	}
	if n := a.host.Snapshot().Tools(); err == nil && n > 0 {
		return finding{Name: "ghost", OK: true, Found: fmt.Sprintf("connects, %d tools", n)}
	}
	return finding{Name: "ghost", Found: strings.TrimSpace(said.String()), Fix: "run \"goated serve ghost\" and read its output"}
}
