package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

// civil is a script with which root runs a program as the user $3. Root's own home, $1, is closed
// to others, but may contain the servers' interpreters. The script opens it in a mount namespace
// that ends with the program.
const civil = `mount -t tmpfs none "$2" && mkdir "$2/new" "$2/work" &&
	mount -t overlay none -o "lowerdir=$1,upperdir=$2/new,workdir=$2/work" "$1" && chmod 755 "$1" || exit
user=$3
shift 3
exec setpriv --reuid "$user" --regid "$user" --clear-groups "$@"`

// civil runs goated as an unprivileged user, because the texts about a sandbox differ for root. The
// user owns everything in the place's home. In containers that forbid this, the test continues as
// root.
func (p *place) civil() {
	p.t.Helper()
	home, err := os.UserHomeDir()
	if os.Getuid() != 0 || err != nil {
		return
	}
	through := []string{"unshare", "--mount", "sh", "-c", civil, "civil", home, p.t.TempDir(), strconv.Itoa(nobody)}
	if out, err := exec.Command(through[0], append(through[1:], "true")...).CombinedOutput(); err != nil {
		p.t.Logf("it runs as root: %v\n%s", err, out)
		return
	}
	p.through = through
	// Mesa keeps its shaders in the home folder of the system account, which is / for nobody.
	p.env = append(p.env, "XDG_CACHE_HOME="+filepath.Join(p.home, ".cache"))
	if err := filepath.WalkDir(p.home, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, nobody, nobody)
	}); err != nil {
		p.t.Fatal(err)
	}
}
