// Package busfiltertest puts the sandbox's filter between a test and its bus. The tests of a server
// then show that its rules allow everything that it sends.
package busfiltertest
