package answers

import (
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"

	"goated/internal/jsonscan"
	"goated/internal/truncate"
)

// types lists the types of content blocks, with the members that must be strings in each.
var types = map[string][]string{
	"text": {"text"}, "image": {"data", "mimeType"}, "audio": {"data", "mimeType"}, "resource": nil, "resource_link": {"uri", "name"},
}

// CheckResult returns how a JSON result of tools/call violates MCP, or nil if it finds no violation.
func CheckResult(result []byte) error {
	if err := checkType(result, "the result", '{', "an object with `content`"); err != nil {
		return err
	}
	var fault error
	first := func(err error) bool {
		fault = err
		return err == nil
	}
	jsonscan.Fields(result, func(key, value []byte) bool {
		switch name := string(key); name {
		case "content":
			if isNull(value) {
				return true
			}
			if err := checkType(value, "`content`", '[', `a list of blocks such as {"type":"text","text":"…"}`); err != nil {
				return first(err)
			}
			n := -1
			jsonscan.Elements(value, func(block []byte) bool {
				n++
				return first(checkContent(block, fmt.Sprintf("content[%d]", n)))
			})
			return fault == nil
		case "isError":
			return first(checkType(value, "`isError`", 't', "true or false"))
		case "_meta":
			return first(checkType(value, "`_meta`", '{', "an object"))
		}
		return true
	})
	return fault
}

// checkContent returns an error if a content block is invalid.
func checkContent(block []byte, at string) error {
	if err := checkType(block, "`"+at+"`", '{', `a block such as {"type":"text","text":"…"}`); err != nil {
		return err
	}
	m := members(block)
	kind, ok := jsonscan.Text(m["type"])
	want, known := types[kind]
	switch {
	case !ok && m["type"] == nil:
		return fmt.Errorf("`%s` has no `type`; MCP has %s", at, typeNames())
	case !ok:
		return checkType(m["type"], "`"+at+".type`", '"', "a string")
	case !known:
		return fmt.Errorf("`%s` has the unknown type %q; MCP has %s", at, truncate.Bytes(kind, 60), typeNames())
	}
	for _, name := range append([]string{"mimeType", "uri", "name", "title", "description"}, want...) {
		if err := checkType(m[name], "`"+at+"."+name+"`", '"', "a string"); err != nil {
			return err
		}
	}
	if kind == "image" || kind == "audio" {
		if m["data"] == nil {
			return fmt.Errorf("`%s` is of the type %s and has no `data`", at, kind)
		}
		if err := checkEncoded(m["data"], at+".data"); err != nil {
			return err
		}
	}
	if kind == "resource" {
		if err := checkResource(m["resource"], at+".resource"); err != nil {
			return err
		}
	}
	if err := checkType(m["_meta"], "`"+at+"._meta`", '{', "an object"); err != nil {
		return err
	}
	return checkAnnotations(m["annotations"], at+".annotations")
}

// checkResource returns an error if an embedded resource is invalid.
func checkResource(value []byte, at string) error {
	if value == nil {
		return fmt.Errorf("`%s` is missing", at)
	}
	if err := checkType(value, "`"+at+"`", '{', `an object such as {"uri":"…","text":"…"}`); err != nil {
		return err
	}
	m := members(value)
	for _, name := range []string{"uri", "mimeType", "text"} {
		if err := checkType(m[name], "`"+at+"."+name+"`", '"', "a string"); err != nil {
			return err
		}
	}
	if m["blob"] == nil || isNull(m["blob"]) {
		return nil
	}
	return checkEncoded(m["blob"], at+".blob")
}

// checkAnnotations returns an error if the annotations of a content block are invalid.
func checkAnnotations(value []byte, at string) error {
	if err := checkType(value, "`"+at+"`", '{', "an object"); err != nil {
		return err
	}
	m := members(value)
	if err := checkType(m["audience"], "`"+at+".audience`", '[', `a list such as ["user"]`); err != nil {
		return err
	}
	return checkType(m["priority"], "`"+at+".priority`", '0', "a number")
}

// checkEncoded returns an error if a value is not base64.
func checkEncoded(value []byte, at string) error {
	if err := checkType(value, "`"+at+"`", '"', "a string of base64"); err != nil {
		return err
	}
	text, _ := jsonscan.Text(value)
	if strings.HasPrefix(text, "data:") {
		head, _, _ := strings.Cut(text, ",")
		return fmt.Errorf("`%s` begins with %q; MCP takes the base64 without that", at, truncate.Bytes(head, 60)+",")
	}
	_, err := base64.StdEncoding.DecodeString(text)
	if wrong := base64.CorruptInputError(0); errors.As(err, &wrong) {
		i := int(wrong)
		switch {
		case i >= len(text):
			return fmt.Errorf("`%s` is incomplete base64: its length is not a multiple of 4", at)
		case text[i] == '-' || text[i] == '_':
			return fmt.Errorf("`%s` has %q, as the base64 of URLs does; MCP takes the one with + and /", at, text[i:i+1])
		}
		return fmt.Errorf("`%s` is not base64: character %d is wrong, at %q", at, i+1, truncate.Bytes(text[i:], 20))
	}
	return err
}

// typeNames lists the types of content blocks.
func typeNames() string {
	names := make([]string, 0, len(types))
	for name := range types {
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}
