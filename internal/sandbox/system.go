package sandbox

// system lists the paths that programs need to run. They are the same for all users and contain no
// secrets. From /etc it contains only files that libraries read.
var system = []string{
	"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32",
	"/nix/store", "/gnu/store", "/snap", "/home/linuxbrew/.linuxbrew",

	// libraries, and the choice between alternative programs
	"/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/ld.so.preload", "/etc/alternatives",
	// certificates
	"/etc/ssl", "/etc/pki", "/etc/ca-certificates", "/etc/ca-certificates.conf", "/etc/crypto-policies",
	"/etc/gnutls", "/var/lib/ca-certificates",
	// time and language
	"/etc/localtime", "/etc/timezone", "/etc/locale.conf", "/etc/locale.alias", "/etc/default/locale", "/var/lib/locales",
	// public names: users, groups, services, file types
	"/etc/passwd", "/etc/group", "/etc/nsswitch.conf", "/etc/services", "/etc/protocols", "/etc/mime.types", "/etc/magic",
	"/etc/os-release", "/etc/lsb-release", "/etc/debian_version", "/etc/terminfo", "/etc/fonts", "/var/cache/fontconfig", "/etc/shells", "/etc/gitconfig", "/etc/gitattributes", "/etc/papersize", "/etc/machine-id",
	// interpreters
	"/etc/python3", "/etc/python", "/etc/perl", "/etc/profile", "/etc/bash.bashrc", "/etc/inputrc", "/etc/java", "/etc/ImageMagick-6", "/etc/ImageMagick-7",

	// properties of the machine
	"/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/loadavg", "/proc/uptime", "/proc/version", "/proc/filesystems", "/proc/cgroups",
	"/proc/sys/kernel/osrelease", "/proc/sys/kernel/random", "/proc/sys/vm/overcommit_memory", "/proc/sys/vm/max_map_count",
	"/proc/sys/net/core/somaxconn", "/proc/sys/kernel/cap_last_cap", "/proc/sys/fs/nr_open",
	"/sys/devices/system/cpu", "/sys/devices/system/node", "/sys/kernel/mm/transparent_hugepage",
}

// localNames is the file in which libraries find the address of localhost.
const localNames = "/etc/hosts"

// resolver lists the files that resolve host names.
var resolver = []string{
	"/etc/resolv.conf", localNames, "/etc/host.conf", "/etc/gai.conf", "/etc/networks",
	"/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager/resolv.conf",
}

// devices are accessible to everybody and store nothing.
var devices = []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"}
