package grantscmd

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/config"
	"goated/internal/consent"
	"goated/registry"
)

// The list showed the id that the server had when the grant was given. The window shows the name.
func TestTheListNamesServersAsTheWindowDoes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "grants.json")
	saved := config.Launch{Name: "Ada’s dice", Path: "/home/ada/dice.py"}
	start := consent.ConfigOf(saved).Start()
	grants := consent.NewGrants(file, time.Now)
	for id, origin := range map[string]string{"my-dice": start, "gone": "python3 /home/ada/gone.py"} {
		if err := grants.Add(registry.Entry{Server: id, Origin: registry.Origin{Start: origin, Code: "c"}, Tool: &mcp.Tool{Name: "roll"}}); err != nil {
			t.Fatal(err)
		}
	}
	cmd := New(func() string { return file }, func() ([]config.Launch, error) { return []config.Launch{saved}, nil })
	var out bytes.Buffer
	cmd.SetOut(&out)
	cmd.SetArgs([]string{"list"})
	if err := cmd.Execute(); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); !strings.Contains(got, "roll of Ada’s dice, since") || !strings.Contains(got, "roll of gone, since") {
		t.Errorf("it lists\n%s", got)
	}
}
