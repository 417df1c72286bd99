package launch

import (
	"slices"
	"testing"
)

// READMEs leave values to the reader in many ways. None of these used to be asked for.
func TestValuesLeftToTheReader(t *testing.T) {
	understands(t, disk{}.system(every...), [][2]string{
		{`{"mcpServers": {"fs": {"command": "uvx", "args": ["fs-mcp"], "env": {"MAP_API_KEY": "填写你的API密钥", "AK": "您的AK", "JP": "あなたのAPIキー", "KR": "여기에 API 키"}}}}`,
			"uvx fs-mcp AK?您的AK JP?あなたのAPIキー KR?여기에 API 키 MAP_API_KEY?填写你的API密钥 | pypi fs-mcp | fs"},
		{"https://mcp.map.example/mcp?ak=您的AK", "https://mcp.map.example/mcp?ak=您的AK | web mcp.map.example | map !1 https://mcp.map.example/mcp?ak=您的AK"},
		{"docker run -i --rm \\\n  -e FS_USERNAME=(username) \\\n  -e FS_PASSWORD=(password) \\\n  acme/fs-mcp", "docker run -i --rm -e FS_USERNAME -e FS_PASSWORD acme/fs-mcp FS_USERNAME?username FS_PASSWORD?password | container acme/fs-mcp | fs"},
		{"fs-mcp --user (user)\nnpx -y fs-mcp --user (user)", `error: "fs-mcp" is neither a program on this computer nor a path`},
		{`{"command": "npx", "args": ["fs-mcp"], "env": {"A": "<<PASTE_TOKEN_HERE>>", "B": "<>", "C": "your@email.com", "D": "pat.xxx.xxx.xxx", "E": "https://your.cloud.instance.com", "F": "COPILOT_MCP_FS_URL", "G": "https://localhost:{port}", "FS_USERNAME": "username"}}`,
			"npx fs-mcp A?PASTE_TOKEN_HERE B? C?your@email.com D?pat.xxx.xxx.xxx E?https://your.cloud.instance.com F?COPILOT_MCP_FS_URL FS_USERNAME?username G?https://localhost:{port} | npm fs-mcp | fs"},
		{`{"mcpServers": {"fs": {"command": "ruby", "args": ["bin/fs"], "cwd": "/path/to/fs"}}}`, "ruby bin/fs in /path/to/fs | installed bin/fs | fs !0 ruby !1 /path/to/fs"},
		{"Server Name: fs\nCommand: docker\nArguments: run, -i, -e, A, -e, B, acme/fs-mcp\nEnvironment Variables: A=<YOUR_A>,B=<YOUR_B>", "docker run -i -e A -e B acme/fs-mcp A?YOUR_A B?YOUR_B | container acme/fs-mcp | fs"},
		{"export MCP_TOKEN=$(openssl rand -base64 32)\nnpx -y fs-mcp --http", "npx -y fs-mcp --http MCP_TOKEN?$(openssl rand -base64 32) | npm fs-mcp | fs"},
		{"claude mcp add fs -e TOKEN=$(gh auth token) -- npx -y fs-mcp", "npx -y fs-mcp TOKEN?$(gh auth token) | npm fs-mcp | fs"},
		{"npx -y fs-mcp --env KEY=$(cat key)", "npx -y fs-mcp --env KEY=<$(cat key)> | npm fs-mcp | fs !1 KEY=<$(cat key)>"},
		{"npx -y fs-mcp && (npm start)", "error: Only a shell understands a script of several commands"},
		{"npx -y fs-mcp $(cat names)", "error: Only a shell understands $(…)"},
		{"[Fs](https://a.example/mcp) --header x", "https://a.example/mcp | web a.example | a"},
	})
	v := System{}.variable("DATABASE_URI", "postgresql://username:password@localhost:5432/dbname")
	if !v.Ask || !v.Secret {
		t.Errorf("the address of a database is no secret: %+v", v)
	}
}

// On an account called "user", "me" or "you", the user's own paths are no placeholders.
func TestPathsOfTheOwnHomeAreKept(t *testing.T) {
	const entry = `{"mcpServers":{"notes":{"command":"npx","args":["-y","notes","/home/user/notes"],"env":{"NOTES":"/home/user/notes","DB":"sqlite:////home/user/notes.db","TOPIC":"/home/user/path/to/notes"}}}}`
	for home, asks := range map[string][]bool{"/home/user": {false, false, true}, "/home/ann": {true, true, true}} {
		r, err := Understand(entry, System{Home: home})
		if err != nil || len(r.Servers) != 1 {
			t.Fatalf("%s: %+v, %v", home, r, err)
		}
		s := r.Servers[0]
		for i, name := range []string{"NOTES", "DB", "TOPIC"} {
			at := slices.IndexFunc(s.Env, func(v Variable) bool { return v.Name == name })
			if at < 0 || s.Env[at].Ask != asks[i] || (s.Env[at].Value == "") != asks[i] {
				t.Errorf("%s: %s is %+v", home, name, s.Env)
			}
		}
		if noted := slices.ContainsFunc(s.Notes, func(n Note) bool { return n.Kind == Placeholder }); noted == (home == "/home/user") {
			t.Errorf("%s: the argument has the notes %+v", home, s.Notes)
		}
	}
	for home, ask := range map[string]bool{"/home/me": false, "/home/ann": true} {
		if v := (System{Home: home}).header("X-Folder: /home/me/notes"); v.Ask != ask {
			t.Errorf("%s: the header is %+v", home, v)
		}
	}
}
