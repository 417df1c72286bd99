// Package configtext parses configurations in JSON with comments, TOML and YAML. It preserves the order
// of the keys near the root, and the digits of numbers.
//
// It has no state and must not depend on the purpose of a configuration.
package configtext

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/tailscale/hujson"
	"go.yaml.in/yaml/v3"

	"goated/internal/exact"
)

// maxDepth limits the nesting depth of values, because the parsers are recursive.
const maxDepth = 100

// CheckDepth returns an error if the brackets in a text nest so deep that a parser could overflow its
// stack.
func CheckDepth(text string) error {
	now := 0
	for _, c := range []byte(text) {
		switch c {
		case '{', '[':
			if now++; now > maxDepth {
				return fmt.Errorf("it nests deeper than %d levels", maxDepth)
			}
		case '}', ']':
			now--
		}
	}
	return nil
}

// JSON parses JSON with comments and trailing commas. Numbers are [json.Number].
func JSON(text string) (tree any, o Order, err error) {
	v, err := hujson.Parse([]byte(text))
	if err != nil {
		return nil, nil, err
	}
	plain := v.Clone()
	plain.Standardize()
	if err := exact.Decode(plain.Pack(), &tree); err != nil {
		return nil, nil, err
	}
	return tree, keysOf(v), nil
}

// TOML parses TOML.
func TOML(text string) (map[string]any, Order, error) {
	var tree map[string]any
	meta, err := toml.Decode(text, &tree)
	if err != nil {
		return nil, nil, err
	}
	for key, v := range tree {
		if tables, ok := v.([]map[string]any); ok { // [[mcp_servers]] is a list, as in JSON
			list := make([]any, len(tables))
			for i, t := range tables {
				list[i] = t
			}
			tree[key] = list
		}
	}
	o := make(Order)
	for _, key := range meta.Keys() {
		for i := range key {
			path := strings.Join(append([]string{""}, key[:i]...), "/")
			if !slices.Contains(o[path], key[i]) {
				o[path] = append(o[path], key[i])
			}
		}
	}
	return tree, o, nil
}

// YAML parses YAML. Unquoted numbers become strings, which keep their digits: a float64 has only 53
// bits, and 1.10 is a version.
func YAML(text string) (tree any, o Order, err error) {
	var root yaml.Node
	if err := yaml.Unmarshal([]byte(text), &root); err != nil {
		return nil, nil, err
	}
	keepDigits(&root)
	if err := unique(&root); err != nil {
		return nil, nil, err
	}
	if err := root.Decode(&tree); err != nil {
		return nil, nil, err
	}
	return tree, nodeKeys(&root), nil
}

// maxKeys limits how many keys a mapping may have.
const maxKeys = 8192

// unique returns an error for the first duplicate key in a mapping. The decoder compares every pair of
// keys and reports each duplicate pair, so it took minutes for the lines of a log.
func unique(n *yaml.Node) error {
	if n.Kind == yaml.MappingNode {
		if len(n.Content) > 2*maxKeys {
			return fmt.Errorf("line %d: it has more than %d keys in one place", n.Line, maxKeys)
		}
		type key struct {
			kind  yaml.Kind
			value string
		}
		lines := make(map[key]int)
		for i := 0; i < len(n.Content); i += 2 {
			k := key{n.Content[i].Kind, n.Content[i].Value}
			if line, twice := lines[k]; twice {
				return fmt.Errorf("line %d: the key %q is in line %d already", n.Content[i].Line, k.value, line)
			}
			lines[k] = n.Content[i].Line
		}
	}
	for _, inner := range n.Content {
		if err := unique(inner); err != nil {
			return err
		}
	}
	return nil
}

// keepDigits converts unquoted numbers, and keys, to strings.
func keepDigits(n *yaml.Node) {
	if number := n.Tag == "!!int" || n.Tag == "!!float"; number && json.Valid([]byte(n.Value)) {
		n.Tag = "!!str"
	}
	for i, inner := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 && inner.Kind == yaml.ScalarNode && inner.Tag != "!!merge" {
			inner.Tag = "!!str"
		}
		keepDigits(inner)
	}
}
