package consent

import "testing"

// When goated asks about a permission again, it names the files that changed, if they are known.
func TestCodeChangeNamesFiles(t *testing.T) {
	d := Difference{Was: Grant{Files: "01 live.py\n02 old.py"}, Now: Grant{Files: "03 live.py\n04 live2.py"}}
	if got := d.CodeChange(); got != "The code of its server changed. Added: live2.py. Changed: live.py. Removed: old.py." {
		t.Error(got)
	}
	d.Was.Files = ""
	if got := d.CodeChange(); got != "The code of its server changed: its files, its packages or its image." {
		t.Error(got)
	}
}
