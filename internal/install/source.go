package install

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path"
	"strings"

	"goated/internal/catalog"
	"goated/internal/lazyregexp"
	"goated/internal/weborigin"
)

// A Source is the kind of installable thing that a text refers to.
type Source int

// [Installer.Find] accepts a text of any of these sources except Nowhere.
const (
	Nowhere  Source = iota // nothing to install
	Registry               // a server of the MCP registry, by its name or a link
	Entry                  // a server.json
	Download               // the https address of a .mcpb bundle
)

// byName matches the link of VS Code to a server of the registry.
var byName = lazyregexp.New(`(?i)^vscode(?:-insiders)?:(?://[\w.-]+/)?/?mcp/by-name/([^?#\s]+)`)

// SourceOf returns the source of a text, and its name for the user. It accesses the file system.
func SourceOf(text string) (Source, string) {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "{") {
		if s, err := catalog.Parse([]byte(text)); err == nil {
			return Entry, s.Label()
		}
		return Nowhere, ""
	}
	if name := registryName(text); name != "" {
		return Registry, name
	}
	if u, err := url.Parse(text); err == nil && (u.Scheme == "https" || weborigin.IsLoopback(u.Hostname())) && u.Host != "" && !strings.ContainsAny(text, " \n") {
		if name := path.Base(u.Path); bundle.MatchString(name) {
			return Download, name
		}
	}
	return Nowhere, ""
}

// bundle matches the file name of a bundle.
var bundle = lazyregexp.New(`(?i)\.(mcpb|dxt)$`)

// registryName returns the registry name of the server that a text refers to, or "" if it refers to
// none.
func registryName(text string) string {
	if u, err := url.Parse(text); err == nil && (u.Scheme == "https" || u.Scheme == "http") {
		host := strings.ToLower(u.Hostname())
		if inner := u.Query().Get("url"); inner != "" && (host == "vscode.dev" || host == "insiders.vscode.dev") {
			text = inner
		}
		if _, rest, ok := strings.Cut(u.EscapedPath(), "/servers/"); ok && host == "registry.modelcontextprotocol.io" {
			rest, _, _ = strings.Cut(rest, "/versions")
			if name, err := url.PathUnescape(strings.Trim(rest, "/")); err == nil && catalog.ValidName(name) {
				return name
			}
		}
	}
	if m := byName.FindStringSubmatch(text); m != nil {
		if name, err := url.PathUnescape(strings.Trim(m[1], "/")); err == nil && catalog.ValidName(name) {
			return name
		}
		return ""
	}
	namespace, _, _ := strings.Cut(text, "/")
	if !catalog.ValidName(text) || !strings.Contains(namespace, ".") || strings.HasPrefix(namespace, ".") {
		return ""
	}
	if _, err := os.Stat(text); err == nil {
		return ""
	}
	return text
}

// IsSource reports whether a text refers to something that must be installed.
func IsSource(text string) bool {
	source, _ := SourceOf(text)
	return source != Nowhere
}

// Prepare prepares the installation that a text refers to, or the bundle at that path.
func (i Installer) Prepare(ctx context.Context, text string) (*Choice, error) {
	if IsSource(text) {
		return i.Find(ctx, text, "")
	}
	return i.Bundle(text)
}

// Find prepares the installation that a text refers to. version is a version in the registry; ""
// means the newest.
func (i Installer) Find(ctx context.Context, text, version string) (*Choice, error) {
	switch source, name := SourceOf(text); source {
	case Entry:
		s, err := catalog.Parse([]byte(strings.TrimSpace(text)))
		if err != nil {
			return nil, err
		}
		return i.best(ctx, s)
	case Download:
		return i.download(ctx, strings.TrimSpace(text), "")
	case Registry:
		text = name
	}
	s, err := i.Catalog.Find(ctx, text, version)
	if err != nil {
		return nil, err
	}
	return i.best(ctx, s)
}

// download prepares the bundle at an address. sum is its expected SHA-256. If sum is empty, the
// user sees the actual one before the installation.
func (i Installer) download(ctx context.Context, address, sum string) (*Choice, error) {
	path, err := i.Catalog.Download(ctx, address, sum)
	if err != nil {
		return nil, err
	}
	c, err := i.Bundle(path)
	if err != nil {
		_ = os.Remove(path)
		return nil, fmt.Errorf("the file at %s is not a bundle that goated can install: %w", address, err)
	}
	c.remove, c.source = path, address
	if sum == "" {
		run := c.bundle.Manifest.Command(".", nil, i.System)
		c.Unseen = strings.Join(append([]string{run.Program}, run.Args...), " ")
	}
	return c, nil
}
