/**
 * Reads `.env`, if it exists, for commands other than the server. Node's own flag prints a message if the file is
 * missing.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { loadEnvFile } from 'node:process'
import { root } from './start/bootstrap-stamps.mjs'

const file = join(root, '.env')
if (existsSync(file)) loadEnvFile(file)
