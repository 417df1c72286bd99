package geminitest

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
)

// violations collects the errors in the structure of a payload.
type violations []Detail

func (v *violations) add(path, format string, args ...any) {
	*v = append(*v, Detail{"field": path, "description": fmt.Sprintf(format, args...)})
}

// unknown adds 'Invalid JSON payload received. Unknown name "x" at 'path': why'.
func (v *violations) unknown(path, name, why string) {
	at := ""
	if path != "" {
		at = fmt.Sprintf(" at '%s'", path)
	}
	v.add(path, "Invalid JSON payload received. Unknown name %q%s: %s", name, at, why)
}

func (v *violations) wrong(path, kind string, value any) {
	text, _ := json.Marshal(value) // cannot fail: it came from JSON
	v.add(path, "Invalid value at '%s' (%s), %s", path, kind, text)
}

func (v violations) failure() *failure {
	if len(v) == 0 {
		return nil
	}
	var lines []string
	for _, violation := range v {
		lines = append(lines, violation["description"].(string))
	}
	f := invalid("%s", strings.Join(lines, "\n"))
	f.Details = []Detail{{"@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": v}}
	return f
}

// snake converts a JSON name to the field name that error messages use.
func snake(name string) string {
	var b strings.Builder
	for _, r := range name {
		if unicode.IsUpper(r) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
