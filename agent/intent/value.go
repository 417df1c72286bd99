package intent

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// value finds an argument by its role. It returns nil if the request does not contain it.
func (f *filling) value(name string, of role, needed bool) any {
	if v := f.labelled(name, of); v != "" {
		return v
	}
	switch of {
	case roleURL:
		return orNil(addressOf(f))
	case rolePhone:
		if p := f.take(phone, nil); p != "" {
			return p
		}
		return orNil(f.take(email, nil))
	case roleHost:
		return orNil(hostOf(f))
	case roleSQL:
		return orNil(f.take(sql, nil))
	case roleEmail:
		return orNil(f.take(email, nil))
	case roleZone:
		return f.zone(name)
	case roleTime:
		return orNil(day24(f.take(clock, nil)))
	case roleDate:
		return orNil(f.take(date, nil))
	case rolePattern:
		return patternOf(f)
	case roleRevision:
		if e := f.take(revision, nil); e != "" || !needed {
			return orNil(e)
		}
		return f.free(name, needed)
	case roleNumber:
		return f.number(name, needed)
	case roleFlag:
		return f.flag(name)
	case roleEnum, roleAction:
		return f.choice(name, needed)
	case rolePath:
		return f.path(name, needed)
	case roleSource, roleTarget:
		return orNil(f.take(path, nil))
	case roleName:
		return fileNameOf(f)
	case roleList:
		return f.list(name, needed)
	case roleText, roleValue:
		if needed || of == roleText {
			return f.content(needed || f.acted)
		}
	case roleKey, roleFree:
		if v := f.identifier(name); v != "" {
			return v
		}
		return f.free(name, needed)
	}
	return nil
}

