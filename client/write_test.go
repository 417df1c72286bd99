package client_test

import (
	"testing"

	"goated/internal/proctest"
)

// write writes an executable file.
func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := proctest.WriteProgram(path, data); err != nil {
		t.Fatal(err)
	}
}
