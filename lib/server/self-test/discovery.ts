/** The checks of the metadata and the key set (OpenID Connect Discovery 4, RFC 8414). */
import { isRecord } from '#lib/protocol/registration/fields.ts'
import { ownUrl } from '#lib/protocol/wire/own-addresses.ts'
import type { Finding } from '../doctor/finding.ts'
import { type Probe, type Reply, verdict } from './probe.ts'

/** The responses that later checks need. */
export type Discovered = {
  readonly metadata: Reply
  readonly keySet: Reply
  readonly findings: readonly Finding[]
}

const origin = { origin: 'https://unknown.example' }

export async function checkDiscovery(probe: Probe, issuer: string): Promise<Discovered> {
  const [metadata, keySet] = await Promise.all([
    probe('/.well-known/openid-configuration', { headers: origin }),
    probe('/.well-known/jwks', { headers: origin }),
  ])
  return { metadata, keySet, findings: [...metadataFindings(metadata, issuer), ...keyFindings(keySet)] }
}

function metadataFindings(metadata: Reply, issuer: string): readonly Finding[] {
  const { json } = metadata
  const has = (name: string, value: string) => Array.isArray(json[name]) && json[name].includes(value)
  const addresses = Object.entries(json).filter(([name]) => /_endpoint$|^jwks_uri$/.test(name))
  const foreign = addresses.filter(([, value]) => !String(value).startsWith(ownUrl(issuer, '/')))
  return [
    verdict(
      'metadata',
      metadata.status === 200 && metadata.header('content-type').startsWith('application/json'),
      ['The metadata is JSON.', `The metadata has the status ${metadata.status}, or is not JSON.`],
    ),
    verdict('issuer', json.issuer === issuer, [
      'The metadata names this issuer.',
      'The metadata names a different issuer.',
      'Set ISSUER to the public address on all nodes.',
    ]),
    verdict('endpoints', addresses.length > 1 && foreign.length === 0, [
      'All endpoints are at the public address.',
      `Endpoints are at other addresses: ${foreign.map(([name]) => name).join(', ')}.`,
    ]),
    verdict('code flow', has('response_types_supported', 'code'), [
      'The metadata offers the code flow.',
      'The metadata does not offer the code flow.',
      'Turn on the endpoint authorize in LATCHKEY_ENABLED_ENDPOINTS.',
    ]),
    verdict('pkce offered', has('code_challenge_methods_supported', 'S256'), [
      'The metadata offers PKCE with S256.',
      'The metadata does not offer PKCE with S256.',
    ]),
    verdict('unsigned tokens', !has('id_token_signing_alg_values_supported', 'none'), [
      'No unsigned ID tokens are offered.',
      'Unsigned ID tokens are offered.',
    ]),
    varyFinding('metadata: caches', metadata),
  ]
}

const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']

function keyFindings(keySet: Reply): readonly Finding[] {
  const keys = Array.isArray(keySet.json.keys) ? keySet.json.keys.filter(isRecord) : []
  return [
    verdict('key set', keySet.status === 200 && keys.length > 0, [
      'The key set has keys.',
      `The key set has the status ${keySet.status}, or no keys.`,
    ]),
    verdict(
      'public keys',
      keys.every(key => privateMembers.every(name => !(name in key))),
      [
        'The key set has only public keys.',
        'The key set has private keys.',
        'Stop the server, and replace all keys.',
      ],
    ),
    varyFinding('key set: caches', keySet),
  ]
}

/** Responses depend on the origin of the script that reads them: a cache must not give one site the response for another. */
function varyFinding(check: string, reply: Reply): Finding {
  return verdict(check, /\borigin\b/i.test(reply.header('vary')), [
    'Caches keep the responses for different sites apart.',
    'Caches may give one site the response for another: the header Vary does not arrive.',
    'Let the proxy pass the header Vary unchanged.',
  ])
}
