package commandtext

import (
	"slices"
	"strings"

	"goated/internal/lazyregexp"
)

// endpoint is the address of an MCP server, and not of a file to load.
var endpoint = lazyregexp.New(`(?i)^https?://(?:mcp\.|[^\s?]*/(?:mcp|sse)\b)`)

// download ends the address of a file.
var download = lazyregexp.New(`(?i)\.(sh|ps1|py|js|json|ya?ml|toml|zip|tgz|gz|tar|mcpb|dxt|exe|deb|rpm|md)$`)

// Request returns the address and the headers with which curl asks an MCP server, as words behind which an address may
// stand. Guides test a server so. The headers that each client sends are left out.
func Request(words []string) ([]string, bool) {
	if ProgramName(words[0]) != "curl" {
		return nil, false
	}
	address, headers := "", []string(nil)
	for i := 1; i < len(words); i++ {
		option, value, inline := strings.Cut(words[i], "=")
		switch {
		case endpoint.MatchString(words[i]) && !download.MatchString(words[i]):
			address = words[i]
		case option == "-o" || option == "-O" || option == "--output":
			return nil, false
		case option == "-H" || option == "--header":
			if !inline && i+1 < len(words) {
				i++
				value = words[i]
			}
			if name, _, _ := strings.Cut(strings.ToLower(value), ":"); !slices.Contains([]string{"content-type", "accept", "user-agent", "mcp-protocol-version", "mcp-session-id"}, name) {
				headers = append(headers, "--header", value)
			}
		}
	}
	return append([]string{address}, headers...), address != ""
}

// Loads reports whether a command only loads a file or a page.
func Loads(program string) bool {
	return slices.Contains([]string{"curl", "wget"}, ProgramName(program))
}
