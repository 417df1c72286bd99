package launch

import "testing"

// Placeholders keep their quotes: those in the README and those that a shell needs.
func TestBlanksInQuotes(t *testing.T) {
	sys := disk{}.system(every...)
	for _, c := range []struct{ text, want string }{
		{`K="<key>" npx -y fs-mcp`, "npx -y fs-mcp K?key | npm fs-mcp | fs"},
		{`K='<your key>' npx -y fs-mcp`, "npx -y fs-mcp K?your key | npm fs-mcp | fs"},
		{`K=<your key> npx -y fs-mcp`, "npx -y fs-mcp K?your key | npm fs-mcp | fs"},
		{`export K="<key>"` + "\nnpx -y fs-mcp # don't wait", "npx -y fs-mcp K?key | npm fs-mcp | fs"},
		{"# don't forget it\nK=<key> npx -y fs-mcp", "npx -y fs-mcp K?key | npm fs-mcp | fs"},
		{`K="<the user's key>" npx -y fs-mcp`, "npx -y fs-mcp K?the user's key | npm fs-mcp | fs"},
		{`K=<the user's key> npx -y fs-mcp`, "npx -y fs-mcp K?the user's key | npm fs-mcp | fs"},
		{`K=<ключ> npx -y fs-mcp`, "npx -y fs-mcp K?ключ | npm fs-mcp | fs"},
		{`npx -y fs-mcp --key "<key>"`, "npx -y fs-mcp --key <key> | npm fs-mcp | fs !1 <key>"},
		{`npx -y fs-mcp "a \" <key>"`, `npx -y fs-mcp a " <key> | npm fs-mcp | fs !1 a " <key>`},
		{`docker run -i --rm -e K="<key>" acme/fs`, "docker run -i --rm -e K acme/fs K?key | container acme/fs | fs"},
		{`docker run -i --rm -e "K=<key>" acme/fs`, "docker run -i --rm -e K acme/fs K?key | container acme/fs | fs"},
		{`claude mcp add fs -e K="<key>" -- npx -y fs-mcp`, "npx -y fs-mcp K?key | npm fs-mcp | fs"},
		{`claude mcp add --transport http fs https://a.example/mcp --header "X-Key: <key>"`, "https://a.example/mcp X-Key?key | web a.example | fs"},
		{`claude mcp add --transport http fs https://a.example/mcp --header "Authorization: Bearer <token>"`, "https://a.example/mcp Authorization?Bearer <token> | web a.example | fs"},
		{`claude mcp add-json fs '{"command":"npx","args":["-y","fs-mcp"],"env":{"K":"<key>"}}'`, "npx -y fs-mcp K?key | npm fs-mcp | fs"},
		{"claude mcp add-json fs '{\n  \"command\": \"npx\",\n  \"args\": [\"-y\", \"fs-mcp\"],\n  \"env\": {\"K\": \"<key>\"}\n}'", "npx -y fs-mcp K?key | npm fs-mcp | fs"},
		{`code --add-mcp '{"name":"fs","command":"npx","args":["-y","fs-mcp"],"env":{"K":"<key>"}}'`, "npx -y fs-mcp K?key | npm fs-mcp | fs"},
		{`code --add-mcp "{\"name\":\"fs\",\"command\":\"npx\",\"args\":[\"-y\",\"fs-mcp\"],\"env\":{\"K\":\"<key>\"}}"`, "npx -y fs-mcp K?key | npm fs-mcp | fs"},
		{`npx -y fs-mcp postgresql://<user>:<pw>@h/db`, "npx -y fs-mcp postgresql://<user>:<pw>@h/db | npm fs-mcp | fs !1 postgresql://<user>:<pw>@h/db"},
		{`npx -y fs-mcp "postgresql://<login>:<pw>@<machine>/db"`, "npx -y fs-mcp postgresql://<login>:<pw>@<machine>/db | npm fs-mcp | fs !1 postgresql://<login>:<pw>@<machine>/db"},
		{`U="redis://<endpoint>:6379" npx -y fs-mcp`, "npx -y fs-mcp U?redis://<endpoint>:6379 | npm fs-mcp | fs"},
		{`T="<b>hello</b>" npx -y fs-mcp`, "npx -y fs-mcp T=<b>hello</b> | npm fs-mcp | fs"},
	} {
		says(t, c.text, c.want, sys)
	}
}

// says checks the description of the only server in a text.
func says(t *testing.T, text, want string, sys System) {
	t.Helper()
	r, err := Understand(text, sys)
	if err != nil {
		t.Errorf("%s\n is a problem: %v", text, err)
		return
	}
	if got := shown(r.Servers[0]); got != want {
		t.Errorf("%s\n got %s\nwant %s", text, got, want)
	}
}
