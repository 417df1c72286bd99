package adding

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goated/internal/config"
	"goated/internal/proctest"
	"goated/internal/transfer"
)

// Details shows everything that determines what a server does, but no keys. A value cannot imitate
// another line.
func TestDetailsShowAllButKeys(t *testing.T) {
	l := config.Launch{
		Dir: "/tmp/some where",
		Env: []config.Variable{
			{Name: "NODE_OPTIONS", Value: "--require /tmp/evil.js"}, {Name: "API_KEY", Value: "SECRET"}, {Name: "OTHER", Value: "sk-proj-SECRETSECRETSECRETSECRET1234"},
			{Name: "HTTPS_PROXY", Value: "http://me:SECRET@evil.example:8080"}, {Name: "HIDDEN", Value: "SECRET", Ref: "input"}, {Name: "EMPTY"}, {Name: "LINES", Value: "a\n  allowed  b"},
		},
		Headers: []config.Variable{{Name: "X-Tenant", Value: "acme"}, {Name: "Authorization", Value: "Bearer SECRET"}},
	}
	var b strings.Builder
	Details(&b, ">", l)
	want := `> in the folder '/tmp/some where'
> NODE_OPTIONS='--require /tmp/evil.js'
> API_KEY=…
> OTHER=…
> HTTPS_PROXY='http://…@evil.example:8080'
> HIDDEN=…
> EMPTY=
> LINES=$'a\x0a  allowed  b'
> with the header X-Tenant: acme
> with the header Authorization: …
`
	if b.String() != want {
		t.Errorf("details are\n%s\nwant\n%s", b.String(), want)
	}
}

// A server that the user enters twice is imported once.
func TestEachServerIsChosenOnce(t *testing.T) {
	list := []Importable{{}, {}, {}}
	for i, name := range []string{"one", "two", "three"} {
		list[i].Name, list[i].Server.Dir = name, "/srv/"+name
	}
	called := func(chosen []Importable) string {
		var names []string
		for _, c := range chosen {
			names = append(names, c.Name)
		}
		return strings.Join(names, " ")
	}
	for answer, want := range map[string]string{"1 1": "one", "3,1,3": "three one", "all": "one two three", "none": "", "": ""} {
		if chosen, err := picked(answer, list); err != nil || called(chosen) != want {
			t.Errorf("%q chooses %q, want %q: %v", answer, called(chosen), want, err)
		}
	}
	term := Terminal{Out: io.Discard, Aside: io.Discard}
	if chosen, err := term.Choose(t.Context(), list, false, []string{"two", "TWO", "one"}); err != nil || called(chosen) != "two one" {
		t.Errorf("the names choose %q: %v", called(chosen), err)
	}
}

