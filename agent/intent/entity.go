package intent

import (
	"encoding/json"
	"slices"
	"strings"

	"goated/internal/exact"
	"goated/internal/lazyregexp"
)

// A kind is the kind of an entity.
type kind int

const (
	quoted kind = iota
	url
	email
	sql
	glob
	path // of a file or folder
	zone
	clock
	date
	number
	object   // JSON
	revision // the hash of a commit
	host     // a computer's name or address
	phone
)

// An entity is a part of a request that its form identifies, such as a path or a number.
type entity struct {
	kind     kind
	text     string // without quotes
	from, to int    // byte offsets in the request
}

var forms = []struct {
	kind kind
	re   *lazyregexp.Regexp
}{
	{sql, lazyregexp.New(`(?is)\b(?:select\s.+?\sfrom\s|insert\s+into\s|update\s+\S+\s+set\s|delete\s+from\s|create\s+table\s+\S+\s*\(|drop\s+table\s|alter\s+table\s|pragma\s|with\s+\w+\s+as\s*\().*$`)},
	{quoted, lazyregexp.New("\"([^\"\n]+)\"|“([^”\n]+)”|`([^`\n]+)`|(?:^|[\\s(=:])'([^'\n]+)'(?:$|[\\s.,;:!?)])")},
	{url, lazyregexp.New(`(?i)\b(?:https?|ftp|file)://[^\s<>"']+[^\s<>"'.,;:!?)]|\bwww\.[a-z0-9.-]+\.[a-z]{2,}\S*`)},
	{url, lazyregexp.New(`(?i)\b(?:(?:web)?page|(?:web)?site|url|article|blog|link)s?\s+(?:at\s+|of\s+|on\s+|from\s+)?((?:[a-z0-9-]+\.)+[a-z]{2,}(?:/[^\s<>"']*[^\s<>"'.,;:!?)])?)`)},
	{email, lazyregexp.New(`[\w.+-]+@[\w-]+\.[\w.]+\w`)},
	{glob, lazyregexp.New(`\S*[*][^\s?]*`)},
	{zone, lazyregexp.New(`\b(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific|Etc)/[A-Za-z_]+(?:/[A-Za-z_]+)?\b|\b(?:UTC|GMT)\b`)},
	{host, hosts},
	{phone, lazyregexp.New(`\+\d[\d ()-]{5,16}\d`)},
	{path, lazyregexp.New(`(?:~|\.{1,2})?(?:/[\w.@+~%-]+)+/?|\b[A-Za-z]:\\\S+|\b(?:[\w@+-]+/)+[\w.@+-]*|(?:^|\s)(?:~|\.{1,2})(?:$|[\s?!,])|(?:^|\s)/(?:$|\s)|(?:\b|\.)[\w-]+(?:\.[\w-]+)*\.[A-Za-z][A-Za-z0-9]{0,9}\b|\b(?:Makefile|Dockerfile|README|LICENSE|CHANGELOG)\b`)},
	{clock, lazyregexp.New(`(?i)\b\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]m)?\b|\b\d{1,2}\s?[ap]m\b`)},
	{date, lazyregexp.New(`\b\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z?)?\b`)},
	{revision, lazyregexp.New(`\b(?:[a-f]+\d|\d+[a-f])[0-9a-f]{5,38}\b|\b(?:commit|revision|rev)\s+([0-9a-f]{6,40})\b|\bHEAD(?:[~^]\d*)*`)},
	{number, lazyregexp.New(`(?:^|[^\w.])(-?\d{1,3}(?:,\d{3})+(?:\.\d+)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?:$|[^\w]|\.(?:$|\s))`)},
}

// entities finds the entities in a request, in order.
func entities(request string) []entity {
	var all []entity
	taken := func(from, to int) bool {
		return slices.ContainsFunc(all, func(e entity) bool { return from < e.to && e.from < to })
	}
	if from := strings.IndexByte(request, '{'); from >= 0 {
		var given map[string]any
		d := json.NewDecoder(strings.NewReader(request[from:]))
		if d.Decode(&given) == nil {
			all = append(all, entity{object, request[from : from+int(d.InputOffset())], from, from + int(d.InputOffset())})
		}
	}
	for _, f := range forms {
		for at := 0; at < len(request); {
			m := f.re.FindStringSubmatchIndex(request[at:])
			if m == nil {
				break
			}
			from, to := at+m[0], at+m[1]
			for g := 2; g+1 < len(m); g += 2 { // the group that matched
				if m[g] >= 0 {
					from, to = at+m[g], at+m[g+1]
				}
			}
			text := request[from:to]
			trimmed := strings.TrimSpace(text)
			if f.kind != quoted {
				trimmed = strings.TrimSpace(strings.Trim(text, " \t\n,!?"))
			}
			from += strings.Index(text, trimmed)
			to = from + len(trimmed)
			at = max(at+m[1], to)
			if f.kind == number || f.kind == quoted {
				at = max(to, at-1)
			}
			if trimmed == "" || taken(from, to) || f.kind == path && !isPath(trimmed, request, from) || f.kind == url && namesFile(trimmed) {
				continue
			}
			if f.kind == path || f.kind == sql || f.kind == url {
				trimmed = strings.TrimRight(trimmed, "?!;")
			}
			to = from + len(trimmed)
			if f.kind == number {
				trimmed = strings.ReplaceAll(trimmed, ",", "") // 1,000,000
			}
			all = append(all, entity{f.kind, trimmed, from, to})
		}
	}
	slices.SortFunc(all, func(a, b entity) int { return a.from - b.from })
	return all
}

