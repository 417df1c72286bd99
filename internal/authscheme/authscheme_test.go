package authscheme_test

import (
	"testing"

	"goated/internal/authscheme"
)

func TestCut(t *testing.T) {
	for _, c := range [][3]string{
		{"Bearer abc", "Bearer", "abc"},
		{" token  abc ", "token", "abc"},
		{"Basic", "Basic", ""},
		{"Digest abc", "", "Digest abc"},
		{"", "", ""},
	} {
		if scheme, rest := authscheme.Cut(c[0]); scheme != c[1] || rest != c[2] {
			t.Errorf("%q: %q, %q", c[0], scheme, rest)
		}
	}
	if scheme, rest := authscheme.CutStandIn("token value"); scheme != "" || rest != "token value" {
		t.Errorf("%q, %q", scheme, rest)
	}
}

func TestJoinKeepsATokenThatLooksLikeAScheme(t *testing.T) {
	if got := authscheme.Join("Bearer", "token"); got != "Bearer token" {
		t.Error(got)
	}
}
