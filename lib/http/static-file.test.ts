import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { fileReply, staticFile } from './static-file.ts'

const text = 'body { color: black }'
const file = staticFile('text/css; charset=utf-8', Buffer.from(text))

function ask(headers: Record<string, string>, asked = file) {
  return fileReply(asked, new Request('https://id.example.org/x', { headers }), 'public, max-age=0')
}

describe('RFC 9110 12.5.3 a text file is sent in the smallest encoding that is accepted', () => {
  const decoders = { br: brotliDecompressSync, gzip: gunzipSync } as const
  for (const [accepted, encoding] of [
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['br;q=0.001', 'br'],
    ['bro', undefined],
    ['', undefined],
  ] as const) {
    test(`accept-encoding: ${accepted}`, async () => {
      const { headers, bytes } = await ask({ 'accept-encoding': accepted })
      assert.equal(headers['content-encoding'], encoding)
      assert.equal(headers.vary, 'Accept-Encoding')
      const decode = encoding === undefined ? (sent: Uint8Array) => sent : decoders[encoding]
      assert.equal(Buffer.from(decode(bytes ?? new Uint8Array())).toString(), text)
    })
  }

  test('a picture in a binary format is sent as it is', async () => {
    const icon = staticFile('image/x-icon', Buffer.from('x'))
    assert.equal((await ask({ 'accept-encoding': 'br' }, icon)).headers['content-encoding'], undefined)
  })
})

describe('RFC 9110 13.1.2 a browser that has the file gets no content', () => {
  const other = staticFile('text/css; charset=utf-8', Buffer.from('other'))
  for (const [known, status] of [
    [file.etag, 304],
    [`"x", ${file.etag}`, 304],
    ['*', 304],
    [other.etag, 200],
  ] as const) {
    test(`if-none-match: ${known === other.etag ? 'another version' : known}`, async () => {
      const reply = await ask({ 'if-none-match': known })
      assert.deepEqual([reply.status, reply.headers.etag], [status, file.etag])
      assert.equal(reply.bytes === undefined, status === 304)
    })
  }
})
