/** What runs in the browser on pages of the dashboard, bundled into `/admin.js`. Every page works without it. */
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { adviseWhileTyping } from './advise.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { Palette } from './palette.tsx'
import { watchForms } from './save-bar.ts'
import { followEvents } from './tail.ts'
import { switchThemeAtOnce } from './theme.ts'

switchThemeAtOnce()
watchForms()
for (const list of document.querySelectorAll<HTMLElement>('[data-advises]')) adviseWhileTyping(list)
for (const place of document.querySelectorAll<HTMLElement>('[data-newest]')) followEvents(place)

const dialogs = createRoot(document.body.appendChild(document.createElement('div')))
// Ready when the page is: the first key counts
flushSync(() =>
  dialogs.render(
    <>
      <ConfirmDialog />
      <Palette />
    </>,
  ),
)
