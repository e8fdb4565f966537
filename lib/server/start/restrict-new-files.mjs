/**
 * Files that this process creates can be read by its own account only: database, keys, lock and socket, from their first byte. Every
 * program that opens the data imports it before anything else.
 */
import { privateUmask } from './bootstrap-stamps.mjs'

process.umask(privateUmask)
