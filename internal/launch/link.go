package launch

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"goated/internal/exact"
)

// link reads an "add to" link from a README, as for VS Code, Cursor, Goose and LM Studio. Words may
// follow the link.
func (s configs) link(text string) (Reading, error) {
	text = strings.Fields(text)[0]
	if before, query, ok := strings.Cut(text, "?"); ok { // vscode:mcp/install?{JSON}
		if plain := unquery(query); strings.HasPrefix(plain, "{") {
			text = before + "?" + plain
		}
	}
	return s.decodedLink(text)
}

// unquery decodes JSON in the query of a link. A plus sign stands for itself, as in git+https, unless
// the result is then not valid JSON.
func unquery(query string) string {
	plain, err := url.PathUnescape(query)
	if form, inForm := url.QueryUnescape(query); err == nil && inForm == nil && !json.Valid([]byte(plain)) {
		return form
	}
	return plain
}

// decodedLink is like link, for a link whose JSON is already decoded, such as one in the query of
// another link.
func (s configs) decodedLink(text string) (Reading, error) {
	if _, query, _ := strings.Cut(text, "?"); strings.HasPrefix(query, "{") {
		r, err := s.json(query, "the JSON in this link")
		r.Form = Link
		return r, err
	}
	bad := &Problem{Kind: NoServer, Subject: "This link"}
	u, err := url.Parse(text)
	if err != nil {
		return Reading{}, bad
	}
	q := u.Query()
	name := q.Get("name")
	if inner := q.Get("url"); inner != "" && link.MatchString(inner) {
		if _, query, _ := strings.Cut(inner, "?"); !strings.HasPrefix(query, "{") {
			return s.link(inner) // its JSON is encoded twice
		}
		return s.decodedLink(inner)
	}
	var r Reading
	switch {
	case q.Get("config") != "":
		config := decoded(q.Get("config"))
		if !json.Valid([]byte(config)) {
			return Reading{}, bad
		}
		r, err = s.json(config, "the JSON in this link")
		if fields := q.Get("inputs"); err == nil && fields != "" {
			var list any
			if exact.Decode([]byte(fields), &list) == nil {
				r.Inputs = append(inputs(list), r.Inputs...)
			}
		}
	case q.Get("cmd") != "": // Goose
		var servers []Server
		servers, err = commands(s).command(append([]string{q.Get("cmd")}, q["arg"]...))
		if err == nil {
			for _, e := range q["env"] {
				key, prompt, _ := strings.Cut(e, "=")
				servers[0].Env = merged(servers[0].Env, []Variable{{Name: key, Ask: true, Prompt: prompt}})
			}
			r.Servers = servers
		}
	case q.Get("url") != "":
		var server Server
		if server, err = s.remote(q.Get("url"), q.Get("type")); err == nil {
			for _, h := range q["header"] { // Goose
				name, value, _ := strings.Cut(h, "=")
				server.Remote.Headers = append(server.Remote.Headers, s.header(name+": "+value))
			}
			r.Servers = []Server{server}
		}
	default:
		return Reading{}, bad
	}
	if err != nil {
		return Reading{}, err
	}
	r.Form = Link
	if name != "" && len(r.Servers) == 1 {
		r.Servers = slices.Clone(r.Servers)
		r.Servers[0].Name, r.Servers[0].Named = name, true
	}
	return r, nil
}

// decoded decodes the configuration in a link, which is JSON or Base64-encoded JSON.
func decoded(text string) string {
	for _, code := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding, base64.RawStdEncoding, base64.RawURLEncoding} {
		if data, err := code.DecodeString(strings.ReplaceAll(text, " ", "+")); err == nil && json.Valid(data) {
			return string(data)
		}
	}
	return text
}
