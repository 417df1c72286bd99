package atspi_test

import (
	"errors"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/godbus/dbus/v5"

	"goated/servers/desktop/atspi"
	"goated/servers/desktop/element"
	"goated/servers/desktop/x11"
)

const formPage = `<title>Order</title><form onsubmit="document.title='Sent '+n.value+' '+v.value;return false">
<label>Name <input id=n></label><label>Amount <input id=v type=range min=0 max=10 value=5></label>
<label>PIN <input type=password value=hunter2></label><button>Send</button></form>`

// A form in Chromium is found by roles and texts, filled, and submitted. Where Chromium has no method
// for writing, the text is pasted. The password field is left alone.
func TestChromiumForm(t *testing.T) {
	if os.Getenv("GOATED_DESKTOP_LONG") == "" {
		t.Skip("Chromium takes seconds: GOATED_DESKTOP_LONG=1 runs it")
	}
	d := desk.Open(t, nil)
	b := connect(t, atspi.Options{Windows: windows(d), Paste: keyboard(t)})
	pid := start(t, "chromium", "--no-sandbox", "--force-renderer-accessibility", "--password-store=basic", "--no-first-run", "--disable-gpu",
		"--user-data-dir="+t.TempDir(), "--app=data:text/html,"+url.PathEscape(formPage))
	var w x11.Window
	desk.Until(t, "window of the form", func() bool {
		list, err := d.Windows()
		if err != nil {
			t.Fatal(err)
		}
		for _, w = range list {
			if strings.Contains(w.Title, "Order") {
				return w.Focused
			}
		}
		return false
	})
	snap := tree(t, b, pid, "button AND text:Send")
	_, name := one(t, b, snap, "role:textbox AND text:Name")
	if e, err := b.Write(t.Context(), name, atspi.Expect{}, "naïve 日本語 🙂"); err != nil || e.Text != "naïve 日本語 🙂" {
		t.Fatal(e, err)
	}
	_, amount := one(t, b, snap, "role:slider AND text:Amount")
	if _, err := b.Write(t.Context(), amount, atspi.Expect{}, "7"); err != nil {
		t.Fatal(err)
	}
	var refused *atspi.RefusedError
	if _, err := b.Write(t.Context(), amount, atspi.Expect{}, "11"); !errors.As(err, &refused) {
		t.Errorf("a value outside its range: %v", err)
	}
	pin, target := one(t, b, snap, "role:passwordtext")
	var secret *atspi.SecretError
	if _, err := b.Write(t.Context(), target, atspi.Expect{}, "1"); !pin.Secure || !errors.As(err, &secret) {
		t.Errorf("the password field is filled: %v", err)
	}
	_, send := one(t, b, snap, "role:button AND text:Send")
	if _, err := b.Act(t.Context(), send, atspi.Expect{Role: "button", Name: "Send"}, "press"); err != nil {
		t.Fatal(err)
	}
	desk.Until(t, "sent form", func() bool {
		list, err := d.Windows()
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range list {
			if strings.Contains(w.Title, "Sent naïve 日本語 🙂 7") {
				return true
			}
		}
		return false
	})
}

// The element that receives typed keys in xterm.js, the terminal of VS Code, is recognized as a
// terminal in Chromium.
func TestChromiumFormOfATerminal(t *testing.T) {
	if os.Getenv("GOATED_DESKTOP_LONG") == "" {
		t.Skip("Chromium takes seconds: GOATED_DESKTOP_LONG=1 runs it")
	}
	d := desk.Open(t, nil)
	b := connect(t, atspi.Options{Windows: windows(d)})
	const page = `<title>Editor</title><input aria-label=Search><textarea class="xterm-helper-textarea" aria-label="Terminal 1, bash" autofocus></textarea>`
	pid := start(t, "chromium", "--no-sandbox", "--force-renderer-accessibility", "--password-store=basic", "--no-first-run", "--disable-gpu",
		"--user-data-dir="+t.TempDir(), "--app=data:text/html,"+url.PathEscape(page))
	var last atspi.Focus
	desk.Until(t, "focus of the terminal", func() bool {
		f, err := b.Focus(t.Context(), pid)
		last = f
		return err == nil && f.Terminal
	})
	if last.Secure {
		t.Errorf("%+v", last)
	}
}

// A walk does not ask for what is the same on each page: every element has a position and actions, and
// static text has no children. Fetch asks for the rest.
func TestElementsOfAPage(t *testing.T) {
	if os.Getenv("GOATED_DESKTOP_LONG") == "" {
		t.Skip("Chromium takes seconds: GOATED_DESKTOP_LONG=1 runs it")
	}
	b := connect(t, atspi.Options{Budget: patient})
	conn, err := dbus.Connect(buses.Accessibility)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	pid := start(t, "chromium", "--no-sandbox", "--force-renderer-accessibility", "--password-store=basic", "--no-first-run", "--disable-gpu", "--user-data-dir="+t.TempDir(),
		"data:text/html,"+url.PathEscape(formPage+"<a href=x>link</a><textarea>text</textarea><select><option>a</select><img alt=i><p>a<b>b</b><div role=button>c</div><iframe srcdoc='<p>d'></iframe>"))
	desk.Until(t, "the whole page", func() bool {
		app, err := b.Application(t.Context(), pid)
		if err != nil {
			return false
		}
		page, err := b.Snapshot(t.Context(), app)
		if err != nil || len(find(t, page, "role:link")) == 0 {
			return false
		}
		all := make([]int, len(page.Nodes))
		for i := range all {
			all[i] = i
		}
		if page.Fetch(t.Context(), all, element.AllFields) > 0 {
			return false // an element was removed in the meantime
		}
		actions := 0
		for i, n := range page.Nodes {
			if n.Interfaces&atspi.InterfaceAction == 0 || n.Interfaces&atspi.InterfaceComponent == 0 {
				t.Errorf("%v %q lacks actions or a place", n.Role, n.Name)
			}
			if n.Role == atspi.RoleStatic {
				var parts [][]any
				if conn.Object(n.Ref.Bus, n.Ref.Path).Call("org.a11y.atspi.Accessible.GetChildren", 0).Store(&parts) == nil && len(parts) > 0 {
					t.Errorf("the text %q has the parts %v", n.Name, parts)
				}
			}
			actions += len(page.Element(i).Actions)
		}
		return actions > 0
	})
}
