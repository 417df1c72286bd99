package registry

import (
	"iter"
	"slices"
	"strings"
)

// ApprovalKey is the key in a tool's _meta that defines how long an approval lasts. The only value
// is [ApprovalEach].
const (
	ApprovalKey  = "goated/approval"
	ApprovalEach = "each"
)

// ReadsKey is the key in a bundled tool's _meta that defines which of its calls only read. Its
// value is an object that maps an argument to the values that it has in such a call.
const ReadsKey = "goated/reads"

// ReplacesKey is the key in a bundled tool's _meta for a tool that changes nothing except that it
// writes files, and replaces existing files with the same name. Its value is true.
const ReplacesKey = "goated/replaces"

// OffersKey is the key in a bundled tool's _meta that defines where a result lists values to choose
// from. Its value is an object that maps an argument to the line above its values. Each value is on
// a line that begins with "- ".
const OffersKey = "goated/offers"

// OfferedValues returns the values that a result of the tool offers for an argument, if any. It trusts
// only bundled servers, because another server could put words into the user's mouth.
func (e Entry) OfferedValues(result string) (argument string, values []string) {
	if !e.Bundled || e.Tool == nil {
		return "", nil
	}
	offers, _ := e.Tool.Meta[OffersKey].(map[string]any)
	for name, v := range offers {
		above, _ := v.(string)
		_, list, ok := strings.Cut(result, "\n"+above+"\n")
		if !ok || above == "" {
			continue
		}
		for line := range strings.Lines(list) {
			if value, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "- "); ok {
				values = append(values, value)
			}
		}
		return name, values
	}
	return "", nil
}

// EachCall reports whether the user has to approve every call of the tool. Such a tool has no
// "always" and no "this conversation", and being read-only does not exempt it. Examples are tools
// that run shell commands or read the clipboard. Any server may ask for this, because it only makes
// goated stricter.
func (e Entry) EachCall() bool {
	return e.Tool != nil && e.Tool.Meta[ApprovalKey] == ApprovalEach
}

// Reads reports whether a call with these arguments only reads. It trusts only bundled servers:
// "clients MUST consider tool annotations to be untrusted unless they come from trusted servers"
// (MCP, Tools).
func (e Entry) Reads(args map[string]any) bool {
	if !e.Bundled || e.Tool == nil || e.EachCall() {
		return false
	}
	if e.OnlyReads() {
		return true
	}
	conditions, _ := e.Tool.Meta[ReadsKey].(map[string]any)
	for name, values := range conditions {
		list, _ := values.([]any)
		text, ok := args[name].(string)
		if !ok || !slices.Contains(list, any(text)) {
			return false
		}
	}
	return len(conditions) > 0
}

// OnlyReads reports whether the tool declares itself read-only and may be allowed for more than one
// call. A server can lie.
func (e Entry) OnlyReads() bool {
	return e.Tool != nil && e.Tool.Annotations != nil && e.Tool.Annotations.ReadOnlyHint && !e.EachCall()
}

// Repeatable reports whether the tool declares that a second call with the same arguments has no
// further effect. A server can lie.
func (e Entry) Repeatable() bool {
	return e.OnlyReads() || e.Tool != nil && e.Tool.Annotations != nil && e.Tool.Annotations.IdempotentHint && !e.EachCall()
}

// ReadOnlyTools returns the tools of e's server that declare themselves read-only. It returns nil if e is
// not among them, or if e is the only one.
func (e Entry) ReadOnlyTools(tools iter.Seq[Entry]) (all []Entry) {
	if !e.OnlyReads() {
		return nil
	}
	for o := range tools {
		if o.Server == e.Server && o.Origin == e.Origin && o.OnlyReads() {
			all = append(all, o)
		}
	}
	if len(all) < 2 {
		return nil
	}
	return all
}
