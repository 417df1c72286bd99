package view_test

import (
	"testing"

	"goated/internal/sandbox"
	"goated/ui/view"
)

// The title of a permission was cut within a path, which is shown below it anyway.
func TestWantsBriefly(t *testing.T) {
	dir := t.TempDir()
	for _, tt := range []struct {
		p    sandbox.Permission
		want string
	}{
		{sandbox.Permission{Kind: sandbox.ToRead, Path: dir}, "time wants to read a folder"},
		{sandbox.Permission{Kind: sandbox.ToRead, Path: dir + "/pyvenv.cfg"}, "time wants to read a file"},
		{sandbox.Permission{Kind: sandbox.ToWrite, Path: dir + "/new"}, "time wants to read and write a folder"},
		{sandbox.Permission{Kind: sandbox.ToWriteFile, Path: dir + "/new"}, "time wants to read and write a file"},
		{sandbox.Permission{Kind: sandbox.ToHost, Host: "example.org"}, "time wants to reach example.org"},
	} {
		if got := view.ShortAllowQuestion("time", tt.p); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.p, got, tt.want)
		}
	}
}
