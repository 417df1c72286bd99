package settings

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/agent"
	"goated/agent/pricing"
	"goated/internal/config"
	"goated/internal/modelname"
	"goated/internal/models"
	"goated/internal/wording"
	"goated/ui/highlight"
	"goated/ui/kit"
	"goated/ui/view/format"
	"goated/ui/view/fuzzy"
)

// Keys manages the API key of the model's provider. The functions may take seconds, so the page
// calls them off the UI goroutine. No function returns the key.
type Keys struct {
	From string // the source of the current key; empty if there is no key
	// Fixed means that goated cannot change the key at its source.
	Fixed bool
	Save  func(ctx context.Context, key string) error
	Clear func(ctx context.Context) error
	// Hold keeps a key until goated quits. If it is nil, only Save can keep a key.
	Hold func(key string)
	// Models lists the models that the current key can use. It is also the test of the key.
	Models func(ctx context.Context) ([]string, error)
}

// modelPage shows the key and the model.
func (b *sheet) modelPage() fyne.CanvasObject {
	since := pricing.Date
	if month, err := time.Parse("January 2006", since); err == nil {
		since = format.Month(month)
	}
	page := kit.Vertical(28,
		kit.Section("Gemini key", "With a key, Gemini answers and calls your tools. Without one, goated looks for the tool that fits your words. Get a key at aistudio.google.com.", b.keyState()...),
		kit.Section("Model", "New conversations use it. The menu beside the title changes the model of one conversation.", b.model()...),
		kit.Section("Instructions", "The model gets them with each of your messages. Some are for every conversation, some for the open one.",
			kit.Horizontal(8, nil, kit.NewButton(kit.Outline, "pencil", "Custom instructions…", func() { b.OnInstruct() }))),
		kit.NewText(fmt.Sprintf("Google's prices of %s, in USD per million tokens in and out. The free tier costs nothing. Costs are estimates.", since), 12, 18, kit.ColorMuted))
	if b.Services != nil {
		page.Add(kit.Section("Other services", "Services with OpenAI's chat interface, such as OpenRouter. goated finds Ollama, LM Studio, llama.cpp and vLLM on this computer by itself.", b.services()...))
	}
	return page
}

// keyState shows the state of the key and the actions for it, but never the key itself.
func (b *sheet) keyState() []fyne.CanvasObject {
	b.key.field = nil
	keys := b.Keys
	if keys == nil {
		return []fyne.CanvasObject{kit.NewEmptyNote("key", "This system has no keyring, so goated can't save keys.")}
	}
	test := kit.NewButton(kit.Outline, "check", "Test", func() { b.load(true) })
	test.SetEnabled(!b.loading)
	var parts []fyne.CanvasObject
	switch {
	case keys.From == "" || b.typing:
		if keys.From == "" {
			parts = append(parts, b.state("key", kit.ColorMuted, "No key is set", "goated answers without a model, with your tools.",
				kit.NewButton(kit.Outline, "external", "Get a key", func() { b.OpenLink(keyPage) })))
		}
		parts = append(parts, b.keyField(keys))
	default:
		title, remark := "A key is set (from the keyring)", "Your system's keyring stores it. goated never shows it."
		switch {
		case keys.Fixed:
			title, remark = "A key is set", fmt.Sprintf("It is from %s, outside goated. Change it there.", keys.From)
		case keys.From == models.Memory:
			title, remark = fmt.Sprintf("A key is set (from %s)", keys.From), "goated forgets it when it quits. It never shows it."
		}
		line := []fyne.CanvasObject{test}
		if !keys.Fixed {
			line = append(line,
				kit.NewButton(kit.Outline, "", "Replace", func() { b.typing = true; b.redo(); b.focusKey() }),
				kit.NewButton(kit.Outline, "trash", "Remove", func() { b.removeKey(keys) }))
		}
		parts = append(parts, b.state("check", kit.ColorGood, title, remark, line...))
	}
	if b.Tested != "" {
		icon, color := "check", kit.ColorGood
		if b.failed {
			icon, color = "alert", kit.ColorBad
		}
		words := kit.NewText(b.Tested, 13, 20, color)
		parts = append(parts, container.New(kit.Row{Gap: 8, Flex: words, Top: true}, kit.Sized(16, 20, kit.NewIcon(icon, 15, color)), words))
	}
	if b.key.unsaved && keys.Hold != nil {
		parts = append(parts, kit.Horizontal(8, nil, kit.NewButton(kit.Outline, "", "Use it until goated quits", func() {
			b.enterKey("Using the key…", func(_ context.Context, key string) error { keys.Hold(key); return nil })
		})))
	}
	return parts
}

// keyPage is where Google issues keys.
const keyPage = "https://aistudio.google.com/apikey"

