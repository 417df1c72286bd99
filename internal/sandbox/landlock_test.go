//go:build linux && (amd64 || arm64)

package sandbox

import (
	"testing"
)

// A ruleset uses only rights of the kernel's ABI. This kernel also accepts the rulesets of all
// older ABIs, which it distinguishes by their sizes.
func TestRulesetsOfOlderKernels(t *testing.T) {
	p := For("/bin/sh", "", t.TempDir(), nil).With(Grant{Desktop: true})
	p.prepare()
	for abi := 1; abi <= min(landlockABI(), 7); abi++ {
		rules, _, err := newRulesets(p, Status{Landlock: abi, Files: true})
		if err != nil {
			t.Errorf("ABI %d: %v", abi, err)
			continue
		}
		rules.close()
	}
}

// The filter of each kind of policy is short, because the kernel runs it for each call.
// TestEscapes shows that the kernel accepts it.
func TestFiltersAreShort(t *testing.T) {
	for _, p := range []Policy{{}, {Network: AnyNetwork}, {Desktop: true}, {Network: AnyNetwork, Desktop: true}, {Network: NamedHosts}, {Network: NamedHosts, Desktop: true}} {
		for _, notify := range []bool{false, true} {
			program, err := assemble(policyRules(p, []int{1000, 999}, 1001, notify, notify && p.Network == NamedHosts, notify))
			if err != nil || len(program) > 600 {
				t.Errorf("%+v: %d instructions, %v", p, len(program), err)
			}
		}
	}
}
