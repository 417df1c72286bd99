package geminitest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// jsonSchema checks one JSON Schema against the subset that Gemini documents.
type jsonSchema struct {
	defs    object
	lenient bool
}

func checkJSONSchema(at string, root any, lenient bool) *failure {
	members, _ := root.(object)
	defs, _ := members["$defs"].(object)
	j := jsonSchema{defs: defs, lenient: lenient}
	if f := j.node(at, root); f != nil {
		return f
	}
	return j.checkCycles(at)
}

// node applies the rules to a schema and to all schemas inside it.
func (j jsonSchema) node(at string, value any) *failure {
	node, ok := value.(object)
	if !ok {
		return invalidField(at, "a schema must be an object.")
	}
	for _, rule := range []func(string, object) *failure{
		j.checkKeywords, j.checkRef, checkValues, checkTypes, checkEnum, checkRequired,
	} {
		if f := rule(at, node); f != nil {
			return f
		}
	}
	for _, keyword := range slices.Sorted(maps.Keys(node)) {
		if f := j.below(at+"."+keyword, keyword, node[keyword]); f != nil {
			return f
		}
	}
	return nil
}

// below checks the schemas in the value of a keyword.
func (j jsonSchema) below(at, keyword string, value any) *failure {
	switch keyword {
	case "properties", "$defs":
		members, ok := value.(object)
		if !ok {
			return invalidField(at, "must be an object.")
		}
		for _, name := range slices.Sorted(maps.Keys(members)) {
			if f := j.node(fmt.Sprintf("%s[%s]", at, name), members[name]); f != nil {
				return f
			}
		}
	case "anyOf", "oneOf", "prefixItems":
		members, ok := value.([]any)
		if !ok || len(members) == 0 {
			return invalidField(at, "must be a list, and not empty.")
		}
		for i, member := range members {
			if f := j.node(fmt.Sprintf("%s[%d]", at, i), member); f != nil {
				return f
			}
		}
	case "items":
		return j.node(at, value)
	case "additionalProperties":
		if _, ok := value.(bool); !ok {
			return j.node(at, value)
		}
	}
	return nil
}

// checkKeywords applies the rule "Only a subset of the JSON Schema specification is supported."
func (j jsonSchema) checkKeywords(at string, node object) *failure {
	supported := []string{
		"$id", "$defs", "$ref", "$anchor", "type", "format", "title", "description", "enum",
		"items", "prefixItems", "minItems", "maxItems", "minimum", "maximum", "anyOf", "oneOf",
		"properties", "additionalProperties", "required", "propertyOrdering",
	}
	for _, keyword := range slices.Sorted(maps.Keys(node)) {
		if !j.lenient && !slices.Contains(supported, keyword) {
			return invalidField(at, "unsupported JSON Schema keyword %q.", keyword)
		}
	}
	return nil
}

// checkRef applies the rule "If `$ref` is set on a sub-schema, no other properties, except for than
// those starting as a `$`, may be set." References must stay in the document.
func (j jsonSchema) checkRef(at string, node object) *failure {
	ref, set := node["$ref"]
	if !set {
		return nil
	}
	if name, ok := definition(ref); !ok || j.defs[name] == nil {
		return invalidField(at+".$ref", "reference to undefined schema %v.", ref)
	}
	for _, keyword := range slices.Sorted(maps.Keys(node)) {
		if !strings.HasPrefix(keyword, "$") {
			return invalidField(at, "keyword %q cannot be set next to $ref.", keyword)
		}
	}
	return nil
}

// definition returns the name in a reference of the form "#/$defs/name".
func definition(ref any) (string, bool) {
	text, _ := ref.(string)
	name, ok := strings.CutPrefix(text, "#/$defs/")
	return strings.NewReplacer("~1", "/", "~0", "~").Replace(name), ok
}
