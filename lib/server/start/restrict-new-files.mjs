/**
 * Restricts files that this process creates to its own account: database, keys, lock and socket, from their first byte.
 * Every program that opens the data imports this file before code that creates files.
 */
import { privateUmask } from './bootstrap-stamps.mjs'

process.umask(privateUmask)
