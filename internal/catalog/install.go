package catalog

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"goated/internal/inputs"
	"goated/internal/lazyregexp"
	"goated/internal/weborigin"
)

// A Way is one way to run a server of the registry.
type Way struct {
	Label   string // display name, such as "npm package @a/b 1.2.3"
	Package Package
	Remote  Transport // for a server with a URL; zero for a package
	// Why is the reason why goated cannot use this way, or nil if it can.
	Why error
}

// Ways returns the ways to run a server, best first: packages that run on this computer in the
// sandbox, then remote servers, then ways that goated cannot use.
func (s Server) Ways() []Way {
	var list []Way
	for _, p := range s.Packages {
		list = append(list, p.way())
	}
	for _, r := range s.Remotes {
		w := Way{Label: "server at " + host(r.URL), Remote: r}
		if r.Type != "streamable-http" && r.Type != "sse" {
			w.Why = fmt.Errorf("goated does not know the transport %.40q", r.Type)
		}
		list = append(list, w)
	}
	slices.SortStableFunc(list, func(a, b Way) int { return a.order() - b.order() })
	return list
}

func (w Way) order() int {
	switch {
	case w.Why != nil:
		return 9
	case w.Remote.URL != "":
		return 5
	}
	return slices.Index([]string{"mcpb", "npm", "pypi", "oci", "nuget"}, w.Package.Type)
}

// host returns the host of a URL that may contain variables.
func host(address string) string {
	_, rest, _ := strings.Cut(address, "://")
	name, _, _ := strings.Cut(rest, "/")
	return plain(name)
}