// imported runs "import --all" on files with texts. It returns the saved servers and their names,
// and what it prints to Aside.
func imported(t *testing.T, s config.Settings, texts ...string) (names []string, added []config.Launch, aside string) {
	t.Helper()
	var files []transfer.File
	for i, text := range texts {
		app := transfer.Apps()[i]
		path := filepath.Join(t.TempDir(), app.ID+".json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, transfer.File{App: transfer.App{ID: "file", Name: app.Name}, Path: path})
	}
	var out, said strings.Builder
	term := Terminal{Out: &out, Aside: &said}
	chosen, err := term.Choose(t.Context(), term.Importables(files, s.Launch), true, nil)
	if err != nil {
		t.Fatal(err)
	}
	added = term.Adopted(t.Context(), config.NewSecrets(nil), chosen, s)
	for _, l := range added {
		names = append(names, l.Name)
	}
	return names, added, said.String()
}

// "import --all" saved the same server once for each client. A server with another account is a
// different one.
func TestImportSavesAServerOfSeveralClientsOnce(t *testing.T) {
	names, _, aside := imported(t, config.Settings{},
		`{"mcpServers":{"time":{"command":"python3","args":["-m","time"]}}}`,
		`{"mcpServers":{"clock":{"command":"python3","args":["-m","time"]},"time":{"command":"python3","args":["-m","time"],"env":{"ZONE":"x"}}}}`,
		`{"mcpServers":{"time":{"command":"python3","args":["-m","time"]}}}`)
	if got := strings.Join(names, " "); got != "time time-2" || !strings.Contains(aside, "clock of Claude Code is the same as time of Claude Desktop, so goated saves it once\n") {
		t.Errorf("%s\n%s", got, aside)
	}
}

// The import added goated's own servers as if they were someone else's.
func TestImportLeavesGoatedsOwnServers(t *testing.T) {
	program := filepath.Join(t.TempDir(), "goated-headless")
	if err := proctest.WriteProgram(program, []byte("#!/bin/sh\n")); err != nil {
		t.Fatal(err)
	}
	names, _, aside := imported(t, config.Settings{},
		`{"mcpServers":{"ghost":{"command":"goated","args":["serve","ghost"]},"map":{"command":"`+program+`","args":["serve","llmem"]},"other":{"command":"goated","args":["chat"]}}}`)
	if got := strings.Join(names, " "); got != "other" || !strings.Contains(aside, ": ghost comes with goated. Turn it on: goated servers enable ghost\n") || !strings.Contains(aside, "llmem comes with goated") {
		t.Errorf("%s\n%s", got, aside)
	}
}

// Each import added a server with an input in its arguments again, because the saved server
// contains the value instead.
func TestImportKnowsAServerWithFilledInputs(t *testing.T) {
	text := `{"inputs":[{"id":"region","type":"pickString","options":["eu","us"],"default":"eu"}],"servers":{"shop":{"command":"uvx","args":["shop-mcp","--region=${input:region}"]}}}`
	_, added, _ := imported(t, config.Settings{}, text)
	if len(added) != 1 || added[0].Args[1] != "--region=eu" {
		t.Fatalf("%+v", added)
	}
	if names, _, _ := imported(t, config.Settings{Launch: added}, text); len(names) > 0 {
		t.Errorf("it adds %q", names)
	}
	added[0].Args = []string{"other-mcp", "--region=eu"}
	if names, _, _ := imported(t, config.Settings{Launch: added}, text); len(names) != 1 {
		t.Errorf("it takes another server for it: %q", names)
	}
}

// Without a keyring, the import silently saved a password in the clear, and a server stayed on
// although its key could not be stored.
func TestImportWithoutAKeyringSaysWhatItKeeps(t *testing.T) {
	_, added, aside := imported(t, config.Settings{},
		`{"mcpServers":{"db":{"command":"uvx","args":["db-mcp","postgresql://me:s3cretpw@localhost/db"]},"key":{"command":"uvx","args":["key-mcp"],"env":{"API_KEY":"abc"}}}}`)
	if !strings.Contains(aside, "db: the value of address looks like a secret. This system has no keyring") {
		t.Errorf("no word of the password:\n%s", aside)
	}
	if len(added) != 2 || added[0].Off || !added[1].Off || !strings.Contains(aside, "So the server is off.") {
		t.Errorf("%+v\n%s", added, aside)
	}
}

// The list of an import and its "added" line showed the password in an argument. Without a keyring, the
// settings contain it there.
func TestLinesHideSecrets(t *testing.T) {
	texts := `{"mcpServers":{"db":{"command":"uvx","args":["db-mcp","postgresql://me:s3cretpw@localhost/db","--token","abc123"]},"far":{"url":"https://mcp.example.org/mcp?api_key=abc123"}}}`
	path := filepath.Join(t.TempDir(), "file.json")
	if err := os.WriteFile(path, []byte(texts), 0o600); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	term := Terminal{Out: &out, Aside: io.Discard}
	chosen, err := term.Choose(t.Context(), term.Importables([]transfer.File{{Path: path}}, nil), true, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range term.Adopted(t.Context(), config.NewSecrets(nil), chosen, config.Settings{}) {
		out.WriteString(Line(l) + "\n")
	}
	if text := out.String(); strings.Contains(text, "s3cretpw") || strings.Contains(text, "abc123") || strings.Count(text, "${input:token}") != 2 {
		t.Errorf("the lines are\n%s", text)
	}
}
