// Fetches an address as axios does: it asks the proxy of the environment by a request of its
// own, which a node that uses the proxy for each request may send to the proxy for the proxy.
const http = require('http')

const proxy = new URL(process.env.HTTP_PROXY), to = new URL(process.argv[2])
const say = (body, why) => console.log(JSON.stringify({ url: to.href, body, why }))
http.get({ host: proxy.hostname, port: proxy.port, path: to.href, headers: { host: to.host } }, answer => {
  let all = ''
  answer.setEncoding('utf8')
  answer.on('data', part => { all += part })
  answer.on('end', () => answer.statusCode === 200 ? say(all, '') : say('', answer.statusCode + ': ' + all))
}).on('error', error => say('', String(error)))
