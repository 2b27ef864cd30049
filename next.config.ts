import type { NextConfig } from 'next'

const nextConfig: NextConfig = {
  poweredByHeader: false,
  reactStrictMode: true,
  // These load WebAssembly, worker threads or native parts by path, so the bundler must leave them alone.
  serverExternalPackages: ['@electric-sql/pglite', 'pg', 'pino', 'kysely', 'next-auth', 'openid-client'],
  // No body that the console takes comes near this; Next keeps that much of each in memory.
  experimental: { proxyClientMaxBodySize: '128kb' },
  // `npm test` checks types for the whole repository in a step of its own.
  typescript: { ignoreBuildErrors: true },
}

export default nextConfig
