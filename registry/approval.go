package registry

import "iter"

// ApprovalKey is the key of a tool's _meta that says how long an approval lasts. The only
// value is [ApprovalEach].
const (
	ApprovalKey  = "goated/approval"
	ApprovalEach = "each"
)

// EachCall reports whether the user has to approve every call of the tool: no "always" and
// no "this conversation" exists for it, and it never runs because it is read-only. Shell
// commands and reading the clipboard are such tools. Any server may ask for that, since it
// only makes goated stricter.
func (e Entry) EachCall() bool {
	return e.Tool != nil && e.Tool.Meta[ApprovalKey] == ApprovalEach
}

// OnlyReads reports whether the tool says that it only reads, and may be allowed for
// longer than one call. A server can lie.
func (e Entry) OnlyReads() bool {
	return e.Tool != nil && e.Tool.Annotations != nil && e.Tool.Annotations.ReadOnlyHint && !e.EachCall()
}

// Readers returns the tools of the server of e that only read, as they say; nil if e is
// none, or the only one.
func (e Entry) Readers(tools iter.Seq[Entry]) (all []Entry) {
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
