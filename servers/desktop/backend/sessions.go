package backend

import (
	"context"
	"math"
	"time"

	"google.golang.org/protobuf/types/known/emptypb"

	"goated/servers/desktop/fault"
	pb "goated/servers/desktop/macosusesdk"
	"goated/servers/desktop/paging"
	"goated/servers/desktop/session"
)

// A sessionService serves sessions and their transactions.
type sessionService struct{ c *core }

// CreateSession creates a session.
func (p *sessionService) CreateSession(_ context.Context, r *pb.CreateSessionRequest) (*pb.Session, error) {
	return p.c.sessions.Create(r.GetSessionId(), r.GetSession().GetDisplayName(), r.GetSession().GetMetadata())
}

// GetSession returns a session.
func (p *sessionService) GetSession(_ context.Context, r *pb.GetSessionRequest) (*pb.Session, error) {
	return p.c.sessions.Get(r.GetName())
}

// ListSessions lists the sessions.
func (p *sessionService) ListSessions(_ context.Context, r *pb.ListSessionsRequest) (*pb.ListSessionsResponse, error) {
	page, next, err := paging.Page(p.c.tokens, p.c.sessions.List(), r.GetPageSize(), r.GetPageToken(), paging.Scope("sessions"))
	if err != nil {
		return nil, fault.Invalid("%v", err)
	}
	return &pb.ListSessionsResponse{Sessions: page, NextPageToken: next}, nil
}

// DeleteSession ends a session.
func (p *sessionService) DeleteSession(_ context.Context, r *pb.DeleteSessionRequest) (*emptypb.Empty, error) {
	return new(emptypb.Empty), p.c.sessions.Delete(r.GetName(), r.GetForce())
}

// BeginTransaction starts a transaction.
func (p *sessionService) BeginTransaction(_ context.Context, r *pb.BeginTransactionRequest) (*pb.BeginTransactionResponse, error) {
	if s := r.GetTimeout(); math.IsNaN(s) || s < 0 || s > session.MaxTimeout.Seconds() {
		return nil, fault.Invalid("a timeout of %v seconds: it is between 0 and %v", s, session.MaxTimeout.Seconds())
	}
	return p.c.sessions.Begin(r.GetSession(), r.GetIsolationLevel(), time.Duration(r.GetTimeout()*float64(time.Second)))
}

// CommitTransaction ends a transaction and keeps its changes.
func (p *sessionService) CommitTransaction(_ context.Context, r *pb.CommitTransactionRequest) (*pb.Transaction, error) {
	return p.c.sessions.Commit(r.GetName(), r.GetTransactionId())
}

// RollbackTransaction ends a transaction and undoes the changes that can be undone.
func (p *sessionService) RollbackTransaction(ctx context.Context, r *pb.RollbackTransactionRequest) (t *pb.Transaction, err error) {
	err = p.c.act(ctx, action{method: "RollbackTransaction", request: r, target: r.GetName()}, func(ctx context.Context) (_ string, err error) {
		t, err = p.c.sessions.Rollback(ctx, r.GetName(), r.GetRevisionId(), r.GetTransactionId())
		return "", err
	})
	return t, err
}

// GetSessionSnapshot returns a session with its history.
func (p *sessionService) GetSessionSnapshot(_ context.Context, r *pb.GetSessionSnapshotRequest) (*pb.SessionSnapshot, error) {
	return p.c.sessions.Snapshot(r.GetName())
}
