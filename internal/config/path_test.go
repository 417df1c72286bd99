package config

import "testing"

func TestScriptPathIsWhatIsMeant(t *testing.T) {
	for typed, want := range map[string]string{
		" /t/a.py ":             "/t/a.py",
		`"/t/my tool.py"`:       "/t/my tool.py",
		`'/t/my tool.py'`:       "/t/my tool.py",
		"~/a.py":                "/home/ada/a.py",
		"~":                     "/home/ada",
		"~bob/a.py":             "~bob/a.py",
		`"~/a b.py"`:            "/home/ada/a b.py",
		"file:///t/my%20a.py":   "/t/my a.py",
		`"`:                     `"`,
		"":                      "",
		"it's.py":               "it's.py",
		"/t/\"quoted\" name.py": "/t/\"quoted\" name.py",
	} {
		if got := ScriptPath(typed, "/home/ada"); got != want {
			t.Errorf("%q means %q, not %q", typed, got, want)
		}
	}
}
