/** The list of all applications. A new application is one entry in a file of this folder and one name here. */
import type { Application } from './application.ts'
import { bookStack, miniflux, nextcloud, paperless, synapse, vaultwarden } from './collaboration.ts'
import { directus, grafana, jupyterHub, pgAdmin, superset } from './data.ts'
import { gitLab, jenkins, verdaccio } from './development.ts'
import { allauth, authJs, betterAuth, mozillaDjango, springBoot, streamlit } from './frameworks.ts'
import { audiobookshelf, immich, openWebUi } from './home.ts'
import { dex, kubernetes, proxmox, vault } from './infrastructure.ts'
import { apache, caddy, headscale, oauth2Proxy } from './proxies.ts'

/** All applications in the order in which they are listed. */
export const applications: readonly Application[] = [
  superset,
  directus,
  grafana,
  jupyterHub,
  pgAdmin,
  bookStack,
  miniflux,
  nextcloud,
  paperless,
  synapse,
  vaultwarden,
  audiobookshelf,
  immich,
  openWebUi,
  gitLab,
  jenkins,
  verdaccio,
  dex,
  vault,
  kubernetes,
  proxmox,
  apache,
  caddy,
  headscale,
  oauth2Proxy,
  authJs,
  betterAuth,
  allauth,
  mozillaDjango,
  springBoot,
  streamlit,
]

/** Finds an application by its `id`. */
export function findApplication(id: string | undefined): Application | null {
  return applications.find(application => application.id === id) ?? null
}

/** The applications whose name has a word that begins with each word of the text; all for an empty text. */
export function searchApplications(text: string): readonly Application[] {
  const typed = wordsIn(text)
  return applications.filter(({ name, group }) => {
    const words = wordsIn(`${name} ${group}`)
    return typed.every(start => words.some(word => word.startsWith(start)))
  })
}

function wordsIn(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word !== '')
}
