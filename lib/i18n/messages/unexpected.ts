/** The text for a page that failed: apart from the catalogues, since the browser needs it without the rest. */

type Words = { readonly title: string; readonly body: string; readonly action: string }

export const unexpected = {
  en: {
    title: 'Something failed on our side',
    body: 'Nothing was changed. Try again in a moment.',
    action: 'Try again',
  },
  de: {
    title: 'Bei uns ist etwas schiefgegangen',
    body: 'Es wurde nichts verändert. Versuchen Sie es gleich noch einmal.',
    action: 'Erneut versuchen',
  },
} satisfies Record<string, Words>
