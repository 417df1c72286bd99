package registry

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
