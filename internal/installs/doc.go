// Package installs contains what goated knows about package managers: where they download from,
// where they store their downloads, and what they need from the user's configuration.
//
// It owns the names of their variables and files. It must not know servers, sandboxes or MCP:
// callers pass an environment and folders, and get variables, hosts and copies of files.
//
// Each server has its own store. In a shared store, one server could change the packages of
// another, because npm, uv and pip trust their caches. See docs/adr/0013.
package installs
