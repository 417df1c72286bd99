//go:build linux && (amd64 || arm64)

package sandbox

import (
	"testing"

	"golang.org/x/sys/unix"
)

// A ruleset asks of a kernel only what its ABI has: this one takes those of all
// older ones, too, by their sizes.
func TestRulesetsOfOlderKernels(t *testing.T) {
	p := For("/bin/sh", "", t.TempDir(), nil).With(Grant{Desktop: true})
	p.prepare()
	for abi := 1; abi <= min(landlockABI(), 7); abi++ {
		fd, err := ruleset(p, Status{Landlock: abi, Files: true})
		if err != nil {
			t.Errorf("ABI %d: %v", abi, err)
			continue
		}
		_ = unix.Close(fd)
	}
}

// The filter of every kind of policy is a program that the kernel takes, which
// the escapes show; and is short enough to be read through for each call.
func TestFiltersAreShort(t *testing.T) {
	for _, p := range []Policy{{}, {Network: AnyNetwork}, {Desktop: true}, {Network: AnyNetwork, Desktop: true}, {Network: NamedHosts}, {Network: NamedHosts, Desktop: true}} {
		for _, deputy := range []bool{false, true} {
			program, err := assemble(policyRules(p, []int{1000, 999}, 1001, deputy, deputy && p.Network == NamedHosts))
			if err != nil || len(program) > 600 {
				t.Errorf("%+v: %d instructions, %v", p, len(program), err)
			}
		}
	}
}
