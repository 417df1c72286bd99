// A hostile server: tries whatever gets it out of its sandbox, and tells of each
// attempt on stdout, a JSON object per line. What JavaScript cannot do is done
// by the native program that it brings along, as packages do. See escape/main.go.
const fs = require('fs'), net = require('net'), dgram = require('dgram'), os = require('os'), path = require('path')
const { execFileSync } = require('child_process')

const w = JSON.parse(fs.readFileSync(process.argv[2]))
const own = name => path.join(process.env.STATE_DIRECTORY, name)
const at = name => path.join(w.Outside, name)
const proc = (pid, name) => `/proc/${pid}/${name}`
const must = (ok, why) => { if (!ok) throw new Error(why) }
const tell = file => must(fs.readFileSync(file, 'utf8').includes('secret'), 'it is not there')
const said = (program, ...args) => must(execFileSync(program, args, { encoding: 'utf8', stdio: 'pipe' }).includes('secret'), 'it says nothing')
const touch = file => { fs.writeFileSync(file, 'was here\n'); return file }

const shown = (name, act) => { const fd = fs.openSync(path.join(w.Shown, name), 'r'); try { act(fd) } finally { fs.closeSync(fd) } }

const dial = options => new Promise((resolve, reject) => {
  const s = net.connect(options, () => s.end('secret', resolve))
  s.on('error', reject)
})
const listen = options => new Promise((resolve, reject) => {
  const s = net.createServer().listen(options, () => s.close(resolve))
  s.on('error', reject)
})
const udp = () => new Promise((resolve, reject) => {
  const s = dgram.createSocket('udp4')
  s.on('error', reject)
  s.send('secret', w.UDP, '127.0.0.1', err => { s.close(); err ? reject(err) : resolve() })
})
const bound = () => new Promise((resolve, reject) => {
  const s = dgram.createSocket('udp4')
  s.on('error', reject)
  s.bind(0, '127.0.0.1', () => s.close(resolve))
})

