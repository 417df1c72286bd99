package launch

import (
	"encoding/json"
	"errors"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"goated/internal/launch/commandtext"
	"goated/internal/launch/webaddress"
	"goated/internal/lazyregexp"
	"goated/internal/placeholder"
)

// Understand parses a text that a user typed, pasted or dropped. Its error is a [*Problem]. It is safe
// for concurrent use if the functions of sys are.
func Understand(text string, sys System) (Reading, error) {
	r, err := understood(text, sys)
	if err != nil {
		return Reading{}, err
	}
	return r.asking(sys), nil
}

func understood(text string, sys System) (Reading, error) {
	text = cleaned(text)
	switch {
	case text == "":
		return Reading{}, &Problem{Kind: Empty}
	case len(text) > maxText:
		return Reading{}, &Problem{Kind: TooLong, Subject: "1 MiB"}
	}
	if path, ok := onlyPath(text, sys); ok {
		return files{sys}.path(path, nil)
	}
	if r, ok, err := readme(text, sys); ok {
		return r, err
	}
	if r, ok := (configs{sys}).sequence(text); ok {
		return r, nil
	}
	r, err := code(unfenced(text), sys)
	if err == nil {
		return r, nil
	}
	var p *Problem
	if errors.As(err, &p) && p.Kind == NoServer && p.Subject == "This JSON" && strings.ContainsAny(text[:1], `{["`) {
		return r, err // its parts are not servers either
	}
	if sys.sentence(text, err) {
		if r, ok := page(text, sys); ok {
			return r, nil
		}
		return Reading{}, &Problem{Kind: NoServer, Subject: "This text"}
	}
	if r, ok, _ := likeliest(quoted(text), sys); ok {
		return r, nil
	}
	return r, err
}

// code parses a text without prose around it.
func code(text string, sys System) (Reading, error) {
	text = unlabelled(text)
	code := comments.ReplaceAllString(text, "")
	if code == "" {
		return Reading{}, &Problem{Kind: Empty}
	}
	if address, ok := webaddress.Schemed(text); ok {
		return configs{sys}.address(address)
	}
	switch first := code[0]; {
	case first == '{' || first == '[' && !commandtext.Prompted(code) && looksLikeJSON(code) || fragment.MatchString(text):
		return configs{sys}.json(text, "this JSON")
	case link.MatchString(text):
		return configs{sys}.link(text)
	case webaddress.IsBare(text):
		return configs{sys}.address("https://" + text)
	case webaddress.IsClone(text):
		return Reading{}, &Problem{Kind: Repository, Subject: text}
	case webAddress.MatchString(text) && !strings.ContainsAny(text, " \t\n"):
		return configs{sys}.address(text)
	case table.MatchString(text):
		return configs{sys}.toml(text, "this TOML")
	case strings.Contains(text, "\n") && mapping.MatchString(text):
		r, err := configs{sys}.yaml(text, "this YAML")
		if fields, ok := (configs{sys}).labelled(text); err != nil && ok {
			return fields, nil
		}
		return r, err
	case strings.HasPrefix(code, "<") && optionOfXML.MatchString(text):
		return configs{sys}.xml(text, "this XML")
	}
	if r, ok := (configs{sys}).labelled(text); ok {
		return r, nil
	}
	return commands{sys}.line(text)
}

