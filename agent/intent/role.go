package intent

import (
	"slices"
	"strings"
)

// A role is the purpose of an argument.
type role int

const (
	free role = iota
	roleURL
	roleSQL
	rolePath
	roleName // of a file
	rolePattern
	roleZone
	roleTime
	roleNumber
	roleSource
	roleTarget
	roleList // of texts
	roleText
	roleKey
	roleValue
	roleAction
	roleEnum
	roleFlag
	roleNested
	roleEmail
	roleDate
	roleRevision
	roleHost
	rolePhone
)

// kindOf returns the type of a property. If there are several, it returns the first that is
// not null.
func kindOf(p map[string]any) string {
	switch t := p["type"].(type) {
	case string:
		return t
	case []any:
		for _, k := range t {
			if s, ok := k.(string); ok && s != "null" {
				return s
			}
		}
	}
	if branches, ok := p["anyOf"].([]any); ok {
		for _, b := range branches {
			if m, ok := b.(map[string]any); ok {
				if k := kindOf(m); k != "null" && k != "" {
					return k
				}
			}
		}
	}
	return ""
}

func has(text string, list ...string) bool {
	return slices.ContainsFunc(list, func(s string) bool { return strings.Contains(text, s) })
}

func (d *document) roleOf(name string) role { return d.roles[name] }

// judge finds the role of an argument by its schema, its name and its description.
func (d *document) judge(name string) role {
	p := d.properties[name]
	parts := split(name)
	n := strings.Join(parts, "_")
	about, _ := p["description"].(string)
	about = strings.ToLower(about)
	if values, ok := p["enum"].([]any); ok && len(values) > 0 {
		if n == "action" || n == "operation" || n == "command" || n == "mode" {
			return roleAction
		}
		return roleEnum
	}
	switch kindOf(p) {
	case "number", "integer":
		return roleNumber
	case "boolean":
		return roleFlag
	case "object":
		return roleNested
	case "array":
		items, _ := p["items"].(map[string]any)
		if k := kindOf(items); k == "object" || k == "array" {
			return roleNested
		}
		return roleList
	}
	format, _ := p["format"].(string)
	last := ""
	if len(parts) > 0 {
		last = parts[len(parts)-1]
	}
	switch {
	case format == "uri" || last == "url" || last == "uri" || last == "link":
		return roleURL
	case format == "email" || last == "email" || n == "recipient" && strings.Contains(about, "mail"):
		return roleEmail
	case takesHost(parts):
		return roleHost
	case last == "phone" || last == "mobile" || strings.HasSuffix(n, "phone_number") || n == "recipient" && !has(about, "mail"):
		return rolePhone
	case last == "sql" || (last == "query" || last == "statement") && has(about+strings.ToLower(d.description), "sql"):
		return roleSQL
	case last == "timezone" || last == "tz" || last == "zone":
		return roleZone
	case strings.HasPrefix(format, "date") || last == "date" || last == "day":
		return roleDate
	case last == "time" || last == "clock":
		return roleTime
	case last == "revision" || last == "rev" || last == "sha" || last == "commit" || last == "hash":
		return roleRevision
	case last == "pattern" || last == "glob" || last == "regex":
		return rolePattern
	case n == "source" || n == "src" || (n == "origin" || n == "start" || n == "departure") && d.properties["destination"] != nil || n == "from" || strings.HasPrefix(n, "source_path") || strings.HasPrefix(n, "from_") || n == "old_path" || n == "from_path":
		return roleSource
	case d.writesFile(n):
		return roleTarget
	case n == "input" && d.writesFile("output") && d.properties["output"] != nil:
		return roleSource
	case n == "destination" || n == "dest" || n == "dst" || n == "to" && !has(about, "mail") || n == "new_path" || n == "to_path" || strings.HasPrefix(n, "destination"), strings.HasPrefix(n, "to_"):
		return roleTarget
	case last == "repo" && d.properties["owner"] != nil:
		return roleKey
	case has(n, "path", "dir", "folder", "repo", "root") || last == "file" && !has(n, "name"):
		return rolePath
	case has(n, "filename", "file_name"):
		return roleName
	case n == "key" || n == "name" || n == "id" || n == "title" || n == "topic" || n == "subject":
		return roleKey
	case n == "value":
		return roleValue
	case n == "note" && (d.properties["text"] != nil || d.properties["content"] != nil):
		return free // the note that the text goes into
	case has(n, "content", "text", "body", "message", "note", "comment", "summary"):
		return roleText
	}
	return free
}

// onlyFolders reports whether every path among the arguments is for a folder.
func (d *document) onlyFolders() bool {
	found := false
	for name := range d.properties {
		if d.roleOf(name) == rolePath {
			if !has(strings.ToLower(name), "dir", "folder") {
				return false
			}
			found = true
		}
	}
	return found
}

// takesRepo reports whether the only path among the arguments is for a repository.
func (d *document) takesRepo() bool {
	found := false
	for name := range d.properties {
		if d.roleOf(name) == rolePath {
			if !strings.Contains(strings.ToLower(name), "repo") {
				return false
			}
			found = true
		}
	}
	return found
}

// lists reports whether an argument is a list of texts for one of the given things.
func (d *document) lists(of ...string) bool {
	for name := range d.properties {
		if d.roleOf(name) == roleList && has(strings.ToLower(name), of...) {
			return true
		}
	}
	return false
}

func required(d *document, of role) (n int) {
	for _, name := range d.required {
		if d.roleOf(name) == of {
			n++
		}
	}
	return n
}
