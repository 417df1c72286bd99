package convert

import (
	"strconv"
	"strings"
	"unicode"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// EnumName returns the short name of an enum value, such as "left" for CLICK_TYPE_LEFT. It returns
// "" for the unspecified value, and the number if the value is unknown.
func EnumName(ed protoreflect.EnumDescriptor, n protoreflect.EnumNumber) string {
	v := ed.Values().ByNumber(n)
	switch {
	case n == 0:
		return ""
	case v == nil:
		return strconv.Itoa(int(n))
	}
	return short(ed, v)
}

func short(ed protoreflect.EnumDescriptor, v protoreflect.EnumValueDescriptor) string {
	return strings.ToLower(strings.TrimPrefix(string(v.Name()), upperSnake(string(ed.Name()))+"_"))
}

// upperSnake converts ClickType to CLICK_TYPE.
func upperSnake(name string) string {
	var b strings.Builder
	for i, r := range name {
		if i > 0 && unicode.IsUpper(r) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToUpper(r))
	}
	return b.String()
}

// enumNames returns the short names of an enum's values.
func enumNames(ed protoreflect.EnumDescriptor) []string {
	var names []string
	for i := range ed.Values().Len() {
		if v := ed.Values().Get(i); v.Number() != 0 {
			names = append(names, short(ed, v))
		}
	}
	return names
}

// otherNames maps alternative names that models use to the names of values.
var otherNames = map[string]string{
	"ctrl": "control", "alt": "option", "opt": "option", "cmd": "command", "super": "command", "meta": "command", "win": "command",
	"fn": "function", "capslock": "caps_lock", "jpg": "jpeg", "tif": "tiff", "javascript": "jxa", "js": "jxa", "bash": "shell", "sh": "shell",
	"element": "element_changes", "elements": "element_changes", "window": "window_changes", "windows": "window_changes",
	"application": "application_changes", "applications": "application_changes", "attribute": "attribute_changes", "attributes": "attribute_changes", "tree": "tree_changes",
}

// enumNumber finds a value by its short name, its full name or an alternative name.
func enumNumber(ed protoreflect.EnumDescriptor, name string) (protoreflect.EnumNumber, bool) {
	name = strings.ToLower(strings.TrimSpace(name))
	other := otherNames[name]
	for i := range ed.Values().Len() {
		v := ed.Values().Get(i)
		if s := short(ed, v); v.Number() != 0 && (s == name || s == other || strings.EqualFold(string(v.Name()), name)) {
			return v.Number(), true
		}
	}
	return 0, false
}
