package contents

import "strings"

// IsTextType reports whether data with a server's MIME type may be text. Checking the bytes is not enough:
// an archive may be valid UTF-8 by chance, and a model cannot read it.
func IsTextType(mime string) bool {
	kind, _, _ := strings.Cut(strings.ToLower(mime), ";")
	kind = strings.TrimSpace(kind)
	for _, part := range []string{"json", "xml", "yaml", "toml", "javascript", "typescript", "csv", "sql", "x-sh", "x-python"} {
		if strings.HasPrefix(kind, "application/") && strings.Contains(kind[len("application/"):], part) && !strings.Contains(kind, "openxml") {
			return true
		}
	}
	return kind == "" || kind == "application/octet-stream" || kind == "image/svg+xml" || strings.HasPrefix(kind, "text/")
}
