package launch

import (
	"strings"
	"testing"
)

// A reference without a value used to be passed to the server unresolved, and inputs after --add-mcp
// and "mcp add-json" used to be dropped.
func TestReferencesAreAskedFor(t *testing.T) {
	sys := disk{}.system(every...)
	nowhere := sys
	nowhere.Dir, nowhere.Home = "", ""
	inputs := `"inputs":[{"id":"k","type":"promptString","password":true,"description":"The key"}]`
	for _, c := range []struct {
		text, want, asked string
		sys               System
	}{
		{`code --add-mcp '{"name":"x",` + inputs + `,"command":"npx","args":["x-mcp"],"env":{"K":"${input:k}"}}'`, "npx x-mcp K?${input:k} | npm x-mcp | x", "k*", sys},
		{`claude mcp add-json x '{` + inputs + `,"command":"npx","args":["x-mcp","--key=${input:k}"]}'`, "npx x-mcp --key=${input:k} | npm x-mcp | x", "k*", sys},
		{`claude mcp add-json -s user x '{"command":"npx","args":["x-mcp"]}'`, "npx x-mcp | npm x-mcp | x", "", sys},
		{`{"command":"npx","args":["x-mcp","${input:undeclared}"]}`, "npx x-mcp ${input:undeclared} | npm x-mcp | x", "undeclared", sys},
		{`{"command":"npx","args":["x-mcp","--key","${env:NO_KEY}","${env:OWN_TOKEN}"]}`, "npx x-mcp --key ${input:NO_KEY} t0p | npm x-mcp | x", "NO_KEY", sys},
		{`{"command":"npx","args":["x-mcp"],"env":{"K":"${env:NO_KEY}","L":"$NO_KEY","M":"${M}","O":"$OWN_TOKEN"}}`, "npx x-mcp K?NO_KEY L?NO_KEY M?M O=t0p | npm x-mcp | x", "", sys},
		{`{"command":"npx","args":["x-mcp"],"env":{"K":"a-${NO_KEY}","L":"{env:NO_KEY}"}}`, "npx x-mcp K?a-${input:NO_KEY} L?NO_KEY | npm x-mcp | x", "NO_KEY", sys},
		{`{"url":"https://x.example/mcp","headers":{"Authorization":"Bearer ${NO_KEY}","X-Key":"${env:NO_KEY}"}}`, "https://x.example/mcp Authorization?Bearer ${input:NO_KEY} X-Key?NO_KEY | web x.example | x", "NO_KEY*", sys},
		{`{"url":"https://x.example/mcp","headers":{"Authorization":"token $NO_KEY","X-Key":"${A}:${env:B}"}}`, "https://x.example/mcp Authorization?token ${input:NO_KEY} X-Key?${input:A}:${input:B} | web x.example | x", "NO_KEY* A B", sys},
		{`{"url":"https://x.example/mcp","headers":{"Authorization":"Basic $OWN_TOKEN"}}`, "https://x.example/mcp Authorization=Basic t0p | web x.example | x", "", sys},
		{`{"url":"https://x.example/mcp?api_key=${input:k}",` + inputs + `}`, "https://x.example/mcp?api_key=${input:k} | web x.example | x", "k*", sys},
		{`{"url":"https://${input:host}/mcp"}`, "https://${input:host}/mcp | web input | input", "host", sys},
		{`{"mcpServers":{"x":{"url":"${input:address}"}}}`, "${input:address} | web ${input:address} | x", "address", sys},
		{`{"command":"npx","args":["x-mcp","${workspaceFolder}/a","${userHome}"]}`, "npx x-mcp /work/a /home/ada | npm x-mcp | x", "", sys},
		{`{"command":"npx","args":["x-mcp","${workspaceFolder}/a","${userHome}"]}`, "npx x-mcp ${input:workspaceFolder}/a ${input:userHome} | npm x-mcp | x", "workspaceFolder userHome", nowhere},
		{`claude mcp add x -e K=$NO_KEY -- npx x-mcp --dir ${DATA_DIR}`, "npx x-mcp --dir ${input:DATA_DIR} K?NO_KEY | npm x-mcp | x", "DATA_DIR", sys},
		{`claude mcp add --transport http x https://x.example/mcp --header "Authorization: Bearer ${input:k}"`, "https://x.example/mcp Authorization?Bearer ${input:k} | web x.example | x", "k", sys},
		{`docker run -i --rm -e K=${input:k} -v ${DATA}:/d acme/x`, "docker run -i --rm -e K -v ${input:DATA}:/d acme/x K?${input:k} | container acme/x | x", "DATA k", sys},
		{`{"command":"npx","args":["mcp-remote","https://x.example/mcp","--header","Authorization:${AUTH}"],"env":{"AUTH":"Bearer abc"}}`, "npx mcp-remote https://x.example/mcp --header Authorization:${AUTH} AUTH=Bearer abc | npm mcp-remote | x !8 https://x.example/mcp", "", sys},
		{`sh -c 'exec /srv/x ${FLAGS}'`, "sh -c exec /srv/x ${FLAGS}", "", sys},
		{"mcpServers:\n  x:\n    command: npx\n    args: [x-mcp]\n    env:\n      K: ${{ secrets.KEY }}\n", "npx x-mcp K?KEY | npm x-mcp | x", "", sys},
	} {
		r, err := Understand(c.text, c.sys)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		var asked []string
		for _, in := range r.Servers[0].Asks(r.Inputs) {
			if in.Secret {
				in.ID += "*"
			}
			asked = append(asked, in.ID)
		}
		if got := shown(r.Servers[0]); !strings.HasPrefix(got, c.want) || strings.Join(asked, " ") != c.asked && len(asked) != len(strings.Fields(c.asked)) {
			t.Errorf("%s\n got  %s, asks %q\n want %s, asks %q", c.text, got, asked, c.want, c.asked)
		}
	}
}