// orNil returns text as the value of an argument, or nil if text is empty because the request does
// not contain the argument.
func orNil(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// addressOf finds a URL, or makes one from the name of a computer.
func addressOf(f *filling) string {
	u := f.take(url, nil)
	if u == "" {
		u = f.take(host, nil)
	}
	if u != "" && !strings.Contains(u, "://") {
		return "https://" + u
	}
	return u
}

// patternOf finds a pattern: a glob, a text in quotes, a file name, or the word after "called".
func patternOf(f *filling) any {
	if g := f.take(glob, nil); g != "" {
		return g
	}
	if q := f.take(quoted, nil); q != "" {
		return q
	}
	if e := f.take(path, func(e entity) bool { return isFile(e.text) && !strings.Contains(e.text, "/") }); e != "" {
		return e
	}
	if m := f.submatch(naming, f.text); m != nil {
		return unquote(m[1])
	}
	return nil
}

// fileNameOf finds a file name: the word after "called", or a path without a folder.
func fileNameOf(f *filling) any {
	if m := f.submatch(naming, f.text); m != nil {
		f.markUsed(m[1])
		return unquote(strings.TrimRight(m[1], ",.!?:"))
	}
	return orNil(f.take(path, func(e entity) bool { return !strings.ContainsAny(e.text, `/\`) }))
}

func (f *filling) zone(name string) any {
	n := strings.ToLower(name)
	i := f.zoned
	if len(f.zones) > 1 && (containsAny(n, "source", "from") || containsAny(n, "target", "dest", "to_")) {
		swapped := strings.HasSuffix(strings.TrimSpace(f.lower[:f.zones[0].from]), " to") && strings.Contains(f.lower[f.zones[0].to:f.zones[1].from], "from")
		i = 0
		if containsAny(n, "target", "dest", "to_") != swapped {
			i = 1
		}
	} else if containsAny(n, "target", "dest") && len(f.zones) == 1 && !containsAny(f.lower[:f.zones[0].from], " to ", " in ") {
		return nil
	}
	if i >= len(f.zones) {
		return nil
	}
	f.zoned++
	return f.zones[i].text
}

// day24 converts a time of day to the 24-hour clock.
func day24(text string) string {
	lower := strings.ToLower(strings.ReplaceAll(text, " ", ""))
	half := ""
	for _, h := range []string{"am", "pm"} {
		if rest, ok := strings.CutSuffix(lower, h); ok {
			lower, half = rest, h
		}
	}
	if half == "" {
		return lower
	}
	hour, minutes, _ := strings.Cut(lower, ":")
	n, err := strconv.Atoi(hour)
	if err != nil || n > 12 {
		return text
	}
	n %= 12
	if half == "pm" {
		n += 12
	}
	if minutes == "" {
		minutes = "00"
	}
	return fmt.Sprintf("%02d:%s", n, minutes)
}

func (f *filling) number(name string, needed bool) any {
	p := f.properties[name]
	if len(f.of(number)) == 0 {
		return nil
	}
	if needed {
		if n := f.take(number, nil); n != "" {
			if v, ok := convert(n, p); ok {
				return v
			}
		}
		return nil
	}
	parts := Words(name)
	for _, m := range f.submatches(counting) {
		cue, digits := strings.ToLower(m[1]), m[2]+m[3]
		tail := slices.Contains(parts, "tail") || slices.Contains(parts, "last")
		if slices.Contains(parts, "head") && (cue == "last" || cue == "latest") || tail && (cue == "first" || cue == "top") {
			continue
		}
		if !slices.ContainsFunc(parts, func(w string) bool {
			return slices.Contains([]string{"max", "limit", "count", "n", "head", "tail", "lines", "first", "last", "top", "length", "size", "num", "number", "steps", "duration", "seconds"}, w)
		}) {
			continue
		}
		if slices.ContainsFunc(parts, func(w string) bool {
			return slices.Contains([]string{"lines", "length", "steps", "duration", "seconds", "size"}, w) && !slices.Contains(f.words, stem(w))
		}) {
			continue
		}
		if v, ok := convert(digits, p); ok && f.take(number, func(e entity) bool { return e.text == digits }) != "" {
			for _, w := range append(Words(m[0]), "line", "lines") {
				f.counted = append(f.counted, stem(w))
			}
			return v
		}
	}
	if v := numberWithUnit(f, parts, p); v != nil {
		return v
	}
	if v := listLimit(f, parts, p); v != nil {
		return v
	}
	for _, w := range parts { // "depth 3", "with a duration of 5"
		if len(w) <= 2 || !strings.Contains(f.lower, w) {
			continue // saves the compilation of an expression
		}
		re := regexp.MustCompile(`(?i)\b` + regexp.QuoteMeta(w) + `\w*\s+(?:of |is |to |= ?)?(-?\d+(?:\.\d+)?)\b|\b(-?\d+(?:\.\d+)?)\s+` + regexp.QuoteMeta(w))
		if m := re.FindStringSubmatch(f.text); m != nil {
			if v, ok := convert(m[1]+m[2], p); ok {
				return v
			}
		}
	}
	return nil
}

// flag returns true if the request contains the words of the argument's name, or false if "not",
// "without" or "no" precedes them. It returns nil if the request lacks one of the words.
func (f *filling) flag(name string) any {
	for _, w := range Words(name) {
		if stopWords[w] || w == "include" || w == "is" || w == "show" {
			continue
		}
		if !slices.Contains(f.words, stem(w)) {
			return nil
		}
	}
	return !containsAny(f.lower, "not "+strings.ToLower(name), "without "+strings.ToLower(name), "no "+strings.ToLower(name))
}

// choiceSynonyms maps a value of a choice to words that mean it.
var choiceSynonyms = map[string][]string{
	"write": words("copy put save set store"), "clear": words("empty wipe erase"), "open": words("start launch run begin"), "close": words("quit exit end"),
	"error":   words("error wrong fail failed failure problem broken bad crash"),
	"success": words("success done worked finished good great well passed ready complete"),
	"warning": words("warning careful caution attention care warn"),
	"high":    words("urgent important critical"), "low": words("minor unimportant"),
	"celsius": words("metric centigrade"), "fahrenheit": words("imperial"),
	"desc": words("descending newest latest largest"), "asc": words("ascending oldest smallest"),
}

func (f *filling) choice(name string, needed bool) any {
	values, _ := f.properties[name]["enum"].([]any)
	for _, v := range values {
		s, ok := v.(string)
		if !ok {
			continue
		}
		words := Words(s)
		if len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(f.said, w) && !slices.Contains(f.words, stem(w)) }) {
			if f.roleOf(name) == roleEnum && !slices.ContainsFunc(words, func(w string) bool { return f.names[stem(w)] || genericVerbs[stem(w)] }) {
				f.chosen++ // the word does not refer to another tool
			}
			return s
		}
	}
	if !needed {
		return nil
	}
	for _, v := range values {
		s, _ := v.(string)
		for _, w := range f.words {
			if slices.Contains(choiceSynonyms[s], w) {
				f.feelings = append(f.feelings, w)
				f.acted = f.acted || w == f.verb && f.roleOf(name) == roleAction
				return s
			}
		}
	}
	if f.question && f.roleOf(name) == roleAction { // a question asks to read
		for _, v := range values {
			if s, ok := v.(string); ok && slices.Contains(f.concepts(stem(strings.ToLower(s))), "get") {
				return s
			}
		}
	}
	return nil
}

// convert parses text as a value of a property's type. Numbers keep every digit.
func convert(text string, p map[string]any) (any, bool) {
	switch kindOf(p) {
	case "integer":
		_, err := strconv.ParseInt(text, 10, 64)
		return json.Number(text), (err == nil || strings.Trim(text, "-0123456789") == "") && json.Valid([]byte(text))
	case "number":
		_, err := strconv.ParseFloat(text, 64)
		return json.Number(text), err == nil && json.Valid([]byte(text))
	case "boolean":
		b, err := strconv.ParseBool(text)
		return b, err == nil
	case "string", "":
		return text, true
	}
	return nil, false
}
