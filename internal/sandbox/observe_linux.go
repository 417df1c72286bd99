//go:build amd64 || arm64

package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"goated/internal/paths"
	"goated/internal/sandbox/browser"
	"goated/internal/sandbox/caller"
	"goated/internal/sandbox/folderbroker"
	"goated/internal/sandbox/mistake"
	"goated/internal/sandbox/shebang"
)

// An observer reports the files that a process was refused. The filter notifies it about calls that
// create, change or remove files, and with Policy.Reads also about calls that open them. The
// observer checks a call before the kernel does, and then lets the kernel continue the call. It
// never permits anything, so a process gains nothing by changing a path in between.
type observer struct {
	*judge
	home    string
	system  []string // programs and caches, where refused writes are unimportant
	search  []string // the folders of the process's PATH
	refused func(Permission)
	files   *fileBroker          // nil if there are no single files
	folders *folderbroker.Broker // nil if there are no guarded folders
	browser bool                 // the process may run a browser
	caller  int                  // the thread of the current call
}

// newObserver returns the observer of a process under p, which prepare has processed. It calls
// refused for each refusal. env is the environment of the process.
func newObserver(j *judge, p Policy, env []string, refused func(Permission)) *observer {
	home := ""
	if at := slices.IndexFunc(env, func(kv string) bool { return strings.HasPrefix(kv, "HOME=") }); at >= 0 {
		home = resolveLinks(env[at][len("HOME="):])
	}
	// Browsers are installed into a cache. goated must not ask about the browser's program itself.
	system := slices.DeleteFunc(slices.Clone(p.System), func(dir string) bool { return home != "" && paths.Within(dir, filepath.Join(home, ".cache")) })
	o := &observer{judge: j, home: home, search: shebang.Folders(env), system: append(system, mistake.Caches(home)...), refused: refused, files: newFileBroker(p.Files), browser: p.Browser}
	o.folders = newFolderBroker(p, o.report)
	return o
}

func (o *observer) close() {
	if o != nil {
		o.files.close()
	}
}

// changes lists the calls that the filter reports to the notifier, with the arguments that hold the
// folder and the path of the created or removed file. The folder -1 is the working directory.
var changes = map[uintptr]struct {
	dir, path int
	right     uint64 // the required right on the parent folder
	folder    bool   // the call creates or removes a folder
}{
	unix.SYS_MKDIRAT:   {0, 1, unix.LANDLOCK_ACCESS_FS_MAKE_DIR, true},
	unix.SYS_UNLINKAT:  {0, 1, unix.LANDLOCK_ACCESS_FS_REMOVE_FILE, false},
	unix.SYS_RENAMEAT2: {2, 3, unix.LANDLOCK_ACCESS_FS_MAKE_REG, false},
	oldRenameAt:        {2, 3, unix.LANDLOCK_ACCESS_FS_MAKE_REG, false},
	unix.SYS_SYMLINKAT: {1, 2, unix.LANDLOCK_ACCESS_FS_MAKE_SYM, false},
	unix.SYS_LINKAT:    {2, 3, unix.LANDLOCK_ACCESS_FS_MAKE_REG, false},
}

// An oldChange is an entry of changes for a call without a folder argument.
type oldChange struct {
	path   int
	right  uint64
	folder bool
}

// observedRules returns the rules of an observer. They must follow the rules that refuse calls.
func observedRules(reads bool) []rule {
	var out []rule
	for nr := range changes {
		out = append(out, rule{nr: nr})
	}
	for nr := range oldChanges {
		out = append(out, rule{nr: nr})
	}
	writes := condition{mask: unix.O_ACCMODE | unix.O_CREAT | unix.O_TRUNC, in: []uint32{unix.O_RDONLY}, not: true}
	for _, o := range append([]opening{{unix.SYS_OPENAT, 2}}, oldOpen...) {
		if writes.arg = o.arg; reads {
			out = append(out, rule{nr: o.nr})
		} else {
			out = append(out, rule{nr: o.nr, where: []condition{writes}})
		}
	}
	slices.SortFunc(out, func(a, b rule) int { return int(a.nr) - int(b.nr) })
	return out
}

// observe handles a file call. done is false if the kernel must continue the call. Otherwise the
// fileBroker has done it.
func (o *observer) observe(d *notifier, fd uintptr, r request) (done bool, err error) {
	nr := uintptr(r.nr)
	a := r.argument
	o.caller = int(r.pid)
	if c, ok := changes[nr]; ok {
		return o.change(d, fd, r, nr, int32(a[c.dir]), uintptr(a[c.path]), c.right, c.folder)
	}
	if c, ok := oldChanges[nr]; ok {
		return o.change(d, fd, r, nr, unix.AT_FDCWD, uintptr(a[c.path]), c.right, c.folder)
	}
	if slices.Contains(guardedCalls, nr) {
		return o.act(d, fd, r)
	}
	dir, path, flags, mode := int32(a[0]), uintptr(a[1]), int(int32(a[2])), uint32(a[3])
	if nr != unix.SYS_OPENAT {
		dir, path, flags, mode = unix.AT_FDCWD, uintptr(a[0]), int(int32(a[1])), uint32(a[2])
	}
	return o.open(d, fd, r, dir, path, flags, mode)
}

