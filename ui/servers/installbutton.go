package servers

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/internal/errtext"
	"goated/internal/programs"
	"goated/ui/kit"
)

// An installation is a running installation of a program. It belongs to the UI goroutine.
type installation struct {
	product programs.Product
	percent int
	shown   []installButton // the buttons drawn since it began; a sheet may redraw itself in the meantime
	then    []func()
}

// A installButton starts an installation. If the installation fails, it shows the reason below
// itself.
type installButton struct {
	button  *kit.Button
	failed  *fyne.Container
	resized func()
}

// newInstallButton returns a button that installs the product with a missing command and then calls then.
// It returns nil if goated cannot install the product. The button calls resized when its height
// changes.
func newInstallButton(ps *Pages, command string, resized, then func()) fyne.CanvasObject {
	p, ok := programs.Of(command)
	if !ok || ps.Programs == nil {
		return nil
	}
	b := installButton{kit.NewButton(kit.Outline, "plus", "Install "+p.Title, nil).Small(), kit.Vertical(0), resized}
	b.failed.Hide()
	join := func(running *installation) {
		running.shown = append(running.shown, b)
		b.button.SetText(running.label())
		b.button.Disable()
		b.failed.Hide()
	}
	b.button.OnTapped = func() {
		running, began := ps.bringing[p.Name]
		if !began {
			running = &installation{product: p}
			if ps.bringing == nil {
				ps.bringing = make(map[string]*installation)
			}
			ps.bringing[p.Name] = running
		}
		running.then = append(running.then, then)
		if join(running); !began {
			running.install(ps) // the folder installs one product at a time
		}
	}
	if running := ps.bringing[p.Name]; running != nil {
		join(running)
	}
	return kit.Vertical(4, container.New(kit.Flow{Gap: 8, Min: kit.ChipSize()}, b.button), b.failed)
}

// label returns the text of the buttons while the installation runs.
func (b *installation) label() string {
	return fmt.Sprintf("Installing %s… %d %%", b.product.Title, b.percent)
}

// install installs the product and shows its progress.
func (b *installation) install(ps *Pages) {
	p, told := b.product, 0
	ps.Go(func() {
		done, err := ps.Programs.Install(ps.Ctx, p, func(done, total int64) {
			if percent := int(100 * done / max(total, done, 1)); total > 0 && percent != told {
				told = percent
				ps.Post(func() {
					b.percent = percent
					for _, s := range b.shown {
						s.button.SetText(b.label())
					}
				})
			}
		})
		ps.Post(func() {
			delete(ps.bringing, p.Name)
			if err != nil {
				b.fail(err)
				return
			}
			ps.Toasts.Say("check", done.Title+" "+done.Version+" installed")
			for _, then := range b.then {
				then()
			}
		})
	})
}

// fail shows why the program could not be installed.
func (b *installation) fail(err error) {
	for _, s := range b.shown {
		s.button.SetText("Install " + b.product.Title)
		s.button.SetEnabled(true)
		s.failed.Objects = []fyne.CanvasObject{kit.NewText(errtext.PlainSentence(err), 12, 18, kit.ColorBad)}
		s.failed.Show()
		s.resized()
	}
}
