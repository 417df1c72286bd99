package launch

import (
	"strings"

	"goated/internal/launch/commandtext"
	"goated/internal/lazyregexp"
)

var (
	block = lazyregexp.New("(?ms)^[ \t>]*(?:```+|~~~+)[^\\n`]*\\n(.*?)\\n?[ \t>]*(?:```+|~~~+)[ \t]*$")
	span  = lazyregexp.New("`+([^`\\n]+)`+")
	// target matches the address of a link of Markdown, or in angle brackets.
	target = lazyregexp.New(`(!?)\[(?:[^\[\]\n]|!\[[^\]\n]*\]\([^)\n]*\))*\]\(\s*<?((?:[^\s()>]|\([^\s()]*\))+)[^)\n]*\)|<((?:https?|vscode|cursor|goose):[^\s<>]+)>`)
	// serverKey matches a key that only a configuration of servers has.
	serverKey = lazyregexp.New(`["']?(?:mcpServers|mcp_servers|context_servers|servers|command|url|serverUrl|httpUrl)["']?\s*:`)
	// endpoint matches the address of a server or a package, and no address of a document.
	endpoint = lazyregexp.New(`(?i)^https?://\S*\b(?:mcp|sse)\b|^https?://(?:www\.)?(?:npmjs\.com/package|pypi\.org/project|hub\.docker\.com/r)/`)
)

// Bounds of what goated looks for: in how many bytes, and for how many parts.
const (
	maxProse = 64 << 10
	maxParts = 32
)

// quoted returns the parts of prose that may say how a server starts, the likeliest first:
// blocks of code, JSON, code in a line, and the targets of links.
func quoted(text string) []string {
	if len(text) > maxProse {
		return nil
	}
	var out []string
	for _, m := range block.FindAllStringSubmatch(text, maxParts) {
		out = append(out, m[1])
	}
	out = append(out, objects(text)...)
	if !commandtext.LooksLikeCommand(text) { // there, backquotes are the shell's
		for _, m := range span.FindAllStringSubmatch(text, maxParts) {
			code := strings.TrimSpace(m[1])
			if strings.ContainsAny(code, " \t") || webAddress.MatchString(code) || link.MatchString(code) || strings.HasPrefix(code, "@") {
				out = append(out, code)
			}
		}
	}
	var last []string
	for _, m := range target.FindAllStringSubmatch(text, maxParts) {
		switch address := m[2] + m[3]; {
		case m[1] != "": // an image
		case link.MatchString(address):
			out = append(out, address)
		case endpoint.MatchString(address):
			last = append(last, address)
		}
	}
	out = append(out, last...)
	return out[:min(len(out), maxParts)]
}

// objects returns the balanced JSON objects in a text that have a key of servers.
func objects(text string) []string {
	var out []string
	begin, deep, inside := 0, 0, false
	for i := 0; i < len(text) && len(out) < maxParts; i++ {
		switch c := text[i]; {
		case inside && c == '\\':
			i++
		case c == '"' && deep > 0:
			inside = !inside
		case inside:
		case c == '{':
			if deep == 0 {
				begin = i
			}
			deep++
		case c == '}' && deep > 0:
			if deep--; deep == 0 && serverKey.MatchString(text[begin:i+1]) {
				out = append(out, text[begin:i+1])
			}
		}
	}
	return out
}
