package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"goated/internal/geminitest"
)

const orderForm = `<!doctype html><title>Order</title><form method=post action=/order>
<p><label>Name <input name=name></label><p><label>City <input name=city></label><p><button>Send</button></form>`

// This is a whole turn: the model fills in a form in Chromium on the hidden desktop and submits it.
// Only the model is simulated, and it knows only what the tools return. The page and its server are
// real.
func TestChatSendsAForm(t *testing.T) {
	if os.Getenv("GOATED_DESKTOP_LONG") == "" {
		t.Skip("Chromium takes seconds: make soak runs it")
	}
	for _, program := range []string{"chromium", "Xvfb"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not installed: make tools installs it", program)
		}
	}
	got := make(chan string, 1)
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if r.Method == http.MethodPost {
			select {
			case got <- r.PostFormValue("name") + " from " + r.PostFormValue("city"):
			default:
			}
			_, _ = io.WriteString(w, "<!doctype html><title>Thanks</title><h1>Thanks</h1>")
			return
		}
		_, _ = io.WriteString(w, orderForm)
	}))
	defer page.Close()

	p := newPlace(t)
	p.env = append(p.env, "LC_ALL=C.UTF-8")
	data := p.hiddenDesktop()
	entries := filepath.Join(p.home, ".local", "share", "applications")
	if err := os.MkdirAll(entries, 0o700); err != nil {
		t.Fatal(err)
	}
	entry := "[Desktop Entry]\nType=Application\nName=Order form\nExec=chromium --no-sandbox --force-renderer-accessibility --password-store=basic --no-first-run --disable-gpu --user-data-dir=" +
		t.TempDir() + " --app=" + page.URL + "\n"
	if err := os.WriteFile(filepath.Join(entries, "order.desktop"), []byte(entry), 0o600); err != nil {
		t.Fatal(err)
	}

	s := geminitest.New(t)
	const in = "Order"
	name, city, send := "", "", ""
	step := 0
	s.Handle(func(req geminitest.Request) geminitest.Reply {
		last := ""
		for _, part := range req.Contents[len(req.Contents)-1].Parts {
			if part.FunctionResponse != nil {
				last = fmt.Sprint(part.FunctionResponse.Response["output"], part.FunctionResponse.Response["error"])
			}
		}
		step++
		t.Logf("step %d: %.700s", step, last)
		switch step {
		case 1:
			return geminitest.Call("desktop__app", map[string]any{"action": "open", "name": "Order form"})
		case 2: // the window appears before its page
			return geminitest.Call("desktop__wait", map[string]any{"window": in})
		case 3:
			return geminitest.Call("desktop__wait", map[string]any{"in": in, "role": "button", "text": "Send"})
		case 4:
			send = refOf(last, "Send")
			return geminitest.Call("desktop__find", map[string]any{"in": in, "role": "textbox"})
		case 5:
			name, city = refOf(last, "Name"), refOf(last, "City")
			if name == "" || city == "" || send == "" {
				return geminitest.Text("There is no such form.")
			}
			return geminitest.Call("desktop__type", map[string]any{"element": name, "text": "naïve 日本語 🙂"})
		case 6:
			return geminitest.Call("desktop__type", map[string]any{"element": city, "text": "Bern"})
		case 7:
			return geminitest.Call("desktop__press", map[string]any{"element": send, "expect_name": "Send"})
		case 8:
			return geminitest.Call("desktop__wait", map[string]any{"window": "Thanks"})
		}
		if strings.Contains(last, "Thanks") {
			return geminitest.Text("The form is sent.")
		}
		return geminitest.Text("I could not send the form.")
	})
	p.env = append(p.env, "GEMINI_API_KEY="+geminitest.DefaultKey, "GOOGLE_GEMINI_BASE_URL="+s.URL)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	out, err := p.command(ctx, "--data", data, "chat", "-p", "Fill this form and send it", "--yes", "--max-steps", "20").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "The form is sent.") {
		t.Fatalf("%v\n%s", err, out)
	}
	select {
	case order := <-got:
		if order != "naïve 日本語 🙂 from Bern" {
			t.Errorf("the page received %q", order)
		}
	default:
		t.Error("the page received nothing")
	}
}
