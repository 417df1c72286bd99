package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"goated/agent"
	"goated/client"
	"goated/internal/doctor"
	"goated/internal/install"
	"goated/internal/serverflags"
)

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

func (o *options) examine(ctx context.Context) []doctor.Finding {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	ghost, look := o.ghost(ctx)
	found := []doctor.Finding{
		{Name: "goated", OK: true, Found: fmt.Sprintf("%s, %s, %s/%s", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)},
		window(),
		doctor.Interpreter(ctx, look, "Python servers", "install Python 3.10 or newer", "--version", "python3", "python"),
		doctor.Interpreter(ctx, look, "JavaScript servers", "install Node.js 18 or newer, or run \"goated install node\"", "--version", "node"),
		doctor.Interpreter(ctx, look, "Servers with uvx", "install uv, or run \"goated install uv\"", "--version", "uvx"),
		doctor.Interpreter(ctx, look, "Go servers", "install Go from https://go.dev/dl", "version", "go"),
		doctor.Sandbox(ctx),
		doctor.Sound(),
		key(ctx),
	}
	found = append(found, o.folders()...)
	return append(found, ghost)
}

func window() doctor.Finding {
	if why := noWindow(); why != "" {
		fix := "start goated in a desktop session, or use \"goated chat\" here"
		if !hasWindow {
			fix = "run \"make build\", which needs a C compiler, or use \"goated chat\" here"
		}
		return doctor.Finding{Name: "window", Found: why, Fix: fix}
	}
	return doctor.Finding{Name: "window", OK: true, Found: strings.TrimSpace("display " + os.Getenv("DISPLAY"))}
}

// key checks whether there is a key, and does not show it.
func key(ctx context.Context) doctor.Finding {
	if _, from := findKey(ctx); from != "" {
		f := doctor.Finding{Name: "Gemini key", OK: true, Found: "from " + from}
		if base := os.Getenv("GOOGLE_GEMINI_BASE_URL"); base != "" {
			f.Found += ", sent to " + base
		}
		return f
	}
	return doctor.Finding{
		Name: "Gemini key", Found: "none: goated looks for the tool that fits your words",
		Fix: "set GEMINI_API_KEY, or run \"goated key set\"; the default model is " + agent.DefaultModel,
	}
}

// folders checks whether goated can write its data folder and read its settings.
func (o *options) folders() []doctor.Finding {
	f := doctor.Finding{Name: "data", OK: true, Found: o.dataDir()}
	err := os.MkdirAll(o.dataDir(), 0o700)
	if err == nil {
		var probe *os.File
		if probe, err = os.CreateTemp(o.dataDir(), ".doctor-*"); err == nil {
			_ = probe.Close()
			err = os.Remove(probe.Name())
		}
	}
	if err != nil {
		f = doctor.Finding{Name: "data", Found: err.Error(), Fix: "make the folder writable, or choose another one with --data"}
	}
	s := doctor.Finding{Name: "settings", OK: true, Found: o.settingsFile()}
	if _, err := o.loadSettings(); err != nil {
		s = doctor.Finding{Name: "settings", Found: err.Error(), Fix: "check that file and its permissions"}
	} else if _, err := os.Stat(o.settingsFile()); err != nil {
		s.Found = "none yet, goated uses the defaults (" + filepath.Clean(o.settingsFile()) + ")"
	}
	return []doctor.Finding{f, s}
}

// ghost connects the bundled server that is on by default, like every start, but no other server.
// look finds programs in the same folders as the start of a server.
func (o *options) ghost(ctx context.Context) (found doctor.Finding, look func(string) (string, error)) {
	own := *o
	own.given, own.bundled = serverflags.List{}, bundledFlags{with: []string{"ghost"}}
	a, err := own.open(nil, nil, anyKey(ctx))
	if err != nil {
		return doctor.Finding{Name: "ghost", Found: err.Error(), Fix: "see above"}, install.LookPath(o.dataDir())
	}
	defer a.close()
	a.only, look = true, client.LoginLookPathFunc(ctx, a.host)
	var said strings.Builder
	failed, err := a.connect(ctx, &said, nil, a.follower(&said))
	if err == nil {
		err = failed.status()
	}
	if n := a.host.Snapshot().Tools(); err == nil && n > 0 {
		return doctor.Finding{Name: "ghost", OK: true, Found: fmt.Sprintf("connects, %d tools", n)}, look
	}
	return doctor.Finding{Name: "ghost", Found: strings.TrimSpace(said.String()), Fix: "run \"goated serve ghost\" and read its output"}, look
}
