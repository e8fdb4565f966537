/** Reads the mails that development writes to the data folder. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

const storedMailSchema = z.object({
  id: z.string(),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  sentAt: z.iso.datetime(),
})
export type StoredMail = z.output<typeof storedMailSchema>

/** Returns the mails in the folder, newest first. A file that cannot be read as a mail is left out. */
export async function readMailFolder(folder: string): Promise<readonly StoredMail[]> {
  const names = await readdir(folder).catch((): string[] => [])
  const files = names
    .filter(name => name.endsWith('.json'))
    .toSorted()
    .reverse()
  const mails = await Promise.all(files.map(name => readMail(join(folder, name))))
  return mails.filter(mail => mail !== null)
}

async function readMail(file: string): Promise<StoredMail | null> {
  try {
    return storedMailSchema.safeParse(JSON.parse(await readFile(file, 'utf8'))).data ?? null
  } catch {
    // The file was deleted in between, or is being written
    return null
  }
}
