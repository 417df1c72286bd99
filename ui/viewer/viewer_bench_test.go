package viewer_test

import (
	"testing"

	"fyne.io/fyne/v2"

	"goated/ui/internal/pagetest"
	"goated/ui/internal/samples"
	"goated/ui/view"
	"goated/ui/viewer"
)

// BenchmarkViewerOfTenMegabytes opens, searches and scrolls a text of ten megabytes.
func BenchmarkViewerOfTenMegabytes(b *testing.B) {
	p := view.TextOf("Result", samples.OrderList(10<<20))
	d := pagetest.New(b, false, fyne.NewSize(1280, 840))
	var w pagetest.Stopwatch
	for range b.N {
		var work []func()
		run := func(f func()) {
			w.Run(f)
			for ; len(work) > 0; work = work[1:] {
				work[0]()
			}
		}
		var v *viewer.Viewer
		run(func() {
			v = viewer.New(d.Shell.Clock, w.Runner(func(f func()) { work = append(work, f) }), p)
			d.Shell.Sheets.Open(v.Sheet)
		})
		run(func() { v.Query.Put("ada") })
		for range 20 {
			run(func() { v.Step(997) })
		}
		run(func() { v.Rows.ScrollTo(1e6) })
		run(func() {
			v.Stop()
			d.Shell.Sheets.Shut(v.Sheet)
		})
	}
	w.Report(b)
}
