package catalog

import (
	"strings"
	"testing"
)

// Each of these options lets a runner load code beside the pinned package.
func TestDivertingOptions(t *testing.T) {
	for _, c := range [][2]string{{"npm", "-w"}, {"npm", "--workspace=x"}, {"npm", "--node-options=--require=/tmp/x.js"}, {"pypi", "-w"}} {
		if diverted(c[0], []string{c[1]}) == "" {
			t.Errorf("%s passes %s", c[0], c[1])
		}
	}
}

// An entry must not replace the pinned package through a variable.
func TestDivertingVariables(t *testing.T) {
	for name, refused := range map[string]bool{
		"NODE_OPTIONS": true, "npm_config_registry": true, "UV_INDEX_URL": true, "PIP_EXTRA_INDEX_URL": true, "PYTHONPATH": true, "LD_PRELOAD": true, "PATH": true,
		"NODE_ENV": false, "PYTHONUNBUFFERED": false, "API_PATH": false, "UVICORN_PORT": false, "PIPELINE": false,
	} {
		for _, fixed := range []bool{true, false} {
			n := Named{Name: name, Input: Input{Description: "A value"}}
			if fixed {
				n.Value = "x"
			}
			_, err := (Way{Package: Package{Type: "npm", Identifier: "fs-mcp", Version: "1.0.0", Env: []Named{n}}}).Plan(nil)
			if got := err != nil && strings.Contains(err.Error(), "the entry sets "+name); got != (refused && fixed) {
				t.Errorf("%s (fixed: %t): %v", name, fixed, err)
			}
		}
	}
	container := Way{Package: Package{Type: "oci", Identifier: "ghcr.io/ada/fs", Version: "1", Env: []Named{{Name: "PYTHONPATH", Input: Input{Value: "/app"}}}}}
	if _, err := container.Plan(nil); err != nil {
		t.Error(err)
	}
	container.Package.Env[0].Name = "DOCKER_HOST"
	if _, err := container.Plan(nil); err == nil {
		t.Error("an entry chooses the docker that runs it")
	}
}
