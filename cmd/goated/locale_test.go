package main

import "testing"

func TestLocaleIsThatOfMessages(t *testing.T) {
	for _, c := range []struct{ all, messages, lang, want string }{
		{"", "", "", systemLocale()},
		{"", "", "de_DE.UTF-8", "de_DE.UTF-8"},
		{"", "pt_BR.UTF-8", "de_DE.UTF-8", "pt_BR.UTF-8"},
		{"C", "pt_BR.UTF-8", "de_DE.UTF-8", "C"},
	} {
		t.Setenv("LC_ALL", c.all)
		t.Setenv("LC_MESSAGES", c.messages)
		t.Setenv("LANG", c.lang)
		if got := locale(); got != c.want {
			t.Errorf("LC_ALL=%q LC_MESSAGES=%q LANG=%q: %q, want %q", c.all, c.messages, c.lang, got, c.want)
		}
	}
}
