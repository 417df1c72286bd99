package launch

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"goated/internal/lazyregexp"
)

// registryOrigin returns the origin of what a runner of packages other than npm's and Python's starts:
// deno from JSR, dnx from NuGet, nix from a flake, and jbang from Maven or a catalog.
func registryOrigin(program string, args []string) (Origin, bool) {
	switch program {
	case "deno":
		if i := slices.IndexFunc(args, func(a string) bool { return strings.HasPrefix(a, "jsr:") }); i >= 0 {
			return jsrOrigin(args[i]), true
		}
	case "dotnet":
		for _, words := range [][]string{{"dnx"}, {"tool", "exec"}} {
			if len(args) > len(words) && slices.Equal(args[:len(words)], words) {
				return nugetOrigin(args[len(words):])
			}
		}
	case "dnx":
		return nugetOrigin(args)
	case "nix":
		if at := slices.Index(args, "run"); at >= 0 {
			return flakeOrigin(args[at+1:])
		}
	case "jbang":
		return jbangOrigin(args)
	}
	return Origin{}, false
}

// jsrOrigin splits jsr:@scope/name@version/file.
func jsrOrigin(spec string) Origin {
	parts := strings.SplitN(strings.TrimPrefix(strings.TrimPrefix(spec, "jsr:"), "/"), "/", 3)
	if len(parts) < 2 {
		return Origin{JSR, parts[0], ""}
	}
	name, version, _ := strings.Cut(parts[1], "@")
	return Origin{JSR, parts[0] + "/" + name, version}
}

// nugetOrigin returns the package that dnx runs. The version may follow an @, or be the value of an
// option.
func nugetOrigin(args []string) (Origin, bool) {
	var o Origin
	for i := 0; i < len(args) && args[i] != "--"; i++ {
		a := args[i]
		name, value, inline := strings.Cut(a, "=")
		switch {
		case slices.Contains([]string{"--version", "--source", "--add-source", "--configfile", "--verbosity", "-v", "--framework"}, name):
			if !inline && i+1 < len(args) {
				i++
				value = args[i]
			}
			if name == "--version" {
				o.Version = value
			}
		case strings.HasPrefix(a, "-") || o.Package != "":
		default:
			o.Source = NuGet
			pkg, version, _ := strings.Cut(a, "@")
			if o.Package = pkg; version != "" && version != "*" {
				o.Version = version
			}
		}
	}
	return o, o.Package != ""
}

// flakeOrigin returns the repository of a flake. A flake in nixpkgs counts as a program.
func flakeOrigin(args []string) (Origin, bool) {
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "--option" || a == "--override-input":
			i += 2
		case a == "--extra-experimental-features" || a == "--experimental-features":
			i++
		case strings.HasPrefix(a, "-"):
		default:
			flake, program, _ := strings.Cut(a, "#")
			kind, path, known := strings.Cut(flake, ":")
			path, _, _ = strings.Cut(path, "?")
			parts := strings.SplitN(path, "/", 3)
			switch {
			case known && slices.Contains([]string{"github", "gitlab", "sourcehut"}, kind) && len(parts) > 1:
				o := Origin{Source: Git, Package: parts[0] + "/" + parts[1]}
				if len(parts) > 2 {
					o.Version = parts[2]
				}
				return o, true
			case strings.HasPrefix(kind, "git+") && known:
				repository, query, _ := strings.Cut(flake, "?")
				o := gitOrigin(repository)
				if values, err := url.ParseQuery(query); err == nil && o.Version == "" {
					o.Version = cmp.Or(values.Get("rev"), values.Get("ref"))
				}
				return o, true
			case program != "" && !isPath(flake):
				return Origin{Source: Installed, Package: program}, true
			}
			return Origin{}, false
		}
	}
	return Origin{}, false
}

// coordinates matches a Maven artifact: group:artifact:version.
var coordinates = lazyregexp.New(`^([\w.-]+:[\w.-]+)(?::([\w.-]+))?(?::[\w.-]+)*(?:@[\w.-]+)?$`)

// jbangOrigin returns the origin of what jbang starts: an artifact, or an alias in a catalog on GitHub.
// It leaves files to its callers.
func jbangOrigin(args []string) (Origin, bool) {
	for _, a := range args {
		if strings.HasPrefix(a, "-") || a == "run" {
			continue
		}
		alias, catalog, in := strings.Cut(a, "@")
		m := coordinates.FindStringSubmatch(a)
		switch {
		case strings.Contains(a, "://"):
			return gitOrigin(a), true
		case m != nil:
			return Origin{Maven, m[1], m[2]}, true
		case in && alias != "" && catalog != "" && !strings.ContainsAny(alias, "/.:"):
			owner, _, _ := strings.Cut(catalog, "/")
			return Origin{Git, owner + "/" + alias, ""}, true
		}
		break
	}
	return Origin{}, false
}
