# Source this file to find a Go that can build goated. Go 1.21 and newer fetch the
# version that go.mod names.
if ! command -v go >/dev/null 2>&1 && [ -x /usr/local/go/bin/go ]; then
	PATH=$PATH:/usr/local/go/bin
fi
if ! command -v go >/dev/null 2>&1; then
	echo 'Go is missing. Install Go 1.26 or newer from https://go.dev/dl (or "brew install go", "dnf install golang", "pacman -S go"), then run this again.' >&2
	exit 1
fi
