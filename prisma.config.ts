/** The settings of the `prisma` command, for running it by hand, such as `prisma studio` on the SQLite file. */
import { join } from 'node:path'
import type { PrismaConfig } from 'prisma'

export default {
  schema: join(import.meta.dirname, 'prisma', 'schema.prisma'),
  migrations: { path: join(import.meta.dirname, 'prisma', 'migrations', 'sqlite') },
} satisfies PrismaConfig
