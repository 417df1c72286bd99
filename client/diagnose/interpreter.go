package diagnose

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
)

// interpreter diagnoses scripts that Python, Node or the Go compiler rejects.
func interpreter(f Facts, d *Diagnosis) bool {
	return apply(missingModules, f, d) || apply(brokenImports, f, d) || apply(untyped, f, d) || mistake(f, d) || apply(unopenedScripts, f, d)
}

// The first group is the module, the package or the script.
var (
	missingModules = []rule{
		{pattern(`'(?:Server|FastMCP)' object has no attribute |No module named 'mcp\.server\.fastmcp|cannot import name '\w+' from 'mcp[.']`), "", OlderLibrary, nil}, // most are for version 1
		{pattern(`(?m)python[\d.]*(?:\.exe)?: (?:No module named|Error while finding module specification for) '?([\w.]+)`), "", PythonModule, moduleToRun},
		{pattern(`(?:ModuleNotFoundError|ImportError): No module named '?([\w.]+)'?`), "", PythonModule, pythonModule},
		{pattern(`ImportError: cannot import name '\w+' from '([\w.]+)'[^\n]* \(([^)\n]+)\)`), "", LibraryMismatch, mismatch},
		{pattern(`Cannot find (?:module|package) '([^']+)'`), "", NodePackage, nodePackage},
		{pattern(`(?:cannot find module providing package|no required module provides package|package) ([\w./-]+\.[\w./-]+)(?:;|:| is not in)`), ".go", GoPackage, goPackage},
	}
	// untyped match the errors of Node versions that cannot parse TypeScript's types.
	untyped = []rule{
		{pattern(`SyntaxError: [\s\S]*` + olderNode), ".ts", TypeScriptUnknown, nil},
		{pattern(`Unknown file extension "\.[cm]?ts"[\s\S]*` + olderNode), "", TypeScriptUnknown, nil}, // in a module
	}
	unopenedScripts = []rule{
		{pattern(`can't open file '([^']+)'[^\n]*Errno 13`), "", ScriptUnreadable, unreadable},
		{pattern(`can't open file '([^']+)'`), "", ScriptUnopened, nil},
	}
)

// olderNode matches the last line of a Node version that does not run TypeScript. The group is the
// version.
const olderNode = `\bNode\.js v((?:1\d|20|21|22\.(?:\d|1[0-7]))\.[\d.]+)`

// mismatch diagnoses a library that imports a name that another library no longer has. If a module
// of the script itself lacks the name, the mistake is in the script.
func mismatch(_ Facts, m []string, d *Diagnosis) bool {
	d.Args.Subject, _, _ = strings.Cut(m[1], ".")
	return foreign().MatchString(m[2])
}

func unreadable(f Facts, m []string, d *Diagnosis) bool {
	if filepath.Clean(m[1]) == f.Script { // the server can name any file
		d.Args.Commands = f.chmod("u+r", f.Script)
	}
	return true
}

func goPackage(f Facts, m []string, d *Diagnosis) bool {
	d.Args.Dir, d.Args.Commands = f.Folder, [][]string{{"go", "mod", "tidy"}}
	return true
}

// pipNames maps the modules of well-known packages to the packages. goated suggests a command that
// installs a package by name only for these. A server's output could name a malicious package, and
// the user would run the command outside the sandbox.
var pipNames = map[string]string{
	"mcp": "mcp[cli]", "yaml": "pyyaml", "cv2": "opencv-python", "PIL": "pillow", "dotenv": "python-dotenv", "bs4": "beautifulsoup4",
	"sklearn": "scikit-learn", "dateutil": "python-dateutil", "git": "gitpython", "psycopg2": "psycopg2-binary", "serial": "pyserial",
	"fastmcp": "fastmcp", "httpx": "httpx", "requests": "requests", "aiohttp": "aiohttp", "pydantic": "pydantic", "anyio": "anyio", "starlette": "starlette",
	"fastapi": "fastapi", "uvicorn": "uvicorn", "click": "click", "typer": "typer", "rich": "rich", "numpy": "numpy", "pandas": "pandas", "scipy": "scipy",
	"matplotlib": "matplotlib", "openai": "openai", "anthropic": "anthropic", "sqlalchemy": "sqlalchemy", "psycopg": "psycopg", "redis": "redis",
	"pymongo": "pymongo", "boto3": "boto3", "jinja2": "jinja2", "lxml": "lxml", "tenacity": "tenacity", "websockets": "websockets", "playwright": "playwright",
	"pytz": "pytz", "tzdata": "tzdata", "docker": "docker", "openpyxl": "openpyxl", "pypdf": "pypdf", "markdown": "markdown", "feedparser": "feedparser",
}

// npmNames are the same for npm.
var npmNames = []string{
	"@modelcontextprotocol/sdk", "@modelcontextprotocol/server", "zod", "express", "axios", "node-fetch", "undici", "ws", "dotenv", "commander", "yargs", "chalk",
	"lodash", "cheerio", "puppeteer", "playwright", "pg", "mysql2", "redis", "ioredis", "mongodb", "better-sqlite3", "typescript", "tsx", "ts-node", "fastmcp",
	"openai", "@anthropic-ai/sdk", "@google/genai", "sharp", "glob", "minimatch", "diff", "uuid", "date-fns", "luxon", "marked", "turndown", "jsdom",
}

// nodePackage distinguishes a package that is not installed from a file that is not built.
func nodePackage(f Facts, m []string, d *Diagnosis) bool {
	name := m[1]
	root, hasRoot := f.packageRoot()
	d.Args.Dir = root
	if filepath.IsAbs(name) || strings.HasPrefix(name, ".") {
		d.Cause = BuildMissing
		if f.exists(f.Script) {
			d.Args.Open = f.Script
		}
		if bytes.Contains(f.read(filepath.Join(root, "package.json")), []byte(`"build"`)) {
			d.Args.Commands = [][]string{{"npm", "run", "build"}}
		}
		return true
	}
	d.Args.Commands = [][]string{{"npm", "install"}}
	if !hasRoot {
		name = packageName(name)
		d.Args.Commands = [][]string{{"npm", "install", name}}
		if !slices.Contains(npmNames, name) {
			d.Args.Commands, d.Args.Page, d.Args.Heard = nil, "https://www.npmjs.com/package/"+name, true
		}
	}
	return true
}

// packageRoot returns the nearest folder with a package.json. If there is none, it returns the
// script's folder and false.
func (f Facts) packageRoot() (string, bool) {
	for dir := f.Folder; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if f.exists(filepath.Join(dir, "package.json")) {
			return dir, true
		}
	}
	return f.Folder, false
}
