package backend_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goated/servers/desktop/x11/x11test"
)

// BenchmarkThroughTheGuard types 1,000 characters and clicks like a model does, with all checks of
// the guard. It must not be slower than xdotool.
func BenchmarkThroughTheGuard(b *testing.B) {
	d := desk.Open(b, nil)
	goated := open(b, nil)
	count := filepath.Join(b.TempDir(), "count")
	w := desk.Terminal(b, d, "benchmark", "sh", "-c", "stty -echo -icanon; touch "+count+"; while :; do head -c 1000 >/dev/null; echo x >> "+count+"; done")
	desk.Until(b, "terminal that reads", func() bool { _, err := os.Stat(count); return err == nil })
	text := strings.Repeat("abcdefghi ", 100)
	size := int64(0)
	arrived := func() {
		size += 2
		desk.Until(b, "the text", func() bool { s, err := os.Stat(count); return err == nil && s.Size() >= size })
	}
	x, y := float64(w.Client.X+50), float64(w.Client.Y+50)
	for _, test := range []struct {
		name   string
		goated func() error
		other  []string
		wait   func()
	}{
		{"type", func() error { _, err := goated.CreateInput(b.Context(), typed(text, 0)); return err }, []string{"type", "--delay", "0", text}, arrived},
		{"click", func() error { _, err := goated.CreateInput(b.Context(), click(x, y)); return err }, []string{"mousemove", fmt.Sprint(x), fmt.Sprint(y), "click", "1"}, func() {}},
	} {
		b.Run(test.name, func(b *testing.B) {
			x11test.Beside(b, func() {
				if err := test.goated(); err != nil {
					b.Fatal(err)
				}
				test.wait()
			}, map[string]func(){"xdotool": func() {
				desk.Output(b, "xdotool", test.other...)
				test.wait()
			}})
		})
	}
}
