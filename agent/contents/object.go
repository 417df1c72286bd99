package contents

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// An orderedObject is a flat JSON object whose members keep their order.
type orderedObject []member

// A member is one member of an object.
type member struct {
	name, value string
	number      bool
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
		value, err := dec.Token()
		if err != nil {
			return err
		}
		if _, nested := value.(json.Delim); nested {
			return errors.New("not flat")
		}
		_, number := value.(json.Number)
		*o = append(*o, member{fmt.Sprint(name), strings.Join(strings.Fields(fmt.Sprint(value)), " "), number})
	}
	return nil
}

// sizes lists the names of members that hold a size in bytes, and kinds those that say whether an
// object is a file. Both are in lower case, without signs.
var (
	sizes   = map[string]bool{"size": true, "bytes": true, "sizebytes": true, "sizeinbytes": true, "bytesize": true, "filesize": true}
	kinds   = map[string]bool{"type": true, "kind": true, "filetype": true, "entrytype": true}
	files   = map[string]bool{"file": true, "symlink": true, "link": true}
	folders = map[string]bool{"directory": true, "dir": true, "folder": true}
)

// measured returns the object of a file or a folder as people read it: the size of a file has its
// unit, and a folder has no size. It returns any other object as it is.
func (o orderedObject) measured() orderedObject {
	file, folder := false, false
	for _, m := range o {
		if kinds[bare(m.name)] {
			file, folder = file || files[strings.ToLower(m.value)], folder || folders[strings.ToLower(m.value)]
		}
	}
	if !file && !folder {
		return o
	}
	var all orderedObject
	for _, m := range o {
		if m.number && sizes[bare(m.name)] {
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

// bare returns a name in lower case, without signs.
func bare(name string) string {
	return strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(name))
}
