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
)

// A finding is one thing that the doctor looked at.
type finding struct {
	Name  string `json:"name"`
	OK    bool   `json:"ok"`
	Found string `json:"found"`
	Mend  string `json:"mend,omitempty"` // what to do, where it is not OK
}

func doctorCommand(o *options) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Say what is installed, what will work, and how to mend the rest",
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
				if f.Mend != "" {
					fmt.Fprintf(cmd.OutOrStdout(), "  %-18s → %s\n", "", f.Mend)
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
		mend := "start goated in a desktop session; \"goated chat\" works here"
		if !hasWindow {
			mend = "build with \"make build\", which needs a C compiler; \"goated chat\" works here"
		}
		return finding{Name: "window", Found: why, Mend: mend}
	}
	return finding{Name: "window", OK: true, Found: strings.TrimSpace("a display answers " + os.Getenv("DISPLAY"))}
}

// interpreter finds what runs a kind of server, and asks for its version.
func interpreter(ctx context.Context, what, mend, flag string, names ...string) finding {
	for _, name := range names {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		out, err := exec.CommandContext(ctx, path, flag).CombinedOutput()
		if err != nil {
			return finding{Name: what, Found: fmt.Sprintf("%s does not run: %v", path, err), Mend: mend}
		}
		return finding{Name: what, OK: true, Found: fmt.Sprintf("%s (%s)", strings.TrimSpace(string(out)), path)}
	}
	return finding{Name: what, Found: names[0] + " is not on the PATH", Mend: mend}
}

// confinement says what of a server's sandbox this system enforces.
func confinement(ctx context.Context) finding {
	s := sandbox.Probe()
	b := sandbox.FindBubble(ctx, os.Getenv("PATH"))
	if s.Confined() {
		s.Wrap = b.Wrap
		s.Signals = s.Signals || b.Wrap == sandbox.Wrapped
	}
	f := finding{Name: "sandbox", OK: s.Confined(), Found: s.String()}
	if b.Wrap == sandbox.WrapFails {
		f.Found += " It says: " + b.Err.Error()
	}
	if !f.OK {
		f.Mend = "servers would run with your rights, so goated asks for each; allow those that you trust, or use a Linux from 5.13 with Landlock"
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
	return finding{Name: "sound", Found: "there is no audio player", Mend: "install pulseaudio-utils or alsa-utils; all else works without"}
}

// key looks for the key, and never shows it.
func key(ctx context.Context) finding {
	if _, from := findKey(ctx); from != "" {
		f := finding{Name: "Gemini key", OK: true, Found: "from " + from}
		if base := os.Getenv("GOOGLE_GEMINI_BASE_URL"); base != "" {
			f.Found += ", sent to " + base
		}
		return f
	}
	return finding{
		Name: "Gemini key", Found: "none, so goated matches your words to tools itself",
		Mend: "set GEMINI_API_KEY, or run \"goated key set\"; the model is " + agent.DefaultModel + " unless you choose another",
	}
}

// folders tries whether goated can keep what it has to keep.
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
		f = finding{Name: "data", Found: err.Error(), Mend: "make the folder writable, or choose another with --data"}
	}
	s := finding{Name: "settings", OK: true, Found: o.settingsFile()}
	if _, err := o.loadSettings(); err != nil {
		s = finding{Name: "settings", Found: err.Error(), Mend: "look at that file and its permissions"}
	} else if _, err := os.Stat(o.settingsFile()); err != nil {
		s.Found = "none, so the defaults (" + filepath.Clean(o.settingsFile()) + ")"
	}
	return []finding{f, s}
}

// ghost connects goated's own default server, as every start does.
func (o *options) ghost(ctx context.Context) finding {
	own := *o
	own.servers, own.env, own.noBundled = nil, nil, false
	a, err := own.open(nil, nil, anyKey(ctx))
	if err != nil {
		return finding{Name: "ghost", Found: err.Error(), Mend: "see above"}
	}
	defer a.close()
	var said strings.Builder
	err = a.connect(ctx, &said)
	if n := a.host.Snapshot().Tools(); err == nil && n > 0 {
		return finding{Name: "ghost", OK: true, Found: fmt.Sprintf("connects, %d tools", n)}
	}
	return finding{Name: "ghost", Found: strings.TrimSpace(said.String()), Mend: "run \"goated serve ghost\" and see what it says"}
}
