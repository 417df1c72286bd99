package diagnose

import (
	"path/filepath"
	"strings"

	refusal "goated/internal/sandbox/mistake"
)

// daemons lists the programs that start containers for others, with a part of the path of their
// socket.
var daemons = []struct{ socket, product string }{{"docker", "Docker"}, {"podman", "Podman"}, {"containerd", "containerd"}}

// socketRefused diagnoses a refused socket of another program. No permission gives access to it. If
// the socket belongs to a daemon that starts containers, the product is that daemon.
func socketRefused(f Facts, d *Diagnosis) bool {
	path := refusal.Socket(f.Output)
	if path == "" || !f.Confined {
		return false
	}
	d.Cause, d.Args.Subject = SocketRefused, path
	for _, daemon := range daemons {
		if d.Args.Product == "" && strings.Contains(path, daemon.socket) {
			d.Args.Product = daemon.product
		}
	}
	return true
}

// containerRefused diagnoses Podman, which starts containers itself. Whatever error it prints, it
// needs namespaces and mounts, and no permission allows those.
func containerRefused(f Facts, d *Diagnosis) bool {
	if filepath.Base(f.Program) != "podman" || !f.Confined || f.Failure != StartFailed || !f.Ended {
		return false
	}
	d.Cause, d.Args.Product = ContainerRefused, "Podman"
	return true
}
