//go:build unix

package codedigest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Grants contain digests and the names of files. If the digest of unchanged code changed, goated
// would pause the grants of its server.
func TestDigestsStayTheSame(t *testing.T) {
	home, when := t.TempDir(), time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	env := []string{"HOME=" + home}
	project := func(files map[string]string) Program {
		dir := filepath.Join(t.TempDir(), "a", "b") // so that the folders above contain no files of this computer
		for name, text := range files {
			if path := write(t, text, dir, name); os.Chtimes(path, when, when) != nil {
				t.Fatal(path)
			}
		}
		return program("/nowhere/python3", "", env, filepath.Join(dir, "server.py"))
	}
	many := map[string]string{"server.py": "import lib\n"}
	for i := range maxNames {
		many[fmt.Sprintf("lib/%d.py", i)] = fmt.Sprint("x = ", i, "\n")
	}
	site := filepath.Join(home, ".cache", "uv", "archive-v0", "a")
	write(t, "home = /usr\n", site, "pyvenv.cfg")
	write(t, "mail_mcp/server.py,sha256=1,1\n", site, "lib", "python3.12", "site-packages", "mail_mcp-1.0.dist-info", "RECORD")
	write(t, `{"_npx":{"packages":["mail-mcp"]}}`, home, ".npm", "_npx", "1", "package.json")
	write(t, `{"packages":{"node_modules/mail-mcp":{"version":"1"}}}`, home, ".npm", "_npx", "1", "node_modules", ".package-lock.json")
	for _, c := range []struct {
		name        string
		p           Program
		code, names string
	}{
		{"a project", project(map[string]string{"server.py": "import lib\n", "lib/a.py": "x = 1\n", "lib/empty.py": "", "requirements.txt": "requests==2\n"}), "fc3d1679939e15a3dd969f075f349cfbb005c89e06187604289d76acf2ac6ef3 2fa88398c29e5ef689946f4967469b012c7bcbc4cec1de7fd0e571c0413adf7e", "131fce89dc08 server.py\n9e26bf369911 lib/a.py\nd7950171f27c requirements.txt\ne3b0c44298fc lib/empty.py"},
		{"a project of many files", project(many), "f85e036fd201ba70e9d7fcab046588d17f6a011a4d0dcbc94f902391dc3865d2", ""},
		{"a project that is not all read", project(map[string]string{"server.py": "import a\n", "a.py": strings.Repeat("x", maxBytes+10), "b.py": "unread"}), "e0785b980c3c7caaff2eb7b1f3a69828ca68eb7745b7c70417832bce295ad744", "06b24095782b server.py\n0c77bc0a0795 a.py\ne3b0c44298fc b.py"},
		{"a program", program(write(t, "\x7fELF", t.TempDir(), "mail-mcp"), "", env), "a8ac33e670ebae7e0f3f7e05f58849fdf0bc091d017c199198c127bb98b38e72", "3bdbb4fe8397 mail-mcp"},
		{"uvx", program("/nowhere/uvx", "", env, "mail-mcp"), "4c7cbc8e28195f6df64dea3e616d01c8d85a8e61fb0eca8399ffd31c92f94c2c", "95012e94ce9e mail_mcp-1.0.dist-info"},
		{"npx", program("/nowhere/npx", "", env, "-y", "mail-mcp"), "4ee5522d548f5b8904f2a86d14d05fc824422dd6a6c13f778c2f890e13466905", "ce9b1b0e7989 npx"},
	} {
		code, names, _, _ := Begin(c.p).Code(t.Context())
		if code != c.code || names != c.names {
			t.Errorf("%s has the digest %q, and the names %q", c.name, code, names)
		}
	}
}
