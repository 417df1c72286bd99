package artifacts_test

import (
	"fmt"
	"testing"

	"fyne.io/fyne/v2"
)

// The picture shows the imports in the whole workspace. A press marks a file and its lines, and
// offers to open the file.
func TestTheImportGraph(t *testing.T) {
	for _, dark := range []bool{false, true} {
		d := newDesk(t, dark, fyne.NewSize(1020, 840))
		d.choose("queue.go")
		d.early.Store(3) // the picture appears once the files are read, without F5
		d.Press("Import graph")
		d.Until("the picture is drawn", func() bool {
			if d.Says("No file here imports") {
				t.Fatal("the picture says that there are no imports while the files are read")
			}
			return d.Says("7 files with imports · 7 connections")
		})
		for _, want := range []string{"trip/main.go", "store/queue.go", "sync/merge.go", "ui/map.tsx"} {
			if !d.Reads(want) {
				t.Errorf("the picture does not show %q: %q", want, d.Texts())
			}
		}
		if d.Says("closes a cycle") {
			t.Errorf("the screen says %q", d.Texts())
		}
		d.Press("store/queue.go")
		d.Until("the box is chosen", func() bool { return d.Says("used by 3 · uses 0") && d.Reads("Show in the tree") })
		d.Look(fmt.Sprint("artifacts-graph-dark-", dark))
		d.write("ui/trip.tsx", "import {Map} from './map'\nexport const trip = Map\n")
		d.Key(fyne.KeyF5)
		d.Until("the cycle is drawn", func() bool { return d.Says("closes a cycle") && d.Says("used by 3 · uses 0") })
		d.Press("Show in the tree")
		d.Until("the file is shown", func() bool { return d.Says("the outline is up to date") && !d.Says("closes a cycle") })
		d.Press("Import graph")
		d.Until("the picture is drawn again", func() bool { return d.Says("closes a cycle") })
		d.Key(fyne.KeyEscape)
		d.Until("Esc leads back to the file", func() bool { return d.Says("the outline is up to date") })
	}
}

// A large workspace is drawn by folders, and a press opens one.
func TestTheImportGraphOfFolders(t *testing.T) {
	d := newDesk(t, false, fyne.NewSize(1020, 840))
	for i := range 30 {
		d.write(fmt.Sprintf("internal/part%d/a.go", i%5), "package part\n")
		d.write(fmt.Sprintf("internal/part%d/use%d.go", i%5, i), fmt.Sprintf("package part\n\nimport _ \"example.com/trip/internal/part%d\"\n", (i%5+1)%5))
	}
	d.Key(fyne.KeyF5)
	d.Press("Import graph")
	d.Until("the picture is drawn", func() bool { return d.Says("in 9 folders") && d.Reads("internal/part3") && d.Says("closes a cycle") })
	d.Look("artifacts-graph-folders")
	d.Press("internal/part3")
	d.Press("Look inside")
	d.Until("the folder is drawn", func() bool { return d.Reads("Imports in internal/part3") || d.Says("No file here imports") })
	d.Look("artifacts-graph-inside")
}