const attempts = {
  'read the key in ~/.ssh': () => tell(w.Secret),
  'read a private file of the system': () => tell(w.Etc),
  "read another server's data": () => tell(w.Other),
  "read goated's history": () => tell(w.History),
  'read by a link that came with it': () => tell(w.Link),
  'read by a symbolic link': () => { fs.symlinkSync(w.Secret, own('link')); tell(own('link')) },
  'read by a hard link': () => { fs.linkSync(w.Secret, own('hard')); tell(own('hard')) },
  'read by ..': () => tell(w.Script + '/' + path.relative(w.Script, w.Secret)),
  'read below /proc/self/root': () => tell('/proc/self/root' + w.Secret),
  'read after a change of the working directory': () => { process.chdir(path.dirname(w.Secret)); try { tell('id_ed25519') } finally { process.chdir('/') } },
  'read by a stream': () => new Promise((resolve, reject) => fs.createReadStream(w.Secret).on('data', resolve).on('error', reject)),
  'copy the key': () => { fs.copyFileSync(w.Secret, own('copy')); tell(own('copy')) },
  'list the home folder': () => fs.readdirSync(w.Home),
  'list the folder above its own': () => fs.readdirSync(path.dirname(w.Script)),
  'read an inherited descriptor': () => { const b = Buffer.alloc(64); fs.readSync(w.FD, b, 0, 64, 0); must(b.includes('secret'), 'something else') },
  'read with a child process': () => said('cat', w.Secret),
  'read with a shell': () => said('sh', '-c', 'cat < ' + w.Secret),
  'run a program that it cannot read': () => said(at('tool')),
  'watch the home folder': () => fs.watch(w.Home).close(),
  "read the host's environment": () => fs.readFileSync(proc(w.Host, 'environ')),
  "read the victim's command line": () => fs.readFileSync(proc(w.Victim, 'cmdline')),
  'find where the host works': () => fs.readlinkSync(proc(w.Host, 'cwd')),
  "read below the host's root": () => tell(proc(w.Host, 'root') + w.Secret),
  'read what another program shares in memory': () => tell(w.Shared),
  "read the host's files by their descriptors": () => fs.readdirSync(proc(w.Host, 'fd')),
  "open the host's memory": () => fs.closeSync(fs.openSync(proc(w.Host, 'mem'), 'r+')),
  "read the host's map of memory": () => fs.readFileSync(proc(w.Host, 'maps')),
  "read the victim's environment": () => fs.readFileSync(proc(w.Victim, 'environ')),
  'list all processes': () => must(fs.readdirSync('/proc').includes(String(w.Victim)), 'it is not there'),
  'read the table of connections': () => must(fs.readFileSync('/proc/net/tcp', 'utf8').includes(`:${w.TCP.toString(16).toUpperCase().padStart(4, '0')} `), 'it is another table'),
  'read the table of mounts': () => fs.readFileSync('/proc/self/mountinfo'),

  'make a file outside': () => touch(at('new')),
  'add to ~/.bashrc': () => fs.appendFileSync(w.Home + '/.bashrc', 'evil\n'),
  'overwrite a file outside': () => touch(at('over')),
  'empty a file outside': () => fs.truncateSync(at('empty'), 0),
  'make a folder outside': () => fs.mkdirSync(at('newdir')),
  'remove a file outside': () => fs.unlinkSync(at('gone')),
  'remove a folder outside': () => fs.rmdirSync(at('gonedir')),
  'rename a file outside': () => fs.renameSync(at('name'), at('renamed')),
  'take a file from outside': () => fs.renameSync(at('take'), own('taken')),
  'put a file outside by renaming it': () => fs.renameSync(touch(own('mine')), at('put')),
  'link its own file outside': () => fs.linkSync(touch(own('linked')), at('linked')),
  'make a symbolic link outside': () => fs.symlinkSync('/', at('symlink')),
  'write by a symbolic link': () => { fs.symlinkSync(at('bylink'), own('out')); fs.writeFileSync(own('out'), 'was here\n', { flag: 'r+' }) },
  'change a mode outside': () => fs.chmodSync(at('mode'), 0o777),
  'change an owner outside': () => fs.lchownSync(at('owner'), process.getuid(), process.getgid()),
  'change a time outside': () => fs.utimesSync(at('time'), 0, 0),
  'tamper with its own script': () => touch(w.Script + '/new'),
  'tamper with its own program': () => touch(w.Bin + '/new'),
  'leave a file in /tmp': () => fs.rmdirSync(fs.mkdtempSync('/tmp/escape-')),
  'leave a file in /dev/shm': () => touch(w.Left), // the test looks for it
  'open a new terminal': () => fs.closeSync(fs.openSync('/dev/ptmx', 'r+')),

  'change the mode of what it only reads': () => shown('mode', fd => fs.fchmodSync(fd, 0o777)),
  'change the mode of a folder that it only reads': () => shown('', fd => fs.fchmodSync(fd, 0o777)),
  'change the time of what it only reads': () => shown('time', fd => fs.futimesSync(fd, 1, 1)),
  'change the owner of what it only reads': () => shown('owner', fd => fs.fchownSync(fd, process.getuid(), process.getgid())),
  'make a set-id program by its descriptor': () => fs.fchmodSync(fs.openSync(own('setid'), 'w'), 0o4755),
  'make a set-id program by opening it': () => { fs.closeSync(fs.openSync(own('setid2'), 'w', 0o4755)); must(fs.statSync(own('setid2')).mode & 0o6000, 'it is none') },

  'connect by TCP': () => dial({ host: '127.0.0.1', port: w.TCP }),
  'connect by TCP over IPv6': () => dial({ host: '::1', port: w.TCP6 }),
  'listen by TCP': () => listen({ host: '127.0.0.1', port: 0 }),
  'send by UDP': udp,
  'receive by UDP': bound,
  'ask netlink for the addresses': () => os.networkInterfaces(),
  'connect to D-Bus': () => dial({ path: w.Sockets + '/bus' }),
  'connect to Docker': () => dial({ path: w.Sockets + '/docker.sock' }),
  'connect to the SSH agent': () => dial({ path: w.Sockets + '/agent' }),
  'listen on a socket outside': () => listen({ path: at('listen') }),

  'signal the host': () => process.kill(w.Host, 'SIGURG'),
  "signal the host's group": () => process.kill(-w.Group, 'SIGURG'),
  'signal the victim': () => process.kill(w.Victim, 'SIGCONT'),
  'slow the victim down': () => os.setPriority(w.Victim, 5),
  'open more files than are allowed': () => {
    const all = []
    try { for (let i = 0; i < 5000; i++) all.push(fs.openSync('/dev/null', 'r')) } finally { all.forEach(fd => fs.closeSync(fd)) }
  },
  'make a file larger than is allowed': () => {
    try { fs.writeFileSync(own('large'), ''); fs.truncateSync(own('large'), 2 ** 40) } finally { fs.unlinkSync(own('large')) }
  },
}

