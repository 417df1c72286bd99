package launch

import (
	"net/url"
	"strings"

	"goated/internal/lazyregexp"
)

// bundleURL matches the path of a bundle to download.
var bundleURL = lazyregexp.New(`(?i)\.(mcpb|dxt)$`)

// imageURL matches the path of a picture, such as that of a badge.
var imageURL = lazyregexp.New(`(?i)\.(svg|png|gif|jpe?g|webp|ico)$`)

// bare is the address of a page that people copy without its scheme.
var bare = lazyregexp.New(`(?i)^(www\.)?(npmjs\.com|registry\.npmjs\.org|pypi\.org|ghcr\.io|pkg\.go\.dev|smithery\.ai|glama\.ai|mcp\.so|hub\.docker\.com|github\.com|gitlab\.com|bitbucket\.org|codeberg\.org)/[\w@]`)

// noServer returns the problem of an address of something else than a server on the web: a
// bundle, or a repository.
func noServer(u *url.URL) error {
	if bundleURL.MatchString(u.Path) {
		return &Problem{Kind: Download, Subject: u.String()}
	}
	if imageURL.MatchString(u.Path) || listed(u) {
		return &Problem{Kind: Listing, Subject: u.String()}
	}
	switch strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.") {
	case "gitlab.com":
		if strings.HasPrefix(u.Path, "/api/") {
			return nil // its own server
		}
	case "github.com", "gist.github.com", "bitbucket.org", "codeberg.org":
	default:
		return nil
	}
	return &Problem{Kind: Repository, Subject: u.String()}
}
