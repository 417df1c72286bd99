package configtext

import (
	"slices"

	"github.com/tailscale/hujson"
	"go.yaml.in/yaml/v3"
)

// An Order lists the keys of objects in the order of the text, by the path of the object.
type Order map[string][]string

// keysOf returns the order of the keys in the objects near the root.
func keysOf(v hujson.Value) Order {
	o := make(Order)
	var walk func(v hujson.Value, path string, deep int)
	walk = func(v hujson.Value, path string, deep int) {
		obj, ok := v.Value.(*hujson.Object)
		if !ok || deep > 3 {
			return
		}
		for _, m := range obj.Members {
			lit, ok := m.Name.Value.(hujson.Literal)
			if !ok {
				continue
			}
			key := lit.String()
			o[path] = append(o[path], key)
			walk(m.Value, path+"/"+key, deep+1)
		}
	}
	walk(v, "", 0)
	return o
}

// Keys returns the keys of an object. They are in the order of the text if that is known.
func (o Order) Keys(path string, m map[string]any) []string {
	var out []string
	for _, key := range o[path] {
		if _, ok := m[key]; ok && !slices.Contains(out, key) {
			out = append(out, key)
		}
	}
	var rest []string
	for key := range m {
		if !slices.Contains(out, key) {
			rest = append(rest, key)
		}
	}
	slices.Sort(rest)
	return append(out, rest...)
}

// nodeKeys is like keysOf, for YAML.
func nodeKeys(n *yaml.Node) Order {
	o := make(Order)
	var walk func(n *yaml.Node, path string, deep int)
	walk = func(n *yaml.Node, path string, deep int) {
		if n.Kind == yaml.DocumentNode && len(n.Content) == 1 {
			n = n.Content[0]
		}
		if n.Kind != yaml.MappingNode || deep > 3 {
			return
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i].Value
			o[path] = append(o[path], key)
			walk(n.Content[i+1], path+"/"+key, deep+1)
		}
	}
	walk(n, "", 0)
	return o
}
