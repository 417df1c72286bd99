// Package webaddress determines from an address on the web what it leads to: a server, a page about a
// server, a bundle, a repository, or this computer.
//
// It has no state and sends no requests. It must not depend on how servers start.
package webaddress

import (
	"net"
	"net/netip"
	"net/url"
	"strings"

	"goated/internal/lazyregexp"
)

var (
	// endpoint matches the address of a server, which its host or its path reveals.
	endpoint = lazyregexp.New(`(?i)^https?://(?:mcp[.-]|[^\s/]*\.mcp\.)\S*$|^https?://[^\s?#]+/(?:mcp|sse)(?:/[^\s/?#]*)?/?(?:\?\S*)?$`)
	// download matches the address of a file, or of a page about the state of a server.
	download = lazyregexp.New(`(?i)\.(sh|ps1|py|js|json|ya?ml|toml|zip|tgz|gz|tar|mcpb|dxt|exe|deb|rpm|md)$|/downloads?/|/(install|download|health\w*|status|version)/?$`)
	// packagePage matches the address of a page that identifies a package that goated can start.
	packagePage = lazyregexp.New(`(?i)^https?://(?:www\.)?(?:npmjs\.com/package|pypi\.org/project|hub\.docker\.com/r)/`)
	// document matches the address of a documentation page, which may also end in "mcp".
	document = lazyregexp.New(`(?i)^https?://(?:docs?|help|support|developers?|learn|blog)\.[^\s/]*/|/(?:docs?|documentation|blog|guides?|learn|articles?|posts?)(?:/|$)`)
)

// IsServer reports whether an address looks like that of an MCP server, and not like that of a file to
// download.
func IsServer(address string) bool {
	return endpoint.MatchString(address) && !download.MatchString(address)
}

// InProse reports whether an address in prose leads to a server or a package. Addresses of documents
// may look like those of servers.
func InProse(address string) bool {
	return packagePage.MatchString(address) || IsServer(address) && (!document.MatchString(address) || strings.Contains(Host(address), "mcp."))
}

// Host returns the host of a URL, including its port.
func Host(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}

// ownHost matches a placeholder for the host of a server that the reader runs.
var ownHost = lazyregexp.New(`(?i)^<?your[-_ ](?:own[-_ ])?(?:server|host|deployment|machine)|(^|\.)example\.(?:com|org)$`)

// OfThisComputer reports whether an address leads to this computer, or to a computer that the reader
// sets up.
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
	// ownAddress matches an address of this computer or its network without a scheme.
	ownAddress = lazyregexp.New(`(?i)^(localhost|\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:]+\])(:\d{1,5})?(/\S*)?$`)
	// mcpHost matches a host whose name begins with mcp, without a scheme.
	mcpHost = lazyregexp.New(`(?i)^mcp(\.[a-z0-9-]+)+\.[a-z]{2,}(:\d{1,5})?(/\S*)?$`)
	// fileName matches a text that ends in a file extension.
	fileName = lazyregexp.New(`(?i)\.(jsonc?|toml|ya?ml|lock|exe|cmd|bat|mjs|cjs|tsx?|jar)$`)
)

// Schemed adds the usual scheme to the address of a server. ok is false for other texts.
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
