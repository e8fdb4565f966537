/** The document of the dashboard: navigation, palette, and one column for the page. */
import type { Metadata, Viewport } from 'next'
import type { ReactNode } from 'react'
import { KeyMark } from '#lib/pages/page-head.tsx'
import { areasOf } from './_ui/areas.ts'
import { Navigation } from './_ui/navigation.tsx'
import { Palette } from './_ui/palette/palette.tsx'
import { SecondFactorNotice } from './_ui/second-factor-notice.tsx'
import { ThemeProvider } from './_ui/theme.tsx'
import { nameOfAdmin, readAdmin, readPageRequest } from './admin-page.tsx'
import { roleNames } from './role-names.ts'
import '../globals.css'

export const dynamic = 'force-dynamic'

export const metadata: Metadata = {
  robots: { index: false, follow: false },
  icons: { icon: { url: '/favicon.svg', type: 'image/svg+xml' } },
  manifest: '/manifest.webmanifest',
  formatDetection: { telephone: false, email: false, address: false },
}

export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  viewportFit: 'cover',
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#f6f4ef' },
    { media: '(prefers-color-scheme: dark)', color: '#131417' },
  ],
}

/** The layout. Without a session it contains only the page, which redirects to the sign-in. */
export default async function AdminLayout({ children }: { readonly children: ReactNode }) {
  const [{ services, cookies }, admin] = await Promise.all([readPageRequest(), readAdmin()])
  const { theme } = cookies
  return (
    <html lang="en" dir="ltr" data-theme={theme === 'system' ? undefined : theme}>
      <body className="admin">
        {admin === null ? (
          children
        ) : (
          <ThemeProvider first={theme}>
            <a className="skip" href="#main">
              Skip to the content
            </a>
            <Navigation
              areas={areasOf(admin.actor.role).map(({ name, path }) => ({ name, path }))}
              siteName={services.config.siteName}
              admin={{
                name: await nameOfAdmin(services.admin, admin.actor),
                role: roleNames[admin.actor.role].name,
              }}
              logo={<KeyMark size={20} />}
            />
            <main id="main" className="admin-main" tabIndex={-1}>
              <SecondFactorNotice services={services} actor={admin.actor} />
              {children}
            </main>
            <Palette />
          </ThemeProvider>
        )}
      </body>
    </html>
  )
}
