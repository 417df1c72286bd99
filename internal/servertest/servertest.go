// Package servertest lets tests run real MCP servers: scripts in client/testdata that use the
// official SDKs, and the reference servers from npm. "make tools" installs the interpreters and
// packages into the ignored folder .tools.
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

// Dice returns the path of a server in JavaScript that has the tool of dice.js but uses no SDK.
// Importing an SDK takes ten times as long as the rest of the start. So tests use Dice unless they
// test the SDK.
func Dice() string { return Script(filepath.Join("small", "dice.js")) }

// Small returns the beginning of a Python script that declares MCPServer and ToolError like the
// official SDK. It contains only what the tools of tests need. Importing the SDK takes almost a
// second of processor time. So tests use Small unless they test the SDK.
func Small(t testing.TB) string {
	t.Helper()
	source, err := os.ReadFile(Script("small.py"))
	if err != nil {
		t.Fatal(err)
	}
	return string(source)
}

// Long reports whether tests run in their long form, which "make soak" requests. The long form uses
// all servers, interpreters and attacks. The usual form uses one for each fault that the test
// guards against.
func Long() bool { return os.Getenv("GOATED_LONG") != "" }

// Everything returns the reference server that uses every feature of the protocol.
func Everything() string { return reference("server-everything") }

// Filesystem returns the reference server for files. Its arguments are the folders that it may
// access.
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

// Environ returns the test's environment with the variables of UsePython. It is for parallel tests,
// which cannot change their own environment.
func Environ(t testing.TB) []string { return environ(t, "venv") }

// EnvironV1 is Environ with version 1 of the SDK.
func EnvironV1(t testing.TB) []string { return environ(t, "venv-v1") }

// environ leaves out the certificates that this computer adds: Node reads them at each start with
// a proxy, which takes a fifth of that start, and the tests reach nobody who needs them.
func environ(t testing.TB, venv string) []string {
	t.Helper()
	path, modules := programs(t, venv)
	env := slices.DeleteFunc(os.Environ(), func(kv string) bool {
		return strings.HasPrefix(kv, "PATH=") || strings.HasPrefix(kv, "NODE_PATH=") || strings.HasPrefix(kv, "NODE_EXTRA_CA_CERTS=")
	})
	return append(env, "PATH="+path, "NODE_PATH="+modules)
}

// Programs returns the PATH and NODE_PATH of UsePython. It is for parallel tests, which cannot
// change their environment.
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
	// CommonJS scripts find modules in this folder if there are none beside them.
	return python + list + node + list + os.Getenv("PATH"), filepath.Join(module(), ".tools", "node_modules")
}

func reference(name string) string {
	return filepath.Join(module(), ".tools", "node_modules", "@modelcontextprotocol", name, "dist", "index.js")
}

// GoData returns a folder for the data of a client.Host that is kept after the tests. It contains
// the build cache of servers in Go. Without it, each run of each test would compile their modules,
// which takes half a minute of processor time. Each checkout has a separate folder, because links
// in it point into the checkout. The folder is outside the module: go test repeats a test if a file
// in the module that it read is newer, and hosts write here.
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

// cache is the cache folder of the account that runs the tests. It is read early because a test may
// change the environment later.
var cache, _ = os.UserCacheDir()

// started is the working directory in which the process starts. A test may change it later.
var started, _ = os.Getwd()

// module returns the folder of the module: the nearest one above the test's package that contains a
// go.mod. It cannot use the file names in the binary, because with -trimpath they are not absolute.
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