// state returns a card with a sentence, and with buttons at the right.
func (b *sheet) state(icon string, color fyne.ThemeColorName, title, remark string, buttons ...fyne.CanvasObject) fyne.CanvasObject {
	words := kit.Vertical(1, kit.NewLabel(title, 14, kit.ColorText).Strong().Elided(), kit.NewText(remark, 12, 18, kit.ColorMuted))
	mark := kit.NewIcon(icon, 18, color)
	label := container.New(kit.Row{Gap: 8, Flex: words}, mark, words)
	line := container.New(kit.Flow{Gap: 8, Min: kit.Horizontal(8, nil, buttons...).MinSize()}, buttons...)
	return kit.Boxed(kit.NewPanel(kit.ColorSoft, kit.ColorNone, 12), kit.Margin{Top: 12, Right: 12, Bottom: 12, Left: 16},
		container.New(kit.SideBySide{Gap: 8, Least: 200}, label, line))
}

// A newKey is the key that the user enters. The page may be redrawn in the meantime, and saving
// the key may fail. The text stays in the field until goated has the key.
type newKey struct {
	text    string
	field   *kit.Input // nil while it is not shown
	saving  bool       // the key is being saved, and nothing can change or cancel that
	unsaved bool       // the key could not be saved
}

// keyField returns the field for a key. It masks the typed characters.
func (b *sheet) keyField(keys *Keys) fyne.CanvasObject {
	in := kit.NewInput(b.Clock, "Paste your key", false)
	in.Password = true
	in.Put(b.key.text)
	in.OnTyped = func() { b.key.text = in.Text }
	b.key.field = in
	field := kit.NewField(in)
	in.OnSubmit = func() {
		b.enterKey("Saving the key…", func(ctx context.Context, key string) error {
			err := keys.Save(ctx, key)
			if err == nil && keys.Hold != nil {
				keys.Hold("") // the saved key takes effect
			}
			return err
		})
	}
	save := kit.NewButton(kit.Primary, "", "Save", in.OnSubmit)
	cancel := kit.NewButton(kit.Outline, "", "Cancel", func() { b.typing, b.key = false, newKey{}; b.redo() })
	if b.key.saving {
		in.Disable()
		save.Disable()
		cancel.Disable()
	}
	parts := []fyne.CanvasObject{field, save}
	if keys.From != "" {
		parts = append(parts, cancel)
	}
	return container.New(kit.Row{Gap: 8, Flex: field}, parts...)
}

// focusKey focuses the field for a key if it is visible.
func (b *sheet) focusKey() {
	if b.key.field != nil {
		kit.Focus(b.key.field)
	}
}

// enterKey passes the key in the field to take. The field stays open until take returns, which
// may take until the user unlocks a keyring.
func (b *sheet) enterKey(doing string, take func(context.Context, string) error) {
	key := strings.TrimSpace(b.key.text)
	if key == "" || b.key.saving {
		return
	}
	b.key.saving = true
	b.changeKey(doing, func(ctx context.Context) error {
		err := take(ctx, key)
		b.Post(func() {
			b.key.saving, b.key.unsaved = false, err != nil
			if err == nil && strings.TrimSpace(b.key.text) == key {
				b.typing, b.key = false, newKey{}
			}
		})
		return err
	})
}

func (b *sheet) removeKey(keys *Keys) { b.changeKey("Removing the key…", keys.Clear) }

// changeKey runs a change of the key off the UI goroutine and then calls OnKey.
func (b *sheet) changeKey(doing string, do func(context.Context) error) {
	b.Tested, b.failed, b.Models = doing, false, nil
	b.key.unsaved = false
	b.redo()
	b.Go(func() {
		err := do(b.Ctx)
		b.Post(func() {
			if err != nil {
				b.showOutcome(wording.ErrorText(err), true)
				if b.key.unsaved && b.Sheets.Window.Canvas().Focused() == b.Names[Model].Tappable {
					b.focusKey() // the disabled field lost the focus
				}
				return
			}
			b.OnKey(func(err error) {
				if err != nil {
					b.showOutcome(wording.ErrorText(err), true)
					return
				}
				b.showOutcome("", false)
				if b.Keys.From != "" {
					b.load(true)
				}
			})
		})
	})
}

// showOutcome shows an outcome if the model page is still open.
func (b *sheet) showOutcome(text string, failed bool) {
	b.Tested, b.failed = text, failed
	if b.Shown == b && b.At == Model {
		b.redo()
	}
}