func TestFilledReplacesInputs(t *testing.T) {
	words, own := Filled([]string{"--key=${input:k}", "${input:other}"}, []string{"A=b", "input:k=a=b ${input:other}"})
	if got := strings.Join(append(words, own...), "|"); got != "--key=a=b ${input:other}|${input:other}|A=b" {
		t.Error(got)
	}
	if got := FilledHeaders([]string{"Authorization=Bearer ${input:k}"}, []string{"input:k=abc"}); got[0] != "Authorization=Bearer abc" {
		t.Error(got)
	}
	if _, own := Filled(nil, []string{"URL=http://x/${input:k}", "input:k=abc"}); own[0] != "URL=http://x/abc" || len(own) != 1 {
		t.Error(own)
	}
	env := []string{"input:k=a&b=c d", "input:address=https://x.example/mcp?a=b"}
	for text, want := range map[string]string{"https://x.example/?k=${input:k}": "https://x.example/?k=a%26b%3Dc%20d", "${input:address}": "https://x.example/mcp?a=b", "https://x.example/": "https://x.example/"} {
		if got := FilledURL(text, env); got != want {
			t.Error(got)
		}
	}
}

// Whatever form of a token the user enters, its scheme appears once before it.
func TestSchemeStandsOnceBeforeAToken(t *testing.T) {
	for _, c := range [][3]string{
		{"Bearer YOUR_API_KEY", "X", "Bearer X"},
		{"Bearer YOUR_API_KEY", "Bearer X", "Bearer X"},
		{"Bearer <your token", " bearer  X\n", "Bearer X"},
		{"Bearer YOUR_API_KEY", "Bearer ", ""},
		{"Bearer YOUR_API_KEY", "Basic abc", "Basic abc"},
		{"bearer YOUR_API_KEY", "X", "bearer X"},
		{"Token YOUR_API_KEY", "X", "Token X"},
		{"Basic <base64", "X", "Basic X"},
		{"token value", "X", "X"},
		{"YOUR_API_KEY", "X y", "X y"},
		{"", "", ""},
	} {
		if got := (Variable{Prompt: c[0]}).Entered(c[1]); got != c[2] {
			t.Errorf("%q, entered %q: %q, want %q", c[0], c[1], got, c[2])
		}
	}
	env := []string{"input:k=Bearer X", "input:p=a b"}
	words, _ := Filled([]string{"Authorization: Bearer ${input:k}", "x=${input:k}", "${input:p}"}, env)
	if got := strings.Join(words, "|"); got != "Authorization: Bearer X|x=Bearer X|a b" {
		t.Error(got)
	}
	s := Server{Remote: Endpoint{Headers: []Variable{{Value: "Bearer ${input:k}"}}}}.Fill(map[string]string{"k": "Bearer X"})
	if s.Remote.Headers[0].Value != "Bearer X" {
		t.Error(s.Remote.Headers[0].Value)
	}
}

func TestAHeaderThatWaitsHasOneScheme(t *testing.T) {
	for _, c := range [][3]string{
		{"Bearer", "Basic abc", "Basic abc"},
		{"Basic", "Bearer abc", "Bearer abc"},
		{"BASIC", "token abc", "token abc"},
		{"bearer", "Bearer abc", "bearer abc"},
		{"Bearer", "abc", "Bearer abc"},
		{"X", "Basic abc", "X Basic abc"},
	} {
		if got := FilledHeaders([]string{"A=" + c[0] + " ${input:k}"}, []string{"input:k=" + c[1]}); got[0] != "A="+c[2] {
			t.Errorf("%s before %s: %q", c[0], c[1], got[0])
		}
	}
}
