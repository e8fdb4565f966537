/**
 * Reads `.env` of the current folder, if it exists, for commands other than the server. Node's own flag prints a message if the file is
 * missing.
 */
import { existsSync } from 'node:fs'
import { loadEnvFile } from 'node:process'

if (existsSync('.env')) loadEnvFile('.env')
