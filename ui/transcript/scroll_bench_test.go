package transcript

import (
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"goated/ui/internal/samplechat"
)

// measured returns the wall time and the CPU time of the thread that f took.
func measured(f func()) (took, cpu time.Duration) {
	began, before := time.Now(), spent()
	f()
	return time.Since(began), spent() - before
}

// heap returns the size of the live heap in megabytes.
func heap() float64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc) / (1 << 20)
}

// BenchmarkTranscript10000 opens a conversation of 10,000 messages, scrolls it notch by notch and
// jumps to places in it. It also reports the worst CPU times, because other programs on the
// machine affect the worst wall times.
func BenchmarkTranscript10000(b *testing.B) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for range b.N {
		d := newDesk(b)
		d.page.Begin = func(func()) {}
		empty := heap()
		chat := samplechat.LongChat(10_000)
		open, _ := measured(func() { d.show(chat, false) })
		b.ReportMetric(float64(open)/1e6, "ms-open")
		t := d.page
		d.toTop()
		each := func(name string, n int, f func()) {
			var sum time.Duration
			var took, cpu []time.Duration
			for range n {
				wall, own := measured(f)
				sum += wall
				took, cpu = append(took, wall), append(cpu, own)
			}
			b.ReportMetric(float64(sum)/float64(n)/1e6, "ms/"+name)
			b.ReportMetric(worst(took), "ms-worst-"+name)
			b.ReportMetric(worst(cpu), "ms-cpu-worst-"+name)
		}
		each("step", 3000, func() {
			t.View.Scroll.Scroll.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, -40)})
		})
		random := rand.New(rand.NewPCG(4, 4))
		each("jump", 300, func() { t.View.GoTo(random.Float32() * t.View.Tall()) })
		b.ReportMetric(heap()-empty, "MB-over-empty")
		runtime.KeepAlive(d)
	}
}
