package launch

import (
	"slices"
	"strings"

	"goated/internal/lazyregexp"
)

// hostFlags are the options of docker itself that take a value.
var hostFlags = []string{"-c", "--context", "-H", "--host", "--config", "-l", "--log-level", "--tlscacert", "--tlscert", "--tlskey", "--connection", "--url", "--identity", "--root", "--runroot", "--storage-driver", "--namespace", "-n", "--address", "-a"}

// imageRun returns the position of "run" in "docker run" or "docker container run", after the
// options of docker. It returns -1 for commands that run no image, such as "docker mcp gateway
// run".
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

// container adjusts a server in a container: goated writes to its stdin, so it needs -i,
// and must have neither -t nor -d. Values of -e become variables, so that no secret
// stands in the arguments.
func (s commands) container(server Server) Server {
	at := imageRun(server.Args)
	if at < 0 {
		server.Origin = Origin{Source: Installed, Package: programName(server.Command)}
		return server
	}
	rest, _ := positional("docker", server.Args[at+1:])
	flags := server.Args[at+1 : len(server.Args)-len(rest)]
	kept := slices.Clone(server.Args[:at+1])
	open := false
	for i := 0; i < len(flags); i++ {
		a := flags[i]
		name, value, inline := strings.Cut(a, "=")
		switch {
		case name == "-e" || name == "--env":
			if !inline {
				if i++; i >= len(flags) {
					break
				}
				value = flags[i]
			}
			key, given, has := strings.Cut(value, "=")
			v := Variable{Name: key, Ask: true}
			if own, ok := s.env(key); !has && ok {
				v = Variable{Name: key, Value: own}
			} else if has {
				v = variable(key, given)
			}
			server.Env = merged(server.Env, []Variable{v})
			kept = append(kept, name, key)
		case a == "--interactive" || a == "-i":
			open = true
			kept = append(kept, a)
		case a == "--tty" || a == "--detach" || bundledFlags.MatchString(a):
			letters := strings.Map(func(r rune) rune {
				if r == 't' || r == 'd' {
					return -1
				}
				return r
			}, a)
			if a == "--tty" || a == "--detach" {
				letters = ""
			}
			if letters != a {
				server.Notes = append(server.Notes, Note{DroppedFlag, a})
			}
			open = open || strings.Contains(letters, "i")
			if len(letters) > 1 {
				kept = append(kept, letters)
			}
		default:
			kept = append(kept, a)
			if !inline && slices.Contains(valued["docker"], name) && i+1 < len(flags) {
				i++
				kept = append(kept, flags[i])
			}
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

// bundledFlags are letters of docker run in one word, such as -it.
var bundledFlags = lazyregexp.New(`^-[itdPq]+$`)
