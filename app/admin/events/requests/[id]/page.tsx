/** The story of one request: each check in order, the one that failed, and what puts it right. */
import { notFound } from 'next/navigation'
import { readStory } from '#lib/admin/events/story.ts'
import { AdminShell } from '../../../_ui/admin-shell.tsx'
import { PageHeader } from '../../../_ui/page-header.tsx'
import { Section } from '../../../_ui/section.tsx'
import { adminPage } from '../../../admin-page.ts'
import { type DetailInput, idOf } from '../../../segments.ts'
import { EventList } from '../../event-list.tsx'
import { storyPath } from '../../paths.ts'
import { Checks } from '../../story-checks.tsx'
import { StoryFacts } from '../../story-facts.tsx'
import { Verdict } from '../../story-verdict.tsx'

export default async function StoryPage(input: DetailInput) {
  const id = (await idOf(input)).toUpperCase()
  const page = await adminPage('events:read', storyPath(id), input)
  const story = await readStory(page.ports, id)
  if (story === null) notFound()
  const position = story.checks.findIndex(({ result }) => result === 'failed')
  return (
    <AdminShell page={page} title={`Request ${id}`}>
      <PageHeader
        title={`Request ${id}`}
        back={{ name: 'Events', href: '/admin/events' }}
        aside={
          story.main.outcome === 'failure' ? (
            <span className="tag bad">{position === -1 ? 'Refused' : `Refused at step ${position + 1}`}</span>
          ) : (
            <span className="tag good">Went well</span>
          )
        }
        description={<StoryFacts story={story} />}
      />
      <Verdict page={page} story={story} />
      {story.checks.length > 0 && <Checks checks={story.checks} />}
      {story.related.length > 0 && (
        <Section title="The whole sign-in" description="Everything that belongs together, oldest first.">
          <EventList
            events={story.related.map(({ event }) => event)}
            names={story.names}
            now={page.now}
            current={id}
          />
        </Section>
      )}
    </AdminShell>
  )
}
