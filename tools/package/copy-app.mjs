/** Copies files of the built app into a package. */
import { copyFileSync, lstatSync, mkdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { settledContents } from './settled-files.mjs'

/** Copies the files, whose paths are relative to `root`, into the folder `target`. */
export function copyFiles({ root, files, target }) {
  const settled = settledContents(root)
  for (const file of files) {
    const destination = join(target, file)
    const content = settled(file)
    mkdirSync(dirname(destination), { recursive: true })
    if (content === null) copyEntry(join(root, file), destination)
    else writeFileSync(destination, content)
  }
}

function copyEntry(source, destination) {
  // Next finds some packages through links
  if (lstatSync(source).isSymbolicLink()) symlinkSync(readlinkSync(source), destination)
  else copyFileSync(source, destination)
}
