package agent

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	assigned = regexp.MustCompile(`(?:^|\s)([A-Za-z_][A-Za-z0-9_]*)\s*[=:]\s*("[^"]*"|'[^']*'|[^\s,]+)`)
	quoted   = regexp.MustCompile(`"([^"]*)"|'([^']*)'`)
	numeral  = regexp.MustCompile(`(?:^|[\s(,])(-?\d+(?:\.\d+)?)`)
	pathlike = regexp.MustCompile(`(?:^|\s)((?:~|\.{1,2})?/\S*|\.{1,2}|[\w.-]+\.[A-Za-z0-9]{1,5})(?:[\s,?]|$)`)
)

// fill finds arguments for f in a request, the most certain first: a JSON object,
// name=value, values of an enum, numbers, quoted texts, paths. It leaves out the
// arguments that it can't find.
func fill(request string, f *offer) map[string]any {
	args := make(map[string]any)
	if from := strings.IndexByte(request, '{'); from >= 0 {
		var given map[string]any
		if json.NewDecoder(strings.NewReader(request[from:])).Decode(&given) == nil {
			maps.Copy(args, given)
			request = request[:from]
		}
	}
	for _, m := range assigned.FindAllStringSubmatch(request, -1) {
		if p, ok := f.properties[m[1]]; ok {
			if v, ok := convert(unquote(m[2]), p); ok {
				args[m[1]] = v
				request = strings.Replace(request, strings.TrimSpace(m[0]), "", 1)
			}
		}
	}
	words := split(request)
	names := ordered(f)
	for _, name := range names {
		values, _ := f.properties[name]["enum"].([]any)
		for _, v := range values {
			if s, ok := v.(string); ok && args[name] == nil && slices.Contains(words, strings.ToLower(s)) {
				args[name] = s
			}
		}
	}
	give := func(found []string, fits func(name string, p map[string]any) bool) {
		for _, name := range names {
			p := f.properties[name]
			if len(found) == 0 {
				return
			}
			if _, known := args[name]; known || p["enum"] != nil || !fits(name, p) {
				continue
			}
			if v, ok := convert(found[0], p); ok {
				args[name] = v
				found = found[1:]
			}
		}
	}
	required := f.requires()
	give(groups(numeral, request), func(_ string, p map[string]any) bool { k := kindOf(p); return k == "number" || k == "integer" })
	give(groups(quoted, request), func(name string, p map[string]any) bool { return kindOf(p) == "string" && required[name] })
	give(groups(pathlike, request), func(name string, p map[string]any) bool {
		name = strings.ToLower(name)
		return kindOf(p) == "string" && required[name] && (strings.Contains(name, "path") || strings.Contains(name, "file") || strings.Contains(name, "dir"))
	})
	if open := f.missing(args); len(open) == 1 && kindOf(f.properties[open[0]]) == "string" && f.properties[open[0]]["enum"] == nil {
		if rest := remainder(request, f); rest != "" {
			args[open[0]] = rest
		}
	}
	return args
}

// remainder returns the words after those that name the tool and its arguments: of
// "please reverse the text hello world", it is "hello world".
func remainder(request string, f *offer) string {
	naming := tokens(f.tool + " " + f.server + " server " + strings.Join(f.required, " ") + " string text word phrase value")
	named := false
	rest := strings.TrimSpace(request)
	for rest != "" {
		word, after, _ := strings.Cut(rest, " ")
		plain := plainForm(strings.ToLower(strings.Trim(word, ".,:;!?")))
		switch {
		case naming[plain] || naming.related(plain) != "":
			named = true
		case stop[plain] && (!named || joins[plain]):
		default:
			return strings.TrimSpace(rest)
		}
		rest = strings.TrimSpace(after)
	}
	return ""
}

// joins are the words between a tool's name and its argument. Other small words may
// be part of the argument.
var joins = set{
	"the": true, "a": true, "an": true, "of": true, "in": true, "on": true, "to": true, "for": true, "from": true,
	"with": true, "at": true, "about": true, "that": true, "called": true, "named": true, "by": true, "tool": true,
}

// ordered returns f's properties: the required ones in their order, then the others
// by name.
func ordered(f *offer) []string {
	names := slices.Clone(f.required)
	required := f.requires()
	for _, name := range slices.Sorted(maps.Keys(f.properties)) {
		if !required[name] {
			names = append(names, name)
		}
	}
	return slices.DeleteFunc(names, func(n string) bool { return f.properties[n] == nil })
}

func groups(re *regexp.Regexp, s string) []string {
	var found []string
	for _, m := range re.FindAllStringSubmatch(s, -1) {
		found = append(found, strings.Join(m[1:], ""))
	}
	return found
}

// convert parses text as a value of the property's type.
func convert(text string, p map[string]any) (any, bool) {
	switch kindOf(p) {
	case "integer":
		n, err := strconv.ParseInt(text, 10, 64)
		return float64(n), err == nil
	case "number":
		n, err := strconv.ParseFloat(text, 64)
		return n, err == nil
	case "boolean":
		b, err := strconv.ParseBool(text)
		return b, err == nil
	case "string", "":
		return text, true
	}
	return nil, false
}

// kindOf returns the property's type; of several, the first that is not null.
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
	return ""
}
