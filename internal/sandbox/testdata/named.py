"""Changes one protected file of a folder, the way programs save a file."""
import os, sys

os.chdir(sys.argv[1])


def put(path):
    with open(path, "w") as f:
        f.write("changed\n")


def home():
    put("fine")
    for do in [lambda: put(".bashrc"), lambda: os.mkdir(".config/autostart"), lambda: os.makedirs(".local/bin"), lambda: os.mkdir("tools"),
               lambda: (os.makedirs("c/autostart"), os.rename("c", ".config")), lambda: os.symlink("fine", ".config/systemd")]:
        try:
            do()
            print("ESCAPED")
        except OSError:
            pass
    raise PermissionError


try:
    {"hook": lambda: put(".git/hooks/pre-commit"), "new": lambda: put(".git/hooks/post-merge"), "folder": lambda: os.makedirs(".husky/_"),
     "envrc": lambda: put(".envrc"), "worktree": lambda: put("worktree/.git"), "settings": lambda: put(".vscode/tasks.json"), "home": home}[sys.argv[2]]()
    print("done")
except PermissionError:
    print("refused")
