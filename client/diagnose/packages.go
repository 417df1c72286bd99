package diagnose

import (
	"path/filepath"
	"slices"
	"strings"

	"goated/internal/sandbox"
)

// installers lists the programs that install a server before they start it.
var installers = []string{"npx", "npm", "uvx", "uv", "pipx", "bunx", "bun", "pnpm", "yarn"}

// uninstallable diagnoses packages that a package manager does not find, or cannot install on this
// computer. Anything that the sandbox refused at the same time is not the cause.
func uninstallable(f Facts, d *Diagnosis) bool {
	program := strings.TrimSuffix(filepath.Base(f.Program), ".exe")
	if strings.Contains(f.Output, "403") && slices.ContainsFunc(f.Needs, func(p sandbox.Permission) bool { return p.Kind == sandbox.ToHost || p.Kind == sandbox.ToInstall }) {
		return false // uv treats a registry that refuses a request like one without the package
	}
	if f.Failure != StartFailed || !f.Ended || !slices.Contains(installers, program) {
		return false
	}
	f.Output = strings.Join(strings.Fields(f.Output), " ") // uv wraps its lines
	return apply(packageVerdicts, f, d) || installScript(f, d)
}

// installScript diagnoses npx, which exits without a message if the install script of a package
// fails. If the sandbox refused the script a host, the user can allow it. Most other scripts need
// things that a sandbox never allows, such as system packages, and their servers start without
// them.
func installScript(f Facts, d *Diagnosis) bool {
	needs := slices.ContainsFunc(f.Needs, func(p sandbox.Permission) bool { return p.Kind != sandbox.ToRead })
	if f.Stderr || f.Store == "" || f.Machine.FailedScript == nil || needs {
		return false
	}
	name, script := f.Machine.FailedScript(f.Store)
	if name == "" {
		return false
	}
	d.Cause, d.Args.Subject, d.Args.Text = ScriptSkipped, name, trimmed(script)
	if f.exists(filepath.Join(f.Store, "without-scripts")) {
		d.Cause = InstallScript
	}
	return true
}

// The first group is the package.
var packageVerdicts = []rule{
	{pattern(`npm (?:error|ERR!) 404 '(@?[^@'\s]+)@[^']*' (?:is not in|could not be found)`), "", PackageUnknown, nil},
	{pattern(`npm (?:error|ERR!) 404 The requested resource '(@?[^@'\s]+)@[^']*' could not be found`), "", PackageUnknown, nil},
	{pattern(`npm (?:error|ERR!) notarget No matching version found for (@?[^@\s]+@\S*?)\.?(?:\s|$)`), "", VersionUnknown, nil},
	{pattern(`npm (?:error|ERR!) No versions available for (@?[^@\s]+)`), "", VersionUnknown, nil},
	{pattern(`current Python version \(([\d.]+)\) does not satisfy Python([<>=!~\d.,]*[\d.])`), "", PythonVersion, pythonVersion},
	{pattern(`ecause ([\w.\[\]-]+) was not found in the package registry`), "", PackageUnknown, nil},
	{pattern(`ecause there is no version of ([\w.\[\]-]+[=<>~!]+[\w.*+!-]+)`), "", VersionUnknown, nil},
	{pattern(`Could not find a version that satisfies the requirement (\S+) \(from versions: none\)`), "", PackageUnknown, nil},
	{pattern(`Could not find a version that satisfies the requirement (\S+) \(from versions: `), "", VersionUnknown, nil},
}

func pythonVersion(_ Facts, m []string, d *Diagnosis) bool {
	d.Args.Subject, d.Args.Text = m[2], m[1]
	return true
}
