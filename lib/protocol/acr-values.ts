import { type ProviderScheme, providerSchemeSchema } from './ids.ts'

export type AcrValues = {
  /** From `idp:<name>`: where the app wants the person to sign in; may name our own store. */
  readonly idp: ProviderScheme | null
  /** From `tenant:<name>`, opaque to us, for the user service. */
  readonly tenant: string | null
  /** Everything else, for the user service. */
  readonly others: readonly string[]
}

// Names only: neither an address nor a path fits
const tenantShape = /^[\p{L}\p{N}._~@-]{1,100}$/u

/** Reads `acr_values`. They are wishes, so a malformed `idp:` or `tenant:` is left out and nothing is refused. */
export function parseAcrValues(value: string): AcrValues {
  const words = [...new Set(value.split(' ').filter(word => word !== ''))]
  return {
    idp: providerSchemeSchema.safeParse(firstAfter('idp:', words)).data ?? null,
    tenant: parseTenant(firstAfter('tenant:', words)),
    others: words.filter(word => !word.startsWith('idp:') && !word.startsWith('tenant:')),
  }
}

function firstAfter(prefix: string, words: readonly string[]): string {
  return words.find(word => word.startsWith(prefix))?.slice(prefix.length) ?? ''
}

function parseTenant(name: string): string | null {
  return tenantShape.test(name) ? name : null
}
