package config

import "strings"

// Twin returns the name of the saved server that runs in the same way as l. If named, l has a name that the
// user chose, and a server with another name is none.
func Twin(s Settings, l Launch, named bool) (name string, ok bool) {
	called := l.Called()
	l.Name = ""
	for _, saved := range s.Launch {
		if (saved.Same(l) || saved.Same(l.WithoutSecrets())) && (!named || strings.EqualFold(saved.Called(), called)) {
			return saved.Called(), true
		}
	}
	return "", false
}