// load lists the models for the key, unless they are already listed. If test is set, it always
// lists them, and shows the outcome as a test of the key.
func (b *sheet) load(test bool) {
	keys := b.Keys
	b.testing = b.testing || test
	if keys == nil || keys.From == "" || keys.Models == nil || b.loading || !test && (b.Models != nil || b.failed) {
		return
	}
	b.loading = true
	if test {
		b.Tested, b.failed = "Asking Gemini…", false
	}
	b.redo()
	b.Go(func() {
		models, err := keys.Models(b.Ctx)
		b.Post(func() {
			test := b.testing
			b.loading, b.testing = false, false
			if err != nil {
				b.showOutcome(wording.ErrorText(err), true)
				return
			}
			b.Models = append([]string{}, models...) // not nil, because the list is loaded
			if test {
				b.showOutcome(format.Plural(len(models), "The key works. You can choose from %d model.", "The key works. You can choose from %d models."), false)
			} else {
				b.showOutcome("", false)
			}
		})
	})
}

// modelField is the name of the field for the model's name.
const modelField = "model"

// model returns the field for the model's name, above the list of models.
func (b *sheet) model() []fyne.CanvasObject {
	in := kit.NewInput(b.Clock, agent.DefaultModel, false)
	chosen := b.Settings.ChosenModel()
	if chosen.Service == "" {
		in.Put(chosen.Name)
	}
	applied, typed := in.Text, ""
	if text, ok := b.typed[modelField]; ok {
		typed = text
		in.Put(text)
	}
	list := kit.Vertical(2)
	set := func(name string) {
		delete(b.typed, modelField)
		ref := config.ModelRef{Name: strings.TrimSpace(name)} // the list contains only Gemini models
		if ref.Name == agent.DefaultModel {
			ref.Name = ""
		}
		if ref != b.Settings.ChosenModel() {
			b.Change(b.Settings.WithModel(ref))
			b.Toasts.Say("check", fmt.Sprintf("New conversations use %s", cmp.Or(ref.Name, agent.DefaultModel)))
		}
	}
	in.OnSubmit = func() { set(in.Text); b.redo() }
	in.OnTyped = func() {
		b.typed[modelField] = in.Text
		if in.Text == applied {
			delete(b.typed, modelField)
		}
		b.suggest(list, in.Text, set)
	}
	use := kit.NewButton(kit.Outline, "", "Use", in.OnSubmit)
	field := kit.NewField(in)
	b.suggest(list, typed, set)
	var parts []fyne.CanvasObject
	if chosen.Service != "" {
		parts = append(parts, kit.NewText(fmt.Sprintf("Now: %s. Choose a model of Gemini here, and any other in the menu beside the title of a new conversation.", modelname.Title(chosen)), 13, 20, kit.ColorMuted))
	}
	parts = append(parts, container.New(kit.Row{Gap: 8, Flex: field}, field, use))
	switch {
	case b.loading:
		parts = append(parts, kit.NewLabel("Loading the list of models…", 13, kit.ColorMuted))
	case len(b.Models) > 0:
		parts = append(parts, list)
	default:
		parts = append(parts, kit.NewText("With a working key you see the list of models. You can also type a model name.", 13, 20, kit.ColorMuted))
	}
	return parts
}

// modelRows is the maximal number of listed models. The field finds the others.
const modelRows = 12

// suggest lists the models that match the typed text.
func (b *sheet) suggest(list *fyne.Container, typed string, set func(string)) {
	list.Objects = nil
	now := "" // the listed model that answers; empty if another service does
	if chosen := b.Settings.ChosenModel(); chosen.Service == "" {
		now = cmp.Or(chosen.Name, agent.DefaultModel)
	}
	found := fuzzy.Rank(typed, len(b.Models), func(i int) (string, string) { return b.Models[i], "" })
	if typed == now {
		found = fuzzy.Rank("", len(b.Models), func(i int) (string, string) { return b.Models[i], "" })
	}
	for _, m := range found[:min(len(found), modelRows)] {
		name := b.Models[m.Index]
		tap := kit.NewTappable(8, func() { set(name); b.redo() })
		words := highlight.New(13)
		words.Set(name, m.At)
		parts := []fyne.CanvasObject{words}
		if p, known := pricing.Of(name, 0); known {
			parts = append(parts, kit.NewLabel(fmt.Sprintf("$%.2f in · $%.2f out", p.Input, p.Output), 12, kit.ColorFaint))
		}
		if name == now {
			tap.SetColors(kit.ColorSoft, kit.ColorNone)
			parts = append(parts, kit.NewIcon("check", 16, kit.ColorAccent))
		}
		list.Add(container.New(kit.Fixed{Min: fyne.NewSize(1, 34)}, tap, kit.Inset(kit.Margin{Top: 0, Right: 12, Bottom: 0, Left: 12}, kit.Horizontal(10, words, parts...))))
	}
	if n := len(found) - modelRows; n > 0 {
		list.Add(kit.Inset(kit.Margin{Top: 6, Right: 12, Bottom: 0, Left: 12}, kit.NewLabel(fmt.Sprintf("%d more. Type to filter.", n), 12, kit.ColorFaint)))
	}
	b.Refit()
}
