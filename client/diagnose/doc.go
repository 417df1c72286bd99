// Package diagnose finds the most likely reason why a server does not run. It is pure: it turns
// [Facts], which the caller collects, into a [Diagnosis], which is a cause with its arguments. It
// starts no processes, opens no files and contains no sentences for the user (see
// internal/wording). It must not import the host or its connections.
package diagnose
