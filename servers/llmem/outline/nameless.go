package outline

import (
	"bytes"
	"strings"
)

// The grammar of TypeScript cannot parse a default export without a name and a body, which occurs
// in declaration files: "export default function (): T;". Before parsing such a file, named gives
// the function a name of the same length, and nameless removes it afterwards.
const (
	defaultWithout = "export default function ("
	defaultWith    = "export function default_("
)

func named(language string, source []byte) []byte {
	if language != "typescript" && language != "tsx" {
		return source
	}
	return bytes.ReplaceAll(source, []byte(defaultWithout), []byte(defaultWith))
}

func nameless(symbols []Symbol) {
	for i := range symbols {
		if s := &symbols[i]; s.Name == "default_" {
			s.Name = "default"
			s.Signature = strings.Replace(s.Signature, strings.TrimPrefix(defaultWith, "export "), strings.TrimPrefix(defaultWithout, "export "), 1)
		}
	}
}
