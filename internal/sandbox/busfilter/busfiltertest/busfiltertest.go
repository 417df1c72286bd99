// Package busfiltertest puts the filter of the sandbox between a test and its bus, so that the
// tests of a server show that its rules let through what it says.
package busfiltertest
