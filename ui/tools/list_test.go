package tools

import (
	"testing"

	"fyne.io/fyne/v2"

	"goated/client"
	"goated/internal/config"
	"goated/ui/internal/pagetest"
)

// Space on a tool that the server no longer has ended goated.
func TestKeysIgnoreAToolThatIsGone(t *testing.T) {
	d := pagetest.New(t, false, fyne.NewSize(800, 600))
	p := &Page{Shell: d.Shell, On: Hooks{Open: func(id, tool string) { t.Errorf("%q of %q opens", tool, id) }}}
	p.Shell.Settings, p.Shell.Change = &config.Settings{}, func(config.Settings) { t.Error("the settings change") }
	r := row{server: client.Server{ID: "echo", Status: client.Connected}, launch: config.Launch{Name: "Echo", Path: "echo.py"}, on: true}
	l := newList(p)
	l.shown, l.at = []row{r}, place{r.key(), "gone"}
	for _, name := range []fyne.KeyName{fyne.KeySpace, fyne.KeyReturn} {
		l.key(&fyne.KeyEvent{Name: name})
	}
}
