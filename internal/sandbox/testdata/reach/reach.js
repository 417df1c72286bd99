// Fetches each address of its arguments, and says what came of it. This node's own
// fetch knows no proxies; what asks for one does as below.
const http = require('http'), tls = require('tls'), net = require('net')

const text = stream => new Promise((resolve, reject) => {
  let all = ''
  stream.setEncoding('utf8')
  stream.on('data', part => { all += part })
  stream.on('end', () => resolve(all))
  stream.on('error', reject)
})

function plain (url) {
  const proxy = new URL(process.env.http_proxy)
  return new Promise((resolve, reject) => {
    http.get({ host: proxy.hostname, port: proxy.port, path: url, headers: { host: 'elsewhere.example' } }, async answer => {
      const body = await text(answer)
      if (answer.statusCode === 200) resolve(body)
      else reject(new Error(answer.statusCode + ' ' + body))
    }).on('error', reject)
  })
}

function secret (url) {
  const proxy = new URL(process.env.https_proxy)
  const { host, pathname } = new URL(url)
  return new Promise((resolve, reject) => {
    const ask = http.request({ host: proxy.hostname, port: proxy.port, method: 'CONNECT', path: host })
    ask.on('error', reject)
    ask.on('connect', async (answer, socket) => {
      if (answer.statusCode !== 200) return reject(new Error(answer.statusCode + ' ' + answer.statusMessage))
      const inner = tls.connect({ socket, rejectUnauthorized: false })
      inner.on('error', reject)
      inner.write(`GET ${pathname} HTTP/1.0\r\nHost: ${host}\r\n\r\n`)
      resolve((await text(inner)).split('\r\n\r\n')[1])
    })
    ask.end()
  })
}

function direct (url) {
  const [, host, port] = url.match(/^direct:\/\/\[?(.*?)\]?:(\d+)$/)
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host, port })
    socket.on('error', reject)
    socket.write('GET /direct HTTP/1.0\r\n\r\n')
    text(socket).then(all => resolve(all.split('\r\n\r\n')[1]), reject)
  })
}

(async () => {
  for (const url of process.argv.slice(2)) {
    let body = ''; let why = ''
    try {
      body = await (url.startsWith('direct:') ? direct : url.startsWith('https:') ? secret : plain)(url)
    } catch (e) { why = String(e) }
    console.log(JSON.stringify({ url, body, why }))
  }
})()
