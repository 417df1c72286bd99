package desktop

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// render writes an answer's data as text for a model. Each entry of a list and each other value
// gets one line.
func render(data map[string]any) string {
	if _, entry := kindOf(data); entry {
		return line(data)
	}
	var b strings.Builder
	for _, k := range keys(data) {
		switch v := data[k].(type) {
		case []any:
			if len(v) == 0 {
				fmt.Fprintf(&b, "Found no %s.\n", strings.ReplaceAll(k, "_", " "))
				continue
			}
			fmt.Fprintf(&b, "Found %d %s:\n", len(v), strings.ReplaceAll(plural(k, len(v)), "_", " "))
			for _, item := range v {
				fmt.Fprintf(&b, "- %s\n", lineOf(item))
			}
		case map[string]any:
			if len(v) > 0 {
				fmt.Fprintf(&b, "%s: %s\n", k, line(v))
			}
		default:
			switch {
			case k == "next_page_token":
				fmt.Fprintf(&b, "More: pass page_token=%v\n", v)
			case k == "note":
				fmt.Fprintf(&b, "%v\n", v)
			case k == "success" && v == true && len(data) == 1:
				b.WriteString("Done.\n")
			case k == "success" && v == true:
				b.WriteString("Done. ")
			case k == "success":
				b.WriteString("It did not work.\n")
			default:
				fmt.Fprintf(&b, "%s: %s\n", k, block(v))
			}
		}
	}
	if b.Len() == 0 {
		return "Nothing is there."
	}
	return strings.TrimRight(b.String(), "\n ")
}

// plural returns the name of a list, in the singular if n is 1.
func plural(name string, n int) string {
	if n != 1 {
		return name
	}
	if stem, ok := strings.CutSuffix(name, "ies"); ok {
		return stem + "y"
	}
	if stem, ok := strings.CutSuffix(name, "sses"); ok {
		return stem + "ss"
	}
	return strings.TrimSuffix(name, "s")
}

// keys sorts the names of an object: results first, notes last.
func keys(data map[string]any) []string {
	names := make([]string, 0, len(data))
	for k := range data {
		names = append(names, k)
	}
	rank := func(k string) int {
		switch k {
		case "success", "name", "valid":
			return -1
		case "next_page_token", "note":
			return 1
		}
		return 0
	}
	slices.SortFunc(names, func(a, b string) int {
		if d := rank(a) - rank(b); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	return names
}

// block formats a value for the end of a line. A text of several lines starts on a new line and
// stays as it is.
func block(v any) string {
	s, ok := v.(string)
	if !ok {
		return scalarText(v)
	}
	if strings.Contains(s, "\n") {
		return "\n" + s
	}
	return s
}

func scalarText(v any) string {
	switch v := v.(type) {
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case nil:
		return ""
	}
	return fmt.Sprint(v)
}

func lineOf(v any) string {
	if m, ok := v.(map[string]any); ok {
		return line(m)
	}
	return scalarText(v)
}

// kindOf recognizes the kinds of objects that line formats specially.
func kindOf(m map[string]any) (kind string, entry bool) {
	has := func(names ...string) bool {
		for _, n := range names {
			if _, ok := m[n]; !ok {
				return false
			}
		}
		return true
	}
	switch {
	case has("role") && !has("elements"):
		return "element", true
	case has("pid", "name"):
		return "application", true
	case has("bounds", "name"):
		return "window", true
	}
	return "", false
}

// line formats an object as one line.
func line(m map[string]any) string {
	switch kind, _ := kindOf(m); kind {
	case "element":
		return elementLine(m)
	case "application":
		s := fmt.Sprintf("%s (%s, PID %s)", textOf(m, "display_name", "no name"), m["name"], scalarText(m["pid"]))
		windows, _ := m["windows"].([]any)
		for _, w := range windows {
			s += "\n  - " + lineOf(w)
		}
		return s
	case "window":
		return windowLine(m)
	}
	var parts []string
	for _, k := range keys(m) {
		switch v := m[k].(type) {
		case map[string]any:
			parts = append(parts, fmt.Sprintf("%s={%s}", k, line(v)))
		case []any:
			var items []string
			for _, item := range v {
				items = append(items, lineOf(item))
			}
			parts = append(parts, fmt.Sprintf("%s=[%s]", k, strings.Join(items, "; ")))
		case string:
			parts = append(parts, k+"="+quoted(v))
		default:
			parts = append(parts, k+"="+scalarText(v))
		}
	}
	return strings.Join(parts, ", ")
}

func elementLine(m map[string]any) string {
	var b strings.Builder
	b.WriteString(textOf(m, "role", "element"))
	if s, _ := m["text"].(string); s != "" {
		b.WriteString(" " + quote(s))
	}
	if id := cmpText(m["ref"], m["element_id"]); id != "" {
		b.WriteString(" [" + id + "]")
	}
	b.WriteString(place(m))
	if m["enabled"] == false {
		b.WriteString(", disabled")
	}
	if m["focused"] == true {
		b.WriteString(", focused")
	}
	if actions, ok := m["actions"].([]any); ok && len(actions) > 0 {
		fmt.Fprintf(&b, ", actions: %s", strings.Trim(fmt.Sprint(actions), "[]"))
	}
	if attributes, ok := m["attributes"].(map[string]any); ok && len(attributes) > 0 {
		b.WriteString(", " + line(attributes))
	}
	return b.String()
}

func windowLine(m map[string]any) string {
	s := fmt.Sprintf("%s (%s)", quote(textOf(m, "title", "")), m["name"])
	if bounds, ok := m["bounds"].(map[string]any); ok {
		s += place(bounds)
	}
	if id, _ := m["bundle_id"].(string); id != "" {
		s += ", " + id
	}
	if m["visible"] == false {
		s += ", hidden"
	}
	return s
}

// place formats the position and size of an object, if it has them.
func place(m map[string]any) string {
	x, okX := m["x"].(float64)
	y, okY := m["y"].(float64)
	if !okX || !okY {
		return ""
	}
	w, _ := m["width"].(float64)
	h, _ := m["height"].(float64)
	return fmt.Sprintf(" %.0f×%.0f at (%.0f, %.0f)", w, h, x, y)
}

func textOf(m map[string]any, name, otherwise string) string {
	if s, _ := m[name].(string); s != "" {
		return s
	}
	return otherwise
}

func cmpText(values ...any) string {
	for _, v := range values {
		if s, _ := v.(string); s != "" {
			return s
		}
	}
	return ""
}

// quote quotes a text from an application, so that it stays on one line and cannot imitate several.
func quote(s string) string {
	const most = 200
	if r := []rune(s); len(r) > most {
		return strconv.Quote(string(r[:most])) + "…"
	}
	return strconv.Quote(s)
}

// quoted quotes a text that contains spaces, commas, quotes or control characters, or is empty.
func quoted(s string) string {
	if strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r == ',' || r == '"' || r == 0x7f }) || s == "" {
		return quote(s)
	}
	return s
}