// open handles a call that opens a file.
func (o *observer) open(d *notifier, fd uintptr, r request, dir int32, path uintptr, flags int, mode uint32) (bool, error) {
	name, err := caller.Path(int(r.pid), dir, path)
	if err != nil || flags&unix.O_PATH != 0 {
		return false, nil
	}
	if o.files != nil {
		if done, err := o.files.open(d, fd, r, name, flags, mode); done {
			return true, err
		}
	}
	if done, err := o.act(d, fd, r); done || o.plain(name, flags) {
		return done, err
	}
	at, missing := place(name, flags&unix.O_NOFOLLOW == 0)
	switch {
	case at == "" || missing && flags&unix.O_CREAT == 0 || o.opens(at, flags, missing):
	case flags&(unix.O_ACCMODE|unix.O_CREAT|unix.O_TRUNC) == unix.O_RDONLY:
		o.reportRead(at, flags)
	case missing:
		if unix.Access(filepath.Dir(at), unix.W_OK) == nil {
			o.reportNew(at)
		}
	case flags&unix.O_DIRECTORY == 0 && unix.Access(at, unix.W_OK) == nil:
		o.report(Permission{Kind: ToWrite, Path: at})
	}
	return false, nil
}

// plain reports without accessing the disk whether a call is allowed. Most are.
func (o *observer) plain(name string, flags int) bool {
	return o.opens(name, flags, flags&unix.O_CREAT != 0)
}

// change handles a call that creates or removes a file.
func (o *observer) change(d *notifier, fd uintptr, r request, nr uintptr, dir int32, path uintptr, right uint64, folder bool) (bool, error) {
	name, err := caller.Path(int(r.pid), dir, path)
	if err != nil {
		return false, nil
	}
	if o.files != nil {
		if done, err := o.files.change(r, nr, name); done {
			return true, err
		}
	}
	if done, err := o.act(d, fd, r); done || o.allows(filepath.Dir(name), right) {
		return done, err
	}
	at, missing := place(name, false)
	removes := right == unix.LANDLOCK_ACCESS_FS_REMOVE_FILE
	if at == "" || missing == removes || o.allows(filepath.Dir(at), right) || unix.Access(filepath.Dir(at), unix.W_OK) != nil {
		return false, nil
	}
	switch {
	case folder:
		o.report(Permission{Kind: ToWrite, Path: at})
	default:
		o.reportNew(at)
	}
	return false, nil
}

// place returns a path without links, and whether the file is missing. The path is empty if its
// folder is missing too. follow means that place also resolves a link at the end.
func place(name string, follow bool) (at string, missing bool) {
	dir, err := filepath.EvalSymlinks(filepath.Dir(name))
	if err != nil {
		return "", true
	}
	at = filepath.Join(dir, filepath.Base(name))
	if _, err := os.Lstat(at); err != nil {
		return at, true
	}
	if real, err := filepath.EvalSymlinks(at); follow && err == nil {
		return real, false
	}
	return at, false
}

// reportRead reports a refused file or folder. It skips a folder that leads to something readable.
func (o *observer) reportRead(at string, flags int) {
	info, err := os.Stat(at)
	if err != nil || unix.Access(at, unix.R_OK) != nil || info.IsDir() && (o.leadsToReadable(at) || holdsMuch(at, o.home) || slices.Contains(o.search, at)) {
		return
	}
	if info.IsDir() && o.allows(at, unix.LANDLOCK_ACCESS_FS_READ_DIR) || !info.IsDir() && !info.Mode().IsRegular() {
		return
	}
	o.report(Permission{Kind: ToRead, Path: at})
}

// reportNew reports a refused new file. The permission is for its folder, because programs keep
// several files together, unless the folder also belongs to others.
func (o *observer) reportNew(at string) { o.report(newFile(at, o.home)) }

// report reports a refusal, unless it is unimportant.
func (o *observer) report(p Permission) {
	if strings.Contains(p.Path+"/", "/__pycache__/") || paths.Within(p.Path, "/proc") || paths.Within(p.Path, "/sys") || paths.Within(p.Path, "/dev") {
		return
	}
	if slices.Contains(resolver, p.Path) { // the sandbox resolves names, so goated asks about hosts instead
		return
	}
	// Installed programs try to write their caches beside themselves, but they may not change
	// themselves.
	if p.Kind != ToRead && slices.ContainsFunc(o.system, func(dir string) bool { return paths.Within(p.Path, dir) }) {
		return
	}
	if isBrowser(o.caller) || browser.IsProfile(p.Path, o.home) { // a browser needs more than this file, or runs without its own settings
		if rel, err := filepath.Rel(o.home, p.Path); !o.browser {
			p = Permission{Kind: ToBrowser}
		} else if err == nil && strings.HasPrefix(rel, ".") && filepath.IsLocal(rel) {
			return
		}
	}
	o.refused(p)
}
