// Package schema turns the JSON Schema of a tool's arguments into one that a model's
// service accepts, and checks arguments against the original.
//
// It accepts any JSON value, from any draft, also one with mistakes. It inlines
// references, corrects types and values where their meaning is clear, and describes in
// words what the service has no keyword for, so that the model still knows the rule.
// Each difference is a [Change].
//
// The package is pure: it never follows a reference to another document. It must not
// know of models, servers or tools.
package schema

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// A Kind says how a translated schema differs from the original at one place.
type Kind string

// The kinds. internal/wording has a sentence for each.
const (
	Described Kind = "described" // a keyword became words in the description
	Corrected Kind = "corrected" // a value had the wrong type, and its meaning was clear
	Dropped   Kind = "dropped"   // a keyword has no meaning, or its meaning is unclear
	Recursion Kind = "recursion" // a part that contains itself ends here
	Unknown   Kind = "unknown"   // a reference leads to nothing in this document
	Merged    Kind = "merged"    // alternatives at the root became optional arguments
	Shortened Kind = "shortened" // a limit of size cut something off
	Inlined   Kind = "inlined"   // a reference became the part that it names
	Rewritten Kind = "rewritten" // other keywords say the same
	Added     Kind = "added"     // the original lacks it, and the service requires it
)

// Kinds returns every kind.
func Kinds() []Kind {
	return []Kind{Described, Corrected, Dropped, Recursion, Unknown, Merged, Shortened, Inlined, Rewritten, Added}
}

// A Change is one difference between a schema and its translation.
type Change struct {
	Path    string // names of properties and positions, such as "filter.items"; empty: the root
	Keyword string // the keyword of the original
	Kind    Kind
}

// Translated is a schema that a service accepts.
type Translated struct {
	Schema  map[string]any
	Changes []Change // in the order of the schema
	Bytes   int      // size of Schema as JSON
}

// The limits of a translated schema. References are replaced by their definitions, so
// a small schema can describe a large or an infinite one.
const (
	MaxDepth  = 24
	MaxNodes  = 4000
	MaxValues = 500     // of an enum; every request carries them all
	MaxWords  = 8 << 10 // of each text, in bytes
	MaxBytes  = 64 << 10
)

// limits bound one attempt to translate.
type limits struct{ depth, nodes, values, words int }

// attempts are tried in order until a translation has at most MaxBytes.
var attempts = []limits{
	{MaxDepth, MaxNodes, MaxValues, MaxWords},
	{MaxDepth, MaxNodes, 100, 400},
	{4, 1200, 20, 120},
	{1, 600, 10, 40},
}

// TooLarge is the error of a schema that has more than MaxBytes after all cuts.
type TooLarge struct{ Bytes int }

func (e TooLarge) Error() string {
	return fmt.Sprintf("the schema of the arguments has %d bytes even without its details; at most %d can be declared", e.Bytes, MaxBytes)
}

// notASchema is the error of a value that is not a schema of arguments.
type notASchema struct{ Found string }

func (e notASchema) Error() string {
	return "the schema of the arguments is " + e.Found + ", not an object"
}

// Translate returns a schema of an object that a service accepts. A nil schema means
// no arguments. The result shares nothing with in. It fails with [TooLarge], and for a
// value that is no schema.
func Translate(in any) (Translated, error) {
	root, ok := in.(map[string]any)
	if !ok {
		switch v := in.(type) {
		case nil:
			return Translated{Schema: map[string]any{"type": "object"}, Bytes: len(`{"type":"object"}`)}, nil
		case bool:
			if v {
				return Translated{Schema: map[string]any{"type": "object"}, Changes: []Change{{Keyword: "type", Kind: Added}}, Bytes: len(`{"type":"object"}`)}, nil
			}
			return Translated{}, notASchema{"false, which allows no arguments"}
		}
		// A typed schema, such as the SDK's, becomes plain JSON first.
		data, err := json.Marshal(in)
		if err != nil || json.Unmarshal(data, &root) != nil || root == nil {
			return Translated{}, notASchema{compact(in, 40)}
		}
	}
	var t Translated
	r := newReducer(root)
	for i, l := range attempts {
		if i == 1 && t.Bytes < 80*r.nodes {
			continue // many small parts, so shorter texts save little
		}
		r.begin(l)
		t = Translated{Schema: r.root(root), Changes: r.changes}
		data, err := json.Marshal(t.Schema)
		if err != nil {
			return Translated{}, notASchema{err.Error()}
		}
		t.Bytes = len(data)
		if i > 0 {
			t.Changes = append(t.Changes, Change{Kind: Shortened})
		}
		if t.Bytes <= MaxBytes {
			return t, nil
		}
	}
	return Translated{}, TooLarge{t.Bytes}
}

// sorted returns the names of an object, so that every translation is the same.
func sorted(m map[string]any) []string {
	names := slices.AppendSeq(make([]string, 0, len(m)), maps.Keys(m))
	slices.Sort(names)
	return names
}
