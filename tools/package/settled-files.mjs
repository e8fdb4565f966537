/** Removes from Next's lists what differs between two builds of the same files. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const lists = /^\.next\/(?:server\/)?[^/]+\.js(?:on)?$/

/**
 * Returns a function that returns the content of a file for a package, or null if it is copied as it is.
 *
 * Next draws keys for previews and for functions of the server that pages call. The app has neither, so the keys protect
 * nothing; everyone who has the package would know them.
 */
export function settledContents(root) {
  const { preview } = readList(root, '.next/prerender-manifest.json')
  const { encryptionKey } = readList(root, '.next/server/server-reference-manifest.json')
  const drawn = [...Object.values(preview), encryptionKey].map(key => [key, blankOf(key)])
  return file => {
    if (!lists.test(file)) return null
    const text = readFileSync(join(root, file), 'utf8')
    // The folder of the clone is a part of a few settings that only the build reads
    const replaced = [...drawn, [root, '/app']].reduce(
      (all, [value, other]) => all.replaceAll(value, other),
      text,
    )
    return replaced === text ? null : replaced
  }
}

/** Returns a key of the same form that has only zeros. */
function blankOf(key) {
  const isHex = /^[0-9a-f]+$/.test(key)
  return isHex ? '0'.repeat(key.length) : Buffer.alloc(Buffer.from(key, 'base64').length).toString('base64')
}

function readList(root, file) {
  return JSON.parse(readFileSync(join(root, file), 'utf8'))
}
