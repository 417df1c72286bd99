package diagnose

import "testing"

// Docker's daemon cannot be reached from the sandbox, and Podman cannot run in it, whatever they print.
func TestContainersNeedAWayOutOfTheSandbox(t *testing.T) {
	t.Parallel()
	const noDaemon = "docker: Got permission denied: dial unix /var/run/docker.sock: connect: permission denied"
	for _, tt := range []struct {
		program, output string
		confined        bool
		want            Cause
		product         string
	}{
		{"/usr/bin/docker", noDaemon, true, SocketRefused, "Docker"},
		{"/usr/bin/podman", "Error: cannot set up namespace", true, ContainerRefused, "Podman"},
		{"/usr/bin/podman", "Error: cannot set up namespace", false, EndedWithOutput, ""},
		{"/usr/bin/server", "Error: cannot set up namespace", true, EndedWithOutput, ""},
	} {
		d := Find(Facts{Failure: StartFailed, Exit: Exit{Ended: true, Code: 1}, Output: tt.output, Stderr: true, Command: Command{Program: tt.program, Confined: tt.confined}})
		if d.Cause != tt.want || d.Args.Product != tt.product {
			t.Errorf("%+v: %+v", tt, d)
		}
	}
}
