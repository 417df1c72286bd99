// Package modelname writes the names of models, their services and their sizes as users read
// them. It is pure: it must not know how a model is found or opened.
package modelname

import (
	"cmp"
	"net/url"
	"strings"

	"goated/agent"
	"goated/internal/config"
	"goated/internal/lazyregexp"
)

// sized matches the size in the name of an open model, such as 14b.
var sized = lazyregexp.New(`^(\d+(?:\.\d+)?)([bm])$`)

// Title returns the display name of a model: "Gemini 3.5 Flash" for gemini-3.5-flash, "Qwen3 14B"
// for qwen3:14b. It returns other names unchanged.
func Title(ref config.ModelRef) string {
	if ref.Service == config.NoModel {
		return "No model"
	}
	name := ref.Name
	if ref.Service == "" {
		name = cmp.Or(name, agent.DefaultModel)
	} else if name == "" {
		return Host(ref.Service)
	}
	_, short, found := strings.Cut(name, "/")
	if !found || short == "" {
		short = name
	}
	words := strings.FieldsFunc(strings.TrimSuffix(short, ":latest"), func(r rune) bool { return r == '-' || r == ':' || r == '_' || r == ' ' })
	if len(words) > 1 && words[len(words)-1] == "latest" { // the service chooses the version
		words = words[:len(words)-1]
	}
	for i, w := range words {
		switch m := sized.FindStringSubmatch(strings.ToLower(w)); {
		case m != nil:
			words[i] = m[1] + strings.ToUpper(m[2])
		case w == "gpt" || w == "oss" && i > 0:
			words[i] = strings.ToUpper(w)
		case w[0] >= 'a' && w[0] <= 'z':
			words[i] = strings.ToUpper(w[:1]) + w[1:]
		}
	}
	return cmp.Or(strings.Join(words, " "), name)
}

// Host returns the host of a service's URL for display.
func Host(service string) string {
	u, err := url.Parse(service)
	if err != nil || u.Host == "" {
		return service
	}
	return u.Host
}
