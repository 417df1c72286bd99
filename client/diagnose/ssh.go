package diagnose

import (
	"path/filepath"
	"slices"
	"strings"

	"goated/internal/sandbox"
)

// sshFailed is the exit status of ssh for its own errors. Otherwise it has the status of the command on
// the other computer.
const sshFailed = 255

var (
	// sshUnsure matches what ssh says if it cannot log in: it lacks a key, the agent or the known hosts.
	sshUnsure = pattern(`Permission denied \(|Host key verification failed|Load key "`)
	// sshUnknown matches what ssh says about a host that has no address.
	sshUnknown = pattern(`Could not resolve hostname (\S+?):`)
	// sshSilent matches what ssh says about a computer that does not answer.
	sshSilent = pattern(`connect to host (\S+) port (\d+): (?:Connection refused|Connection timed out|No route to host|Network is unreachable)`)
)

// overSSH diagnoses ssh, which starts a server on another computer. In the sandbox it lacks the network
// and the user's keys at first. Each permission would only lead to the next refusal, and none opens the
// agent.
func overSSH(f Facts, d *Diagnosis) bool {
	if filepath.Base(f.Program) != "ssh" || !f.Ended || f.Code != sshFailed {
		return false
	}
	lacks := func(p sandbox.Permission) bool {
		return p.Kind == sandbox.ToHost || p.Kind == sandbox.ToNetwork || slices.Contains(strings.Split(filepath.ToSlash(p.Path), "/"), ".ssh")
	}
	if f.Confined && (sshUnsure().MatchString(f.Output) || slices.ContainsFunc(f.Needs, lacks)) {
		d.Cause = SSHRefused
		return true
	}
	if sshUnsure().MatchString(f.Output) {
		d.Cause = SSHLogin
		return true
	}
	if m := sshUnknown().FindStringSubmatch(f.Output); m != nil {
		d.Cause, d.Args.Subject = HostUnknown, m[1]
		return true
	}
	if m := sshSilent().FindStringSubmatch(f.Output); m != nil {
		d.Cause, d.Args.Subject = HostUnanswered, m[1]+":"+m[2]
		return true
	}
	return false
}
