package fynelocale

import "testing"

func TestReplacement(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want string
	}{
		{map[string]string{}, ""},
		{map[string]string{"LANG": "en_US.UTF-8"}, ""},
		{map[string]string{"LANG": "C"}, ""},
		{map[string]string{"LANG": "de"}, ""},
		{map[string]string{"LANG": "C.UTF-8"}, "en"},
		{map[string]string{"LANG": "POSIX.UTF-8"}, "en"},
		{map[string]string{"LANG": "de_DE@euro"}, "de_DE"},
		{map[string]string{"LANG": "de_DE.UTF-8@euro"}, "de_DE"},
		{map[string]string{"LANG": "sr_RS@latin"}, "sr_RS"},
		{map[string]string{"LANG": "german"}, "en"},
		{map[string]string{"LANG": "ger-DE"}, ""},
		{map[string]string{"LANG": "d_DE"}, "en"},
		{map[string]string{"LANG": "de_DEU.UTF-8"}, "en"},
		{map[string]string{"LANG": "de-DEU"}, "de"},
		{map[string]string{"LANG": "de_de"}, "en"},
		{map[string]string{"LANG": "@euro"}, "en"},
		{map[string]string{"LANG": "fr_FR.UTF-8", "LC_ALL": "C.UTF-8"}, "en"},
		{map[string]string{"LANG": "C.UTF-8", "LC_ALL": "fr_FR.UTF-8"}, ""},
		{map[string]string{"LANG": "C.UTF-8", "LANGUAGE": "fr"}, ""},
	} {
		if got := replacement(func(name string) string { return c.env[name] }); got != c.want {
			t.Errorf("%v: %q, not %q", c.env, got, c.want)
		}
	}
}
