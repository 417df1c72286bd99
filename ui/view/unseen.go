package view

import (
	"slices"
	"strings"

	"goated/registry"
)

// CodeUnseen names the tools for which goated cannot bind "always" to the code that runs. It
// returns "" if goated can see the code of all tools. The code of bundled servers is part of
// goated.
func CodeUnseen(tools ...registry.Entry) string {
	at := slices.IndexFunc(tools, func(e registry.Entry) bool { return !e.Bundled && e.Origin.Unseen })
	switch {
	case at < 0:
		return ""
	case strings.Contains(strings.SplitN(tools[at].Origin.Start, " ", 2)[0], "://"):
		return "goated can't see the code of this server: it runs at its address. “Always” also applies after its code changes. goated asks again if the tool, its instructions or its version changes."
	}
	return "goated can't see all code of this server. “Always” also applies after a change of code that it can't see. goated asks again if the tool, its instructions, its version or the code that it sees changes."
}