var (
	// fragment matches the inner part of a JSON configuration, which people often copy.
	fragment = lazyregexp.New(`^(//[^\n]*\s*|,\s*)*(["'“‘][^"'”’\n]+["'”’]\s*:\s*[{\[]|[\w.-]+\s*:\s*\{\s*["'“‘]|["'“](?:command|cmd|url|serverUrl|httpUrl|type|name)["'”]\s*:\s*["'“][^"'“”\n]*["'”]\s*(,|$))`)
	// comments matches the comments at the start of a JSON file of VS Code.
	comments = lazyregexp.New(`^(\s*(//[^\n]*(\n|$)|/\*(?s:.*?)\*/))+\s*`)
	// link matches an "add to" link of another client. The expression must begin with ^ to stop at the
	// first letter that differs: "^a|^b" scans the whole text.
	link = lazyregexp.New(`(?i)^(?:(?:vscode|vscode-insiders|cursor|goose|lmstudio|windsurf|kiro|raycast|trae):|https://(?:(?:insiders\.)?vscode\.dev/redirect|(?:www\.)?cursor\.com/(?:[a-z/-]*install-mcp|link/mcp)|lmstudio\.ai/install-mcp|kiro\.dev/launch/mcp|block\.github\.io/goose))`)
	// webAddress matches the start of a URL.
	webAddress = lazyregexp.New(`(?i)^(https?|wss?)://`)
	// table matches a table in a TOML file.
	table = lazyregexp.New(`(?m)^\s*(?:\[+\s*(?:mcp_servers|mcp-servers|mcpServers|extensions|project|tool)\b[^\]\n]*\]+\s*(?:#.*)?$|(?:mcp_servers|mcpServers)(?:\.[\w"-]+)*\s*=\s*\{|mcp_servers(?:\.[\w"-]+)+\s*=)`)
	// mapping matches the start of a YAML file.
	mapping = lazyregexp.New(`^(---\s*\n)?(\s*#[^\n]*\n)*\s*(- )?["']?[\w.@/-]+["']?:(\s|$)`)
	// fence matches a fenced code block in Markdown.
	fence = lazyregexp.New("(?s)^(```+|~~~+)[^\\n]*\\n(.*?)\\n?\\s*(```+|~~~+)?\\s*$")
)

// cleaned removes what copying adds to a text: surrounding space, invisible characters and quote marks.
func cleaned(text string) string {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\ufeff", "", "\u200b", "", "\u2060", "", "\u00a0", " ", "\u202f", " ").Replace(text)
	return strings.TrimSpace(unquoted(strings.TrimSpace(text)))
}

// unquoted removes the quote marks of Markdown, and lines of dots at the start and end, which stand for
// omitted text.
func unquoted(text string) string {
	lines := strings.Split(text, "\n")
	if len(lines) > 1 && !slices.ContainsFunc(lines, func(l string) bool { return l != "" && l != ">" && !strings.HasPrefix(l, "> ") }) {
		for i, l := range lines {
			lines[i] = strings.TrimPrefix(strings.TrimPrefix(l, ">"), " ")
		}
	}
	dots := func(l string) bool { l = strings.TrimSpace(l); return l == "..." || l == "…" }
	for len(lines) > 1 && dots(lines[0]) {
		lines = lines[1:]
	}
	for len(lines) > 1 && dots(lines[len(lines)-1]) {
		lines = lines[:len(lines)-1]
	}
	return strings.Join(lines, "\n")
}

// unfenced returns the code inside a Markdown code block.
func unfenced(text string) string {
	if m := fence.FindStringSubmatch(text); m != nil {
		return strings.TrimSpace(m[2])
	}
	if len(text) > 2 && text[0] == '`' && text[len(text)-1] == '`' && strings.Count(text, "`") == 2 {
		return strings.TrimSpace(text[1 : len(text)-1])
	}
	return text
}

// looksLikeJSON distinguishes a JSON array from a TOML table.
func looksLikeJSON(text string) bool {
	return json.Valid([]byte(text)) || strings.ContainsAny(text, "{") && !table.MatchString(text)
}

// maxPath is the maximum length of a path on Linux.
const maxPath = 4096

// onlyPath reports whether the whole text is one path: either an existing path, or one that looks like
// the path of a script. A path may contain spaces.
func onlyPath(text string, sys System) (string, bool) {
	if len(text) > maxPath || strings.Contains(text, "\n") || webAddress.MatchString(text) {
		return "", false
	}
	path := text
	for _, quote := range []string{`"`, `'`} {
		if len(path) > 1 && strings.HasPrefix(path, quote) && strings.HasSuffix(path, quote) && strings.Count(path, quote) == 2 {
			path = path[1 : len(path)-1]
		}
	}
	if rest, ok := strings.CutPrefix(path, "file://"); ok {
		if plain, err := url.PathUnescape(rest); err == nil {
			path = plain
		}
	}
	if path == "" {
		return "", false
	}
	abs := sys.absolute(path)
	if !strings.ContainsAny(path, `/\.`) && sys.installed(path) {
		return "", false // it means the program with this name, not the folder
	}
	if sys.stat(abs) != nil {
		return abs, true
	}
	if plain := strings.ReplaceAll(path, `\ `, " "); plain != path && !sys.Windows && sys.stat(sys.absolute(plain)) != nil {
		return sys.absolute(plain), true // escaped, as a terminal inserts a dropped file
	}
	if strings.ContainsAny(path, " \t") && !strings.HasPrefix(text, "file:") && path == text {
		return "", false
	}
	if placeholder.IsPath(path) && sys.isPlaceholder(path) {
		return "", false // the user is asked for it
	}
	return abs, scriptLike(path)
}