// namesFile reports whether a URL without a scheme is a file, because its host ends with a file
// extension.
func namesFile(word string) bool {
	name, _, _ := strings.Cut(word, "/")
	return !strings.Contains(word, "://") && isDocument(name)
}

// isPath reports whether a word with a dot or a slash is a path, and neither a number,
// nor a choice such as "and/or".
func isPath(word, request string, from int) bool {
	switch strings.ToLower(word) {
	case "and/or", "he/she", "n/a", "e.g", "i.e", "a.m", "p.m":
		return false
	case "readme", "license", "changelog":
		return word == strings.ToUpper(word)
	}
	if dotted(word) {
		return false
	}
	if word == "." || word == ".." || word == "~" || word == "/" {
		return word != "." || strings.TrimSpace(request[from+1:]) != "" || from > 0 && request[from-1] == ' '
	}
	return strings.ContainsFunc(word, func(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' })
}

// without returns the request with spaces instead of its entities.
func without(request string, all []entity) string {
	b := []byte(request)
	for _, e := range all {
		for i := e.from; i < e.to; i++ {
			b[i] = ' '
		}
	}
	return string(b)
}

// decode decodes a JSON object. It returns nil for invalid JSON.
func decode(text string) (m map[string]any) {
	_ = exact.Decode([]byte(text), &m)
	return m
}

// cities maps cities and countries to IANA time zones.
var cities = map[string]string{
	"tokyo": "Asia/Tokyo", "japan": "Asia/Tokyo", "osaka": "Asia/Tokyo", "berlin": "Europe/Berlin", "germany": "Europe/Berlin", "munich": "Europe/Berlin",
	"london": "Europe/London", "england": "Europe/London", "paris": "Europe/Paris", "france": "Europe/Paris", "madrid": "Europe/Madrid", "spain": "Europe/Madrid",
	"rome": "Europe/Rome", "italy": "Europe/Rome", "vienna": "Europe/Vienna", "zurich": "Europe/Zurich", "amsterdam": "Europe/Amsterdam", "lisbon": "Europe/Lisbon",
	"dublin": "Europe/Dublin", "stockholm": "Europe/Stockholm", "oslo": "Europe/Oslo", "copenhagen": "Europe/Copenhagen", "helsinki": "Europe/Helsinki",
	"warsaw": "Europe/Warsaw", "prague": "Europe/Prague", "athens": "Europe/Athens", "istanbul": "Europe/Istanbul", "moscow": "Europe/Moscow", "kyiv": "Europe/Kyiv",
	"new york": "America/New_York", "boston": "America/New_York", "washington": "America/New_York", "chicago": "America/Chicago", "denver": "America/Denver",
	"los angeles": "America/Los_Angeles", "san francisco": "America/Los_Angeles", "seattle": "America/Los_Angeles", "california": "America/Los_Angeles",
	"toronto": "America/Toronto", "vancouver": "America/Vancouver", "mexico city": "America/Mexico_City", "sao paulo": "America/Sao_Paulo", "são paulo": "America/Sao_Paulo",
	"buenos aires": "America/Argentina/Buenos_Aires", "sydney": "Australia/Sydney", "melbourne": "Australia/Melbourne", "auckland": "Pacific/Auckland",
	"beijing": "Asia/Shanghai", "shanghai": "Asia/Shanghai", "china": "Asia/Shanghai", "hong kong": "Asia/Hong_Kong", "singapore": "Asia/Singapore", "seoul": "Asia/Seoul",
	"bangkok": "Asia/Bangkok", "jakarta": "Asia/Jakarta", "delhi": "Asia/Kolkata", "mumbai": "Asia/Kolkata", "india": "Asia/Kolkata", "kolkata": "Asia/Kolkata",
	"dubai": "Asia/Dubai", "tehran": "Asia/Tehran", "cairo": "Africa/Cairo", "lagos": "Africa/Lagos", "nairobi": "Africa/Nairobi", "johannesburg": "Africa/Johannesburg",
	"honolulu": "Pacific/Honolulu", "hawaii": "Pacific/Honolulu", "utc": "UTC", "gmt": "Etc/GMT",
}

// zones finds the time zones in a request, by their names or by places, in order.
func zones(request string, all []entity) []entity {
	var found []entity
	for _, e := range all {
		if e.kind == zone {
			found = append(found, e)
		}
	}
	lower := lowerCase(request)
	for place, name := range cities {
		for at := 0; ; {
			i := strings.Index(lower[at:], place)
			if i < 0 {
				break
			}
			from, to := at+i, at+i+len(place)
			at = to
			alone := (from == 0 || !letter(lower[from-1])) && (to == len(lower) || !letter(lower[to]))
			if alone && !slices.ContainsFunc(found, func(e entity) bool { return from < e.to && e.from < to }) {
				found = append(found, entity{zone, name, from, to})
			}
		}
	}
	slices.SortFunc(found, func(a, b entity) int { return a.from - b.from })
	return found
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c == '/' || c == '_' || c >= 0x80 }
