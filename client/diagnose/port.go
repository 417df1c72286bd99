package diagnose

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	portNumber   = pattern(`(?i)in use[^\n]*?:(\d{2,5})\b|\bport:? (\d{2,5})\b|:(\d{2,5}): bind|bind\(\([^)\n]*?, ?(\d{2,5})\)`)
	portVariable = pattern(`\b(?:[A-Z][A-Z0-9_]*_)?PORT\b`)
	// portRead matches code that reads the port from an environment variable.
	portRead = pattern(`(?:process\.env\.|(?:process\.env\[|environ\[|environ\.get\(|[gG]etenv\()["'])((?:[A-Z][A-Z0-9_]*_)?PORT)\b`)
)

// port finds the process that uses the port, and the variable from which the server reads it.
func port(f Facts, _ []string, d *Diagnosis) bool {
	if m := portNumber().FindStringSubmatch(f.Output); m != nil {
		d.Args.Subject = strings.Join(m[1:], "") // only one group matches
	}
	if f.Machine.Listener != nil {
		d.Args.Owner = f.Machine.Listener(d.Args.Subject)
	}
	if pid := d.Args.Owner.PID; pid != 0 && pid != f.Machine.PID && f.givenPort(d.Args.Subject) {
		d.Args.Commands = [][]string{{"kill", strconv.Itoa(pid)}}
	}
	d.Args.Variable = portVariable().FindString(f.Output)
	if d.Args.Variable == "" {
		if m := portRead().FindSubmatch(f.read(f.Script)); m != nil {
			d.Args.Variable = string(m[1])
		}
	}
	return true
}

// givenPort reports whether the user gave the server that port. Without this check, a server could
// name any port and make the user end any program.
func (f Facts) givenPort(port string) bool {
	number := regexp.MustCompile(`(?:^|\D)` + port + `(?:\D|$)`)
	return slices.ContainsFunc(f.Args, number.MatchString) || slices.ContainsFunc(f.Env, func(entry string) bool {
		_, value, _ := strings.Cut(entry, "=")
		return number.MatchString(value)
	})
}
