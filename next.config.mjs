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
  productionBrowserSourceMaps: false,
  experimental: {
    // Nobody downloads the server's own half, and making it small is a third of the build
    serverMinification: false,
    // Nothing reads those of the server, and they cost a quarter of the build
    turbopackSourceMaps: false,
    // A page is loaded when somebody first asks for it: all of them at once are a seventh of a start
    preloadEntriesOnStart: false,
  },
  turbopack: { root: import.meta.dirname },
  // Types are checked by `npm run check`; a start must not pay for it again
  typescript: { ignoreBuildErrors: true },
}
