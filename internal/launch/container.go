package launch

import (
	"slices"
	"strings"

	"goated/internal/launch/commandtext"
)

// container adjusts the command of a server in a container. goated writes to the container's stdin, so
// the command needs -i, and must have neither -t nor -d. Values of -e become variables, so that secrets
// do not appear in the arguments.
func (s commands) container(server Server) Server {
	at := commandtext.ImageRun(server.Args)
	if at < 0 {
		server.Origin = Origin{Source: Installed, Package: commandtext.ProgramName(server.Command)}
		return server
	}
	list, rest := commandtext.ContainerOptions(server.Args[at+1:])
	kept := slices.Clone(server.Args[:at+1])
	open := false
	for _, o := range list {
		switch {
		case (o.Name == "-e" || o.Name == "--env") && o.Value != "":
			key, given, has := strings.Cut(o.Value, "=")
			v := Variable{Name: key, Ask: true}
			if own, ok := s.env(key); !has && ok {
				v = Variable{Name: key, Value: own}
			} else if has {
				v = s.variable(key, given)
			}
			server.Env = merged(server.Env, []Variable{v})
			kept = append(kept, o.Name, key)
		case o.Name == "--tty" || o.Name == "--detach":
			server.Notes = append(server.Notes, Note{DroppedFlag, o.Words[0]})
		case o.Plain && !strings.HasPrefix(o.Name, "--"):
			letters := strings.NewReplacer("t", "", "d", "").Replace(o.Name)
			if letters != o.Name {
				server.Notes = append(server.Notes, Note{DroppedFlag, o.Name})
			}
			open = open || strings.Contains(letters, "i")
			if len(letters) > 1 {
				kept = append(kept, letters)
			}
		default:
			open = open || o.Name == "--interactive"
			kept = append(kept, o.Words...)
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
