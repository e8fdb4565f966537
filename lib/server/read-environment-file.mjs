/** Reads `.env`, if there is one, for commands beside the server. Node's own flag says so where there is none. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { loadEnvFile } from 'node:process'
import { root } from './start/bootstrap-stamps.mjs'

const file = join(root, '.env')
if (existsSync(file)) loadEnvFile(file)
