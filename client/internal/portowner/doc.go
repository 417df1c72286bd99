// Package portowner finds the process that listens on a port of this computer, for the
// diagnosis of a server that cannot listen there. It must not know servers.
package portowner
