package config

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"goated/internal/launch"
)

func TestSecretInputsStayOutOfArguments(t *testing.T) {
	text := `{"inputs":[{"id":"k","password":true},{"id":"region"},{"id":"gone"}],"servers":{"x":{"command":"npx","args":["x-mcp","--key=${input:k}","--region=${input:region}","${input:gone}"],"env":{"K":"id-${input:k}","R":"${input:region}"}}}}`
	r, err := launch.Understand(text, launch.Here(nil))
	if err != nil {
		t.Fatal(err)
	}
	l := FromTextWithValues(r.Servers[0], r.Inputs, map[string]string{"k": "s3cret", "region": "eu"})
	if got := strings.Join(l.Args, " "); got != "x-mcp --key=${input:k} --region=eu ${input:gone}" {
		t.Error(got)
	}
	refs := func(l Launch) (out []string) {
		for _, v := range slices.Concat(l.Env, l.Headers) {
			out = append(out, fmt.Sprint(v.Name, "=", v.Value, ":", v.Ref != ""))
		}
		return out
	}
	if got := strings.Join(refs(l), " "); got != "K=id-s3cret:true R=eu:false input:k=s3cret:true input:gone=:false" {
		t.Error(got)
	}
	l, missing := MarkMissing(l, r.Servers[0])
	if got := strings.Join(refs(l), " "); got != "K=id-s3cret:true R=eu:false input:k=s3cret:true input:gone=:true" || !slices.Equal(missing, []string{"gone"}) {
		t.Error(got, missing)
	}
}

// A key in a URL or an argument was readable in the settings.
func TestSecretsOfAddressesAndArgumentsAreHidden(t *testing.T) {
	for _, c := range []struct{ url, args, want, kept string }{
		{"https://x.example/mcp?api_key=abc%2Fdef&mode=fast", "", "https://x.example/mcp?api_key=${input:api_key}&mode=fast", "api_key=abc/def"},
		{"https://x.example/mcp?tavilyApiKey=purr#top", "", "https://x.example/mcp?tavilyApiKey=${input:tavilyApiKey}#top", "tavilyApiKey=purr"},
		{"https://ann:purr%40@x.example/mcp", "", "https://ann:${input:password}@x.example/mcp", "password=purr@"},
		{"https://x.example/mcp?exp=sk-0123456789abcdefXYZ", "", "https://x.example/mcp?exp=${input:exp}", "exp=sk-0123456789abcdefXYZ"},
		{"https://x.example/mcp?token=${input:token}&page=2", "", "https://x.example/mcp?token=${input:token}&page=2", ""},
		{"", "x-mcp --api-key purr --key=miau --token purr2", "x-mcp --api-key ${input:api-key} --key=${input:key} --token ${input:token}", "api-key=purr key=miau token=purr2"},
		{"", "x-mcp --max-tokens 4000 --key-file a.pem --ssh-key /home/ada/id --token --stdio", "x-mcp --max-tokens 4000 --key-file a.pem --ssh-key /home/ada/id --token --stdio", ""},
		{"", "x-mcp postgres://ada:purr@db/x ctx7sk-0123456789abcdef", "x-mcp ${input:address} ${input:key}", "address=postgres://ada:purr@db/x key=ctx7sk-0123456789abcdef"},
		{"", "x-mcp --token purr --other-token=miau --token hiss", "x-mcp --token ${input:token} --other-token=${input:other-token} --token ${input:token2}", "token=purr other-token=miau token2=hiss"},
	} {
		l := Launch{URL: c.url, Args: strings.Fields(c.args)}.WithoutSecrets()
		var kept []string
		for _, v := range l.Env {
			if v.Ref == "" {
				t.Errorf("%s has no reference", v.Name)
			}
			kept = append(kept, strings.TrimPrefix(v.String(), "input:"))
		}
		if got := l.URL + strings.Join(l.Args, " "); got != c.want || strings.Join(kept, " ") != c.kept {
			t.Errorf("%s%s\n got  %s, %q\n want %s, %q", c.url, c.args, got, kept, c.want, c.kept)
		}
		if again := l.WithoutSecrets(); !again.Same(l) || len(again.Env) != len(l.Env) {
			t.Errorf("a second time: %+v", again)
		}
	}
}

// A key in a header among the arguments, as for mcp-remote, was readable in the settings.
func TestSecretsOfHeadersAmongArgumentsAreHidden(t *testing.T) {
	for _, c := range [][2]string{
		{"Authorization: Bearer purr", "Authorization: ${input:Authorization}"},
		{"X-Api-Key:purr", "X-Api-Key:${input:X-Api-Key}"},
		{"Authorization:${AUTH}", "Authorization:${AUTH}"},
		{"Accept: text/plain", "Accept: text/plain"},
	} {
		if l := (Launch{Args: []string{"mcp-remote", "https://x.example/mcp", "--header", c[0]}}).WithoutSecrets(); l.Args[3] != c[1] {
			t.Errorf("%s: %s", c[0], l.Args[3])
		}
	}
}

