package launch

import "testing"

// A server that ssh starts used to be refused because the command "starts no server".
func TestServersOverSSH(t *testing.T) {
	sys := disk{"/work/server.py": ""}.system(append(every, "ssh")...)
	understands(t, sys, [][2]string{
		{"ssh ada@box mcp-server", "ssh ada@box mcp-server | installed ssh | box"},
		{`ssh -p 2222 -i ~/.ssh/key ada@box "cd /srv && uvx mcp-server-git"`, "ssh -p 2222 -i /home/ada/.ssh/key ada@box cd /srv && uvx mcp-server-git | installed ssh | git"},
		{"ssh box.example.org ./server.py --fast", "ssh box.example.org ./server.py --fast | installed ssh | box"}, // not the file of this computer
		{"ssh -Tp2222 ssh://ada@10.0.0.7:22 -- python3 -m weather", "ssh -Tp2222 ssh://ada@10.0.0.7:22 -- python3 -m weather | installed ssh | weather"},
		{"claude mcp add far -- ssh ada@box uvx mcp-server-git", "ssh ada@box uvx mcp-server-git | installed ssh | far"},
		{"ssh user@host fs-server", "ssh user@host fs-server | installed ssh | fs !1 user@host"},
		{"ssh ada@box", `error: The command "ssh ada@box" starts no server for goated`},
		{"ssh -N -L 8080:localhost:80 ada@box", `error: The command "ssh -N -L 8080:localhost:80 ada@box" starts no server for goated`},
		{"ssh ada@box 'sudo systemctl restart mcp'", `error: The command "ssh ada@box sudo systemctl restart mcp" starts no server for goated`},
		{"ssh ada@box mkdir -p notes\nnpx -y fs-mcp", "npx -y fs-mcp | npm fs-mcp | fs"},
	})
}