// scriptLike reports whether a word looks like the path of a file.
func scriptLike(word string) bool {
	if strings.HasPrefix(word, "@") || strings.HasPrefix(word, "-") || strings.ContainsAny(word, "=") {
		return false
	}
	_, known := runners[filepath.Ext(word)]
	return known || strings.HasPrefix(word, "/") || strings.HasPrefix(word, "./") || strings.HasPrefix(word, "../") ||
		strings.HasPrefix(word, "~/") || windowsPath.MatchString(word) || textFile.MatchString(word)
}

var (
	// windowsPath matches the start of an absolute Windows path.
	windowsPath = lazyregexp.New(`^[A-Za-z]:[\\/]`)
	// textFile matches a file that has the extension of a known file type.
	textFile = lazyregexp.New(`(?i)^[^\s]*\.(txt|md|rst|html?|css|csv|xml|log|ini|cfg|conf|pdf|png|jpe?g|zip|tar|gz|tgz|whl|c|h|cc|cpp|cs|rs|java|kt|swift|php|rb|pl|lua|r|ps1|py|js|go|mcpb|dxt)$`)
)

// address parses a URL.
func (s configs) address(text string) (Reading, error) {
	if u, err := url.Parse(text); err == nil {
		if words, ok := commandtext.PageCommand(u); ok {
			servers, err := commands(s).command(words)
			return Reading{Form: Line, Servers: servers}, err
		}
	}
	server, err := s.remote(text, "")
	if err != nil {
		return Reading{}, err
	}
	return Reading{Form: Address, Servers: []Server{server}}, nil
}

// standInAddress matches an address whose host or port is a placeholder that no URL can contain, such as
// http://your_host:port/mcp and http(s)://<host>/mcp.
var standInAddress = lazyregexp.New(`(?i)^https?(?:\(s\))?://(?:[^/\s]*[<{\[][^/\s]*|[^/:\s]+:[a-z_]+)(?:/|$)`)

// remote returns the server at a URL. transport may be "".
func (s configs) remote(address, transport string) (Server, error) {
	address = strings.TrimSpace(address)
	u, err := url.Parse(anyRef.ReplaceAllString(address, "input"))   // an input may be the host
	if err == nil && u.Scheme == "" && anyRef.MatchString(address) { // or the whole address
		u = &url.URL{Scheme: "https", Host: address}
	}
	if err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" {
		if !standInAddress.MatchString(address) {
			return Server{}, &Problem{Kind: BadURL, Subject: address}
		}
		return Server{Kind: Remote, Remote: Endpoint{URL: address}, Origin: Origin{Source: Web, Package: address}, Notes: []Note{{Placeholder, address}}}, nil
	}
	if err := noServer(u); err != nil {
		return Server{}, err
	}
	sse := strings.EqualFold(transport, "sse") || transport == "" && strings.HasSuffix(strings.TrimRight(u.Path, "/"), "/sse")
	server := Server{Kind: Remote, Remote: Endpoint{URL: u.String(), SSE: sse}, Origin: Origin{Source: Web, Package: u.Host}}
	if placeholder.Is(address) && !anyRef.MatchString(address) {
		server.Notes = append(server.Notes, Note{Placeholder, address})
	}
	if server.Name = names(s).nameOf(server); anyRef.MatchString(address) || placeholder.Is(address) {
		server.Remote.URL = address
	}
	return server, nil
}
