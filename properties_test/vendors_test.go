package properties_test

// vendors lists the libraries that only some packages may import.
var vendors = []vendor{
	{"fyne.io/fyne/v2/app", []string{"cmd/goated"}, "one place opens the window, because that needs cgo"},
	{"fyne.io/", []string{"cmd/goated", "ui", "ui/approval", "ui/artifacts", "ui/catalog", "ui/chats", "ui/chip", "ui/confinement", "ui/desktop", "ui/dialogs", "ui/failure", "ui/figure", "ui/form", "ui/highlight", "ui/inspector", "ui/internal/...", "ui/jsonview", "ui/kit", "ui/markdown", "ui/modelmenu", "ui/pager", "ui/pause", "ui/popup", "ui/progress", "ui/result", "ui/runconfig", "ui/searchfield", "ui/section", "ui/servers", "ui/settings", "ui/shadow", "ui/shell", "ui/table", "ui/textview", "ui/tools", "ui/transcript", "ui/trial", "ui/typeset", "ui/viewer", "ui/virtual"},
		"only the window draws"},
	{"github.com/zalando/go-keyring", []string{"cmd/goated"}, "one place stores secrets"},
	{"google.golang.org/genai", []string{"agent", "agent/contents", "agent/modeltest", "agent/offline", "agent/openai", "agent/wire", "internal/models", "cmd/goated", "internal/reach", "internal/bench", "internal/chat", "internal/chatcmd", "internal/geminitest", "internal/replay", "internal/replaycmd", "internal/store", "internal/store/markdown", "ui", "ui/chats", "ui/internal/samplechat"},
		"genai is the vocabulary of conversations, and of nothing else"},
	{"github.com/openai/openai-go/", []string{"agent/openai"}, "one package speaks OpenAI's chat interface"},
	{"mvdan.cc/sh/v3/", []string{"internal/launch", "internal/launch/commandtext"}, "only the reader of pasted texts reads commands"},
	{"github.com/tailscale/hujson", []string{"internal/launch/configtext"}, "only the reader of configurations parses JSON with comments"},
	{"modernc.org/", []string{"internal/store"}, "one package knows the database"},
	{"github.com/alecthomas/chroma/v2/lexers", nil, "it reads 279 files before main, in each bundled server too; ui/view reads them when there is code"},
	{"google.golang.org/grpc", []string{"servers/desktop/..."}, "only the desktop server speaks gRPC"},
	{"github.com/bufbuild/protocompile", []string{"internal/protogen"}, "one program reads .proto files"},
	{"log", []string{"cmd/goated"}, "the program makes the one log and hands it down as *slog.Logger"},
	{"testing/fstest", []string{"internal/..."}, "only tests use it"},
	{"testing", []string{"agent/modeltest", "agent/schematest", "internal/bustest", "internal/geminitest", "internal/proctest", "internal/sandbox/busfilter/busfiltertest", "internal/servertest", "servers/desktop/atspi/direct/directtest", "servers/desktop/x11/x11test", "ui/internal/pagetest", "ui/internal/samples", "ui/internal/screentest"}, "test tools are no part of the program"},
	{"pgregory.net/rapid", nil, "test tools are no part of the program"},
	{"go.uber.org/goleak", nil, "test tools are no part of the program"},
}

// unreachable lists libraries that a package must not depend on, directly or through other packages.
var unreachable = []struct{ from, library, why string }{
	{"registry", "google.golang.org/genai", "the registry is data"},
	{"registry", "fyne.io/", "the registry is data"},
	{"client", "google.golang.org/genai", "a host connects servers for any model"},
	{"client", "fyne.io/", "a host works without a window"},
	{"agent", "fyne.io/", "the loop works without a window"},
	{"ui/view", "fyne.io/", "the terminal shows the same state"},
	{"servers", "google.golang.org/genai", "a bundled server has no model"},
	{"servers", "fyne.io/", "a bundled server has no window"},
	{"servers/*", "google.golang.org/genai", "a bundled server has no model"},
	{"servers/*", "fyne.io/", "a bundled server has no window"},
	{"internal/*", "fyne.io/", "nothing behind the window draws"},
	{"cmd/keeper", "net/http", "each server pays for its keeper"},
	{"*", "github.com/alecthomas/chroma/v2/lexers", "it reads 279 files before main"},
	{"*/*", "github.com/alecthomas/chroma/v2/lexers", "it reads 279 files before main"},
	{"*/*/*", "github.com/alecthomas/chroma/v2/lexers", "it reads 279 files before main"},
}
