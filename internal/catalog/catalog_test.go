package catalog

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"goated/internal/inputs"
)

// A registry answers according to the OpenAPI document of the official registry, and fails the test
// for any other request.
type registry struct {
	t *testing.T
	*httptest.Server
	entries []string // server.json
	seen    []string
	down    bool
	next    func(cursor string) string // replaces the next cursor
	files   map[string]string
}

func newRegistry(t *testing.T, entries ...string) *registry {
	r := &registry{t: t, entries: entries, files: map[string]string{}}
	r.Server = httptest.NewServer(r)
	t.Cleanup(r.Close)
	return r
}

func (s *registry) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.seen = append(s.seen, r.URL.RequestURI())
	w.Header().Set("Content-Type", "application/json")
	if text, ok := s.files[r.URL.Path]; ok {
		_, _ = w.Write([]byte(text))
		return
	}
	parts := strings.Split(r.URL.EscapedPath(), "/")
	switch {
	case s.down:
		w.WriteHeader(http.StatusBadGateway)
	case r.Method != http.MethodGet || len(parts) < 3 || parts[1] != "v0.1" || parts[2] != "servers":
		s.t.Errorf("no such endpoint: %s %s", r.Method, r.URL)
		w.WriteHeader(http.StatusNotFound)
	case len(parts) == 3:
		s.list(w, r.URL.Query())
	case len(parts) == 6 && parts[4] == "versions":
		name, _ := url.PathUnescape(parts[3])
		for _, e := range s.entries {
			if nameOf(e) == name && (parts[5] == "latest" || strings.Contains(e, `"version":"`+parts[5]+`"`)) {
				fmt.Fprint(w, response(e))
				return
			}
		}
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, `{"error":"Server not found"}`)
	default:
		s.t.Errorf("no such endpoint: %s", r.URL)
	}
}

func (s *registry) list(w http.ResponseWriter, q url.Values) {
	for name := range q {
		if !slices.Contains([]string{"cursor", "limit", "search", "updated_since", "version"}, name) {
			s.t.Errorf("no such parameter: %s", name)
		}
	}
	limit, err := strconv.Atoi(q.Get("limit"))
	if err != nil || limit < 1 || limit > 100 {
		s.t.Errorf("the limit is %q", q.Get("limit"))
	}
	from, _ := strconv.Atoi(strings.TrimPrefix(q.Get("cursor"), "at:"))
	var page []string
	next := ""
	for i, e := range s.entries[min(from, len(s.entries)):] {
		if !strings.Contains(strings.ToLower(nameOf(e)), q.Get("search")) {
			continue
		}
		if len(page) == 2 { // small pages, regardless of the limit
			next = fmt.Sprint("at:", from+i)
			break
		}
		page = append(page, response(e))
	}
	if s.next != nil {
		next = s.next(q.Get("cursor"))
	}
	fmt.Fprintf(w, `{"servers":[%s],"metadata":{"nextCursor":%q,"count":%d}}`, strings.Join(page, ","), next, len(page))
}

func nameOf(e string) string {
	var s Server
	_ = json.Unmarshal([]byte(e), &s)
	return s.Name
}

func response(e string) string {
	status := "active"
	for _, s := range []string{"deprecated", "deleted"} {
		if strings.Contains(e, s) {
			status = s
		}
	}
	return `{"server":` + e + `,"_meta":{"io.modelcontextprotocol.registry/official":{"status":"` + status + `","publishedAt":"2026-01-01T00:00:00Z","updatedAt":"2026-01-02T00:00:00Z","isLatest":true}}}`
}

func simple(name, description string) string {
	text, _ := json.Marshal(map[string]string{"name": name, "description": description, "version": "1.0.0"})
	return strings.TrimSuffix(string(text), "}") + `,"packages":[{"registryType":"npm","identifier":"x","version":"1.0.0","transport":{"type":"stdio"}}]}`
}

