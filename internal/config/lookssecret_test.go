package config

import "testing"

func TestLooksSecret(t *testing.T) {
	for _, v := range []string{"ghp_0123456789abcdefghij", "sk-proj-0123456789abcdefABCD", "Bearer abc", "d41d8cd98f00b204e9800998ecf8427e", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc", "x9Kq2LmP4vB7nR1tY6wZ3sD8"} {
		if !LooksSecret(v) {
			t.Errorf("%q is taken for no secret", v)
		}
	}
	for _, v := range []string{"", "true", "production", "/home/ada/documents/2026", "https://example.org/a/b/c/d/e/f", "@modelcontextprotocol/server-filesystem", "us-east-1", "my-long-project-name-2026", "Bearer ${TOKEN}", "12345678901234567890123456"} {
		if LooksSecret(v) {
			t.Errorf("%q is taken for a secret", v)
		}
	}
}