// What the native program knows beyond these.
const brought = [
  "read below a folder's descriptor", 'read with a program in memory', 'run a set-id program for what its group reads',
  'watch the home folder by fanotify', 'take a handle of the key', 'empty a file outside by opening it', 'exchange a file with one outside',
  'make a pipe outside', 'change a mode outside by a descriptor of no access', 'change a mode outside by the newest call', 'set an attribute outside',
  'open a file by io_uring', 'open a file by openat2', 'connect by TCP while sending', 'connect by an address that changes', 'connect by multipath TCP', 'make a vsock socket',
  'connect to an abstract socket', 'connect to X11', 'send to the journal', "signal the host's thread", 'signal a thread of the host as if it were a process', 'signal the thread that made it',
  'signal the thread that made it by a descriptor', 'signal the host by a descriptor', 'queue a signal for the victim',
  'have a thread of the host signalled by input', 'trace the victim', "read the victim's memory", 'take a file of the host',
  "compare the host's files with its own", 'limit the victim', 'bind the victim to one processor', 'become root of a user namespace',
  'unshare a user namespace', 'make a network of its own', 'mount in a namespace', 'measure by perf_event_open', "leave a key in the user's keyring",
  "read the user's keyring", 'handle page faults', 'turn off the randomizing of addresses', 'read shared memory', 'open a message queue',
  "read the host's environment by its threads", "open the host's memory by its threads", "read the host's files by the descriptors of its threads",
  'find where a thread of the host works', 'trace the host', "enter the host's network", 'mount anew what it sees', 'uncover what lies below /dev/shm',
  'set an attribute of what it only reads', 'remove an attribute of what it only reads', 'mark what it only reads', 'mark what it only reads, the other way',
  'put a tree of btrfs into a folder that it only reads', 'keep others waiting for what it only reads', 'be signalled when a folder changes',
  'change a time outside by an address that is half zero', 'read an attribute outside', 'list the attributes of a file outside',
  'make a set-id program without a name', 'make a set-id program as a node', 'send to the journal by one end of a pair',
  'send to the journal by one end of a raw pair', 'ask a socket for the addresses', 'take a watcher of files', 'make a queue for the disk',
  'make more timers than are allowed', 'have more files in flight than are allowed',
  'start more processes than are allowed', 'take more memory than is allowed', 'leave a picture of its memory',
]

async function main() {
  for (const until = Date.now() + 10000; !fs.existsSync(w.Tasks) && Date.now() < until;) await new Promise(r => setTimeout(r, 10))
  for (const [name, attempt] of Object.entries(attempts)) {
    let why = ''
    try { await attempt() } catch (e) { why = String(e.message || e) || 'refused' }
    console.log(JSON.stringify({ name, out: why === '', why }))
  }
  process.stdout.write(execFileSync(path.join(w.Script, 'escape'), [process.argv[2], ...brought], { encoding: 'utf8' }))
}
main()
