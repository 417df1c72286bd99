package config

import (
	"slices"
	"strings"
	"testing"

	"goated/internal/launch"
)

// asked returns the arguments of a server with inputs instead of placeholders, and the values that goated
// asks for.
func asked(t *testing.T, args ...string) (filled, missing []string) {
	t.Helper()
	var notes []launch.Note
	for _, a := range args {
		if strings.ContainsAny(a, "<Y") || strings.Contains(a, "your-") || strings.Contains(a, "path/to") {
			notes = append(notes, launch.Note{Kind: launch.Placeholder, Subject: a})
		}
	}
	l, missing := MarkMissing(Launch{Command: "npx", Args: args}.WithoutStandIns(notes), launch.Server{})
	return l.Args, missing
}

func TestEachStandInHasItsInput(t *testing.T) {
	for _, c := range []struct{ args, want, missing string }{
		{"mcp-remote|--header|Authorization: Bearer YOUR_TOKEN|--header|X-Team: <team>",
			"mcp-remote|--header|Authorization: Bearer ${input:Authorization}|--header|X-Team: ${input:X-Team}", "Authorization X-Team"},
		{"-H|X-Key:YOUR_KEY|--header=X-Key: YOUR_OTHER_KEY", "-H|X-Key:${input:X-Key}|--header=X-Key: ${input:X-Key2}", "X-Key X-Key2"},
		{"--repo|YOUR_REPO_A|--repo|YOUR_REPO_B|--repo|YOUR_REPO_A", "--repo|${input:repo}|--repo|${input:repo2}|--repo|${input:repo}", "repo repo2"},
		{"--auth|<user>/<token>|--repo|your-org/your-repo", "--auth|${input:auth}|--repo|${input:repo}", "auth repo"},
		{"--dir|path/to/x|--out|~/your-notes/x", "--dir|${input:path.path.to.x}|--out|${input:path.__7E.your-notes.x}", "path.path.to.x path.__7E.your-notes.x"},
		{"/path/to/x|/path/to/x/", "${input:path.path.to.x}|${input:path.path.to.x}", "path.path.to.x"},
		{"--env|KEY=<$(cat key)>|-e|TEAM=<team>", "--env|KEY=${input:KEY}|-e|TEAM=${input:TEAM}", "KEY TEAM"},
		// The user's path used to replace all of a mount.
		{"-v|/path/to/x:/data:ro|--volume=C:\\Users\\<you>\\x:/data", "-v|${input:path.path.to.x}:/data:ro|--volume=${input:path.C__3A.Users.__3Cyou__3E.x}:/data", "path.path.to.x path.C__3A.Users.__3Cyou__3E.x"},
		{"--mount|type=bind,src=/path/to/x,dst=/projects/x,ro|--mount=type=bind,dst=/y,source=/path/to/y", "--mount|type=bind,src=${input:path.path.to.x},dst=/projects/x,ro|--mount=type=bind,dst=/y,source=${input:path.path.to.y}", "path.path.to.x path.path.to.y"},
		{"--mode=stdio|YOUR_PROJECT", "--mode=stdio|${input:YOUR_PROJECT}", "YOUR_PROJECT"},
	} {
		args, missing := asked(t, strings.Split(c.args, "|")...)
		if got := strings.Join(args, "|"); got != c.want || strings.Join(missing, " ") != c.missing {
			t.Errorf("%s: %s, missing %q", c.args, got, missing)
		}
	}
}

// An input that is already in the text keeps its own value.
func TestAStandInDoesNotTakeTheInputOfTheText(t *testing.T) {
	l := Launch{Args: []string{"${input:token}", "--token", "YOUR_TOKEN"}, Env: []Variable{{Name: "input:token"}}}
	l = l.WithoutStandIns([]launch.Note{{Kind: launch.Placeholder, Subject: "YOUR_TOKEN"}})
	if !slices.Equal(l.Args, []string{"${input:token}", "--token", "${input:token2}"}) {
		t.Errorf("%q", l.Args)
	}
}

// The working directory of a server can be a placeholder, too.
func TestStandInOfAFolder(t *testing.T) {
	const dir = "/path/to/things-mcp"
	l, missing := MarkMissing(Launch{Command: "ruby", Args: []string{"bin/things"}, Dir: dir}.WithoutStandIns([]launch.Note{{Kind: launch.Placeholder, Subject: dir}}), launch.Server{})
	if len(missing) != 1 {
		t.Fatalf("missing %q", missing)
	}
	if got := l.WithValues(map[string]string{launch.InputVariable(missing[0]): "/home/ada/things"}).Dir; got != "/home/ada/things" {
		t.Errorf("the folder is %q", got)
	}
}

// The user had to enter the whole address in place of a key in it.
func TestStandInsOfAnAddress(t *testing.T) {
	for address, want := range map[string]string{
		"https://a.example/mcp?apiKey=YOUR_API_KEY":                 "https://a.example/mcp?apiKey=${input:apiKey} apiKey",
		"https://a.example/mcp?project_ref=<project-ref>&read=true": "https://a.example/mcp?project_ref=${input:project_ref}&read=true project_ref",
		"https://a.example/api/s/YOUR_SECRET/mcp":                   "https://a.example/api/s/${input:YOUR_SECRET}/mcp YOUR_SECRET",
		"https://a.example/{API_KEY}/v2/mcp":                        "https://a.example/${input:API_KEY}/v2/mcp API_KEY",
		"https://a.example/<team>/mcp?token=<token>":                "https://a.example/${input:team}/mcp?token=${input:token} team token",
		"https://your-domain.example/mcp?apiKey=YOUR_API_KEY":       "${input:address} address",
		"http://your_host:port/mcp":                                 "${input:address} address",
		"http://localhost:PORT/mcp":                                 "${input:address} address",
		"https://<host>/mcp":                                        "${input:address} address",
		"http://localhost:8000/mcp":                                 "http://localhost:8000/mcp ",
	} {
		r, err := launch.Understand(address, launch.System{})
		if err != nil {
			t.Fatalf("%s: %v", address, err)
		}
		l, missing := MarkMissing(FromText(r.Servers[0]).WithoutStandIns(r.Servers[0].Notes), r.Servers[0])
		if got := l.URL + " " + strings.Join(missing, " "); got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
}
