package schema

// References returns a function that follows the $ref of a JSON schema within its own
// document. It is not safe for concurrent use with changes of root. False: the
// reference leads to another document or nowhere.
func References(root map[string]any) func(ref string) (any, bool) {
	index := name(root)
	return func(ref string) (any, bool) { return index().find(ref) }
}
