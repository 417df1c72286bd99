// Package browser recognizes the browsers that servers run, and knows where they are installed and
// what they need in a sandbox.
//
// It owns these names, and must not know policies.
package browser

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// programs are parts of the names of browsers.
var programs = []string{"chrom", "msedge", "headless_shell", "firefox", "brave"}

// IsProgram reports whether the program at a path is a browser.
func IsProgram(path string) bool {
	name := strings.ToLower(filepath.Base(path))
	return slices.ContainsFunc(programs, func(part string) bool { return strings.Contains(name, part) })
}

// caches are the folders in the user's cache into which servers install browsers.
var caches = []string{"ms-playwright", "puppeteer", "selenium"}

// Places returns the folders in which browsers are installed, and their settings for all users.
func Places(home string) []string {
	out := []string{"/opt/google/chrome", "/opt/google/chrome-beta", "/opt/microsoft/msedge", "/opt/brave.com", "/etc/chromium", "/etc/chromium.d", "/etc/opt/chrome", "/etc/opt/edge", "/etc/firefox"}
	if home == "" {
		return out
	}
	for _, name := range caches {
		out = append(out, filepath.Join(home, ".cache", name))
	}
	return out
}

// IsProfile reports whether a path is in the folder of the user's cache in which the Playwright
// server stores profiles.
func IsProfile(path, home string) bool {
	own := filepath.Join(home, ".cache", "ms-playwright-mcp")
	return home != "" && (path == own || strings.HasPrefix(path, own+"/"))
}

// services are hosts that browsers contact on their own, for updates, accounts and lists. Pages
// load without them.
var services = []string{
	"accounts.google.com", "update.googleapis.com", "clients1.google.com", "clients2.google.com", "clients4.google.com", "android.clients.google.com", "mtalk.google.com",
	"content-autofill.googleapis.com", "optimizationguide-pa.googleapis.com", "safebrowsing.googleapis.com", "safebrowsingohttpgateway.googleapis.com", "redirector.gvt1.com", "edgedl.me.gvt1.com",
	"passwordsleakcheck-pa.googleapis.com", "edge.microsoft.com", "detectportal.firefox.com", "firefox.settings.services.mozilla.com",
}

// IsService reports whether browsers contact a host on their own.
func IsService(host string) bool { return slices.Contains(services, host) }

// Environment returns the variables with which browsers start in a sandbox. Chromium's own sandbox
// needs namespaces, which the filter refuses. If the server has its own folder, the cache with the
// profiles is there rather than in the user's cache. Servers use the browsers that the user
// installed.
//
// Environment also removes the locks that exited browsers left in that folder. Process IDs repeat
// in a namespace, so the next browser would treat such a lock as the lock of a running browser.
func Environment(own, home string) []string {
	out := []string{"PLAYWRIGHT_MCP_NO_SANDBOX=true", "PLAYWRIGHT_MCP_SANDBOX=false", "PUPPETEER_DANGEROUS_NO_SANDBOX=true", "PUPPETEER_SKIP_DOWNLOAD=true", "PLAYWRIGHT_SKIP_BROWSER_GC=1"}
	if own == "" {
		return out
	}
	cache := filepath.Join(own, "cache")
	if locks, err := filepath.Glob(filepath.Join(cache, "ms-playwright-mcp", "*", "Singleton*")); err == nil {
		for _, lock := range locks {
			_ = os.Remove(lock) // otherwise the browser reports that the profile is in use
		}
	}
	installed := filepath.Join(home, ".cache", "ms-playwright")
	if _, err := os.Stat(installed); err != nil {
		installed = filepath.Join(cache, "ms-playwright")
	}
	return append(out, "XDG_CACHE_HOME="+cache, "PLAYWRIGHT_BROWSERS_PATH="+installed, "PLAYWRIGHT_MCP_OUTPUT_DIR="+filepath.Join(own, "browser"))
}
