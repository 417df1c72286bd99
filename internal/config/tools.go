package config

import (
	"maps"
	"slices"
)

// WithTool turns a tool of a server on or off. For goated's own servers, l contains only the name.
func (s Settings) WithTool(l Launch, tool string, on bool) Settings {
	if l.Subject() != "" {
		return s.ChangeServer(l, func(l *Launch) { l.ToolsOff = withSwitched(l.ToolsOff, tool, on) })
	}
	s.BundledToolsOff = maps.Clone(s.BundledToolsOff)
	if s.BundledToolsOff == nil {
		s.BundledToolsOff = make(map[string][]string)
	}
	s.BundledToolsOff[l.Name] = withSwitched(s.BundledToolsOff[l.Name], tool, on)
	if len(s.BundledToolsOff[l.Name]) == 0 {
		delete(s.BundledToolsOff, l.Name)
	}
	return s
}

// ToolsOff returns the names of a server's tools that are off. For goated's own servers, l contains
// only the name.
func (s Settings) ToolsOff(l Launch) []string {
	if l.Subject() == "" {
		return s.BundledToolsOff[l.Name]
	}
	return s.Saved(l).ToolsOff
}

// withSwitched returns the sorted list off after turning a tool on or off.
func withSwitched(off []string, tool string, on bool) []string {
	off = slices.DeleteFunc(slices.Clone(off), func(o string) bool { return o == tool })
	if on {
		return slices.Clip(off)
	}
	off = append(off, tool)
	slices.Sort(off)
	return off
}
