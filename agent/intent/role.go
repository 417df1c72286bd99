package intent

import (
	"slices"
	"strings"
)

// A role is the purpose of an argument.
type role int

const (
	roleFree role = iota
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

// kindOf returns the type of a property. If there are several, it returns the first one that is not
// null.
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

func containsAny(text string, list ...string) bool {
	return slices.ContainsFunc(list, func(s string) bool { return strings.Contains(text, s) })
}

func (d *document) roleOf(name string) role { return d.roles[name] }

// An argument contains the properties of an argument, besides its type, that determine its role.
type argument struct {
	parts  []string // of its name
	name   string   // its parts, joined by _
	last   string   // of its parts
	format string   // in its schema
	about  string   // its description in lower case
}

// computeRole returns the role of an argument, based on its schema, name and description.
func (d *document) computeRole(name string) role {
	p := d.properties[name]
	a := argument{parts: Words(name)}
	a.name = strings.Join(a.parts, "_")
	if len(a.parts) > 0 {
		a.last = a.parts[len(a.parts)-1]
	}
	a.format, _ = p["format"].(string)
	about, _ := p["description"].(string)
	a.about = strings.ToLower(about)
	r := roleOfType(p, a.name)
	for _, next := range []func(argument) role{d.roleOfForm, d.roleOfEnd, d.roleOfContent} {
		if r == roleFree {
			r = next(a)
		}
	}
	return r
}

// roleOfType returns the role that the type of a property implies, or roleFree for a string.
func roleOfType(p map[string]any, name string) role {
	if values, ok := p["enum"].([]any); ok && len(values) > 0 {
		if name == "action" || name == "operation" || name == "command" || name == "mode" {
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
	return roleFree
}

// roleOfForm returns the role of a text with a special form, such as a URL.
func (d *document) roleOfForm(a argument) role {
	switch {
	case a.format == "uri" || a.last == "url" || a.last == "uri" || a.last == "link":
		return roleURL
	case a.format == "email" || a.last == "email" || a.name == "recipient" && strings.Contains(a.about, "mail"):
		return roleEmail
	case takesHost(a.parts):
		return roleHost
	case a.last == "phone" || a.last == "mobile" || strings.HasSuffix(a.name, "phone_number") || a.name == "recipient" && !containsAny(a.about, "mail"):
		return rolePhone
	case a.last == "sql" || (a.last == "query" || a.last == "statement") && containsAny(a.about+strings.ToLower(d.description), "sql"):
		return roleSQL
	case a.last == "timezone" || a.last == "tz" || a.last == "zone":
		return roleZone
	case strings.HasPrefix(a.format, "date") || a.last == "date" || a.last == "day":
		return roleDate
	case a.last == "time" || a.last == "clock":
		return roleTime
	case a.last == "revision" || a.last == "rev" || a.last == "sha" || a.last == "commit" || a.last == "hash":
		return roleRevision
	case a.last == "pattern" || a.last == "glob" || a.last == "regex":
		return rolePattern
	}
	return roleFree
}

// roleOfEnd returns the role of a text that is the source or target of something.
func (d *document) roleOfEnd(a argument) role {
	switch {
	case a.name == "source" || a.name == "src" || (a.name == "origin" || a.name == "start" || a.name == "departure") && d.properties["destination"] != nil || a.name == "from" || strings.HasPrefix(a.name, "source_path") || strings.HasPrefix(a.name, "from_") || a.name == "old_path" || a.name == "from_path":
		return roleSource
	case d.writesFile(a.name):
		return roleTarget
	case a.name == "input" && d.writesFile("output") && d.properties["output"] != nil:
		return roleSource
	case a.name == "destination" || a.name == "dest" || a.name == "dst" || a.name == "to" && !containsAny(a.about, "mail") || a.name == "new_path" || a.name == "to_path" || strings.HasPrefix(a.name, "destination"), strings.HasPrefix(a.name, "to_"):
		return roleTarget
	}
	return roleFree
}

// roleOfContent returns the role of any other text: a path, a name or words.
func (d *document) roleOfContent(a argument) role {
	switch {
	case a.last == "repo" && d.properties["owner"] != nil:
		return roleKey
	case containsAny(a.name, "path", "dir", "folder", "repo", "root") || a.last == "file" && !containsAny(a.name, "name"):
		return rolePath
	case containsAny(a.name, "filename", "file_name"):
		return roleName
	case a.name == "key" || a.name == "name" || a.name == "id" || a.name == "title" || a.name == "topic" || a.name == "subject":
		return roleKey
	case a.name == "value":
		return roleValue
	case a.name == "note" && (d.properties["text"] != nil || d.properties["content"] != nil):
		return roleFree // the note to which the text is added
	case containsAny(a.name, "content", "text", "body", "message", "note", "comment", "summary"):
		return roleText
	}
	return roleFree
}

// onlyFolders reports whether every path argument is a folder.
func (d *document) onlyFolders() bool {
	found := false
	for name := range d.properties {
		if d.roleOf(name) == rolePath {
			if !containsAny(strings.ToLower(name), "dir", "folder") {
				return false
			}
			found = true
		}
	}
	return found
}

// takesRepo reports whether the only path argument is a repository.
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
		if d.roleOf(name) == roleList && containsAny(strings.ToLower(name), of...) {
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
