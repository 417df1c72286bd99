package answers

import (
	"fmt"

	"goated/internal/jsonscan"
	"goated/internal/truncate"
)

// checkType returns an error if a value does not have the type that MCP requires. begins stands for the
// type: its first character in JSON, with t for a boolean and 0 for a number. Nil and null are
// valid, because decoders treat both like a missing member.
func checkType(value []byte, name string, begins byte, want string) error {
	if len(value) == 0 || isNull(value) || kindOf(value[0]) == begins {
		return nil
	}
	return fmt.Errorf("%s must be %s; it is %s", name, want, describe(value))
}

// kindOf returns the character that stands for a type in checkType.
func kindOf(first byte) byte {
	switch first {
	case '{', '[', '"':
		return first
	case 't', 'f':
		return 't'
	case 'n':
		return 'n'
	}
	return '0'
}

// describe describes a value in words.
func describe(value []byte) string {
	switch kindOf(value[0]) {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "the string " + truncate.Bytes(string(value), 60)
	case '0':
		return "the number " + truncate.Bytes(string(value), 60)
	}
	return string(value)
}

func isNull(value []byte) bool { return string(value) == "null" }

// members returns an object's members by name.
func members(object []byte) map[string][]byte {
	m := make(map[string][]byte)
	jsonscan.Fields(object, func(key, value []byte) bool {
		m[string(key)] = value
		return true
	})
	return m
}
