// Package programs finds and installs the programs with which READMEs start servers.
//
// It knows where version managers keep programs that are not on the PATH. For users who lack them,
// it installs uv from PyPI, and Node.js with npm from the npm registry. It checks each file against
// the hash from the registry, writes only below its folder, and runs nothing. It must not know
// servers, the sandbox or the window.
package programs
