package commandtext

import (
	"slices"
	"strings"
)

// hostFlags are the global options of docker that take a value.
var hostFlags = []string{"-c", "--context", "-H", "--host", "--config", "-l", "--log-level", "--tlscacert", "--tlscert", "--tlskey", "--connection", "--url", "--identity", "--root", "--runroot", "--storage-driver", "--namespace", "-n", "--address", "-a"}

// ImageRun returns the index of "run" in "docker run" or "docker container run", after docker's global
// options. It returns -1 for commands that run no image, such as "docker mcp gateway run".
func ImageRun(args []string) int {
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case a == "run":
			return i
		case slices.Contains(hostFlags, a):
			i++
		case strings.HasPrefix(a, "-"), a == "container" && i+1 < len(args) && args[i+1] == "run":
		default:
			return -1
		}
	}
	return -1
}

// plainOptions are the options of docker run and podman run that take no value. All others take one.
var plainOptions = []string{
	"--detach", "--disable-content-trust", "--env-host", "--help", "--http-proxy", "--init", "--interactive", "--no-healthcheck", "--no-hostname", "--no-hosts", "--oom-kill-disable", "--passwd",
	"--privileged", "--publish-all", "--quiet", "--read-only", "--read-only-tmpfs", "--replace", "--rm", "--rmi", "--rootfs", "--sig-proxy", "--tls-verify", "--tty", "--unsetenv-all", "--use-api-socket",
}

// A ContainerOption is an option of docker run, or a word of several one-letter options without values,
// such as -it.
type ContainerOption struct {
	Name, Value string
	Plain       bool     // takes no value
	Words       []string // as written
}

// ContainerOptions returns the options of docker run, and the words from the image on.
func ContainerOptions(args []string) (list []ContainerOption, rest []string) {
	for len(args) > 0 {
		a := args[0]
		if args = args[1:]; a == "--" {
			return list, args
		} else if len(a) < 2 || a[0] != '-' {
			return list, append([]string{a}, args...)
		}
		o := ContainerOption{Words: []string{a}}
		inline := false
		if strings.HasPrefix(a, "--") {
			o.Name, o.Value, inline = strings.Cut(a, "=")
			o.Plain = slices.Contains(plainOptions, o.Name)
		} else {
			letters := strings.TrimLeft(a[1:], "ditPq")
			if before := a[:len(a)-len(letters)]; len(before) > 1 {
				list = append(list, ContainerOption{Name: before, Plain: true, Words: []string{before}})
			}
			if letters == "" {
				continue
			}
			o.Name, o.Value, o.Words[0] = "-"+letters[:1], strings.TrimPrefix(letters[1:], "="), "-"+letters
			inline = len(letters) > 1
		}
		if !inline && !o.Plain && len(args) > 0 {
			o.Value, o.Words, args = args[0], append(o.Words, args[0]), args[1:]
		}
		list = append(list, o)
	}
	return list, nil
}
