// Package servertest lets tests run real MCP servers: scripts with the official SDKs
// in client/testdata, and the reference servers from npm. "make tools" installs the
// interpreters and packages into the ignored folder .tools.
package servertest

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Script returns the path of a script in client/testdata.
func Script(name string) string { return filepath.Join(module(), "client", "testdata", name) }

// Dice returns the path of a server in JavaScript with the tool of dice.js. It has no SDK:
// importing one takes ten times as long as the rest of its start, so tests that do not test the
// SDK use Dice.
func Dice() string { return Script(filepath.Join("small", "dice.js")) }

// Small returns the beginning of a Python script that declares MCPServer and ToolError like the
// official SDK. It has only what the tools of tests need. Importing the SDK takes almost a
// second of processor time, so tests that do not test the SDK use Small.
func Small(t testing.TB) string {
	t.Helper()
	source, err := os.ReadFile(Script("small.py"))
	if err != nil {
		t.Fatal(err)
	}
	return string(source)
}

// Long reports whether tests take their long form, which "make soak" asks for: all the servers,
// interpreters and attacks, of which a usual run has one for each fault that it guards against.
func Long() bool { return os.Getenv("GOATED_LONG") != "" }

// Everything returns the reference server that uses every feature of the protocol.
func Everything() string { return reference("server-everything") }

// Filesystem returns the reference server for files. Its arguments are the folders that
// it may use.
func Filesystem() string { return reference("server-filesystem") }

// Memory returns the reference server for a knowledge graph.
func Memory() string { return reference("server-memory") }

// UsePython sets the test's PATH to a Python with version 2 of the official SDK and
// to a recent Node.
func UsePython(t testing.TB) { use(t, "venv") }

// UsePythonV1 is UsePython with version 1 of the SDK.
func UsePythonV1(t testing.TB) { use(t, "venv-v1") }

func use(t testing.TB, venv string) {
	t.Helper()
	path, modules := programs(t, venv)
	t.Setenv("PATH", path)
	t.Setenv("NODE_PATH", modules)
}

// Environ returns the test's environment with the variables of UsePython, for
// parallel tests, which cannot change their own.
func Environ(t testing.TB) []string { return environ(t, "venv") }

// EnvironV1 is Environ with version 1 of the SDK.
func EnvironV1(t testing.TB) []string { return environ(t, "venv-v1") }

func environ(t testing.TB, venv string) []string {
	t.Helper()
	path, modules := programs(t, venv)
	env := slices.DeleteFunc(os.Environ(), func(kv string) bool {
		return strings.HasPrefix(kv, "PATH=") || strings.HasPrefix(kv, "NODE_PATH=")
	})
	return append(env, "PATH="+path, "NODE_PATH="+modules)
}

// Programs returns the PATH and NODE_PATH of UsePython, for parallel tests, which
// cannot change their environment.
func Programs(t testing.TB) (path, modules string) { return programs(t, "venv") }

// PathV1 returns the PATH of UsePythonV1.
func PathV1(t testing.TB) string {
	path, _ := programs(t, "venv-v1")
	return path
}

func programs(t testing.TB, venv string) (path, modules string) {
	t.Helper()
	python := filepath.Join(module(), ".tools", venv, "bin")
	node := filepath.Join(module(), ".tools", "node_modules", ".bin")
	for _, program := range []string{filepath.Join(python, "python3"), filepath.Join(node, "node")} {
		if _, err := os.Stat(program); err != nil {
			t.Fatalf("%s is missing: run \"make tools\" once", program)
		}
	}
	list := string(os.PathListSeparator)
	// CommonJS scripts look into the folder of modules for what is not beside them.
	return python + list + node + list + os.Getenv("PATH"), filepath.Join(module(), ".tools", "node_modules")
}

func reference(name string) string {
	return filepath.Join(module(), ".tools", "node_modules", "@modelcontextprotocol", name, "dist", "index.js")
}

// GoData returns a folder for the data of a client.Host that outlives the tests. The build
// cache of a server in Go is in it, so that its modules are compiled once and not in
// each run of each test: that takes half a minute of processor time. Each checkout has its
// own, because the links in it point into the checkout. It is outside of the module: go test
// repeats a test when a file of the module that it read is newer, and hosts write here.
func GoData(t testing.TB) string {
	if cache == "" {
		t.Fatal("this account has no folder for caches: set HOME")
	}
	dir := filepath.Join(cache, "goated-tests", fmt.Sprintf("%x", sha256.Sum256([]byte(module())))[:12])
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

// cache is the folder for caches of the account that runs the tests. A test may change
// the environment later.
var cache, _ = os.UserCacheDir()

// started is the folder in which the process starts. A test may change its folder later.
var started, _ = os.Getwd()

// module returns the folder of the module: the nearest one above the test's package
// that holds a go.mod. A build with -trimpath has no absolute file names.
func module() string {
	for folder := started; ; folder = filepath.Dir(folder) {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return folder
		}
		if folder == filepath.Dir(folder) {
			panic("servertest: no folder above " + started + " holds a go.mod")
		}
	}
}
