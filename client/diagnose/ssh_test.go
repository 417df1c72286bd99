package diagnose

import (
	"testing"

	"goated/internal/sandbox"
)

// For a server over ssh, goated used to offer one permission after the other: the host, the public key,
// the private key. None of them opens the agent.
func TestSSHNeedsAWayOutOfTheSandbox(t *testing.T) {
	t.Parallel()
	const (
		blocked = "ssh: connect to host far port 22: Permission denied"
		denied  = "ada@far: Permission denied (publickey,password)."
		unknown = "ssh: Could not resolve hostname far: Name or service not known"
		silent  = "ssh: connect to host far port 22: Connection refused"
		missing = "bash: line 1: fs-server: command not found"
	)
	host, key, system := sandbox.Permission{Kind: sandbox.ToHost, Host: "far:22"}, sandbox.Permission{Kind: sandbox.ToRead, Path: "/home/ada/.ssh/id_ed25519"}, sandbox.Permission{Kind: sandbox.ToRead, Path: "/etc/ssh/ssh_config"}
	for _, tt := range []struct {
		output   string
		code     int
		confined bool
		needs    []sandbox.Permission
		want     Cause
		subject  string
	}{
		{blocked, 255, true, []sandbox.Permission{host}, SSHRefused, ""},
		{"", 255, true, []sandbox.Permission{key}, SSHRefused, ""},
		{denied, 255, true, nil, SSHRefused, ""},
		{denied, 255, false, nil, SSHLogin, ""}, // it used to be a file without permission
		{unknown, 255, true, []sandbox.Permission{system}, HostUnknown, "far"},
		{unknown, 255, true, []sandbox.Permission{key}, SSHRefused, ""}, // its configuration may name the host
		{unknown, 255, false, nil, HostUnknown, "far"},
		{silent, 255, false, nil, HostUnanswered, "far:22"},
		{missing, 127, true, nil, EndedWithOutput, ""},
	} {
		d := Find(Facts{Failure: StartFailed, Exit: Exit{Ended: true, Code: tt.code}, Output: tt.output, Stderr: true, Needs: tt.needs, Command: Command{Program: "/usr/bin/ssh", Confined: tt.confined}})
		if d.Cause != tt.want || tt.subject != "" && d.Args.Subject != tt.subject {
			t.Errorf("%+v: %+v", tt, d)
		}
	}
}
