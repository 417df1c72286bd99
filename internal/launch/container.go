package launch

import (
	"slices"
	"strings"

	"goated/internal/launch/commandtext"
)

// hostFlags are the global options of docker that take a value.
var hostFlags = []string{"-c", "--context", "-H", "--host", "--config", "-l", "--log-level", "--tlscacert", "--tlscert", "--tlskey", "--connection", "--url", "--identity", "--root", "--runroot", "--storage-driver", "--namespace", "-n", "--address", "-a"}

// imageRun returns the index of "run" in "docker run" or "docker container run", after docker's global
// options. It returns -1 for commands that run no image, such as "docker mcp gateway run".
func imageRun(args []string) int {
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

// container adjusts the command of a server in a container. goated writes to the container's stdin, so
// the command needs -i, and must have neither -t nor -d. Values of -e become variables, so that secrets
// do not appear in the arguments.
func (s commands) container(server Server) Server {
	at := imageRun(server.Args)
	if at < 0 {
		server.Origin = Origin{Source: Installed, Package: commandtext.ProgramName(server.Command)}
		return server
	}
	list, rest := containerOptions(server.Args[at+1:])
	kept := slices.Clone(server.Args[:at+1])
	open := false
	for _, o := range list {
		switch {
		case (o.name == "-e" || o.name == "--env") && o.value != "":
			key, given, has := strings.Cut(o.value, "=")
			v := Variable{Name: key, Ask: true}
			if own, ok := s.env(key); !has && ok {
				v = Variable{Name: key, Value: own}
			} else if has {
				v = variable(key, given)
			}
			server.Env = merged(server.Env, []Variable{v})
			kept = append(kept, o.name, key)
		case o.name == "--tty" || o.name == "--detach":
			server.Notes = append(server.Notes, Note{DroppedFlag, o.words[0]})
		case o.plain && !strings.HasPrefix(o.name, "--"):
			letters := strings.NewReplacer("t", "", "d", "").Replace(o.name)
			if letters != o.name {
				server.Notes = append(server.Notes, Note{DroppedFlag, o.name})
			}
			open = open || strings.Contains(letters, "i")
			if len(letters) > 1 {
				kept = append(kept, letters)
			}
		default:
			open = open || o.name == "--interactive"
			kept = append(kept, o.words...)
		}
	}
	if !open {
		server.Notes = append(server.Notes, Note{AddedStdin, "-i"})
		kept = slices.Insert(kept, at+1, "-i")
	}
	server.Args = append(kept, rest...)
	if len(rest) > 0 {
		image, version := rest[0], ""
		if name, digest, ok := strings.Cut(image, "@"); ok {
			image, version = name, digest
		} else if i := strings.LastIndexByte(image, ':'); i > strings.LastIndexByte(image, '/') {
			image, version = image[:i], image[i+1:]
		}
		if version == "latest" {
			version = ""
		}
		server.Origin = Origin{Container, image, version}
	}
	return server
}

// plainOptions are the options of docker run and podman run that take no value. All others take one.
var plainOptions = []string{
	"--detach", "--disable-content-trust", "--env-host", "--help", "--http-proxy", "--init", "--interactive", "--no-healthcheck", "--no-hostname", "--no-hosts", "--oom-kill-disable", "--passwd",
	"--privileged", "--publish-all", "--quiet", "--read-only", "--read-only-tmpfs", "--replace", "--rm", "--rmi", "--rootfs", "--sig-proxy", "--tls-verify", "--tty", "--unsetenv-all", "--use-api-socket",
}

// A containerOption is an option of docker run, or a word of several one-letter options without values,
// such as -it.
type containerOption struct {
	name, value string
	plain       bool     // takes no value
	words       []string // as written
}

// containerOptions returns the options of docker run, and the words from the image on.
func containerOptions(args []string) (list []containerOption, rest []string) {
	for len(args) > 0 {
		a := args[0]
		if args = args[1:]; a == "--" {
			return list, args
		} else if len(a) < 2 || a[0] != '-' {
			return list, append([]string{a}, args...)
		}
		o := containerOption{words: []string{a}}
		inline := false
		if strings.HasPrefix(a, "--") {
			o.name, o.value, inline = strings.Cut(a, "=")
			o.plain = slices.Contains(plainOptions, o.name)
		} else {
			letters := strings.TrimLeft(a[1:], "ditPq")
			if before := a[:len(a)-len(letters)]; len(before) > 1 {
				list = append(list, containerOption{name: before, plain: true, words: []string{before}})
			}
			if letters == "" {
				continue
			}
			o.name, o.value, o.words[0] = "-"+letters[:1], strings.TrimPrefix(letters[1:], "="), "-"+letters
			inline = len(letters) > 1
		}
		if !inline && !o.plain && len(args) > 0 {
			o.value, o.words, args = args[0], append(o.words, args[0]), args[1:]
		}
		list = append(list, o)
	}
	return list, nil
}
