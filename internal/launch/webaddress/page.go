package webaddress

import (
	"net/url"
	"slices"
	"strings"

	"goated/internal/lazyregexp"
)

var (
	// bundle matches the path of a bundle to download.
	bundle = lazyregexp.New(`(?i)\.(mcpb|dxt)$`)
	// picture matches the path of a picture, such as that of a badge.
	picture = lazyregexp.New(`(?i)\.(svg|png|gif|jpe?g|webp|ico)$`)
	// bare is the address of a page that people copy without its scheme.
	bare = lazyregexp.New(`(?i)^(www\.)?(npmjs\.com|registry\.npmjs\.org|pypi\.org|ghcr\.io|pkg\.go\.dev|smithery\.ai|glama\.ai|mcp\.so|hub\.docker\.com|github\.com|gitlab\.com|bitbucket\.org|codeberg\.org)/[\w@]`)
	// clone is the address of a repository for git.
	clone = lazyregexp.New(`^(?:(?:ssh://)?git@[\w.-]+[:/]\S+|git(?:\+\w+)?://\S+)$`)
)

// listings are the hosts whose pages describe servers and packages, with the beginning of their paths.
var listings = map[string][]string{
	"smithery.ai": {"/server/", "/servers/"}, "glama.ai": {"/mcp/servers/"}, "mcp.so": {"/server/"}, "lobehub.com": {"/mcp/"},
	"pulsemcp.com": {"/servers/"}, "mcpservers.org": {"/servers/"}, "mcpmarket.com": {"/server/"}, "cursor.directory": {"/mcp/"},
	"crates.io": {"/crates/"}, "rubygems.org": {"/gems/"}, "nuget.org": {"/packages/"}, "jsr.io": {"/@"}, "packagist.org": {"/packages/"},
	"raw.githubusercontent.com": {"/"},
}

// IsBundle reports whether an address is one of a bundle to download.
func IsBundle(u *url.URL) bool { return bundle.MatchString(u.Path) }

// IsListing reports whether an address is a page about a server, or a picture on one.
func IsListing(u *url.URL) bool {
	return picture.MatchString(u.Path) ||
		slices.ContainsFunc(listings[site(u)], func(path string) bool { return strings.HasPrefix(u.Path, path) && len(u.Path) > len(path) })
}

// IsRepository reports whether an address is one of a repository of source code.
func IsRepository(u *url.URL) bool {
	switch site(u) {
	case "gitlab.com":
		return !strings.HasPrefix(u.Path, "/api/") // its own server
	case "github.com", "gist.github.com", "bitbucket.org", "codeberg.org":
		return true
	}
	return false
}

// IsClone reports whether a text is the address of a repository for git.
func IsClone(text string) bool { return clone.MatchString(text) }

// IsBare reports whether a text is the address of a page without its scheme.
func IsBare(text string) bool { return bare.MatchString(text) && !strings.ContainsAny(text, " \t\n") }

// site returns the host of an address without the "www" in front of it.
func site(u *url.URL) string { return strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.") }
