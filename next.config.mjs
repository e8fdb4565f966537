// @ts-check
/**
 * How Next builds and serves the pages. NOTE: no TypeScript, since every start would load Next's compiler for this one
 * file: a tenth of a second and forty megabytes.
 * @type {import('next').NextConfig}
 */
export default {
  poweredByHeader: false,
  reactStrictMode: true,
  devIndicators: false,
  // FW-06: nothing here needs the optimiser, and it fetches what it is told to
  images: { unoptimized: true },
  // Loaded from where they lie, once for the pages and the endpoints; every route would get its own copy
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
    // `forbidden()` of Next, for hosts that are not ours
    authInterrupts: true,
    // Nobody downloads the server's own half, and making it small is a third of the build
    serverMinification: false,
    // Nothing reads those of the server, and they cost a quarter of the build
    turbopackSourceMaps: false,
    // A page is loaded when somebody first asks for it: all of them at once are a seventh of a start
    preloadEntriesOnStart: false,
    // Only another build would read it; whoever builds once pays a quarter more, and ninety megabytes
    turbopackFileSystemCacheForBuild: false,
  },
  turbopack: { root: import.meta.dirname },
  // Types are checked by `npm run check`; a start must not pay for it again
  typescript: { ignoreBuildErrors: true },
}
