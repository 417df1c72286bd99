package commandtext

import (
	"encoding/base64"
	"slices"
	"strings"

	"goated/internal/launch/webaddress"
	"goated/internal/lazyregexp"
)

// saves matches the options with which curl writes a file.
var saves = lazyregexp.New(`^(-[a-zA-Z#]*[oO]|--output|--remote-name)$`)

// Request returns the address to which a curl command sends a request, followed by --header options.
// Guides test MCP servers in this way. ok is false if there is no such address. Headers that every
// client sends are omitted.
func Request(words []string) ([]string, bool) {
	if ProgramName(words[0]) != "curl" {
		return nil, false
	}
	address, headers := "", []string(nil)
	for i := 1; i < len(words); i++ {
		option, value, inline := strings.Cut(words[i], "=")
		switch {
		case webaddress.IsServer(words[i]):
			address = words[i]
		case saves.MatchString(option):
			return nil, false
		case option == "-H", option == "--header", option == "-u", option == "--user", option == "--oauth2-bearer":
			if !inline && i+1 < len(words) {
				i++
				value = words[i]
			}
			var ok bool
			if headers, ok = withHeader(headers, option, value); !ok {
				return nil, false
			}
		case len(words[i]) > 2 && (words[i][:2] == "-H" || words[i][:2] == "-u"):
			var ok bool
			if headers, ok = withHeader(headers, words[i][:2], words[i][2:]); !ok {
				return nil, false
			}
		}
	}
	return append([]string{address}, headers...), address != ""
}

// withHeader adds the header that a curl option sends. ok is false for a user without a password, and
// for credentials that contain a placeholder, because it would be hidden in Base64.
func withHeader(headers []string, option, value string) (out []string, ok bool) {
	switch option {
	case "-u", "--user":
		if !strings.Contains(value, ":") || strings.ContainsAny(value, "$<>{}") {
			return nil, false
		}
		value = "Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte(value))
	case "--oauth2-bearer":
		value = "Authorization: Bearer " + value
	}
	name, _, _ := strings.Cut(strings.ToLower(value), ":")
	if slices.Contains([]string{"content-type", "accept", "user-agent", "mcp-protocol-version", "mcp-session-id"}, name) {
		return headers, true
	}
	return append(headers, "--header", value), true
}

// Loads reports whether a command only downloads a file or a page.
func Loads(program string) bool {
	return slices.Contains([]string{"curl", "wget"}, ProgramName(program))
}
