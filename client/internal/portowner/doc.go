// Package portowner finds the process that listens on a port of this computer. The diagnosis of a
// server whose port is taken uses it. It must not know servers.
package portowner
