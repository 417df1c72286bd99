package toolcall

import (
	"errors"
	"fmt"
	"strings"

	"goated/internal/lazyregexp"
	"goated/internal/truncate"
)

// These match errors of the schema checker that contain more than the keyword.
var (
	wrongType = lazyregexp.New(`(?s)^type: .* has type "([^"]*)", want (?:one of )?"([^"]*)"$`)
	lacking   = lazyregexp.New(`^(?:required|dependentRequired\[.*\]): missing properties:? \[(.*)\]$`)
	unknown   = lazyregexp.New(`^unexpected additional properties \[(.*)\]$`)
)

// maxNames bounds the names of members in a sentence, in bytes.
const maxNames = 300

// mismatch describes in plain words how structured content violates a schema. The checker's
// messages show values in Go's format.
func mismatch(fault error) error {
	text, place := fault.Error(), ""
	for {
		rest, validating := strings.CutPrefix(text, "validating ")
		at, after, found := strings.Cut(rest, ": ")
		if !validating || !found {
			break
		}
		text, place = after, memberPath(at)
	}
	subject := "the structured content"
	if place != "" {
		subject = "`" + place + "`"
	}
	if m := wrongType.FindStringSubmatch(text); m != nil {
		return fmt.Errorf("%s must have the type %s; it has the type %s", subject, strings.ReplaceAll(m[2], ", ", " or "), m[1])
	}
	if m := lacking.FindStringSubmatch(text); m != nil {
		return fmt.Errorf("%s lacks %s", subject, truncate.Bytes(m[1], maxNames))
	}
	if m := unknown.FindStringSubmatch(text); m != nil {
		return fmt.Errorf("%s has members that the schema does not allow: %s", subject, truncate.Bytes(m[1], maxNames))
	}
	if keyword, _, ok := strings.Cut(text, ":"); ok && !strings.ContainsAny(keyword, " \n") {
		return fmt.Errorf("%s does not fit the keyword `%s` of the schema", subject, keyword)
	}
	return errors.New(subject + " does not fit the schema")
}

// memberPath returns the member that a part of a schema describes, for example rows[].id.
func memberPath(schema string) string {
	var place strings.Builder
	parts := strings.Split(schema, "/")
	for i := 1; i < len(parts); i++ {
		switch parts[i] {
		case "properties":
			if i++; i < len(parts) {
				if place.Len() > 0 {
					place.WriteByte('.')
				}
				place.WriteString(parts[i])
			}
		case "items":
			place.WriteString("[]")
		}
	}
	return truncate.Bytes(strings.TrimPrefix(place.String(), "."), maxNames)
}
