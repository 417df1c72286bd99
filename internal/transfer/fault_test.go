package transfer

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goated/internal/launch"
)

// "goated servers link FILE" and "import --file" printed the system's "no such file or directory", without
// advice on what to do.
func TestAFileThatIsNotReadSaysWhatToDo(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	text := write("text.json", "hi")
	for path, want := range map[string]string{
		filepath.Join(dir, "none.json"):         "the file does not exist. Check the path.",
		filepath.Join(dir, "no", "folder.json"): "the file does not exist. Check the path.",
		dir:                                     "it is a folder. Name the configuration file in it.",
		text:                                    "line 1: there is a mistake in it: invalid literal: hi. Correct the file, or name another one.",
	} {
		err := Advised(Read(FileAt(path), launch.Here(nil)).Err)
		if err == nil || err.Error() != "reading "+path+": "+want {
			t.Errorf("%s: %v", path, err)
		}
	}
	for cause, want := range map[error]string{
		&fs.PathError{Op: "open", Path: "a", Err: fs.ErrPermission}:           "you have no permission to read it. Change the permissions",
		&fs.PathError{Op: "read", Path: "a", Err: errors.New("input/output")}: "input/output. Check the path and the disk",
		ErrEmpty: "it is empty. Add a server to it",
		errLarge: "it is larger than 32 MiB. Name the configuration file",
	} {
		if err := Advised(FaultOf("a", cause)); !strings.HasPrefix(err.Error(), "reading a: "+want) || !errors.Is(err, cause) {
			t.Errorf("%v: %v", cause, err)
		}
	}
	if err := errors.New("x"); Advised(err) != err || Advised(nil) != nil {
		t.Error("another error changes")
	}
}
