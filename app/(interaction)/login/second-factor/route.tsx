import { formHandler, hostedPage } from '#app/_ui/hosted-route.ts'
import { readForm } from '#lib/http/read-params.ts'
import { secondFactorPath } from '#lib/protocol/wire/local-paths.ts'
import { checkCode, showCodePage } from './code-page.tsx'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  secondFactorPath,
  showCodePage('totp'),
  formHandler(checkCode('totp'), readForm),
)
