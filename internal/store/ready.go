package store

import (
	"context"
	"fmt"
)

// Ready waits until the first attempt to open the database has ended, or until ctx ends. It returns nil
// if the database is open. Otherwise it returns the reason, wrapped in [ErrNotOpened]. If ctx has
// already ended, it reports the present state.
func (s *Store) Ready(ctx context.Context) error {
	select {
	case <-s.base.opened:
	default:
		select {
		case <-s.base.opened:
		case <-ctx.Done():
			return fmt.Errorf("%w: %w", ErrNotOpened, ctx.Err())
		}
	}
	_, err := s.base.get()
	return err
}
