package settings

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/internal/config"
	"goated/internal/modelkey"
	"goated/internal/modelname"
	"goated/internal/models"
	"goated/internal/wording"
	"goated/ui/kit"
	"goated/ui/view/format"
)

// Services are the functions that the page needs for services with OpenAI's chat interface. They
// may take seconds, so the page calls them off the UI goroutine.
type Services struct {
	Keyring *config.Keyring // nil: keys cannot be stored
	List    func(ctx context.Context, s config.Settings, service string) models.Group
}

// services lists the services that the user added, above the form for another one.
func (b *sheet) services() []fyne.CanvasObject {
	list := kit.Vertical(8)
	for _, p := range b.Settings.Providers {
		if p.URL == "" {
			continue // it only contains prices for Gemini
		}
		key := "no key"
		switch {
		case p.KeyVariable != "":
			key = "key in " + p.KeyVariable
		case p.Key != "":
			key = "key in the keyring"
		}
		list.Add(b.state("server", kit.ColorAccent, p.Name, modelname.Host(p.URL)+" · "+key,
			kit.NewButton(kit.Outline, "check", "Test", func() { b.testService(p) }),
			kit.NewButton(kit.Outline, "trash", "Remove", func() { b.removeService(p) })))
	}
	name := kit.NewInput(b.Clock, "Name, such as OpenRouter", false)
	address := kit.NewInput(b.Clock, "Address, such as https://openrouter.ai/api/v1", false)
	key := kit.NewInput(b.Clock, "Key, if it needs one", false)
	key.Password = true
	entered := &b.entered
	for in, text := range map[*kit.Input]*string{name: &entered.name, address: &entered.address, key: &entered.key} {
		in.Put(*text)
		in.OnTyped = func() { *text = in.Text }
		in.OnSubmit = b.addService
	}
	nameField, addressField, keyField := kit.NewField(name), kit.NewField(address), kit.NewField(key)
	parts := []fyne.CanvasObject{list, addressField, nameField, keyField}
	words := kit.NewText(b.service, 13, 20, kit.ColorMuted)
	if b.serviceFailed {
		words = kit.NewText(b.service, 13, 20, kit.ColorBad)
	}
	return append(parts, container.New(kit.Row{Gap: 8, Flex: words, Top: true}, words, kit.NewButton(kit.Outline, "plus", "Add the service", b.addService)))
}

// sayService shows the outcome of the last change of a service.
func (b *sheet) sayService(text string, failed bool) {
	b.service, b.serviceFailed = text, failed
	if b.Shown == b && b.At == Model {
		b.redo()
	}
}

// A newService is what the user enters about a service. The page may be redrawn in the meantime,
// and adding the service may fail. The fields keep their texts until the service is added.
type newService struct{ name, address, key string }

// forget clears the texts that are still those of a service that was added.
func (e *newService) forget(added newService) {
	for now, was := range map[*string]string{&e.name: added.name, &e.address: added.address, &e.key: added.key} {
		if *now == was {
			*now = ""
		}
	}
}

// addService checks the user's input, stores the key, and adds the service.
func (b *sheet) addService() {
	name, address, key := b.entered.name, config.CleanURL(b.entered.address), modelkey.CleanKey(b.entered.key)
	u, err := url.Parse(address)
	switch {
	case address == "":
		b.sayService("Write the address of the service.", true)
		return
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		b.sayService(fmt.Sprintf("%q is not an address. Write one such as https://openrouter.ai/api/v1.", address), true)
		return
	case u.User != nil:
		b.sayService("Write the key in its own field, not in the address.", true)
		return
	case key != "" && b.Services.Keyring == nil:
		b.sayService("This system has no keyring. Put the key into a variable of the environment, and its name into keyVariable of settings.json.", true)
		return
	}
	p := config.Provider{Name: strings.TrimSpace(name), URL: address}
	if p.Name == "" {
		p.Name = modelname.Host(address)
	}
	if key != "" {
		p.Key = config.KeyRef(address)
	}
	b.sayService("Saving…", false)
	was := b.entered
	b.Go(func() {
		var err error
		if key != "" {
			err = b.Services.Keyring.Save(p.Key, key)
		}
		b.Post(func() {
			if err != nil {
				b.sayService(wording.ErrorText(err), true)
				return
			}
			b.entered.forget(was)
			b.Change(b.Settings.WithProvider(p))
			b.testService(p)
		})
	})
}

// testService lists the models of a service.
func (b *sheet) testService(p config.Provider) {
	b.sayService(fmt.Sprintf("Asking %s…", p.Name), false)
	now := *b.Settings
	b.Go(func() {
		g := b.Services.List(b.Ctx, now, p.URL)
		b.Post(func() {
			switch {
			case g.Err != nil:
				b.sayService(wording.ErrorText(g.Err), true)
			case len(g.Entries) == 0:
				b.sayService(fmt.Sprintf("%s answers, but serves no model.", p.Name), true)
			default:
				b.sayService(p.Name+format.Plural(len(g.Entries), " works. The menu of models lists its model.", " works. The menu of models lists its %d models."), false)
			}
		})
	})
}

// removeService removes a service and its key.
func (b *sheet) removeService(p config.Provider) {
	b.Change(b.Settings.WithoutProvider(p.URL))
	b.sayService("", false)
	if p.Key == "" || b.Services.Keyring == nil {
		return
	}
	b.Go(func() {
		if err := b.Services.Keyring.Clear(p.Key); err != nil {
			b.Post(func() { b.Alert(err) })
		}
	})
}
