package sensitive

// settings are folders below a home folder with the settings of all programs.
var settings = []string{".config", ".local", ".local/share", ".local/state", "Library", "Library/Application Support", "AppData", "AppData/Roaming", "AppData/Local"}

// secrets are paths below a home folder with keys, passwords and private messages.
var secrets = []string{
	// Keys of servers and of people.
	".ssh", ".gnupg", ".pki", ".cert", ".putty", ".config/putty", ".step", ".yubico", ".config/Yubico", ".wireguard", ".config/age", ".config/sops", ".ansible/galaxy_token", ".sigstore", ".password-store",
	// Cloud services and developer tools.
	".aws", ".azure", ".kube", ".docker", ".config/containers", ".config/gcloud", ".config/gh", ".config/op", ".config/hub", ".config/glab-cli", ".config/rclone", ".config/configstore",
	".vault-token", ".terraform.d", ".terraformrc", ".boto", ".s3cfg", ".s3cmd", ".mc", ".databrickscfg", ".oci", ".aliyun", ".bluemix", ".fly", ".cloudflared", ".wrangler", ".config/.wrangler",
	".ngrok2", ".config/ngrok", ".config/doctl", ".config/hcloud", ".config/heroku", ".config/netlify", ".netlify", ".config/stripe", ".config/linode-cli", ".config/scw", ".config/argocd", ".pulumi",
	".config/helm", ".minikube", ".rancher", ".local/share/com.vercel.cli", ".config/tailscale", ".kaggle", ".config/wandb", ".streamlit", ".jupyter",
	".netrc", ".authinfo", ".authinfo.gpg", ".git-credentials", ".config/git/credentials", ".subversion/auth", ".npmrc", ".yarnrc.yml", ".pypirc", ".config/pypoetry", ".config/hatch", ".config/pip", ".condarc",
	".cargo/credentials", ".cargo/credentials.toml", ".gem/credentials", ".bundle/config", ".m2/settings.xml", ".gradle/gradle.properties", ".composer/auth.json", ".config/composer", ".nuget", ".sbt/.credentials", ".hex",
	".pgpass", ".my.cnf", ".mylogin.cnf", ".config/dbeaver", ".local/share/DBeaverData", ".config/redis", ".config/JetBrains", ".config/Code/User/globalStorage", ".config/Postman", ".config/Insomnia",
	// Programs that use language models: their keys and conversations.
	".claude", ".claude.json", ".config/claude", ".config/Claude", ".codex", ".gemini", ".config/openai", ".openai", ".anthropic", ".config/anthropic", ".copilot", ".config/github-copilot", ".codeium", ".windsurf", ".cursor", ".config/Cursor",
	".continue", ".aider.conf.yml", ".aider", ".config/goose", ".local/share/goose", ".config/opencode", ".local/share/opencode", ".qwen", ".grok", ".kiro", ".roo", ".cline", ".amp", ".config/amp", ".factory", ".antigravity", ".lmstudio", ".ollama",
	".huggingface", ".cache/huggingface/token", ".cache/huggingface/stored_tokens", ".config/io.datasette.llm", ".config/aichat", ".config/fabric", ".config/zed", ".local/share/zed", ".mcp-auth", ".config/mcp", ".open-webui",
	"Library/Application Support/Claude", "AppData/Roaming/Claude",
	// Keyrings and password managers.
	".local/share/keyrings", ".local/share/kwalletd", ".kde/share/apps/kwallet", ".gnome2/keyrings", ".config/Bitwarden", ".config/Bitwarden CLI", ".config/1Password", ".1password", ".config/KeePassXC", ".config/keepassxc", ".cache/keepassxc",
	".config/Enpass", ".config/enpass", ".config/dashlane", ".config/Proton", ".config/protonmail", ".config/keybase", ".local/share/keybase", ".lpass", ".config/lpass", ".config/Authy Desktop", ".config/rbw", ".local/share/rbw",
	"Library/Keychains", "AppData/Roaming/Microsoft/Credentials", "AppData/Local/Microsoft/Credentials", "AppData/Roaming/Microsoft/Protect", "AppData/Local/Microsoft/Vault",
	// Browsers.
	".mozilla", ".librewolf", ".waterfox", ".zen", ".floorp", ".palemoon", ".moonchild productions", ".tor-browser", ".local/share/torbrowser", ".config/google-chrome", ".config/google-chrome-beta", ".config/google-chrome-unstable", ".config/chromium",
	".config/BraveSoftware", ".config/microsoft-edge", ".config/microsoft-edge-dev", ".config/vivaldi", ".config/opera", ".config/yandex-browser", ".config/thorium", ".config/mozilla", ".config/librewolf", ".config/qutebrowser",
	".local/share/qutebrowser", ".local/share/falkon", ".config/falkon", ".local/share/epiphany", ".config/epiphany",
	"Library/Application Support/Google", "Library/Application Support/Firefox", "Library/Application Support/BraveSoftware", "Library/Application Support/Arc", "Library/Application Support/Vivaldi", "Library/Safari", "Library/Cookies",
	"AppData/Roaming/Mozilla", "AppData/Local/Google", "AppData/Local/BraveSoftware", "AppData/Local/Microsoft/Edge", "AppData/Roaming/Opera Software",
	"snap", ".var/app",
	// Mail, chats and synchronized files.
	".thunderbird", ".local/share/evolution", ".config/evolution", ".config/geary", ".local/share/geary", ".claws-mail", ".local/share/kmail2", ".local/share/akonadi", ".mutt", ".muttrc", ".config/mutt", ".config/neomutt", ".msmtprc", ".config/msmtp", ".mbsyncrc", ".offlineimaprc",
	".fetchmailrc", ".getmail", "Maildir", ".mail", ".config/Signal", ".config/Slack", ".config/discord", ".local/share/TelegramDesktop", ".config/Element", ".config/Mattermost", ".config/teams", ".config/skypeforlinux", ".config/WhatsApp", ".purple", ".weechat", ".config/weechat", ".irssi",
	"Library/Mail", "Library/Messages", ".config/filezilla", ".filezilla", ".config/remmina", ".local/share/remmina", ".vnc", ".config/tigervnc", ".config/freerdp", ".config/Nextcloud", ".dropbox", ".config/syncthing", ".local/state/syncthing", ".config/onedrive", ".config/openvpn", ".local/share/networkmanagement",
	// Money.
	".bitcoin", ".litecoin", ".dogecoin", ".dashcore", ".zcash", ".ethereum", ".electrum", ".monero", ".bitmonero", ".sparrow", ".walletwasabi", ".config/solana", ".config/Exodus", ".config/atomic", ".config/Ledger Live", ".config/ledger", ".foundry/keystores",
	// Input histories.
	".lesshst", ".viminfo", ".local/share/nvim/shada", ".local/state/nvim/shada", ".wget-hsts", ".local/share/fish", ".local/share/zsh", ".local/state/zsh", ".local/state/bash", ".zsh_sessions", ".bash_sessions", ".config/nushell", ".local/share/nushell", ".local/share/powershell",
	".local/share/atuin", ".histfile", ".ipython", ".mongodb", ".config/pgcli", ".config/mycli", ".config/litecli", ".config/xonsh", ".local/share/xonsh", ".local/share/recently-used.xbel", ".local/share/klipper", ".cache/clipboard", ".config/copyq", ".local/share/copyq",
}

// system lists the computer's paths with keys, passwords and the sockets of programs.
var system = []string{
	"/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/sudoers", "/etc/sudoers.d", "/etc/security/opasswd", "/etc/ssl/private", "/etc/pki/tls/private", "/etc/letsencrypt", "/etc/krb5.keytab", "/etc/wireguard", "/etc/openvpn",
	"/etc/NetworkManager/system-connections", "/etc/wpa_supplicant", "/etc/ppp", "/etc/kubernetes", "/etc/rancher", "/etc/docker", "/etc/mysql/debian.cnf", "/etc/master.passwd", "/etc/cups/ssl", "/etc/iwd", "/var/lib/iwd",
	"/run/user", "/run/secrets", "/var/run/secrets", "/run/docker.sock", "/var/run/docker.sock", "/run/containerd", "/run/podman", "/run/credentials", "/var/lib/kubelet", "/var/lib/docker", "/var/lib/mysql", "/var/lib/postgresql", "/var/lib/redis", "/var/spool/mail", "/var/mail", "/var/db/dslocal", "/private/var/db/dslocal", "/Library/Keychains",
}
