package sandbox

import (
	"os"
	"path/filepath"
)

// browserFolders are where browsers are installed, and their settings for all users.
var browserFolders = []string{
	"/opt/google/chrome", "/opt/google/chrome-beta", "/opt/microsoft/msedge", "/opt/brave.com", "/etc/chromium", "/etc/chromium.d", "/etc/opt/chrome", "/etc/opt/edge", "/etc/firefox",
	"~/.cache/ms-playwright", "~/.cache/puppeteer", "~/.cache/selenium",
}

// browserEnvironment are variables with which browsers start in a sandbox: Chromium's own
// needs namespaces, which the filter refuses.
var browserEnvironment = []string{"PLAYWRIGHT_MCP_NO_SANDBOX=true", "PUPPETEER_DANGEROUS_NO_SANDBOX=true", "PUPPETEER_SKIP_DOWNLOAD=true", "PLAYWRIGHT_SKIP_BROWSER_GC=1"}

// withBrowser returns p for a process that may run a browser.
func (p Policy) withBrowser() Policy {
	p.Browser = true
	home, _ := os.UserHomeDir()
	for _, dir := range browserFolders {
		if rest, ok := cutHome(dir); ok && home != "" {
			dir = filepath.Join(home, rest)
		}
		p.System = union(p.System, []string{dir})
	}
	if p.Network == NoNetwork || p.Network == "" {
		p.Network = NamedHosts
	}
	// The path of a socket has at most 107 bytes, and browsers append fifty.
	if run := os.Getenv("XDG_RUNTIME_DIR"); p.Temp != "" && filepath.IsAbs(run) {
		p.Temp = filepath.Join(run, "goated", filepath.Base(filepath.Dir(p.Temp)))
	}
	return p
}

func cutHome(path string) (rest string, ok bool) {
	if len(path) > 2 && path[:2] == "~/" {
		return path[2:], true
	}
	return path, false
}
