package sandbox

import (
	"os"
	"path/filepath"

	"goated/internal/sandbox/browser"
)

// browsers returns the folders in which browsers are installed. Every process may read them,
// because the notifier notices a browser only after it has started.
func browsers() []string {
	home, _ := os.UserHomeDir()
	return browser.Places(home)
}

// withBrowser returns p for a process that may run a browser.
func (p Policy) withBrowser() Policy {
	p.Browser = true
	p.System = union(p.System, browsers())
	if p.Network == NoNetwork || p.Network == "" {
		p.Network = NamedHosts
	}
	// The path of a socket has at most 107 bytes, and browsers append fifty.
	if run := os.Getenv("XDG_RUNTIME_DIR"); p.Temp != "" && filepath.IsAbs(run) {
		p.Temp = filepath.Join(run, "goated", filepath.Base(filepath.Dir(p.Temp)))
	}
	return p
}
