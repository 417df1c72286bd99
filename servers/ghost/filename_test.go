package ghost

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestCheckFilename(t *testing.T) {
	for _, name := range []string{
		"note.txt", "README", "a b c.md", "日本語.txt", "naïve.txt", "👻.txt", "x.tar.gz", "..x"[2:], "a..b", "it's $HOME; `ls`.txt",
		"-rf", "~", "console.txt", "com10.txt", "comet", "lpt", "nullable.md", "a%2fb.txt", "run", "exe", "e\u0301.txt",
		strings.Repeat("a", 251) + ".txt",
	} {
		if err := checkFilename(name); err != nil {
			t.Errorf("%q is refused: %v", name, err)
		}
	}
	for want, names := range map[string][]string{
		"empty":        {""},
		"limit is 255": {strings.Repeat("a", 252) + ".txt", strings.Repeat("é", 128)},
		"UTF-8":        {"a\xffb"},
		"any folder":   {"../x", "a/b", `a\b`, `..\x`, "/etc/passwd", `C:\x`, "/", `\\server\share`, "a/", "./a", "../../.bashrc", "sub/../../x"},
		"any of":       {"C:x", "a:b.txt", "file.txt:stream", "what?.txt", "a*b", "a|b", "<a>", `"a"`},
		"invisible":    {"a\x00.txt", "a\nb", "\x1b[31m", "a\x7f", "\u202etxt.md", "a\u200bb", "\ufeffa", "a\u2066b", "a\u00adb", "a\u2028b", "a\u3164b", "a\u0085b", "\U000e0041x"},
		"dot or a":     {".", "..", "...", ".bashrc", "a.", "a ", " a", "\u00a0a", "a\u3000", "note.txt.", "x.exe "},
		"reserved":     {"CON", "con", "NUL.txt", "nul.tar.gz", "COM1", "com9.md", "LPT0", "COM¹", "aux .txt", "PRN", "conin$", "Con.Txt"},
		"are refused":  {"x.desktop", "x.DESKTOP", "x.lnk", "x.url", "x.command", "x.bat", "x.cmd", "x.exe", "x.ps1", "x.scr", "x.vbs", "x.app", "x.webloc", "x.jar", "x.sh", "note.txt.exe", "x.Py", "x.AppImage", "x.js", "x.hta", "x.msi", "x.reg", "x.terminal", "x.workflow", "x.pif", "x.com", "x.scf", "x.deb", "x.search-ms"},
	} {
		for _, name := range names {
			err := checkFilename(name)
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%q: got %v, want an error about %q", name, err, want)
			}
		}
	}
}

// An accepted name creates a file directly in the desktop directory, under exactly that name, and
// no other file anywhere.
func TestAcceptedNamesStayOnTheDesktop(t *testing.T) {
	parent := t.TempDir()
	desk := filepath.Join(parent, "Desktop")
	root := func() *os.Root {
		if err := os.Mkdir(desk, 0o755); err != nil {
			t.Fatal(err)
		}
		r, err := os.OpenRoot(desk)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}()
	defer root.Close()
	piece := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
		"..", "/", `\`, ".", " ", ":", "\x00", "CON", "nul", ".exe", ".txt", "a", "\u202e", "~", "C:", "%2e%2e",
	}))
	accepted := 0
	rapid.Check(t, func(rt *rapid.T) {
		name := strings.Join(rapid.SliceOfN(piece, 1, 4).Draw(rt, "pieces"), "")
		if checkFilename(name) != nil {
			return
		}
		accepted++
		if filepath.Dir(filepath.Join(desk, name)) != desk || filepath.Base(name) != name || !filepath.IsLocal(name) {
			rt.Fatalf("%q leads away from the desktop", name)
		}
		if _, err := createOrReplace(root, name, []byte("x")); err != nil {
			rt.Fatalf("%q is accepted and cannot be written: %v", name, err)
		}
		if names := readNames(t, desk); len(names) != 1 || names[0] != name {
			rt.Fatalf("%q was written as %q", name, names)
		}
		if names := readNames(t, parent); len(names) != 1 {
			rt.Fatalf("%q appeared beside the desktop: %q", name, names)
		}
		if err := root.Remove(name); err != nil {
			rt.Fatal(err)
		}
	})
	if accepted == 0 {
		t.Error("no name was accepted, the property says nothing")
	}
}
