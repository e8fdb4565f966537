import { scopeSecrets } from '#lib/admin/scopes/write-scopes.ts'
import { secretsPage } from '../../../resource/secrets.tsx'
import { scopePages } from '../../scope-pages.tsx'

export default secretsPage(scopePages, ({ name }) => ({
  useCases: scopeSecrets,
  hidden: { name },
  consequence: 'An API that still uses it is refused from now on.',
  empty:
    'An API needs a secret only to send tokens to the introspection endpoint. APIs that verify JWTs themselves need none.',
  purpose: `The API introspects as “${name}” with it.`,
}))
