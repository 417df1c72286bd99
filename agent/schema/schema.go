// Package schema translates the JSON Schema of a tool's arguments into one that a model's service
// accepts.
//
// It accepts schemas of any draft, even with mistakes. It inlines references, and corrects types
// and values if their meaning is clear. If the service lacks a keyword, it describes the rule in
// words, so that the model still learns it. Each difference is a [Change].
//
// The package is pure: it never follows a reference to another document. It must not depend on
// models, servers or tools.
package schema

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// A Kind is how a translated schema differs from the original in one place.
type Kind string

// The kinds. internal/wording has a sentence for each.
const (
	Described Kind = "described" // a keyword became words in the description
	Corrected Kind = "corrected" // a value had the wrong type, and its meaning was clear
	Dropped   Kind = "dropped"   // a keyword is missing, because it has no meaning or an unclear one
	Recursion Kind = "recursion" // a recursive part ends here
	Unknown   Kind = "unknown"   // a reference cannot be resolved in this document
	Merged    Kind = "merged"    // alternatives at the root became optional arguments
	Shortened Kind = "shortened" // a size limit cut something off
	Inlined   Kind = "inlined"   // a reference was replaced by its definition
	Rewritten Kind = "rewritten" // other keywords express the same rule
	Added     Kind = "added"     // the original lacks the keyword, but the service requires it
)

// Kinds returns every kind.
func Kinds() []Kind {
	return []Kind{Described, Corrected, Dropped, Recursion, Unknown, Merged, Shortened, Inlined, Rewritten, Added}
}

// A Change is one difference between a schema and its translation.
type Change struct {
	Path    string // names of properties and keywords, such as "filter.items"; empty for the root
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
	MaxValues = 500     // of an enum; every request contains them all
	MaxWords  = 8 << 10 // of each text, in bytes
	MaxBytes  = 64 << 10
)

// limits holds the limits of one attempt to translate a schema.
type limits struct{ depth, nodes, values, words int }

// attempts lists the limits that Translate tries in order, until a translation has at most
// MaxBytes.
var attempts = []limits{
	{MaxDepth, MaxNodes, MaxValues, MaxWords},
	{MaxDepth, MaxNodes, 100, 400},
	{4, 1200, 20, 120},
	{1, 600, 10, 40},
}

// TooLargeError is the error for a schema that still has more than MaxBytes after all attempts.
type TooLargeError struct{ Bytes int }

func (e TooLargeError) Error() string {
	return fmt.Sprintf("the schema of the arguments has %d bytes even without its details; at most %d can be declared", e.Bytes, MaxBytes)
}

// notASchema is the error for a value that is not a schema of arguments.
type notASchema struct{ Found string }

func (e notASchema) Error() string {
	return "the schema of the arguments is " + e.Found + ", not an object"
}

// Translate translates the schema of a tool's arguments. A nil schema means no arguments. The
// result shares no memory with in. It returns [TooLargeError] if the translation stays too large, and
// another error if in is not a schema.
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
			continue // the schema has many small parts, so shorter texts save little
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
	return Translated{}, TooLargeError{t.Bytes}
}

// sorted returns the names of an object in order, so that each translation of a schema is
// identical.
func sorted(m map[string]any) []string {
	names := slices.AppendSeq(make([]string, 0, len(m)), maps.Keys(m))
	slices.Sort(names)
	return names
}
