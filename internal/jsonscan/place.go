package jsonscan

import (
	"slices"
	"strings"
)

// A place is the role of an object in a message. Some readers ignore the case of the protocol's
// keys, so no two keys of a protocol object may differ only in case. Data of servers and tools may
// have such keys.
type place byte

const (
	inData place = iota
	inEnvelope
	inResult
	inError
	inPart // an object within a result or params that the SDK decodes
)

// member returns the place of a member's value, or of the objects in it if it is an array.
func (p place) member(name []byte) place {
	switch p {
	case inEnvelope:
		switch string(name) {
		case "result":
			return inResult
		case "error":
			return inError
		case "params":
			return inPart
		}
	case inResult, inPart:
		// The SDK decodes these into structs. All others are data, for example structuredContent,
		// _meta, and the schemas of tools.
		switch string(name) {
		case "content", "contents", "tools", "resources", "resourceTemplates", "prompts", "messages",
			"resource", "annotations", "icons", "serverInfo", "capabilities":
			return inPart
		}
	}
	return inData
}

// varies reports whether a key differs only in case from a protocol key of its place.
func (p place) varies(name []byte) bool {
	var known []string
	switch p {
	case inEnvelope:
		known = []string{"jsonrpc", "id", "method", "params", "result", "error"}
	case inResult:
		known = []string{"content", "structuredContent", "isError", "tools", "nextCursor", "protocolVersion", "supportedVersions", "capabilities", "serverInfo", "resultType"}
	case inError:
		known = []string{"code", "message", "data"}
	}
	if slices.Contains(known, string(name)) { // the usual case
		return false
	}
	for _, k := range known {
		if len(name) <= 2*len(k) && strings.EqualFold(k, string(name)) {
			return true
		}
	}
	return false
}
