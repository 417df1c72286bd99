package sensitive

// Paths in a home folder that need a warning: keys and passwords, and folders with the settings of all programs.
var (
	secrets = []string{
		".ssh", ".gnupg", ".pki", ".aws", ".azure", ".kube", ".docker", ".netrc", ".git-credentials", ".npmrc", ".pypirc", ".password-store",
		".local/share/keyrings", ".local/share/kwalletd", ".config/gcloud", ".config/gh", ".config/op",
		".mozilla", ".thunderbird", ".config/google-chrome", ".config/chromium", ".config/BraveSoftware", ".config/microsoft-edge",
		"Library/Keychains", "Library/Application Support/Google/Chrome", "Library/Application Support/Firefox",
		"AppData/Roaming/Mozilla", "AppData/Local/Google/Chrome", "AppData/Roaming/Microsoft/Credentials",
		"snap", ".var/app", ".config/Bitwarden", ".config/1Password", ".config/KeePassXC", ".config/keepassxc", ".config/rclone", ".config/hub", ".config/glab-cli",
		".config/configstore", ".config/sops", ".config/age", ".pgpass", ".my.cnf", ".vault-token", ".terraform.d", ".terraformrc", ".boto", ".s3cfg", ".databrickscfg",
		".bitcoin", ".ethereum", ".electrum", ".monero", ".config/solana", ".config/Exodus", ".config/Signal", ".config/Slack", ".config/discord",
		".cargo/credentials", ".cargo/credentials.toml", ".gem/credentials", ".m2/settings.xml", ".gradle/gradle.properties", ".composer/auth.json", ".config/pip",
		".bash_history", ".zsh_history", ".local/share/fish/fish_history", ".python_history", ".node_repl_history", ".psql_history", ".mysql_history", ".sqlite_history",
		".lesshst", ".viminfo", ".wget-hsts",
	}
	settings = []string{".config", ".local", ".local/share", "Library", "Library/Application Support", "AppData", "AppData/Roaming", "AppData/Local"}
)
