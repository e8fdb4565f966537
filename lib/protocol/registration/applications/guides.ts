/** Writes the guides in `docs/applications`: one page for each application, and a table of all. */
import { type Application, applicationGroups } from './application.ts'
import { applications } from './applications.ts'
import { clientOf, fillIn } from './fill-in.ts'

export type Guide = { readonly path: string; readonly content: string }

const issuer = 'https://id.example.com'

/** The guides with their paths below `docs/applications`. `npm run docs:write` writes them. */
export function applicationGuides(): readonly Guide[] {
  return [
    { path: 'README.md', content: overview() },
    ...applications.map(application => ({ path: `${application.id}.md`, content: guide(application) })),
  ]
}

function overview(): string {
  const sections = applicationGroups.map(group => {
    const rows = applications.filter(application => application.group === group).map(row)
    return `\n## ${group}\n\n| application | claims | sign-out | limits | version | test |\n|---|---|---|---|---|---|\n${rows.join('\n')}\n`
  })
  return `# Applications

The settings of ${applications.length} applications on both sides. In the dashboard, *New client* fills them in from the address of the application. “Tried” means
that this version was connected to this server; the settings of the others follow public descriptions, and no one has connected them here. “Test” names the test that runs the
application. For an application that is not listed, see [Connect an application](../connect-an-application.md).
${sections.join('')}`
}

function row(application: Application): string {
  const { id, name, claims, limits, signOut } = application
  const cells = [
    `[${name}](${id}.md)`,
    claims.map(claim => `\`${claim}\``).join(', '),
    shown(signOut, application),
    limits.map(limit => shown(limit, application)).join(' '),
    versionOf(application),
    testOf(application),
  ]
  return `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

function versionOf({ version: { number, from } }: Application): string {
  const named = number ?? 'not named'
  return `${named}, ${from === 'trial' ? 'tried' : 'not tried'}`
}

function testOf({ test }: Application): string {
  return test === null ? 'none' : `\`${test}\``
}

function guide(application: Application): string {
  const { id, name, claims, steps, files, signOut, limits, documents, addressExample } = application
  const secret = application.kind === 'web' ? { client_secret: '…' } : {}
  const client = { client_id: id, ...secret, ...clientOf(application, addressExample) }
  const place =
    addressExample === null
      ? ''
      : ` This page shows the application at ${addressExample}: replace that address.`
  return `# ${name}

In the dashboard, choose *${name}* under *New client*, which fills in the client.${place} The issuer is ${issuer} here.

## Client

For a configuration file:

\`\`\`json
${JSON.stringify(client, null, 2)}
\`\`\`

## ${name}

${steps.map((step, index) => `${index + 1}. ${shown(step, application)}`).join('\n')}

${files.map(({ path, language, content }) => `${shown(path, application)}:\n\n\`\`\`${language}\n${shown(content, application)}\`\`\`\n`).join('\n')}
## Behavior

| subject | |
|---|---|
| claims that it reads | ${claims.map(claim => `\`${claim}\``).join(', ')} |
| sign-out | ${shown(signOut, application)} |
| version | ${versionOf(application)} |
| test | ${testOf(application)} |

${limits.map(limit => `- ${shown(limit, application)}`).join('\n')}

See [its documents](${documents}).
`
}

function shown(template: string, { id, addressExample }: Application): string {
  return fillIn(template, { issuer, clientId: id, app: addressExample })
}
