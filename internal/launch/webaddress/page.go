package webaddress

import (
	"net/url"
	"slices"
	"strings"

	"goated/internal/lazyregexp"
)

var (
	// bundle matches the path of a downloadable bundle.
	bundle = lazyregexp.New(`(?i)\.(mcpb|dxt)$`)
	// picture matches the path of a picture, such as a badge.
	picture = lazyregexp.New(`(?i)\.(svg|png|gif|jpe?g|webp|ico)$`)
	// bare matches the address of a page that people copy without its scheme.
	bare = lazyregexp.New(`(?i)^(www\.)?(npmjs\.com|registry\.npmjs\.org|pypi\.org|ghcr\.io|pkg\.go\.dev|smithery\.ai|glama\.ai|mcp\.so|hub\.docker\.com|github\.com|gitlab\.com|bitbucket\.org|codeberg\.org)/[\w@]`)
	// clone matches the address of a repository that only git can open.
	clone = lazyregexp.New(`^(?:(?:ssh://)?git@[\w.-]+[:/]\S+|git(?:\+\w+)?://\S+)$`)
)

// listings are the hosts whose pages describe servers and packages, with the prefixes of the paths of
// these pages.
var listings = map[string][]string{
	"smithery.ai": {"/server/", "/servers/"}, "glama.ai": {"/mcp/servers/"}, "mcp.so": {"/server/"}, "lobehub.com": {"/mcp/"},
	"pulsemcp.com": {"/servers/"}, "mcpservers.org": {"/servers/"}, "mcpmarket.com": {"/server/"}, "cursor.directory": {"/mcp/"},
	"crates.io": {"/crates/"}, "rubygems.org": {"/gems/"}, "nuget.org": {"/packages/"}, "jsr.io": {"/@"}, "packagist.org": {"/packages/"},
	"raw.githubusercontent.com": {"/"},
}

// IsBundle reports whether an address leads to a downloadable bundle.
func IsBundle(u *url.URL) bool { return bundle.MatchString(u.Path) }

// IsListing reports whether an address leads to a page about a server, or to a picture on such a page.
func IsListing(u *url.URL) bool {
	return picture.MatchString(u.Path) ||
		slices.ContainsFunc(listings[site(u)], func(path string) bool { return strings.HasPrefix(u.Path, path) && len(u.Path) > len(path) })
}

// IsRepository reports whether an address leads to a source code repository.
func IsRepository(u *url.URL) bool {
	switch site(u) {
	case "gitlab.com":
		return !strings.HasPrefix(u.Path, "/api/") // GitLab's own server
	case "github.com", "gist.github.com", "bitbucket.org", "codeberg.org":
		return true
	}
	return false
}

// IsClone reports whether a text is the address of a repository that only git can open.
func IsClone(text string) bool { return clone.MatchString(text) }

// IsBare reports whether a text is the address of such a page without its scheme.
func IsBare(text string) bool { return bare.MatchString(text) && !strings.ContainsAny(text, " \t\n") }

// site returns the host of an address without a leading "www.".
func site(u *url.URL) string { return strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.") }
