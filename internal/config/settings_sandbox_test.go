package config

import (
	"encoding/json"
	"testing"

	"goated/internal/sandbox"
)

// A launch keeps its permissions, even if the user turns it off and on again.
func TestLaunchKeepsWhatWasAllowed(t *testing.T) {
	allowed := sandbox.Permissions{{Kind: sandbox.ToNetwork}}
	s := Settings{Launch: []Launch{{Path: "/a.py", Allowed: allowed}}}
	again := Launch{Path: "/a.py"}
	s = s.WithStart(again, false).WithStart(again, true)
	data, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var back Settings
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	if len(back.Launch) != 1 || back.Launch[0].Off || back.Launch[0].Allowed.Grant().Network != sandbox.AnyNetwork {
		t.Errorf("%s", data)
	}
}
