/** Unpacks what Node needs of the system: C libraries, certificates and time zones, from Debian's packages. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const packages = ['libc6', 'libgcc-s1', 'libstdc++6', 'ca-certificates', 'tzdata']

/** Parts of these packages that no program of the package reads; the licenses stay. */
const unneeded = [
  'usr/share/man',
  'usr/share/lintian',
  'usr/share/bug',
  'usr/share/gdb',
  'usr/share/gcc',
  'usr/share/zoneinfo/right',
  'usr/sbin',
  'etc/ld.so.conf.d',
]

/** The user that the server runs as. The name of the group is the same. */
export const account = { name: 'latchkey', id: 65532 }

/**
 * Fills an empty folder. Returns the control fields of the packages that it unpacked.
 * @throws if a package cannot be downloaded.
 */
export function writeSystemFiles(target) {
  const controls = unpackPackages(target)
  for (const part of [...unneeded, ...characterSets(target)])
    rmSync(join(target, part), { recursive: true, force: true })
  writeCertificates(target)
  writeAccounts(target)
  for (const folder of ['data', 'tmp', 'proc', 'dev']) mkdirSync(join(target, folder))
  chmodSync(join(target, 'tmp'), 0o1777)
  if (process.getuid?.() === 0) chownSync(join(target, 'data'), account.id, account.id)
  return controls
}

function unpackPackages(target) {
  const downloads = mkdtempSync(join(tmpdir(), 'latchkey-packages-'))
  try {
    execFileSync('apt-get', ['-o', 'APT::Sandbox::User=root', '-qq', 'download', ...packages], {
      cwd: downloads,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const files = readdirSync(downloads).sort()
    for (const file of files) execFileSync('dpkg-deb', ['--extract', join(downloads, file), target])
    return files.map(file =>
      execFileSync('dpkg-deb', ['--field', join(downloads, file)], { encoding: 'utf8' }),
    )
  } finally {
    rmSync(downloads, { recursive: true })
  }
}

/** Returns the folder of conversions between character sets, which Node does itself: 8 MB. */
function characterSets(target) {
  const folders = readdirSync(join(target, 'usr/lib')).filter(name => name.endsWith('-linux-gnu'))
  return folders.map(name => `usr/lib/${name}/gconv`)
}

/** Writes the certificates as one file, which Debian's package does when it is installed. */
function writeCertificates(target) {
  const source = join(target, 'usr/share/ca-certificates')
  const files = readdirSync(source, { recursive: true }).filter(name => name.endsWith('.crt'))
  const all = files.sort().map(name => readFileSync(join(source, name), 'utf8').trimEnd())
  mkdirSync(join(target, 'etc/ssl/certs'), { recursive: true })
  writeFileSync(join(target, 'etc/ssl/certs/ca-certificates.crt'), `${all.join('\n')}\n`)
}

function writeAccounts(target) {
  const { name, id } = account
  writeFileSync(join(target, 'etc/passwd'), `${name}:x:${id}:${id}::/data:/nonexistent\n`)
  writeFileSync(join(target, 'etc/group'), `${name}:x:${id}:\n`)
}
