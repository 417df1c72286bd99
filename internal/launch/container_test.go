package launch

import "testing"

// The image follows the options of docker and their values, whatever they are. No variable remains in
// the arguments.
func TestOptionsBeforeTheImage(t *testing.T) {
	sys := disk{}.system(every...)
	for _, option := range []string{
		"--pids-limit 100", "--memory-swap 2g", "--memory-reservation 1g", "--cpuset-cpus 0-1", "--network-alias db", "--ip 10.0.0.2",
		"--stop-timeout 5", "--annotation a=b", "--attach stdin", "-a stdin", "--cgroupns host", "--dns-search lan", "--domainname lan",
		"-v/data:/data", "-p8080:80", "--cpu-shares 2", "-c 2", "--uidmap 0:1:2", "--rm --init --read-only --privileged", "--rm=true -q -P",
		"--sig-proxy=false", "--disable-content-trust", "--no-healthcheck --publish-all", "--replace --userns keep-id", "--arch arm64",
	} {
		understands(t, sys, [][2]string{{
			"docker run -i " + option + " -e API_KEY=s3cret -t acme/fs --root /data",
			"docker run -i " + option + " -e API_KEY acme/fs --root /data API_KEY=s3cret | container acme/fs | fs !5 -t",
		}})
	}
	understands(t, sys, [][2]string{
		{"docker run --rm -ite K=v acme/fs", "docker run --rm -i -e K acme/fs K=v | container acme/fs | fs !5 -it"},
		{"docker run -i -eK=v acme/fs", "docker run -i -e K acme/fs K=v | container acme/fs | fs"},
		{"docker run -i --tty=true --env=K=v acme/fs", "docker run -i --env K acme/fs K=v | container acme/fs | fs !5 --tty=true"},
		{"docker run -i --rm -- acme/fs", "docker run -i --rm acme/fs | container acme/fs | fs"},
		{"docker run -i -e", "docker run -i -e | docker"},
	})
}

// The path inside a container is not the user's.
func TestPathsInsideAContainer(t *testing.T) {
	understands(t, disk{}.system(every...), [][2]string{
		{"docker run -i -v /srv/notes:/home/user/notes a/b", "docker run -i -v /srv/notes:/home/user/notes a/b | container a/b | b"},
		{"docker run -i -v /path/to/notes:/data a/b", "docker run -i -v /path/to/notes:/data a/b | container a/b | b !1 /path/to/notes:/data"},
		{"docker run -i --mount type=bind,src=/srv,dst=/home/user/x a/b", "docker run -i --mount type=bind,src=/srv,dst=/home/user/x a/b | container a/b | b"},
	})
}
