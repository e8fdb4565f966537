/** The story of one request: each check in order, the one that failed, and what puts it right. */
import { readStory, type Story } from '#lib/admin/events/story.ts'
import { AdminShell } from '../../../_ui/admin-shell.tsx'
import { CopyButton } from '../../../_ui/copy-button.tsx'
import { PageHeader } from '../../../_ui/page-header.tsx'
import { withAdminErrors } from '../../../_ui/with-admin-errors.tsx'
import { PageRefusal, requireAdminPage } from '../../../admin-page.ts'
import { type DetailInput, idOf } from '../../../segments.ts'
import { storyPath } from '../../paths.ts'
import { Checks } from '../../story-checks.tsx'
import { StoryFacts } from '../../story-facts.tsx'
import { StorySteps } from '../../story-steps.tsx'
import { Verdict } from '../../story-verdict.tsx'

export default withAdminErrors(StoryPage)

async function StoryPage(input: DetailInput) {
  const id = (await idOf(input)).toUpperCase()
  const page = await requireAdminPage('events:read', storyPath(id), input)
  const story = await readStory(page.ports, id)
  if (story === null) throw new PageRefusal('thing', page)
  return (
    <AdminShell page={page} title={`Request ${id}`}>
      <PageHeader
        title={
          <span>
            Request <span id="reference">{id}</span>
          </span>
        }
        back={{ name: 'Events', href: '/admin/events' }}
        aside={
          <>
            <Outcome story={story} />
            <CopyButton name="the request ID" text={id} />
          </>
        }
        description={<StoryFacts story={story} />}
      />
      <Verdict page={page} story={story} />
      {story.checks.length > 0 && <Checks story={story} />}
      <StorySteps story={story} />
    </AdminShell>
  )
}

function Outcome({ story: { main, checks } }: { readonly story: Story }) {
  if (main.outcome !== 'failure') return <span className="tag good">Went well</span>
  const position = checks.findIndex(({ result }) => result === 'failed')
  return (
    <span className="tag bad">
      {position === -1 ? 'Refused' : `Refused at check ${position + 1} of ${checks.length}`}
    </span>
  )
}
