package registry

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxName limits the length of a qualified name. Gemini's backends accept at most 64 characters,
// some only 63.
const maxName = 63

// maxServer is the length of the longest server ID that [Qualify] keeps unchanged.
const maxServer = 24

// digestMark precedes the digest at the end of a name. Names without a digest never contain it there.
const digestMark = "-x"

// digestLen is the number of base32 characters in a digest: 80 bits.
const digestLen = 16

var lower = base32.NewEncoding("0123456789abcdefghijklmnopqrstuv").WithPadding(base32.NoPadding)

// Qualify returns the name under which a model calls a tool: "ghost" and
// "manage_memory" give "ghost__manage_memory". The name depends only on the two
// arguments and matches [A-Za-z][A-Za-z0-9_-]{0,62}. No two pairs share a name.
//
// A server ID from [ServerID] contains no underscore, so the first underscore ends it. If the ID or
// the tool's name is too long or contains other characters, the qualified name contains as much of
// both as fits and ends with a digest of both. A tool whose own name looks like a digest gets a
// digest, too, so a name without a digest never equals one with a digest.
func Qualify(server, tool string) string {
	if canonical(server) && isValidName(tool) {
		if name := server + "__" + tool; len(name) <= maxName {
			return name
		}
	}
	readable := ServerID(server) + "__" + replaceRefused(tool)
	return readable[:min(len(readable), maxName-len(digestMark)-digestLen)] + digestMark + digest(server, tool)
}

// Title returns the display name of a tool, or "" if the server gives none.
func Title(t *mcp.Tool) string {
	if t.Title == "" && t.Annotations != nil {
		return t.Annotations.Title
	}
	return t.Title
}

// ServerID converts any name to a server ID. The ID consists of lower-case letters, digits and
// single hyphens, begins with a letter, and has at most 20 characters. The host may append a
// number.
func ServerID(name string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	id := b.String()
	if id == "" || id[0] < 'a' {
		id = "server-" + id
	}
	return strings.TrimRight(id[:min(len(id), 20)], "-")
}

// canonical reports whether a server ID has the form of [ServerID], with or without a number.
func canonical(server string) bool {
	if server == "" || len(server) > maxServer || server[0] < 'a' || server[0] > 'z' {
		return false
	}
	for _, c := range []byte(server) {
		if !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-') {
			return false
		}
	}
	return true
}

// isValidName reports whether a qualified name can contain the tool's name unchanged.
func isValidName(tool string) bool {
	return tool != "" && replaceRefused(tool) == tool && !looksHashed(tool)
}

func looksHashed(tool string) bool {
	at := len(tool) - digestLen - len(digestMark)
	return at >= 0 && tool[at:at+len(digestMark)] == digestMark
}

// replaceRefused replaces the characters of s that some models do not accept in a name. Gemini's
// documentation allows dots and colons, but gateways in front of it refuse them.
func replaceRefused(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' {
			return r
		}
		return '-'
	}, s)
}

func digest(server, tool string) string {
	h := sha256.New()
	var n [8]byte
	binary.BigEndian.PutUint64(n[:], uint64(len(server))) // so that ("a","bc") is not ("ab","c")
	h.Write(n[:])
	h.Write([]byte(server))
	h.Write([]byte(tool))
	return lower.EncodeToString(h.Sum(nil))[:digestLen]
}
