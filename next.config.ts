import type { NextConfig } from 'next'

const config: NextConfig = {
  poweredByHeader: false,
  reactStrictMode: true,
  devIndicators: false,
  // FW-06: nothing here needs the optimiser, and it fetches what it is told to
  images: { unoptimized: true },
  productionBrowserSourceMaps: false,
  // Nothing reads those of the server, and they cost a quarter of the build
  experimental: { turbopackSourceMaps: false },
  turbopack: { root: import.meta.dirname },
  // Types are checked by `npm run check`; a start must not pay for it again
  typescript: { ignoreBuildErrors: true },
}

export default config
