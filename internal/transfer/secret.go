package transfer

import (
	"crypto/rand"
	"math"
	"net/url"
	"regexp"
	"strings"

	"goated/internal/config"
	"goated/internal/launch"
)

// A Draft is a server of a file as goated would save it. Values that are secret have a
// reference already, and must go to the keyring before the draft is saved.
type Draft struct {
	config.Launch
	// Exposed are arguments, or the address, that look like secrets. They cannot go to
	// the keyring, and stay in the settings.
	Exposed []string
	Missing []string // names of variables and headers without a value
}

// Drafted makes a draft of a server. values replace ${input:ID}.
func Drafted(s launch.Server, values map[string]string) Draft {
	s = s.Fill(values)
	d := Draft{Launch: config.FromText(s)}
	mark := func(list []config.Variable, from []launch.Variable) []config.Variable {
		out := make([]config.Variable, len(list))
		for i, v := range list {
			secret := v.Secret() || LooksSecret(v.Value)
			if i < len(from) && from[i].Name == v.Name {
				secret = secret || from[i].Secret
			}
			if v.Value == "" && v.Ref == "" {
				d.Missing = append(d.Missing, v.Name)
			}
			if secret && v.Ref == "" && v.Value != "" {
				v.Ref = "server-" + rand.Text()
			}
			out[i] = v
		}
		return out
	}
	d.Env, d.Headers = mark(d.Env, s.Env), mark(d.Headers, s.Remote.Headers)
	for i, a := range d.Args {
		name, value, ok := strings.Cut(a, "=")
		if !ok && i > 0 && strings.HasPrefix(d.Args[i-1], "-") {
			name, value = d.Args[i-1], a
		}
		if value == "" {
			value = a
		}
		if LooksSecret(value) || strings.HasPrefix(name, "-") && !strings.HasPrefix(value, "-") && (config.Variable{Name: strings.TrimLeft(name, "-"), Value: value}).Secret() {
			d.Exposed = append(d.Exposed, a)
		}
	}
	if u, err := url.Parse(d.URL); err == nil && d.URL != "" {
		for name, list := range u.Query() {
			for _, v := range list {
				if LooksSecret(v) || (config.Variable{Name: name, Value: v}).Secret() {
					d.Exposed = append(d.Exposed, name)
				}
			}
		}
	}
	return d
}

// known matches the keys of well-known services by their form.
var known = regexp.MustCompile(`\b(AIza[0-9A-Za-z_-]{16,}|sk-[0-9A-Za-z_-]{16,}|gh[pousr]_[0-9A-Za-z]{20,}|github_pat_[0-9A-Za-z_]{20,}|glpat-[0-9A-Za-z_-]{16,}|xox[abeprs]-[0-9A-Za-z-]{10,}|AKIA[0-9A-Z]{16}|hf_[0-9A-Za-z]{20,}|npm_[0-9A-Za-z]{20,}|ntn_[0-9A-Za-z]{20,}|secret_[0-9A-Za-z]{20,}|tvly-[0-9A-Za-z-]{10,}|fc-[0-9a-f]{20,}|ctx7sk-[0-9A-Za-z-]{10,}|eyJ[0-9A-Za-z_-]{10,}\.[0-9A-Za-z_-]{10,}\.[0-9A-Za-z_-]*)`)

// LooksSecret reports whether a value looks like a key: by its form, or because it is long
// and random. A path, an address, a UUID-like name in words or a number is none.
func LooksSecret(value string) bool {
	if known.MatchString(value) {
		return true
	}
	if scheme, rest, ok := strings.Cut(value, " "); ok {
		if s := strings.ToLower(scheme); s == "bearer" || s == "basic" || s == "token" {
			return !strings.ContainsAny(rest, "${<")
		}
		return false
	}
	if len(value) < 24 || len(value) > 4096 || strings.ContainsAny(value, "/\\:@${}<>,") {
		return false
	}
	var digits, letters int
	counts := make(map[rune]int)
	for _, r := range value {
		counts[r]++
		switch {
		case r >= '0' && r <= '9':
			digits++
		case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z':
			letters++
		}
	}
	entropy := 0.0
	for _, n := range counts {
		p := float64(n) / float64(len(value))
		entropy -= p * math.Log2(p)
	}
	if strings.Trim(strings.ToLower(value), "0123456789abcdef") == "" {
		return len(value) >= 32 && letters > 0 // hexadecimal
	}
	return digits >= 4 && letters >= 4 && entropy > 3.5 && !strings.Contains(value, ".") && !words.MatchString(value)
}

// words matches a name of words and numbers.
var words = regexp.MustCompile(`^([A-Za-z]+|[0-9]+)([-_]([A-Za-z]+|[0-9]+))+$`)
