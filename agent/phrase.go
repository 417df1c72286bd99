package agent

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

// A phrase is a common form of request, with named parts.
type phrase struct {
	form  *regexp.Regexp // its named groups are roles
	verb  string         // the value for an action argument
	about string         // words that a fitting tool uses
}

var phrases = []phrase{
	{
		form:  regexp.MustCompile(`(?is)^(?:please )?(?:list|show)(?: me)?(?: all)?(?: the)? (?:files|folders|directories|contents?|entries)(?: (?:and|or) (?:files|folders|directories))? (?:in|of|inside|under|at|from)(?: the)?(?: (?:folder|directory|path))? (?P<directory>.+?)[?.!]?$`),
		verb:  "list",
		about: "list files directory",
	},
	{
		form:  regexp.MustCompile(`(?is)^(?:please )?(?:what(?:'s| is)|which files are) in(?: the)?(?: (?:folder|directory))? (?P<directory>\S*[/.~]\S*?)\??$`),
		verb:  "list",
		about: "list files directory",
	},
	{
		form:  regexp.MustCompile(`(?is)^(?:please )?(?:remember|memorize|store|save)(?: that)? (?P<key>.+?) (?:as|is|=) (?P<value>.+)$`),
		verb:  "write",
		about: "remember memory",
	},
	{
		form:  regexp.MustCompile(`(?is)^(?:please )?(?:what (?:do|did) you (?:remember|know) (?:about|of)|do you remember|recall) (?P<key>.+?)\??$`),
		verb:  "read",
		about: "remember memory",
	},
	{
		form:  regexp.MustCompile(`(?is)^(?:please )?(?:write|make|create|leave|save)(?: me)?(?: an?| the)? (?:note|file|text)(?: on (?:my|the) desktop)? (?:called|named) (?P<filename>"[^"]+"|\S+)(?: on (?:my|the) desktop)? (?:saying|that says|which says|with|containing)(?: the)?(?: (?:text|words|content))?:? (?P<content>.+)$`),
		verb:  "write",
		about: "write note file",
	},
}

// parse returns the phrase that matches request, and the text of each role.
func parse(request string) (*phrase, map[string]string) {
	for i := range phrases {
		p := &phrases[i]
		found := p.form.FindStringSubmatch(strings.TrimSpace(request))
		if found == nil {
			continue
		}
		slots := make(map[string]string)
		for j, role := range p.form.SubexpNames() {
			if role != "" {
				slots[role] = unquote(found[j])
			}
		}
		return p, slots
	}
	return nil, nil
}

// roles maps each role to the usual names of its argument.
var roles = map[string][]string{
	"directory": {"directory", "directoryPath", "directory_path", "dir", "folder", "path", "root"},
	"key":       {"key", "name", "id", "title", "topic"},
	"value":     {"value", "content", "text", "data"},
	"filename":  {"filename", "fileName", "file_name", "file", "name", "title", "path"},
	"content":   {"content", "contents", "text", "body", "message", "value"},
}

// actions maps each verb to the usual values of an action argument.
var actions = map[string][]string{
	"write": {"write", "set", "store", "save", "put", "add", "create", "remember"},
	"read":  {"read", "get", "recall", "fetch", "show", "lookup"},
	"list":  {"list", "ls", "show", "read"},
}

// arguments returns f's arguments for the parts of the phrase; nil if f can't take
// all of them or needs more.
func (p *phrase) arguments(f *offer, slots map[string]string) map[string]any {
	args := make(map[string]any)
	for _, role := range slices.Sorted(maps.Keys(slots)) {
		name := ""
		for _, candidate := range roles[role] {
			if _, taken := args[candidate]; !taken && f.properties[candidate] != nil && kindOf(f.properties[candidate]) == "string" {
				name = candidate
				break
			}
		}
		if name == "" {
			return nil
		}
		args[name] = slots[role]
	}
	for _, name := range f.missing(args) {
		action := pick(f.properties[name], actions[p.verb])
		if action == "" {
			return nil
		}
		args[name] = action
	}
	return args
}

// pick returns the first of wanted that is in the property's enum; "" if none is.
func pick(property map[string]any, wanted []string) string {
	values, _ := property["enum"].([]any)
	for _, w := range wanted {
		if slices.ContainsFunc(values, func(v any) bool { s, ok := v.(string); return ok && strings.EqualFold(s, w) }) {
			return w
		}
	}
	return ""
}

func unquote(s string) string {
	s = strings.TrimSpace(s)
	for _, q := range []string{`"`, "'", "`"} {
		if len(s) > 1 && strings.HasPrefix(s, q) && strings.HasSuffix(s, q) {
			return s[1 : len(s)-1]
		}
	}
	return s
}
