// Command protogen generates Go code from the .proto files below a folder, which is its argument.
// "make proto" runs it.
//
// It compiles the files itself, so that nobody needs protoc. It passes them to protoc-gen-go and
// protoc-gen-go-grpc in the versions below, which the go command downloads. It owns the two
// versions and the paths of the generated files. It must not know the messages.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	_ "cloud.google.com/go/longrunning/autogen/longrunningpb"
	"github.com/bufbuild/protocompile"
	"github.com/bufbuild/protocompile/linker"
	"github.com/bufbuild/protocompile/protoutil"
	_ "google.golang.org/genproto/googleapis/api/annotations"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	_ "google.golang.org/protobuf/types/known/durationpb"
	_ "google.golang.org/protobuf/types/known/emptypb"
	_ "google.golang.org/protobuf/types/known/fieldmaskpb"
	_ "google.golang.org/protobuf/types/known/timestamppb"
	"google.golang.org/protobuf/types/pluginpb"
)

// These are the generators and their versions. The version of protoc-gen-go is that of the protobuf
// module in go.mod.
const (
	genGo   = "google.golang.org/protobuf/cmd/protoc-gen-go@v1.36.12"
	genGRPC = "google.golang.org/grpc/cmd/protoc-gen-go-grpc@v1.6.2"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "Usage: protogen FOLDER")
		os.Exit(2)
	}
	if err := generate(context.Background(), os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// generate writes the Go files for the .proto files below root, relative to the working directory,
// which must be the module's root.
func generate(ctx context.Context, root string) error {
	files, err := compile(ctx, root)
	if err != nil {
		return err
	}
	req := request(files)
	for _, plugin := range []string{genGo, genGRPC} {
		if err := run(ctx, plugin, req); err != nil {
			return err
		}
	}
	return nil
}

// compile reads the .proto files below root. It takes the imported files of google from the Go
// packages that are linked into this program.
func compile(ctx context.Context, root string) (linker.Files, error) {
	var names []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".proto") {
			path, err = filepath.Rel(root, path)
			names = append(names, filepath.ToSlash(path))
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("listing the .proto files: %w", err)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s has no .proto files", root)
	}
	linked := protocompile.ResolverFunc(func(path string) (protocompile.SearchResult, error) {
		d, err := protoregistry.GlobalFiles.FindFileByPath(path)
		if err != nil || !strings.HasPrefix(path, "google/") {
			return protocompile.SearchResult{}, fmt.Errorf("%s: %w", path, fs.ErrNotExist)
		}
		return protocompile.SearchResult{Desc: d}, nil
	})
	c := protocompile.Compiler{
		Resolver:       protocompile.CompositeResolver{&protocompile.SourceResolver{ImportPaths: []string{root}}, linked},
		SourceInfoMode: protocompile.SourceInfoStandard,
	}
	files, err := c.Compile(ctx, names...)
	if err != nil {
		return nil, fmt.Errorf("compiling: %w", err)
	}
	return files, nil
}

// request returns a request to generate all files. Each file comes after its imports.
func request(files linker.Files) *pluginpb.CodeGeneratorRequest {
	req := &pluginpb.CodeGeneratorRequest{Parameter: proto.String("module=goated")}
	done := make(map[string]bool)
	var add func(protoreflect.FileDescriptor)
	add = func(f protoreflect.FileDescriptor) {
		if done[f.Path()] {
			return
		}
		done[f.Path()] = true
		for i := range f.Imports().Len() {
			add(f.Imports().Get(i).FileDescriptor)
		}
		req.ProtoFile = append(req.ProtoFile, protoutil.ProtoFromFileDescriptor(f))
	}
	for _, f := range files {
		add(f)
		req.FileToGenerate = append(req.FileToGenerate, f.Path())
	}
	return req
}

// run passes the request to a generator and writes the files of its response.
func run(ctx context.Context, plugin string, req *pluginpb.CodeGeneratorRequest) error {
	in, err := proto.Marshal(req)
	if err != nil {
		return fmt.Errorf("encoding the request: %w", err)
	}
	cmd := exec.CommandContext(ctx, "go", "run", plugin)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("running %s: %w", plugin, err)
	}
	var resp pluginpb.CodeGeneratorResponse
	if err := proto.Unmarshal(out, &resp); err != nil {
		return fmt.Errorf("decoding the response of %s: %w", plugin, err)
	}
	if resp.Error != nil {
		return errors.New(*resp.Error)
	}
	for _, f := range resp.File {
		if err := os.MkdirAll(filepath.Dir(f.GetName()), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(f.GetName(), []byte(f.GetContent()), 0o644); err != nil {
			return err
		}
	}
	return nil
}
