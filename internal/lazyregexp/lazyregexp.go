// Package lazyregexp compiles regular expressions when they are first used.
//
// goated has hundreds of them. Without this package, each process, including each bundled server,
// would compile all of them before main, which took half of the time and memory of a start. The
// package has no state and must not know the purpose of an expression.
package lazyregexp

import (
	"os"
	"regexp"
	"strings"
	"sync"
)

// A Regexp is a regular expression that compiles itself. It is safe for concurrent use.
type Regexp struct {
	compile func() *regexp.Regexp
}

// New returns the regular expression for a constant. In a test it compiles the expression at once,
// so that a mistake fails all tests of the package.
func New(expression string) *Regexp {
	r := &Regexp{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })}
	if len(os.Args) > 1 && strings.HasPrefix(os.Args[1], "-test.") { // not what a test starts of itself as a server
		r.compile()
	}
	return r
}

// These methods are those of [regexp.Regexp].

func (r *Regexp) MatchString(s string) bool            { return r.compile().MatchString(s) }
func (r *Regexp) Match(b []byte) bool                  { return r.compile().Match(b) }
func (r *Regexp) FindString(s string) string           { return r.compile().FindString(s) }
func (r *Regexp) FindStringIndex(s string) []int       { return r.compile().FindStringIndex(s) }
func (r *Regexp) FindStringSubmatch(s string) []string { return r.compile().FindStringSubmatch(s) }
func (r *Regexp) FindStringSubmatchIndex(s string) []int {
	return r.compile().FindStringSubmatchIndex(s)
}
func (r *Regexp) FindSubmatch(b []byte) [][]byte         { return r.compile().FindSubmatch(b) }
func (r *Regexp) FindAllString(s string, n int) []string { return r.compile().FindAllString(s, n) }
func (r *Regexp) FindAllStringIndex(s string, n int) [][]int {
	return r.compile().FindAllStringIndex(s, n)
}
func (r *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	return r.compile().FindAllStringSubmatch(s, n)
}
func (r *Regexp) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return r.compile().FindAllStringSubmatchIndex(s, n)
}
func (r *Regexp) FindAllSubmatch(b []byte, n int) [][][]byte {
	return r.compile().FindAllSubmatch(b, n)
}
func (r *Regexp) ReplaceAllString(s, by string) string { return r.compile().ReplaceAllString(s, by) }
func (r *Regexp) ReplaceAllStringFunc(s string, by func(string) string) string {
	return r.compile().ReplaceAllStringFunc(s, by)
}
func (r *Regexp) Split(s string, n int) []string { return r.compile().Split(s, n) }
func (r *Regexp) String() string                 { return r.compile().String() }
