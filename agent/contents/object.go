package contents

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"goated/internal/truncate"
)

// An orderedObject is a JSON object whose members keep their order.
type orderedObject []member

// A member is one member of an object.
type member struct {
	name   string
	value  string // as one line; empty for null and if rows holds the value
	number bool
	rows   []orderedObject // the elements, if the value is a list of objects
}

func (o *orderedObject) UnmarshalJSON(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return errors.New("not an object")
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return err
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return err
		}
		m := member{name: fmt.Sprint(name), number: value[0] == '-' || value[0] >= '0' && value[0] <= '9'}
		if rows, values := listElements(value); len(rows) > 0 && len(rows) == len(values) {
			m.rows = rows
		} else if len(values) > 0 {
			m.value = strings.Join(values, ", ")
		} else {
			m.value = oneLine(value)
		}
		*o = append(*o, m)
	}
	return nil
}

// listElements returns the objects in a JSON list, and each of its values as one line. It decodes each
// value once. Decoding it twice would double the work at each level of nesting.
func listElements(value json.RawMessage) (rows []orderedObject, values []string) {
	var list []json.RawMessage
	if value[0] != '[' || json.Unmarshal(value, &list) != nil {
		return nil, nil
	}
	for _, v := range list {
		var o orderedObject
		if v[0] == '{' && json.Unmarshal(v, &o) == nil {
			rows, values = append(rows, o), append(values, o.line())
		} else {
			values = append(values, oneLine(v))
		}
	}
	return rows, values
}

// oneLine returns a JSON value as one readable line: a string without line breaks, or the values of
// a list or an object.
func oneLine(value json.RawMessage) string {
	switch value[0] {
	case '{':
		var o orderedObject
		if json.Unmarshal(value, &o) != nil {
			return ""
		}
		return o.line()
	case '[':
		_, values := listElements(value)
		return strings.Join(values, ", ")
	case '"':
		var text string
		_ = json.Unmarshal(value, &text) // cannot fail: the decoder has checked it
		return strings.Join(strings.Fields(text), " ")
	case 'n':
		return ""
	}
	return string(value)
}

// maxCell limits each value in a line with several values, in bytes.
const maxCell = 200

// line returns the values of an object in one line.
func (o orderedObject) line() string {
	var values []string
	for _, m := range o.withUnits() {
		for _, row := range m.rows {
			values = append(values, row.line())
		}
		if m.value != "" {
			values = append(values, truncate.Bytes(m.value, maxCell))
		}
	}
	return strings.Join(values, " · ")
}

// lines returns one line for each member of an object, and one for each object in a list.
func (o orderedObject) lines() string {
	var all []string
	for _, m := range o.withUnits() {
		all = append(all, strings.TrimSuffix("- "+m.name+": "+m.value, " "))
		for _, row := range m.rows {
			all = append(all, "  - "+row.line())
		}
	}
	return strings.Join(all, "\n")
}

// sizeMembers lists names of members that contain a size in bytes. kindMembers lists names of
// members that tell files from folders. Both are in the form that normalizedName returns.
var (
	sizeMembers = map[string]bool{"size": true, "bytes": true, "sizebytes": true, "sizeinbytes": true, "bytesize": true, "filesize": true}
	kindMembers = map[string]bool{"type": true, "kind": true, "filetype": true, "entrytype": true}
	files       = map[string]bool{"file": true, "symlink": true, "link": true}
	folders     = map[string]bool{"directory": true, "dir": true, "folder": true}
)

// withUnits returns the object for a file or a folder in readable form: with a unit after the size
// of a file, and without the size of a folder. It returns any other object unchanged.
func (o orderedObject) withUnits() orderedObject {
	file, folder := false, false
	for _, m := range o {
		if kindMembers[normalizedName(m.name)] {
			file, folder = file || files[strings.ToLower(m.value)], folder || folders[strings.ToLower(m.value)]
		}
	}
	if !file && !folder {
		return o
	}
	var all orderedObject
	for _, m := range o {
		if m.number && sizeMembers[normalizedName(m.name)] {
			if folder {
				continue
			}
			if m.value += " bytes"; m.value == "1 bytes" {
				m.value = "1 byte"
			}
		}
		all = append(all, m)
	}
	return all
}

// normalizedName returns a name in lower case, without underscores, hyphens and spaces.
func normalizedName(name string) string {
	return strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(name))
}
