package registry

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"strings"
)

// MaxName is the length of the longest qualified name. Gemini's backends take
// 64 characters at most, some only 63.
const MaxName = 63

// maxServer is the length of the longest server id that [Qualify] keeps
// readable; the host chooses ids within it.
const maxServer = 24

// hashed marks a name whose tool part is a digest. No verbatim name may end so.
const hashed = "-x"

// digestLen is the number of base32 characters in a digest: 80 bits.
const digestLen = 16

var lower = base32.NewEncoding("0123456789abcdefghijklmnopqrstuv").WithPadding(base32.NoPadding)

// Qualify names a tool for a model: "ghost" and "manage_memory" give
// "ghost__manage_memory". The name depends on its two arguments alone, matches
// [A-Za-z][A-Za-z0-9_-]{0,62}, and is injective: no two pairs share one.
//
// A server id of the form that the host gives (see [ServerID]) holds no
// underscore, so the first one ends it. A tool name is kept as it is where it
// fits; any other pair is told by a digest of both, behind as much of the
// names as can be read. A tool that is itself named like that is digested too,
// so verbatim and digested names never meet.
func Qualify(server, tool string) string {
	if canonical(server) && verbatim(tool) {
		if name := server + "__" + tool; len(name) <= MaxName {
			return name
		}
	}
	readable := ServerID(server) + "__" + legible(tool)
	return readable[:min(len(readable), MaxName-len(hashed)-digestLen)] + hashed + digest(server, tool)
}

// ServerID makes a server id of any name: lower-case letters, digits and
// single hyphens, starting with a letter, at most 20 characters (so that a
// number can follow).
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

// canonical reports whether a server id has the form that the host gives.
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

// verbatim reports whether a tool's name can be part of a qualified one.
func verbatim(tool string) bool {
	return tool != "" && legible(tool) == tool && !looksHashed(tool)
}

func looksHashed(tool string) bool {
	at := len(tool) - digestLen - len(hashed)
	return at >= 0 && tool[at:at+len(hashed)] == hashed
}

// legible keeps of s what every model accepts in a name. Dots and colons, which
// Gemini's documentation allows, are refused by gateways in front of it.
func legible(s string) string {
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
