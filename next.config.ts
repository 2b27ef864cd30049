import type { NextConfig } from 'next'

const nextConfig: NextConfig = {
  poweredByHeader: false,
  reactStrictMode: true,
  // These load WebAssembly, worker threads or native parts by path, so the bundler must leave them alone.
  serverExternalPackages: ['@electric-sql/pglite', 'pg', 'pino', 'kysely', 'next-auth', 'openid-client'],
  // While a page gives way to another it has no icon for a moment, and browsers ask for this one.
  rewrites: async () => [{ source: '/favicon.ico', destination: '/icon.svg' }],
  // `npm test` checks types for the whole repository in a step of its own.
  typescript: { ignoreBuildErrors: true },
}

export default nextConfig
