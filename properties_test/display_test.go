package properties_test

import (
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"goated/client"
	"goated/registry"
	"goated/ui/view"
)

// Property 5: "For any connected server displayed in the Tool Connection Modal,
// the display SHALL include the server name and the exact count of tools
// available from that server."
func TestProperty5ServerDisplay(t *testing.T) {
	counts := rapid.OneOf(rapid.IntRange(0, 12), rapid.IntRange(0, 20000), rapid.SampledFrom([]int{999, 1000, 9999, 10000, 12005}))
	servers := rapid.Custom(func(t *rapid.T) client.Server {
		return client.Server{
			Name:       texts().Draw(t, "name"),
			Status:     client.Connected,
			Tools:      make([]registry.Entry, counts.Draw(t, "tools")),
			Uncallable: make([]registry.Uncallable, rapid.IntRange(0, 3).Draw(t, "uncallable")), // these cannot be called and do not count
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		snapshot := client.Snapshot{Servers: rapid.SliceOfN(servers, 0, 4).Draw(t, "servers")}
		sum := 0
		for _, s := range snapshot.Servers {
			checkLabel(t, view.ServerLabel(s), s.Name, len(s.Tools))
			sum += len(s.Tools)
		}
		if snapshot.Tools() != sum || snapshot.Connected() != len(snapshot.Servers) {
			t.Fatalf("%d tools of %d servers, want %d of %d", snapshot.Tools(), snapshot.Connected(), sum, len(snapshot.Servers))
		}
	})
}

// checkLabel removes the name from the label and checks that the rest is the count.
func checkLabel(t rapid.TB, label, name string, count int) {
	t.Helper()
	rest, ok := strings.CutPrefix(label, name)
	if !ok {
		t.Fatalf("label %q does not start with the name %q", label, name)
	}
	number, noun, _ := strings.Cut(strings.TrimPrefix(rest, " · "), " ")
	got, err := strconv.Atoi(strings.ReplaceAll(number, ",", ""))
	if err != nil || got != count {
		t.Fatalf("label %q tells %q tools, want %d", label, number, count)
	}
	if want := map[bool]string{true: "tool", false: "tools"}[count == 1]; noun != want {
		t.Fatalf("label %q: want %q", label, want)
	}
}
