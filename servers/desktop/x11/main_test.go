package x11_test

import (
	"io"
	"log"
	"os"
	"testing"

	"github.com/jezek/xgb"

	"goated/servers/desktop/x11/hidden"
	"goated/servers/desktop/x11/x11test"
)

var desk x11test.Desk

func TestMain(m *testing.M) {
	xgb.Logger = log.New(io.Discard, "", 0)
	os.Exit(x11test.Main(m, &desk, hidden.Options{}))
}
