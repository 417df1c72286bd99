package launch

import (
	"net"
	"net/url"
	"slices"
	"strings"

	"goated/internal/lazyregexp"
)

var (
	// ownAddress is an address of this computer or of its network, without a scheme.
	ownAddress = lazyregexp.New(`(?i)^(localhost|\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:]+\])(:\d{1,5})?(/\S*)?$`)
	// mcpHost is a host that says it is a server, without a scheme.
	mcpHost = lazyregexp.New(`(?i)^mcp(\.[a-z0-9-]+)+\.[a-z]{2,}(:\d{1,5})?(/\S*)?$`)
	// fileName ends like a file.
	fileName = lazyregexp.New(`(?i)\.(jsonc?|toml|ya?ml|lock|exe|cmd|bat|mjs|cjs|tsx?|jar)$`)
	// label is the word in front of a command or an address in a table of a README.
	label = lazyregexp.New(`(?i)^(?:command|cmd|(?:server |mcp )*url|server|endpoint|run|usage)\s*:\s+`)
	// clone is the address of a repository for git.
	clone = lazyregexp.New(`^(?:(?:ssh://)?git@[\w.-]+[:/]\S+|git(?:\+\w+)?://\S+)$`)
)

// schemed is an address with the scheme that its host mostly has; ok is false for other texts.
func schemed(text string) (address string, ok bool) {
	if m := ownAddress.FindStringSubmatch(text); m != nil && m[2]+m[3] != "" {
		if host := strings.Trim(m[1], "[]"); strings.EqualFold(host, "localhost") || net.ParseIP(host) != nil {
			return "http://" + text, true
		}
	}
	if mcpHost.MatchString(text) && !fileName.MatchString(text) {
		return "https://" + text, true
	}
	return "", false
}

// unlabelled is a line without the word in front of its command.
func unlabelled(text string) string {
	if strings.Contains(text, "\n") {
		return text
	}
	return text[len(label.FindString(text)):]
}

// listings are the hosts whose pages describe servers and packages, with the beginning of their paths.
var listings = map[string][]string{
	"smithery.ai": {"/server/", "/servers/"}, "glama.ai": {"/mcp/servers/"}, "mcp.so": {"/server/"}, "lobehub.com": {"/mcp/"},
	"pulsemcp.com": {"/servers/"}, "mcpservers.org": {"/servers/"}, "mcpmarket.com": {"/server/"}, "cursor.directory": {"/mcp/"},
	"crates.io": {"/crates/"}, "rubygems.org": {"/gems/"}, "nuget.org": {"/packages/"}, "jsr.io": {"/@"}, "packagist.org": {"/packages/"},
	"raw.githubusercontent.com": {"/"},
}

// listed reports whether an address is a page about a server.
func listed(u *url.URL) bool {
	host := strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")
	return slices.ContainsFunc(listings[host], func(path string) bool { return strings.HasPrefix(u.Path, path) && len(u.Path) > len(path) })
}
