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

// fit returns how well the entities of a request match the arguments of a tool. consumed
// reports that an entity of a rare kind is an argument. Such an entity alone can identify
// the tool.
func (x *index) fit(r *request, d *document, f *filling) (fit float64, consumed bool) {
	roles := make(map[role]int)
	for name := range d.properties {
		roles[d.roleOf(name)]++
	}
	texts := roles[free] + roles[roleText] + roles[roleValue] + roles[roleKey]
	numbers := 0
	for i, e := range r.entities {
		switch e.kind {
		case url:
			switch {
			case roles[roleURL] > 0:
				fit, consumed = fit+0.7, true
			case roles[roleHost] == 0 && !gives(f.args, e.text):
				fit -= 0.6
			}
		case host:
			switch {
			case roles[roleHost] > 0:
				fit, consumed = fit+0.6, true
			case roles[roleURL] > 0:
				fit += 0.4
			case !f.used[i] && !gives(f.args, e.text):
				fit -= 0.35
			}
		case sql:
			switch {
			case roles[roleSQL] > 0:
				verb, _, _ := strings.Cut(strings.ToLower(e.text), " ")
				writes := verb != "select" && verb != "pragma" && verb != "with"
				name := strings.Join(d.name, " ")
				switch {
				case verb == "select" && has(name, "writ", "modif", "updat", "creat"):
					fit -= 0.3
				case verb == "create" && has(name, "create"), verb == "select" && has(name, "read", "select"),
					writes && verb != "create" && has(name, "writ", "modif", "execut", "updat"):
					fit += 0.9
				case writes != changesOf(d):
					fit -= 0.2
				default:
					fit += 0.5
				}
				consumed = true
			default:
				fit -= 0.6
			}
		case glob:
			if roles[rolePattern] > 0 {
				fit += 0.45
			} else {
				fit -= 0.35
			}
		case path:
			if f.used[i] && roles[rolePath]+roles[roleName]+roles[roleSource]+roles[roleTarget]+roles[roleList] == 0 {
				fit += 0.3 // the name of a thing
				continue
			}
			switch repo := d.takesRepo(); {
			case repo && isFile(e.text) && roles[roleList] == 0:
				fit -= 0.3
				continue
			case repo && !has(r.lower, "git", "repo", "commit", "branch", "stage", "diff", "status", "log", "change"):
				fit -= 0.1
				continue
			}
			if roles[rolePath]+roles[roleName]+roles[roleSource]+roles[roleTarget] > 0 || roles[roleList] > 0 && d.lists("file", "path") {
				fit += 0.22
			} else if texts == 0 {
				fit -= 0.35
			} else {
				fit -= 0.15
			}
		case revision:
			if required(d, roleRevision) > 0 {
				fit, consumed = fit+0.5, true
			}
		case number:
			numbers++
		case quoted:
			if texts+roles[rolePattern]+roles[roleList]+roles[roleNested]+roles[roleName] == 0 && roles[rolePath] == 0 {
				fit -= 0.2
			}
		case date:
			if roles[roleDate] > 0 {
				fit += 0.35
			}
		case clock:
			if roles[roleTime] > 0 {
				fit += 0.35
			}
		case phone:
			if roles[rolePhone] > 0 {
				fit += 0.4
			}
		case email:
			if roles[roleEmail] > 0 {
				fit += 0.4
			} else {
				fit -= 0.3
			}
		}
	}
	if f.between {
		fit += 0.25
	}
	fit += 0.15 * float64(f.chosen)
	if f.noted {
		fit += 0.15
	}
	if f.dotted {
		fit, consumed = fit+0.2, true
	}
	for i, e := range r.entities { // another tool may take what this tool can't
		if !f.used[i] && (e.kind == path || e.kind == glob || e.kind == email || e.kind == revision) {
			fit -= 0.25
		}
	}
	if f.verb != "" && slices.Contains(x.concepts(f.verb), "search") && slices.ContainsFunc(d.name, func(n string) bool { return slices.Contains(x.concepts(n), "search") }) {
		fit += 0.2
	}
	given := 0
	for name := range f.args {
		if d.roleOf(name) == roleNumber {
			given++
		}
	}
	if n := min(numbers, given); n > 0 {
		fit += 0.12 * float64(n)
		if n >= 2 && required(d, roleNumber) == numbers {
			fit += 0.25
		}
		if counting.MatchString(r.text) && required(d, roleNumber) == 0 {
			fit += 0.15
		}
	} else if numbers > 0 {
		fit -= 0.1
		if numbers > 1 && len(r.words) <= 2 {
			fit -= 0.4
		}
	}
	paths := r.of(path)
	if len(paths) > 1 && (roles[roleSource]*roles[roleTarget] > 0 || roles[roleList] > 0) {
		fit += 0.3
	}
	if len(paths) == 1 && required(d, roleSource)+required(d, roleTarget) == 2 {
		fit -= 0.25
	}
	if len(paths) == 1 && required(d, roleList) > 0 && required(d, rolePath) == 0 && d.lists("path") {
		fit -= 0.25
	}
	// The kind of a file chooses between tools for texts and for pictures. A folder chooses
	// between tools for files and for folders.
	for _, e := range paths {
		name := strings.Join(d.name, " ")
		fit += d.handles(extension(e.text))
		switch picture, file := isPicture(e.text), isFile(e.text) || has(r.lower, " lines", "the file ", "contents of"); {
		case picture && has(name, "media", "imag", "pictur"):
			fit += 0.3
		case picture && has(name, "text"), !picture && has(name, "media", "imag", "pictur"):
			fit -= 0.2
		case file && (has(name, "director", "folder", "tree") || d.onlyFolders()) && !has(r.lower, "folder", "director"):
			fit -= 0.45
		case !file && has(name, "file", "text", "document") && !has(name, "director", "folder", "search", "info", "move"):
			fit -= 0.15
		case !file && has(name, "director", "folder"):
			fit += 0.1
		}
	}
	if len(r.zones) > 0 {
		if n := min(len(r.zones), roles[roleZone]); n > 0 {
			fit += 0.3
			if required(d, roleZone) == len(r.zones) {
				fit += 0.2
			} else {
				fit -= 0.2
			}
		}
	}
	if len(r.zones) == 0 && required(d, roleZone) > 1 || required(d, roleTime) > 0 && len(r.of(clock)) == 0 {
		fit -= 0.3
	}
	if f.elsewhere() {
		fit -= 0.5
	}
	// A deprecated tool scores less than its successor.
	if has(strings.ToLower(d.description), "deprecated") {
		fit -= 0.1
	}
	return fit, consumed
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

// of returns the entities of a kind.
func (r *request) of(k kind) (found []entity) {
	for _, e := range r.entities {
		if e.kind == k {
			found = append(found, e)
		}
	}
	return found
}
