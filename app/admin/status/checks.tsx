/** The findings of a run of the doctor: problems with their fix, and folded, the checks without a problem. */
import type {
  Finding,
  FindingGroup,
  GroupedFinding,
  SelfTestGroup,
  SelfTestResult,
  Severity,
} from '#lib/admin/status/finding.ts'
import { Notice } from '../_ui/notice.tsx'

const groupNames: Readonly<Record<FindingGroup | SelfTestGroup, string>> = {
  settings: 'Settings',
  database: 'Database',
  keys: 'Keys',
  tasks: 'Periodic tasks',
  server: 'Server',
  address: 'Public address',
  discovery: 'Metadata and keys',
  authorization: 'Authorization requests',
  tokens: 'Tokens and revocation',
}

const tags: Readonly<Record<Severity, readonly [look: string, text: string]>> = {
  error: ['bad', 'Error'],
  warning: ['warn', 'Warning'],
  good: ['good', 'Good'],
}

type Grouped = GroupedFinding | SelfTestResult
type FindingsProps = { readonly findings: readonly Finding[] }

const isProblem = ({ severity }: Finding) => severity !== 'good'

/** All findings of a run: their number, and each group that has some. */
export function CheckResults<G extends Grouped['group']>({
  groups,
  findings,
}: {
  readonly groups: readonly G[]
  readonly findings: ReadonlyArray<Finding & { readonly group: G }>
}) {
  return (
    <>
      <ChecksSummary findings={findings} />
      {groups.map(group => (
        <CheckedGroup key={group} group={group} findings={findings.filter(it => it.group === group)} />
      ))}
    </>
  )
}

function ChecksSummary({ findings }: FindingsProps) {
  const count = findings.filter(isProblem).length
  if (count === 0)
    return <Notice kind="good">{`All is well: ${findings.length} checks found no problem.`}</Notice>
  return (
    <Notice kind="warn">
      {`${count === 1 ? '1 problem' : `${count} problems`} in ${findings.length} checks.`}
    </Notice>
  )
}

function CheckedGroup({ group, findings }: FindingsProps & { readonly group: Grouped['group'] }) {
  if (findings.length === 0) return null
  const problems = findings.filter(isProblem)
  const rest = findings.filter(finding => !isProblem(finding))
  return (
    <>
      <h3>{groupNames[group]}</h3>
      {problems.length > 0 && <FindingList findings={problems} />}
      {rest.length > 0 && (
        <details>
          <summary className="small">
            {rest.length === 1 ? '1 check without a problem' : `${rest.length} checks without a problem`}
          </summary>
          <FindingList findings={rest} />
        </details>
      )}
    </>
  )
}

function FindingList({ findings }: FindingsProps) {
  return (
    <ul className="alerts list">
      {findings.map(({ check, severity, text, fix }) => (
        <li key={`${check} ${text}`}>
          <span className={`tag ${tags[severity][0]}`}>{tags[severity][1]}</span>
          <span className="grow">
            {text} {fix !== null && <span className="muted">{fix}</span>}
          </span>
        </li>
      ))}
    </ul>
  )
}
