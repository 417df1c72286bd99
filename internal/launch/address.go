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

// IsAddress reports whether a text is the address of a server and nothing else.
func IsAddress(text string) bool {
	_, own := schemed(text)
	return !strings.ContainsAny(text, " \t\n") && (own || webAddress.MatchString(text) || bareAddress.MatchString(text))
}

// addressed returns the server at an address with the headers behind it. A server on the web gets
// no arguments, so any other word there is a mistake.
func (s commands) addressed(address string, behind []string) (Server, error) {
	server, err := configs(s).remote(address, "")
	if err != nil {
		return Server{}, err
	}
	for len(behind) > 0 {
		name, value, inline := strings.Cut(behind[0], "=")
		if name != "--header" && name != "-H" || !inline && len(behind) == 1 {
			return Server{}, &Problem{Kind: AfterAddress, Subject: behind[0]}
		}
		if behind = behind[1:]; !inline {
			value, behind = behind[0], behind[1:]
		}
		server.Remote.Headers = append(server.Remote.Headers, header(value))
	}
	return server, nil
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
