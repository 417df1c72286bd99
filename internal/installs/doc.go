// Package installs says where package managers download from, where they store what
// they download, and what they need of the user's configuration.
//
// It owns the names of their variables and files. It must not know servers, sandboxes
// or MCP: its callers give it an environment and folders, and get variables, hosts and
// copies of files.
//
// Each server has its own store. A store that servers share would let one server
// change the packages of another: npm, uv and pip trust what they find in their
// caches. See docs/adr/0013.
package installs
