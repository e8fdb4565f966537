/** The ports that reach users outside of requests: the user service, and mail. */
import type { Config } from '#lib/config/env.ts'
import { securityNotice } from '#lib/core/sign-in/security-notice.ts'
import { standardUserService } from '#lib/identity/standard-user-service.ts'
import type { MailState, SecurityChange } from '#lib/ports/mail.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'
import type { Resources } from './resources.ts'

export type AccountParts = Pick<
  Resources,
  'storage' | 'extensions' | 'passwords' | 'random' | 'hashing' | 'sealing' | 'clock'
> & { readonly config: Pick<Config, 'mail'> }

/** Opens the user service: that of the extensions, or the one of this server's database. */
export function openUserService({ storage: { users }, extensions, ...parts }: AccountParts) {
  const standard = standardUserService({ ...parts, users })
  return extensions.userService?.(users, standard) ?? standard
}

/** Selects what the dashboard shows of the mail settings: never the credentials. */
export function mailState({ mail: settings }: Pick<Config, 'mail'>): MailState {
  if (settings.kind === 'off') return settings
  if (settings.kind === 'folder') return { kind: 'folder', folder: settings.folder }
  const { server, sender } = settings
  return { kind: 'smtp', host: server.host, port: server.port, from: sender.address }
}

/** Makes the mails of the operator's commands. The user service is opened at the first one. */
export function noticesOfCommands(parts: AccountParts) {
  const { random, sealing, clock } = parts
  let userService: ReturnType<typeof openUserService> | undefined
  return (subject: SubjectId, change: SecurityChange) => {
    userService ??= openUserService(parts)
    const ports = { mail: mailState(parts.config), userService, random, sealing, clock }
    return securityNotice(ports, subject, change)
  }
}
