package client

import "strings"

// A place is what an object of a message is there for. Those of the protocol are
// read by their keys' names, in which careless readers take no notice of capital
// letters: so no two keys of one may differ in those alone. What servers and tools
// say in their own words is data, which may.
type place byte

const (
	inData place = iota
	inEnvelope
	inResult
	inError
	inPart // of a result or of params
)

// member is the place of a member's value, or of the objects in a list that is
// its value.
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
		// What the SDK makes structs of. Everything else is data, such as
		// structuredContent, _meta, and the schemas of tools.
		switch string(name) {
		case "content", "contents", "tools", "resources", "resourceTemplates", "prompts", "messages",
			"resource", "annotations", "icons", "serverInfo", "capabilities":
			return inPart
		}
	}
	return inData
}

// varies reports whether a key is one that is looked for in its place, but in
// wrong capital letters.
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
	for _, k := range known {
		if len(name) <= 2*len(k) && k != string(name) && strings.EqualFold(k, string(name)) {
			return true
		}
	}
	return false
}
