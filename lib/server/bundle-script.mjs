/** Makes `public/admin.js` of what runs in the browser on pages of the dashboard: one file, React and Base UI with it. */
import { build } from 'esbuild'
import { root } from './bootstrap-stamps.mjs'

await build({
  absWorkingDir: root,
  entryPoints: ['app/admin/_ui/behaviour/start.tsx'],
  outfile: 'public/admin.js',
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2022',
  legalComments: 'eof',
  logLevel: 'warning',
  define: { 'process.env.NODE_ENV': '"production"' },
})