// The text around a value that the user still has to enter was lost: a server got "abc" instead of
// "Bearer abc".
func TestTextAroundMissingInputsIsKept(t *testing.T) {
	for _, c := range []struct{ header, want, missing string }{
		{"Bearer ${env:NO_TOK}", "Bearer ${input:NO_TOK}", "NO_TOK"},
		{"Bearer $NO_TOK", "Bearer ${input:NO_TOK}", "NO_TOK"},
		{"Token ${NO_TOK}", "Token ${input:NO_TOK}", "NO_TOK"},
		{"${NO_USER}:${NO_PASS}", "${input:NO_USER}:${input:NO_PASS}", "NO_USER NO_PASS"},
		{"Basic ${env:NO_BASIC}", "Basic ${input:NO_BASIC}", "NO_BASIC"},
		{"Bearer YOUR_API_KEY", "Bearer ${input:YOUR_API_KEY}", "YOUR_API_KEY"},
		{"Bearer <your token>", "Bearer ${input:your_token}", "your_token"},
		{"${env:NO_TOK}", "", "Authorization"},
	} {
		text := `{"mcpServers":{"x":{"url":"https://x.example/mcp","headers":{"Authorization":"` + c.header + `"}}}}`
		r, err := launch.Understand(text, launch.System{Getenv: func(string) (string, bool) { return "", false }})
		if err != nil {
			t.Fatal(err)
		}
		l, missing := MarkMissing(FromTextWithValues(r.Servers[0], r.Inputs, nil), r.Servers[0])
		if l.Headers[0].Value != c.want || strings.Join(missing, " ") != c.missing || c.want != "" && l.Headers[0].Ref != "" {
			t.Errorf("%s: %+v, missing %q", c.header, l, missing)
		}
		kept, err := NewSecrets(nil).Put(l.WithoutSecrets().Headers, nil)
		if err != nil || kept[0].Value != c.want {
			t.Errorf("%s is kept as %+v, %v", c.header, kept, err)
		}
	}
}

// A folder that the user entered was stored in the keyring.
func TestAFolderIsNoSecret(t *testing.T) {
	l := Launch{Command: "python3", Args: []string{"${input:workspaceFolder}/srv.py"}, Env: []Variable{{Name: "ROOT", Value: "${input:workspaceFolder}"}, {Name: "input:workspaceFolder", Ref: "server-1"}, {Name: "K", Ref: "server-2"}}}
	got := l.WithValues(map[string]string{"input:workspaceFolder": "/srv/shop", "K": "hush"})
	if want := []Variable{{Name: "ROOT", Value: "/srv/shop"}, {Name: "K", Ref: "server-2", Value: "hush"}}; got.Args[0] != "/srv/shop/srv.py" || !slices.Equal(got.Env, want) {
		t.Errorf("%+v", got)
	}
	if l.Args[0] != "${input:workspaceFolder}/srv.py" {
		t.Error("the server itself changed")
	}
}

// A text that leaves the path of a program to the user does not say that it is a script.
func TestAProgramThatIsAScript(t *testing.T) {
	const input = "${input:path.path.to.server}"
	l := Launch{Command: input, Args: []string{"--stdio"}, Env: []Variable{{Name: "input:path.path.to.server"}}}
	for path, script := range map[string]bool{"/srv/fs.py": true, "/srv/fs.js": true, "/srv/fs": false, "fs.py": false} {
		got := l.WithValues(map[string]string{"input:path.path.to.server": path})
		filled := FromTextWithValues(launch.Server{Kind: launch.Program, Command: input}, []launch.Input{{ID: "path.path.to.server"}}, map[string]string{"path.path.to.server": path})
		for _, l := range []Launch{got, filled} {
			if (l.Path == path) != script || (l.Command == path) == script {
				t.Errorf("%s: %+v", path, l)
			}
		}
	}
}

// A server with placeholders as arguments was started with them if the text contained another server,
// too.
func TestArgumentsThatStandForTheUsersOwn(t *testing.T) {
	for _, c := range []struct{ command, want, missing string }{
		{"npx -y fs /Users/username/Desktop", "-y fs ${input:path.Users.username.Desktop}", "path.Users.username.Desktop"},
		{"npx -y fs --dir=/path/to/my.d /path/to/x", "-y fs --dir=${input:path.path.to.my__2Ed} ${input:path.path.to.x}", "path.path.to.my__2Ed path.path.to.x"},
		{"npx -y fs --api-key YOUR_API_KEY --token=<token>", "-y fs --api-key ${input:api-key} --token=${input:token}", "api-key token"},
		{"npx -y fs <your key>", "-y fs ${input:your_key}", "your_key"},
		{"npx -y fs /etc", "-y fs /etc", ""},
	} {
		words := strings.ReplaceAll(c.command, "<your key>", "'<your key>'")
		r, err := launch.Understand(strings.ReplaceAll(words, "<token>", "'<token>'"), launch.Here(nil))
		if err != nil {
			t.Fatalf("%s: %v", c.command, err)
		}
		l, missing := MarkMissing(FromTextWithValues(r.Servers[0], r.Inputs, nil).WithoutStandIns(r.Servers[0].Notes), r.Servers[0])
		if got := strings.Join(l.Args, " "); got != c.want || strings.Join(missing, " ") != c.missing || len(l.Env) != len(missing) {
			t.Errorf("%s: %s, missing %q, %+v", c.command, got, missing, l.Env)
		}
		values := make(map[string]string)
		for _, v := range l.Env {
			if values[v.Name] = "/srv/a"; v.Ref == "" {
				t.Errorf("%s: nothing asks for %s", c.command, v.Name)
			}
		}
		l = l.WithValues(values)
		if strings.Contains(c.missing, "path") && (len(l.Env) > 0 || strings.Contains(strings.Join(l.Args, " "), "$")) {
			t.Errorf("%s: a path goes to the keyring: %+v", c.command, l)
		}
	}
	note := launch.Note{Kind: launch.Placeholder, Subject: "https://your-domain.example/mcp"}
	l, missing := MarkMissing(Launch{URL: note.Subject}.WithoutStandIns([]launch.Note{note}), launch.Server{})
	if l.URL != "${input:address}" || !slices.Equal(missing, []string{"address"}) {
		t.Errorf("%+v, missing %q", l, missing)
	}
}
