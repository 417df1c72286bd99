// Package webaddress tells by the address of something on the web what it leads to: a server, a
// page about one, a bundle, a repository, or this computer.
//
// It has no state and asks nobody. It must not know how servers start.
package webaddress

import (
	"net"
	"net/netip"
	"net/url"
	"strings"

	"goated/internal/lazyregexp"
)

var (
	// endpoint matches the address of a server: its host says so, or its path.
	endpoint = lazyregexp.New(`(?i)^https?://(?:mcp[.-]|[^\s/]*\.mcp\.)\S*$|^https?://[^\s?#]+/(?:mcp|sse)(?:/[^\s/?#]*)?/?(?:\?\S*)?$`)
	// download matches the address of a file, or of a page about the state of a server.
	download = lazyregexp.New(`(?i)\.(sh|ps1|py|js|json|ya?ml|toml|zip|tgz|gz|tar|mcpb|dxt|exe|deb|rpm|md)$|/downloads?/|/(install|download|health\w*|status|version)/?$`)
	// packagePage matches the address of a page from which goated knows how a package starts.
	packagePage = lazyregexp.New(`(?i)^https?://(?:www\.)?(?:npmjs\.com/package|pypi\.org/project|hub\.docker\.com/r)/`)
	// document matches the address of a page about servers, whose end may be "mcp", too.
	document = lazyregexp.New(`(?i)^https?://(?:docs?|help|support|developers?|learn|blog)\.[^\s/]*/|/(?:docs?|documentation|blog|guides?|learn|articles?|posts?)(?:/|$)`)
)

// IsServer reports whether an address looks like one of an MCP server, and not of a file to load.
func IsServer(address string) bool {
	return endpoint.MatchString(address) && !download.MatchString(address)
}

// InProse reports whether an address in prose is one of a server or a package. Documents have
// addresses that look like those of servers.
func InProse(address string) bool {
	return packagePage.MatchString(address) || IsServer(address) && (!document.MatchString(address) || strings.Contains(Host(address), "mcp."))
}

// Host returns the host of a URL, with its port.
func Host(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}

// ownHost matches the host of a server that the reader runs.
var ownHost = lazyregexp.New(`(?i)^<?your[-_ ](?:own[-_ ])?(?:server|host|deployment|machine)|(^|\.)example\.(?:com|org)$`)

// OfThisComputer reports whether an address is one of this computer, or of one that the reader sets up.
func OfThisComputer(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	if ownHost.MatchString(u.Hostname()) {
		return true
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || err == nil && (ip.IsLoopback() || ip.IsUnspecified())
}

var (
	// ownAddress is an address of this computer or of its network, without a scheme.
	ownAddress = lazyregexp.New(`(?i)^(localhost|\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:]+\])(:\d{1,5})?(/\S*)?$`)
	// mcpHost is a host that says it is a server, without a scheme.
	mcpHost = lazyregexp.New(`(?i)^mcp(\.[a-z0-9-]+)+\.[a-z]{2,}(:\d{1,5})?(/\S*)?$`)
	// fileName ends like a file.
	fileName = lazyregexp.New(`(?i)\.(jsonc?|toml|ya?ml|lock|exe|cmd|bat|mjs|cjs|tsx?|jar)$`)
)

// Schemed is an address with the scheme that its host mostly has; ok is false for other texts.
func Schemed(text string) (address string, ok bool) {
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
