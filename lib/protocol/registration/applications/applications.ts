/** The list of all applications. A new application is one entry in a file of this folder and one name here. */
import type { Application } from './application.ts'
import { directus, jupyterHub, pgAdmin } from './data.ts'
import { oauth2Proxy } from './proxies.ts'

export const applications: readonly Application[] = [directus, jupyterHub, pgAdmin, oauth2Proxy]

/** Finds an application by its `id`. */
export function findApplication(id: string | undefined): Application | null {
  return applications.find(application => application.id === id) ?? null
}
