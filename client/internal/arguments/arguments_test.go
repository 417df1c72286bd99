//go:build unix

package arguments

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"goated/internal/sandbox"
)

// goated granted write access to a path among the arguments, so a server wrote
// .git/hooks/pre-commit and .envrc of the project that it was given.
func TestAPathAmongTheArgumentsIsGrantedForReading(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "notes.txt")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	g, withheld := Grant([]string{dir, "--file=" + file, "relative"}, "")
	if !slices.Equal(g.Read, []string{dir, file}) || len(g.Write) > 0 || len(g.Files) > 0 || withheld != nil {
		t.Errorf("granted is %+v, withheld %v", g, withheld)
	}
}

// goated does not grant access to the home folder, keys and passwords among the arguments without a
// question, whoever wrote the command.
func TestSensitiveArgumentsAreWithheld(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	home := filepath.Join(root, "ada")
	t.Setenv("HOME", home)
	for _, name := range []string{".ssh/id_ed25519", ".aws/credentials", ".config/app/settings.toml", "vault.kdbx", "work/.env", "work/.env.example", "work/main.go", "work/ca.pem", "work/tls.pem", ".bash_history"} {
		path := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		text := "-----BEGIN CERTIFICATE-----\n"
		if name == "work/tls.pem" {
			text += "-----BEGIN PRIVATE KEY-----\n"
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	in := func(name string) string { return filepath.Join(home, name) }
	for arg, held := range map[string]bool{
		home: true, home + "/": true, root: true, in("work/.."): true, in(".ssh"): true, "--key=" + in(".ssh/id_ed25519"): true, in(".aws"): true,
		in(".config"): true, in("vault.kdbx"): true, "--env-file=" + in("work/.env"): true, in("work/tls.pem"): true, in(".bash_history"): true,
		in("work"): false, in("work/.env.example"): false, in("work/main.go"): false, in("work/ca.pem"): false, in(".config/app"): false,
	} {
		g, withheld := Grant([]string{"--all", arg}, "")
		if len(withheld) > 0 != held || len(g.Read) > 0 == held || len(g.Files) > 0 {
			t.Errorf("%s: granted %v, withheld %v", arg, g.Read, withheld)
		}
	}
	withheld := []string{home, in(".ssh")}
	if got := MissingPermissions(withheld, sandbox.Policy{Read: []string{in(".ssh")}}); len(got) != 1 || got[0] != (sandbox.Permission{Kind: sandbox.ToRead, Path: home}) {
		t.Errorf("lacking is %v", got)
	}
	if got := MissingPermissions(withheld, sandbox.Policy{Read: []string{home}}); got != nil {
		t.Errorf("lacking is %v although the user allowed it", got)
	}
}
