package launch

import (
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// A System answers questions about this computer. Each answer must be fast: no function may start a
// program or use the network. Any function may be nil, which counts as no answer.
type System struct {
	Home     string // the user's home folder; if "", ~ is an ordinary name
	Dir      string // relative paths are relative to it
	Windows  bool
	Stat     func(path string) (fs.FileInfo, error)
	Read     func(path string, most int) ([]byte, error) // reads at most that many bytes from the start
	List     func(dir string) ([]string, error)
	LookPath func(program string) (string, error)
	Getenv   func(name string) (value string, ok bool)
	Real     func(path string) (string, error) // resolves symbolic links
}

// Here returns the System of the computer that goated runs on. lookPath finds programs. If it is nil,
// goated's own search path is used.
func Here(lookPath func(string) (string, error)) System {
	if lookPath == nil {
		lookPath = exec.LookPath
	}
	home, _ := os.UserHomeDir()
	dir, _ := os.Getwd()
	return System{
		Home: home, Dir: dir, Windows: runtime.GOOS == "windows",
		Stat: os.Stat, Read: read, List: list, LookPath: lookPath, Getenv: os.LookupEnv, Real: filepath.EvalSymlinks,
	}
}

// Limits in bytes.
const (
	// maxText limits the size of a text, and how much is read of a file.
	maxText = 1 << 20
	// MaxFile limits the size of a configuration file. It is large because Claude Code keeps its
	// history in its configuration.
	MaxFile = 32 << 20
)

// maxList limits how many names are read from a folder.
const maxList = 2000

func read(path string, most int) ([]byte, error) {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() { // a pipe would block
		return nil, fs.ErrNotExist
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, int64(most)))
}

func list(dir string) ([]string, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Readdirnames(maxList)
}

// isDir reports whether a path is a folder.
func (s System) isDir(path string) bool {
	info := s.stat(path)
	return info != nil && info.IsDir()
}

func (s System) isFile(path string) bool {
	info := s.stat(path)
	return info != nil && !info.IsDir()
}

// stat returns nil if the path does not exist.
func (s System) stat(path string) fs.FileInfo {
	if s.Stat == nil || path == "" || strings.ContainsRune(path, 0) {
		return nil
	}
	info, err := s.Stat(path)
	if err != nil {
		return nil
	}
	return info
}

// text returns the start of a file, or nil if it cannot be read.
func (s System) text(path string) []byte { return s.upTo(maxText, path) }

func (s System) upTo(most int, path string) []byte {
	if s.Read == nil {
		return nil
	}
	data, err := s.Read(path, most)
	if err != nil {
		return nil
	}
	return data[:min(len(data), most)]
}

// names returns the names of the files in a folder.
func (s System) names(dir string) []string {
	if s.List == nil {
		return nil
	}
	names, err := s.List(dir)
	if err != nil {
		return nil
	}
	return names
}

// real returns a path with its symbolic links resolved, or the path itself if that fails.
func (s System) real(path string) string {
	if s.Real != nil {
		if real, err := s.Real(path); err == nil {
			return real
		}
	}
	return path
}

// installed reports whether a program is on the search path.
func (s System) installed(program string) bool {
	if s.LookPath == nil {
		return false
	}
	_, err := s.LookPath(program)
	return err == nil
}

func (s System) env(name string) (string, bool) {
	switch name {
	case "HOME", "USERPROFILE":
		return s.Home, s.Home != ""
	case "PWD":
		return s.Dir, s.Dir != ""
	}
	if s.Getenv == nil {
		return "", false
	}
	return s.Getenv(name)
}

// expanded replaces a leading ~ with the home folder.
func (s System) expanded(path string) string {
	if rest, ok := strings.CutPrefix(path, "~"); ok && s.Home != "" && (rest == "" || rest[0] == '/' || s.Windows && rest[0] == '\\') {
		return s.Home + rest
	}
	return path
}

// absolute returns a path that means the same from any folder.
func (s System) absolute(path string) string {
	path = s.expanded(path)
	if !s.Windows && windowsPath.MatchString(path) {
		return path // from another computer
	}
	if filepath.IsAbs(path) || s.Dir == "" {
		return filepath.Clean(path)
	}
	return filepath.Join(s.Dir, path)
}

// Each of these types handles one kind of text, with access to the system.
type (
	files    struct{ System } // paths of files and folders
	names    struct{ System } // for servers
	commands struct{ System } // command lines
	configs  struct{ System } // configurations, links and URLs
)
