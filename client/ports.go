package client

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// What servers say of a port that is taken, and how they are told theirs.
var (
	portTaken    = pattern(`(?i)(?:EADDRINUSE|address already in use|only one usage of each socket address)`)
	portNumber   = pattern(`(?i)in use[^\n]*?:(\d{2,5})\b|\bport:? (\d{2,5})\b|:(\d{2,5}): bind|bind\(\([^)\n]*?, ?(\d{2,5})\)`)
	portVariable = pattern(`\b(?:[A-Z][A-Z0-9_]*_)?PORT\b`)
	portRead     = pattern(`(?:process\.env\.|(?:process\.env\[|environ\[|environ\.get\(|[gG]etenv\()["'])((?:[A-Z][A-Z0-9_]*_)?PORT)\b`)
)

// port is that of a server which another program has.
func (c circumstances) port(d *Diagnosis) {
	d.Cause, d.Why = CausePort, "Another program has its port."
	if m := portNumber().FindStringSubmatch(c.said); m != nil {
		d.Detail = strings.Join(m[1:], "")
		d.Why = "Another program has the port " + d.Detail + "."
	}
	stop := "Stop that program"
	if name, pid := holder(d.Detail); pid != 0 {
		d.Why = fmt.Sprintf("The program %s, process %d, has the port %s.", name, pid, d.Detail)
		stop = "Stop " + name
		if pid != os.Getpid() && c.givenPort(d.Detail) {
			d.Mend = [][]string{{"kill", strconv.Itoa(pid)}}
		}
	}
	d.Remedy = stop + ", or give the server another port in its arguments."
	if d.Set = portVariable().FindString(c.said); d.Set == "" {
		d.Set = c.readsPort()
	}
	if d.Set != "" {
		d.Remedy = stop + ", or set " + d.Set + " to another port in the server's environment."
	}
}

// givenPort reports whether the user gave the server that port. It could name any,
// and so have another program stopped.
func (c circumstances) givenPort(port string) bool {
	whole := regexp.MustCompile(`(?:^|\D)` + port + `(?:\D|$)`)
	return slices.ContainsFunc(c.args, whole.MatchString) || slices.ContainsFunc(c.env, func(entry string) bool {
		_, value, _ := strings.Cut(entry, "=")
		return whole.MatchString(value)
	})
}

// readsPort is the variable by which the script itself is told its port.
func (c circumstances) readsPort() string {
	f, err := os.Open(c.path)
	if err != nil {
		return ""
	}
	defer f.Close()
	text, _ := io.ReadAll(io.LimitReader(f, 1<<20))
	if m := portRead().FindSubmatch(text); m != nil {
		return string(m[1])
	}
	return ""
}