var (
	npmName  = lazyregexp.New(`^(@[a-z0-9~][a-z0-9._~-]*/)?[a-z0-9~][a-z0-9._~-]*$`)
	pypiName = lazyregexp.New(`^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?(\[[A-Za-z0-9._,-]+\])?$`)
	image    = lazyregexp.New(`^[a-z0-9][A-Za-z0-9._:/@-]*$`)
	pinned   = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._+-]*$`)
	hash     = lazyregexp.New(`^[A-Fa-f0-9]{64}$`)
	flag     = lazyregexp.New(`^-{1,2}[A-Za-z0-9]`)
)

// way checks a package and returns the way to run it.
func (p Package) way() Way {
	w := Way{Package: p, Label: p.label()}
	switch {
	case p.Transport.Type != "" && p.Transport.Type != "stdio":
		w.Why = errors.New("the package starts a web server; goated runs packages that use stdio")
	case p.Type != "oci" && p.Type != "mcpb" && (!pinned.MatchString(p.Version) || p.Version == "latest"):
		w.Why = fmt.Errorf("it does not pin a version, but says %.60q", p.Version)
	case p.SHA256 != "" && !hash.MatchString(p.SHA256):
		w.Why = errors.New("its SHA-256 is not valid")
	case p.Type == "npm" && !npmName.MatchString(p.Identifier),
		p.Type == "pypi" && !pypiName.MatchString(p.Identifier),
		p.Type == "nuget" && !pinned.MatchString(p.Identifier),
		p.Type == "oci" && !image.MatchString(p.Identifier):
		w.Why = fmt.Errorf("the name of its package is not valid: %.100q", p.Identifier)
	case p.Type == "mcpb" && p.SHA256 == "":
		w.Why = errors.New("the bundle has no SHA-256, so goated can't check it")
	case p.Type == "mcpb" && !strings.HasPrefix(p.Identifier, "https://") && !loopback(p.Identifier):
		w.Why = errors.New("the bundle is not downloaded over https")
	case !slices.Contains([]string{"npm", "pypi", "oci", "nuget", "mcpb"}, p.Type):
		w.Why = fmt.Errorf("goated does not install packages of the type %.40q", p.Type)
	case p.foreign():
		w.Why = fmt.Errorf("the package comes from another registry, %.100s", plain(p.Base))
	}
	return w
}

// usual lists the URLs of the registries that the runners use by default.
var usual = map[string][]string{
	"npm": {"https://registry.npmjs.org"}, "pypi": {"https://pypi.org", "https://files.pythonhosted.org"}, "nuget": {"https://api.nuget.org/v3/index.json", "https://api.nuget.org"},
}

// foreign reports whether a package comes from a registry other than its runner's default.
func (p Package) foreign() bool {
	known, ok := usual[p.Type]
	return ok && p.Base != "" && !slices.Contains(known, strings.TrimSuffix(p.Base, "/"))
}

// loopback reports whether a URL uses http and refers to this computer.
func loopback(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Scheme == "http" && weborigin.IsLoopback(u.Hostname())
}

func (p Package) label() string {
	kind := map[string]string{"npm": "npm package", "pypi": "Python package", "oci": "container image", "nuget": ".NET package", "mcpb": "bundle"}[p.Type]
	if kind == "" {
		kind = plain(p.Type) + " package"
	}
	name := p.Identifier
	if p.Type == "mcpb" {
		name = host(name)
	}
	return strings.TrimSpace(kind + " " + plain(name) + " " + plain(p.Version))
}

// A Plan describes how to run a server with the user's inputs.
type Plan struct {
	Program string
	Args    []string
	Env     []Value
	URL     string // URL of a remote server; Program is empty then
	Headers []Value
	Bundle  string // URL of a .mcpb file to install; Program is empty then
	SHA256  string // of the bundle or package; empty if unknown
}

// A Value is an environment variable or a header.
type Value struct {
	Name, Value string
	Secret      bool
}

// asker collects the inputs that a way needs, or fills in the user's values.
type asker struct {
	list   []inputs.Input
	values inputs.Values
}

// ask adds an input, and returns its value if the user has given one.
func (a *asker) ask(id, title string, in Input) (value string, ok bool) {
	kind := map[string]inputs.Kind{"number": inputs.Number, "boolean": inputs.Boolean, "filepath": inputs.File}[in.Format]
	if kind == "" {
		kind = inputs.Text
	}
	if !slices.ContainsFunc(a.list, func(have inputs.Input) bool { return have.ID == id }) {
		asked := inputs.Input{ID: id, Title: title, Description: plain(in.Description), Kind: kind, Required: in.Required, Secret: in.Secret, Placeholder: plain(in.Placeholder), Choices: in.Choices}
		if in.Default != "" {
			asked.Default = []string{in.Default}
		}
		a.list = append(a.list, asked)
	}
	if given := a.values[id]; len(given) > 0 {
		return given[0], true
	}
	return "", false
}

// variable matches a variable in a value.
var variable = lazyregexp.New(`\{([A-Za-z0-9_.-]+)\}`)

// value returns the value of an input: the entry's fixed value with its variables filled in, or the
// user's value. secret reports whether it contains a secret.
func (a *asker) value(id string, in Input) (value string, ok, secret bool) {
	if in.Value == "" {
		value, ok = a.ask(id, id, in)
		return value, ok, in.Secret
	}
	ok, secret = true, in.Secret
	value = variable.ReplaceAllStringFunc(in.Value, func(use string) string {
		name := use[1 : len(use)-1]
		v, known := in.Variables[name]
		if !known {
			return use
		}
		if v.Value != "" {
			return v.Value
		}
		secret = secret || v.Secret
		given, have := a.ask(id+"."+name, name, v)
		if !have && v.Required {
			ok = false
		}
		return given
	})
	return value, ok, secret
}

func (a *asker) named(list []Named) (out []Value) {
	for _, n := range list {
		if value, ok, secret := a.value(n.Name, n.Input); ok {
			out = append(out, Value{Name: n.Name, Value: value, Secret: secret})
		}
	}
	return out
}

func (a *asker) args(list []Arg) (out []string) {
	for i, arg := range list {
		id := arg.Name
		if arg.Type == "positional" || id == "" {
			id = arg.Hint
		}
		if id == "" {
			id = fmt.Sprintf("argument %d", i+1)
		}
		if arg.Type == "named" && arg.Value == "" && arg.Format == "" && arg.Default == "" && arg.Description == "" && !arg.Required && len(arg.Choices) == 0 {
			out = append(out, arg.Name) // a flag without a value
			continue
		}
		value, ok, _ := a.value(id, arg.Input)
		switch {
		case !ok:
		case arg.Type == "named" && (arg.Format == "boolean" || value == "true" && arg.Value != ""):
			if value == "true" {
				out = append(out, arg.Name)
			}
		case arg.Type == "named":
			out = append(out, arg.Name, value)
		default:
			out = append(out, value)
		}
	}
	return out
}

// Inputs returns the inputs that the user must or may enter for this way.
func (w Way) Inputs() []inputs.Input {
	a := &asker{}
	_, _ = w.plan(a)
	return a.list
}

// Plan returns how to run the server with values from [inputs.Fill].
func (w Way) Plan(values inputs.Values) (Plan, error) {
	if w.Why != nil {
		return Plan{}, w.Why
	}
	return w.plan(&asker{values: values})
}

func (w Way) plan(a *asker) (Plan, error) {
	if w.Remote.URL != "" {
		return w.remote(a)
	}
	p := w.Package
	plan := Plan{SHA256: p.SHA256}
	runtime := a.args(p.RuntimeArgs)
	for _, arg := range p.RuntimeArgs {
		if arg.Type == "named" && !flag.MatchString(arg.Name) {
			return Plan{}, fmt.Errorf("the entry has an argument that is not a flag: %.60q", arg.Name)
		}
	}
	if word := diverted(p.Type, runtime); word != "" {
		return Plan{}, fmt.Errorf("the entry passes %s, which could run other code than the named package, or run it with all your rights", word)
	}
	if name := divertingVariable(p); name != "" {
		return Plan{}, fmt.Errorf("the entry sets %s, which could run other code than the named package", name)
	}
	args := a.args(p.Args)
	plan.Env = a.named(p.Env)
	switch p.Type {
	case "npm":
		runtime = slices.DeleteFunc(runtime, func(s string) bool { return s == "-y" || s == "--yes" })
		plan.Program, plan.Args = "npx", slices.Concat([]string{"-y"}, runtime, []string{p.Identifier + "@" + p.Version}, args)
	case "pypi":
		name, extra, extras := strings.Cut(p.Identifier, "[")
		if extras {
			plan.Program, plan.Args = "uvx", slices.Concat(runtime, []string{"--from", name + "[" + extra + "==" + p.Version, name}, args)
		} else {
			plan.Program, plan.Args = "uvx", slices.Concat(runtime, []string{name + "@" + p.Version}, args)
		}
	case "nuget":
		plan.Program, plan.Args = "dnx", slices.Concat([]string{p.Identifier + "@" + p.Version, "--yes"}, runtime, []string{"--"}, args)
	case "oci":
		image := p.Identifier
		if p.Version != "" && !strings.Contains(image[strings.LastIndex(image, "/")+1:], ":") && !strings.Contains(image, "@") {
			image += ":" + p.Version
		}
		plan.Program, plan.Args = "docker", []string{"run", "-i", "--rm"}
		for _, v := range plan.Env {
			plan.Args = append(plan.Args, "-e", v.Name) // the value stays in the environment
		}
		runtime = slices.DeleteFunc(runtime, func(s string) bool { return s == "run" || s == "-i" || s == "--rm" || s == "--interactive" })
		plan.Args = slices.Concat(plan.Args, runtime, []string{image}, args)
	case "mcpb":
		plan.Bundle = p.Identifier
	}
	return plan, nil
}

// diverting lists options of runners that run another program than the pinned package, or that give
// a container the rights of the user.
var diverting = map[string][]string{
	"npm":  {"-c", "--call", "-p", "--package", "--registry", "--prefix", "--userconfig", "--globalconfig", "--script-shell", "--node-options", "-w", "--workspace"},
	"pypi": {"-c", "--from", "-w", "--with", "--with-editable", "--with-requirements", "--index", "--default-index", "--index-url", "-i", "--extra-index-url", "-f", "--find-links", "--overrides", "-p", "--python", "--config-file"},
	"oci":  {"--privileged", "--pid", "--ipc", "--userns", "--cap-add", "--security-opt", "--device", "--entrypoint"},
}

// diverted returns the first such option among arguments.
func diverted(kind string, args []string) string {
	for _, a := range args {
		name, _, _ := strings.Cut(a, "=")
		if slices.Contains(diverting[kind], name) {
			return name
		}
	}
	return ""
}

var (
	// divertingVariables matches the variables with which the system's loader or docker runs other code
	// than the pinned package.
	divertingVariables = lazyregexp.New(`(?i)^(docker_.*|ld_.*|dyld_.*|path|home|bash_env|env)$`)
	// divertingInterpreters matches those of runners and interpreters. In a container they concern only
	// its own code.
	divertingInterpreters = lazyregexp.New(`(?i)^(node_options|node_path|npm_config_.*|uvx?_.*|pip_.*|python(path|home|startup|userbase)|nuget_.*|dotnet_startup_hooks)$`)
)

// divertingVariable returns the name of the first such variable to which a package gives a fixed value. The
// user sees and can change the other values.
func divertingVariable(p Package) string {
	for _, n := range p.Env {
		if n.Value != "" && (divertingVariables.MatchString(n.Name) || p.Type != "oci" && divertingInterpreters.MatchString(n.Name)) {
			return n.Name
		}
	}
	return ""
}

// urlValue matches values that cannot change the structure of a URL.
var urlValue = lazyregexp.New(`^[A-Za-z0-9._~-]+$`)

// remote returns the plan for a remote server.
func (w Way) remote(a *asker) (Plan, error) {
	var bad error
	address := variable.ReplaceAllStringFunc(w.Remote.URL, func(use string) string {
		name := use[1 : len(use)-1]
		in := w.Remote.Variables[name]
		value := in.Value
		if value == "" {
			value, _ = a.ask(name, name, in)
		}
		if value != "" && !urlValue.MatchString(value) && !strings.HasPrefix(w.Remote.URL, use) {
			bad = fmt.Errorf("%s: only letters, digits, dots and hyphens can be in the address", name)
		}
		return value
	})
	plan := Plan{URL: address, Headers: a.named(w.Remote.Headers)}
	if bad != nil {
		return Plan{}, bad
	}
	u, err := url.Parse(address)
	if a.values != nil && (err != nil || u.Host == "" || u.User != nil || u.Scheme != "https" && !loopback(address)) {
		return Plan{}, fmt.Errorf("the server's address is not an https address: %.100q", address)
	}
	return plan, nil
}
