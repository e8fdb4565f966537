/** The marks of identity providers, which are trademarks of their owners: decoration next to the name. */
import type { ReactElement } from 'react'
import type { PresetName } from '#lib/protocol/registration/provider-presets.ts'

/** The mark of a provider. Nothing for a provider without a preset. */
export function ProviderMark({ preset }: { readonly preset: PresetName }) {
  const mark = marks[preset]
  if (mark === undefined) return null
  return (
    <svg className="provider-mark" viewBox={mark.box} aria-hidden="true" focusable="false">
      {mark.shape}
    </svg>
  )
}

type Mark = { readonly box: string; readonly shape: ReactElement }

const marks: Partial<Readonly<Record<PresetName, Mark>>> = {
  google: {
    box: '0 0 18 18',
    shape: (
      <>
        <path
          fill="#4285f4"
          d="M17.64 9.2q0-.96-.16-1.84H9v3.49h4.84a4.14 4.14 0 0 1-1.79 2.71v2.26h2.9a8.8 8.8 0 0 0 2.69-6.62z"
        />
        <path
          fill="#34a853"
          d="M9 18c2.43 0 4.47-.8 5.95-2.18l-2.9-2.26A5.43 5.43 0 0 1 3.96 10.7h-3v2.33A9 9 0 0 0 9 18z"
        />
        <path fill="#fbbc05" d="M3.96 10.7a5.4 5.4 0 0 1 0-3.41V4.96h-3a9 9 0 0 0 0 8.08z" />
        <path
          fill="#ea4335"
          d="M9 3.58c1.32 0 2.5.45 3.44 1.35l2.58-2.59A9 9 0 0 0 .96 4.96l3 2.33A5.36 5.36 0 0 1 9 3.58z"
        />
      </>
    ),
  },
  microsoft: {
    box: '0 0 21 21',
    shape: (
      <>
        <path fill="#f25022" d="M0 0h10v10H0z" />
        <path fill="#7fba00" d="M11 0h10v10H11z" />
        <path fill="#00a4ef" d="M0 11h10v10H0z" />
        <path fill="#ffb900" d="M11 11h10v10H11z" />
      </>
    ),
  },
  apple: {
    box: '0 0 24 24',
    shape: (
      <path
        fill="currentColor"
        d="M12.2 6.9c-1 0-2.5-1.1-4-1-2 0-4 1.1-5 3-2 3.6-.5 9 1.6 12 1 1.5 2.2 3.1 3.8 3 1.5 0 2-.9 3.9-.9s2.4 1 4 .9c1.6 0 2.7-1.4 3.7-2.9 1.1-1.7 1.6-3.3 1.6-3.4 0 0-3.2-1.3-3.2-4.9 0-3 2.5-4.5 2.6-4.5a5.6 5.6 0 0 0-4.4-2.4c-2-.2-3.7 1-4.6 1zm3.3-3.1A5.3 5.3 0 0 0 16.8 0a5.4 5.4 0 0 0-3.6 1.8A5 5 0 0 0 12 5.5a4.5 4.5 0 0 0 3.5-1.7z"
      />
    ),
  },
  github: {
    box: '0 0 16 16',
    shape: (
      <path
        fill="currentColor"
        d="M8 0a8 8 0 0 0-2.53 15.59c.4.07.55-.17.55-.38v-1.49c-2.01.37-2.53-.49-2.69-.94-.09-.23-.48-.94-.82-1.13-.28-.15-.68-.52-.01-.53.63-.01 1.08.58 1.23.82.72 1.21 1.87.87 2.33.66.07-.52.28-.87.51-1.07-1.78-.2-3.64-.89-3.64-3.95 0-.87.31-1.59.82-2.15-.08-.2-.36-1.02.08-2.12 0 0 .67-.21 2.2.82a7.5 7.5 0 0 1 4 0c1.53-1.04 2.2-.82 2.2-.82.44 1.1.16 1.92.08 2.12.51.56.82 1.27.82 2.15 0 3.07-1.87 3.75-3.65 3.95.29.25.54.73.54 1.48v2.2c0 .21.15.46.55.38A8 8 0 0 0 8 0z"
      />
    ),
  },
  gitlab: {
    box: '0 0 24 24',
    shape: (
      <>
        <path fill="#e24329" d="M12 23 7.6 9.5h8.8z" />
        <path fill="#fc6d26" d="M12 23 7.6 9.5H1.5zM12 23l4.4-13.5h6.1z" />
        <path
          fill="#fca326"
          d="M1.5 9.5.1 13.6a1 1 0 0 0 .4 1.1L12 23zM22.5 9.5l1.4 4.1a1 1 0 0 1-.4 1.1L12 23z"
        />
        <path fill="#e24329" d="M1.5 9.5h6.1L5 1.4q-.4-1-.9 0zM22.5 9.5h-6.1L19 1.4q.4-1 .9 0z" />
      </>
    ),
  },
  linkedin: {
    box: '0 0 24 24',
    shape: (
      <>
        <rect width="24" height="24" rx="2.5" fill="#0a66c2" />
        <path
          fill="#fff"
          d="M3.6 9h3.5v11.4H3.6zM5.3 3.3a2 2 0 1 1 0 4.1 2 2 0 0 1 0-4.1zM9.3 9h3.4v1.6c.5-.9 1.6-1.9 3.4-1.9 3.6 0 4.3 2.4 4.3 5.4v6.3h-3.5v-5.6c0-1.3 0-3-1.9-3s-2.1 1.4-2.1 2.9v5.7H9.3z"
        />
      </>
    ),
  },
  keycloak: {
    box: '0 0 24 24',
    shape: (
      <>
        <path fill="#4d9fd6" d="M6.5 2.5h11L23 12l-5.5 9.5h-11L1 12z" />
        <path fill="none" stroke="#fff" strokeWidth="2.2" d="m11 7-3 5 3 5m2-10 3 5-3 5" />
      </>
    ),
  },
}
