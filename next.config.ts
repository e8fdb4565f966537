/** The settings with which Next builds and serves everything in `app`. */
import type { NextConfig } from 'next'

const config: NextConfig = {
  poweredByHeader: false,
  reactStrictMode: true,
  devIndicators: false,
  // FW-06: no page needs the image optimizer, which fetches addresses that are part of requests
  images: { unoptimized: true },
  // Packages that are loaded from node_modules, once for pages and endpoints; otherwise every route has its own copy
  serverExternalPackages: [
    '@formatjs/intl-localematcher',
    '@prisma/adapter-better-sqlite3',
    '@prisma/adapter-pg',
    '@zxcvbn-ts/language-common',
    'esbuild',
    'jose',
    'oauth4webapi',
    'zod',
  ],
  productionBrowserSourceMaps: false,
  experimental: {
    // Browsers never download the server code, and minifying it takes a third of the build
    serverMinification: false,
    // Source maps of the server code are not read, and take a quarter of the build
    turbopackSourceMaps: false,
    // A page is loaded at its first request; loading all of them takes a seventh of the start
    preloadEntriesOnStart: false,
    // Only the next build would read this cache; it costs a quarter of the build and 90 MB
    turbopackFileSystemCacheForBuild: false,
  },
  turbopack: { root: import.meta.dirname },
  // `npm run check` checks the types, so that a build at the start of the server does not need to
  typescript: { ignoreBuildErrors: true },
  generateBuildId: () => nameOfBuild(process.env),
}

/** Returns the name that `lib/server/bootstrap.mjs` gives the build, or null for a random one. */
function nameOfBuild({ BUILD_NAME: name }: NodeJS.ProcessEnv): string | null {
  return name ?? null
}

export default config
