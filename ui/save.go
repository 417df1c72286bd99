package ui

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"goated/internal/errtext"
	"goated/internal/paths"
	"goated/ui/kit"
	"goated/ui/shell"
	"goated/ui/view/format"
)

// openSave opens the sheet that asks for a path and writes data to it.
func openSave(sh *shell.Shell, name string, data []byte) {
	path := kit.NewInput(sh.Clock, "/path/to/file", false)
	problem := kit.NewText("", 13, 19, kit.ColorBad)
	problem.Hide()
	var s *kit.Sheet
	tell := func(text string) {
		problem.SetText(text)
		problem.Hidden = text == ""
		s.Refit()
	}
	spin := kit.NewSpinner(sh.Clock)
	replace, busy := "", false
	var write *kit.Button
	submit := func() {
		target := strings.TrimSpace(path.Text)
		if target == "" || busy {
			return
		}
		over := replace == target
		busy = true
		spin.SetRunning(true)
		tell("")
		kit.Runner{Begin: sh.Go, Post: sh.Post}.Run(func() func() {
			err := writeFile(target, data, over)
			return func() {
				busy = false
				spin.SetRunning(false)
				switch {
				case errors.Is(err, fs.ErrExist):
					replace = target
					write.SetText("Replace")
					tell("A file with that name exists. Press Replace to overwrite it.")
				case err != nil:
					tell(errtext.PlainSentence(err))
				default:
					sh.Sheets.Shut(s)
					sh.Toasts.Say("save", savedAs(target))
				}
			}
		})
	}
	path.OnTyped = func() {
		if s != nil && replace != "" {
			replace = ""
			write.SetText("Save")
			tell("")
		}
	}
	path.OnSubmit = submit
	write = kit.NewButton(kit.Primary, "save", "Save", submit)
	gap := kit.NewLabel(format.Size(int64(len(data))), 13, kit.ColorMuted).Elided()
	cancel := kit.NewButton(kit.Outline, "", "Cancel", func() { s.OnClose() })
	s = kit.NewSheet(560, "Save to a file", kit.Vertical(8, kit.NewLabel("File", 13, kit.ColorText).Strong(), kit.NewField(path), problem, kit.Sized(1, 2, kit.NewPanel(kit.ColorNone, kit.ColorNone, 0))), kit.Horizontal(8, gap, gap, spin, cancel, write))
	s.OnClose = func() {
		spin.SetRunning(false)
		sh.Sheets.Shut(s)
	}
	path.Put(filepath.Join(downloads(), name))
	s.Holds = kit.Typed(path)
	s.First = path
	sh.Sheets.Open(s)
}

// downloads returns the user's download folder, or the home folder without one. It returns "" if
// neither is known.
func downloads() string {
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	if dir := filepath.Join(home, "Downloads"); paths.IsDir(dir) {
		return dir
	}
	return home
}

// writeFile writes a file completely or not at all. If the file exists and over
// is false, the error is [fs.ErrExist].
func writeFile(path string, data []byte, over bool) (err error) {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			path = filepath.Join(home, rest)
		}
	}
	if !filepath.IsAbs(path) {
		return errors.New("enter a full path, such as /home/ada/result.json")
	}
	if info, err := os.Stat(path); err == nil && (!over || !info.Mode().IsRegular()) {
		if !info.Mode().IsRegular() {
			return fmt.Errorf("%s is not a regular file, so it can't be replaced", path)
		}
		return fmt.Errorf("%s: %w", path, fs.ErrExist)
	}
	mode := fs.FileMode(0o600)
	if over { // keep the file's mode, and write through a symbolic link
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
		}
		if info, err := os.Stat(path); err == nil {
			mode = info.Mode().Perm()
		}
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".goated-*")
	if err != nil {
		return withoutTempName(err)
	}
	defer func() {
		if err != nil {
			_ = f.Close()
			_ = os.Remove(f.Name())
		}
	}()
	if _, err := f.Write(data); err != nil {
		return withoutTempName(err)
	}
	if err := f.Chmod(mode); err != nil {
		return withoutTempName(err)
	}
	if err := f.Sync(); err != nil {
		return withoutTempName(err)
	}
	if err := f.Close(); err != nil {
		return withoutTempName(err)
	}
	if !over {
		// A link fails if another program has created the file in the meantime. A rename would
		// replace that file.
		if err := os.Link(f.Name(), path); err == nil || errors.Is(err, fs.ErrExist) {
			_ = os.Remove(f.Name())
			return err
		}
	}
	return withoutTempName(os.Rename(f.Name(), path))
}

// withoutTempName removes the name of the temporary file from an error.
func withoutTempName(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return fmt.Errorf("the file can't be written: %w", path.Err)
	case errors.As(err, &link):
		return fmt.Errorf("the file can't be written: %w", link.Err)
	}
	return err
}

// savedAs names a new file and its folder. It keeps the file extension of a long name.
func savedAs(path string) string {
	dir, name := filepath.Split(path)
	ending := filepath.Ext(name)
	if stem := strings.TrimSuffix(name, ending); len(ending) < 10 {
		name = format.Cut(stem, 40) + ending
	} else {
		name = format.Cut(name, 50)
	}
	dir = filepath.Clean(dir)
	if home, err := os.UserHomeDir(); err == nil {
		if rest, ok := strings.CutPrefix(dir, home); ok && (rest == "" || rest[0] == filepath.Separator) {
			dir = "~" + rest
		}
	}
	if r := []rune(dir); len(r) > 40 {
		dir = "…" + string(r[len(r)-39:])
	}
	return fmt.Sprintf("Saved %s in %s", name, dir)
}
