// Package diagnose finds the most likely reason why a server does not run. It is
// pure: it gets [Facts], which the caller collects, and returns a [Diagnosis],
// which is a cause with its arguments. It starts no process and opens no file,
// contains no sentence for the user (see internal/wording), and must not know the
// host or its connections.
package diagnose
