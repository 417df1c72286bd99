package link

// isPrivate reports whether only the user can reach a socket. Windows has no such file modes. There
// the access control list of the folder decides.
func isPrivate(string) bool { return true }