// A search reads all pages, omits deleted servers and those that do not contain all words, and
// lists deprecated ones last.
func TestSearch(t *testing.T) {
	s := newRegistry(t, simple("io.a/weather-old", "deprecated"), simple("io.a/weather", "Forecast of\u001b[2J rain"), simple("io.b/other", "no"), simple("io.c/weather-gone", "deleted"),
		simple("io.d/weather-fast", "Rain and sun"), simple("bad name", "weather"), simple("io.e/sky", "Shows the weather and rain"))
	c := &Client{Base: s.URL}
	r, err := c.Search(t.Context(), "Weather rain", 10)
	if err != nil || len(r.Servers) != 2 || r.Servers[0].Name != "io.a/weather" || r.Servers[0].Description != "Forecast of rain" || r.More {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err = c.Search(t.Context(), "weather", 10); err != nil || len(r.Servers) != 3 || r.Servers[2].Name != "io.a/weather-old" {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err = c.Search(t.Context(), "weather", 1); err != nil || len(r.Servers) != 1 || !r.More {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err = c.Search(t.Context(), "shows sky weather", 10); err != nil || len(r.Servers) != 1 { // in the description
		t.Errorf("%+v, %v", r, err)
	}
	s.next = func(string) string { return "at:1" }
	if _, err = c.Search(t.Context(), "weather", 10); err != nil {
		t.Errorf("a cursor that does not end: %v", err)
	}
}

// An answer is cached for a while, and is used if the registry is unreachable.
func TestCache(t *testing.T) {
	s := newRegistry(t, simple("io.a/weather", "d"))
	c := &Client{Base: s.URL, Cache: filepath.Join(t.TempDir(), "registry")}
	for range 3 {
		if r, err := c.Search(t.Context(), "weather", 10); err != nil || len(r.Servers) != 1 || !r.At.IsZero() {
			t.Fatalf("%+v, %v", r, err)
		}
	}
	if len(s.seen) != 1 {
		t.Errorf("the requests are %q", s.seen)
	}
	s.down = true
	entries, _ := os.ReadDir(c.Cache)
	old := time.Now().Add(-time.Hour)
	for _, e := range entries {
		_ = os.Chtimes(filepath.Join(c.Cache, e.Name()), old, old)
	}
	if r, err := c.Search(t.Context(), "weather", 10); err != nil || len(r.Servers) != 1 || time.Since(r.At) < 59*time.Minute {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := c.Search(t.Context(), "other", 10); err == nil || !strings.Contains(err.Error(), "HTTP 502") {
		t.Error(err)
	}
}

func TestFind(t *testing.T) {
	s := newRegistry(t, simple("io.a/weather", "d"), simple("io.c/gone", "deleted"))
	c := &Client{Base: s.URL}
	if e, err := c.Find(t.Context(), "io.a/weather", ""); err != nil || e.Label() != "weather" {
		t.Errorf("%+v, %v", e, err)
	}
	for name, want := range map[string]string{"weather": "not the name", "io.a/none": "no such server", "io.c/gone": "deleted", "../x/y": "not the name"} {
		if _, err := c.Find(t.Context(), name, ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

const rich = `{"name":"io.a/db","description":"d","version":"2.0.0","packages":[
{"registryType":"npm","registryBaseUrl":"https://registry.npmjs.org","identifier":"@a/db","version":"2.0.1","runtimeHint":"npx","transport":{"type":"stdio"},
 "runtimeArguments":[{"type":"named","name":"--quiet"}],
 "packageArguments":[{"type":"positional","valueHint":"folder","description":"Where","isRequired":true,"format":"filepath"},{"type":"named","name":"--mode","choices":["ro","rw"],"default":"ro"},
  {"type":"named","name":"--url","value":"postgres://{user}:{password}@db","variables":{"user":{"isRequired":true},"password":{"isRequired":true,"isSecret":true}}},
  {"type":"named","name":"--verbose","format":"boolean","default":"false"},{"type":"positional","value":"fixed"}],
 "environmentVariables":[{"name":"API_KEY","isRequired":true,"isSecret":true},{"name":"REGION","value":"eu"},{"name":"OPTIONAL"}]},
{"registryType":"pypi","identifier":"db-mcp[extra]","version":"1.2","transport":{"type":"stdio"}},
{"registryType":"oci","identifier":"ghcr.io/a/db","version":"3","transport":{"type":"stdio"},"environmentVariables":[{"name":"API_KEY","isSecret":true}],
 "runtimeArguments":[{"type":"named","name":"--mount","value":"type=bind,src={src},dst=/d","variables":{"src":{"isRequired":true,"format":"filepath"}}}]},
{"registryType":"npm","identifier":"x","version":"latest","transport":{"type":"stdio"}},
{"registryType":"cargo","identifier":"x","version":"1","transport":{"type":"stdio"}}],
"remotes":[{"type":"streamable-http","url":"https://{tenant}.example.com/mcp","variables":{"tenant":{"isRequired":true}},"headers":[{"name":"Authorization","value":"Bearer {token}","variables":{"token":{"isSecret":true,"isRequired":true}}}]}]}`

// Each kind of package becomes a program with arguments and a pinned version. The user is asked for
// everything that the entry leaves open.
func TestPlans(t *testing.T) {
	s := newRegistry(t, rich)
	e, err := (&Client{Base: s.URL}).Find(t.Context(), "io.a/db", "")
	if err != nil {
		t.Fatal(err)
	}
	ways := e.Ways()
	for i, tt := range []struct {
		label, ids string
		given      inputs.Values
		want       string
	}{
		{"npm package @a/db 2.0.1", "[folder --mode --url.user --url.password --verbose API_KEY OPTIONAL]",
			inputs.Values{"folder": {"/my files"}, "--url.user": {"me"}, "--url.password": {"pw"}, "--verbose": {"true"}, "API_KEY": {"k"}},
			`npx ["-y" "--quiet" "@a/db@2.0.1" "/my files" "--mode" "ro" "--url" "postgres://me:pw@db" "--verbose" "fixed"] [{API_KEY k true} {REGION eu false}]`},
		{"Python package db-mcp[extra] 1.2", "[]", nil, `uvx ["--from" "db-mcp[extra]==1.2" "db-mcp"] []`},
		{"container image ghcr.io/a/db 3", "[--mount.src API_KEY]", inputs.Values{"--mount.src": {"/x"}, "API_KEY": {"k"}},
			`docker ["run" "-i" "--rm" "-e" "API_KEY" "--mount" "type=bind,src=/x,dst=/d" "ghcr.io/a/db:3"] [{API_KEY k true}]`},
		{"server at {tenant}.example.com", "[tenant Authorization.token]", inputs.Values{"tenant": {"shop"}, "Authorization.token": {"t"}}, `https://shop.example.com/mcp [{Authorization Bearer t true}]`},
	} {
		w := ways[i]
		var ids []string
		for _, in := range w.Inputs() {
			ids = append(ids, in.ID)
		}
		values, err := inputs.Fill(w.Inputs(), tt.given)
		if err != nil || w.Label != tt.label || fmt.Sprint(ids) != tt.ids {
			t.Errorf("%s, %v, %v", w.Label, ids, err)
		}
		p, err := w.Plan(values)
		got := fmt.Sprintf("%s %q %v", p.Program, p.Args, p.Env)
		if p.URL != "" {
			got = fmt.Sprint(p.URL, " ", p.Headers)
		}
		if err != nil || got != tt.want {
			t.Errorf("%s\n%s, %v", got, tt.want, err)
		}
	}
	for _, w := range ways[4:] {
		if w.Why == nil {
			t.Errorf("%s can be used", w.Label)
		}
	}
	if _, err := ways[3].Plan(inputs.Values{"tenant": {"evil.example/x?"}}); err == nil {
		t.Error("a value changes the host")
	}
}

// Entries that would run something other than their package are refused.
func TestUnsafeEntries(t *testing.T) {
	for text, want := range map[string]string{
		`"registryType":"npm","identifier":"x; rm -rf ~","version":"1"`:                                                                  "not valid",
		`"registryType":"npm","identifier":"--help","version":"1"`:                                                                       "not valid",
		`"registryType":"npm","identifier":"x","version":"^1"`:                                                                           "does not pin",
		`"registryType":"npm","identifier":"x","version":"1","registryBaseUrl":"https://evil.example"`:                                   "another registry",
		`"registryType":"npm","identifier":"x","version":"1","runtimeArguments":[{"type":"named","name":"--call","value":"curl evil"}]`:  "--call",
		`"registryType":"npm","identifier":"x","version":"1","runtimeArguments":[{"type":"positional","value":"--package=evil"}]`:        "--package",
		`"registryType":"pypi","identifier":"x","version":"1","runtimeArguments":[{"type":"named","name":"--index-url","value":"evil"}]`: "--index-url",
		`"registryType":"oci","identifier":"x","version":"1","runtimeArguments":[{"type":"named","name":"--privileged"}]`:                "--privileged",
		`"registryType":"oci","identifier":"-v/:/host","version":"1"`:                                                                    "not valid",
		`"registryType":"mcpb","identifier":"https://x.test/a.mcpb"`:                                                                     "no SHA-256",
		`"registryType":"mcpb","identifier":"http://x.test/a.mcpb","fileSha256":"` + strings.Repeat("a", 64) + `"`:                       "https",
		`"registryType":"npm","identifier":"x","version":"1","runtimeArguments":[{"type":"named","name":"evil","value":"x"}]`:            "not a flag",
	} {
		var p Package
		if err := json.Unmarshal([]byte("{"+text+"}"), &p); err != nil {
			t.Fatal(err)
		}
		if plan, err := p.way().Plan(inputs.Values{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %+v, %v", text, plan, err)
		}
	}
}

// A file whose hash differs from the registry's is not used.
func TestHashes(t *testing.T) {
	s := newRegistry(t)
	good := hex.EncodeToString(sum("the package"))
	s.files["/a.mcpb"], s.files["/x.tgz"] = "the package", "the package"
	s.files["/@a/b/1"] = `{"dist":{"tarball":"` + s.URL + `/x.tgz"}}`
	s.files["/pypi/b/1/json"] = `{"urls":[{"digests":{"sha256":"` + good + `"}}]}`
	c := &Client{Base: s.URL}
	path, err := c.Download(t.Context(), s.URL+"/a.mcpb", good)
	if err != nil {
		t.Fatal(err)
	}
	_ = os.Remove(path)
	bad := strings.Repeat("0", 64)
	if _, err := c.Download(t.Context(), s.URL+"/a.mcpb", bad); err == nil || !strings.Contains(err.Error(), "was replaced") {
		t.Error(err)
	}
	if _, err := c.Download(t.Context(), "http://example.org/a.mcpb", bad); err == nil || !strings.Contains(err.Error(), "https") {
		t.Error(err)
	}
	for _, p := range []Package{{Type: "npm", Identifier: "@a/b", Version: "1"}, {Type: "pypi", Identifier: "b[x]", Version: "1"}} {
		for hash, fine := range map[string]bool{"": true, good: true, strings.ToUpper(good): true, bad: false} {
			p.SHA256 = hash
			if why := p.way().Why; why != nil {
				t.Errorf("%s %.4s: %v", p.Type, hash, why)
			}
			if err := c.Verify(t.Context(), p, s.URL, s.URL); (err == nil) != fine {
				t.Errorf("%s %.4s: %v", p.Type, hash, err)
			}
		}
	}
}

func sum(text string) []byte {
	s := sha256.Sum256([]byte(text))
	return s[:]
}

func FuzzEntry(f *testing.F) {
	f.Add([]byte(response(rich)))
	f.Fuzz(func(_ *testing.T, data []byte) {
		var a answer
		if json.Unmarshal(data, &a) != nil {
			return
		}
		for _, w := range a.server().Ways() {
			values := make(inputs.Values)
			for _, in := range w.Inputs() {
				values[in.ID] = []string{"x"}
			}
			_, _ = w.Plan(values)
		}
	})
}
