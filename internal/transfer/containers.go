package transfer

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"strings"

	"goated/internal/launch"
)

// anyContainers finds the servers in a file of an unknown client, in all the places that a pasted text
// may have them. A file may also contain only one server, or servers by their names.
func anyContainers(path string, tree map[string]any) []container {
	if list := containersIn(tree, tree["inputs"], 0); len(list) > 0 {
		return list
	}
	if launch.IsEntry(tree) {
		name, _ := tree["name"].(string)
		base := filepath.Base(path)
		return []container{{servers: map[string]any{cmp.Or(name, strings.TrimSuffix(base, filepath.Ext(base))): tree}}}
	}
	c := container{servers: make(map[string]any)}
	others, commands := false, false
	for name, v := range tree {
		if m, ok := v.(map[string]any); ok && launch.IsEntry(m) {
			c.servers[name] = m
			commands = commands || m["command"] != nil
		} else if ok {
			others = true
		}
	}
	if len(c.servers) == 0 || others && !commands { // package.json contains URLs, too
		return nil
	}
	return []container{c}
}

// maxNested limits the nesting of containers.
const maxNested = 3

// containersIn returns the innermost containers in an object.
func containersIn(m map[string]any, inputs any, deep int) (list []container) {
	keys, _ := launch.Containers(m)
	for _, key := range keys {
		switch inner := m[key].(type) {
		case []any:
			list = append(list, container{servers: named(inner), inputs: inputs})
		case map[string]any:
			own := inputs
			if inner["inputs"] != nil {
				own = inner["inputs"]
			}
			var nested []container
			if deep < maxNested {
				nested = containersIn(inner, own, deep+1)
			}
			if len(nested) == 0 {
				nested = []container{{servers: withoutEmpty(inner), inputs: own}}
			}
			list = append(list, nested...)
		}
	}
	return list
}

// withoutEmpty returns servers without the members that are empty containers.
func withoutEmpty(m map[string]any) map[string]any {
	m = maps.Clone(m)
	maps.DeleteFunc(m, func(name string, v any) bool {
		_, empty := launch.Containers(map[string]any{name: v})
		return empty
	})
	return m
}

// named returns the servers in a list by their names.
func named(list []any) map[string]any {
	out := make(map[string]any)
	for i, v := range list {
		m, ok := v.(map[string]any)
		if !ok {
			continue
		}
		label, _ := m["name"].(string)
		label = cmp.Or(label, fmt.Sprint("Server ", i+1))
		name := label
		for n := 2; out[name] != nil; n++ {
			name = fmt.Sprintf("%s-%d", label, n)
		}
		out[name] = m
	}
	return out
}
