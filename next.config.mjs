/** @type {import('next').NextConfig} */
const nextConfig = {
  poweredByHeader: false,
  reactStrictMode: true,
  // No page has a picture to make smaller: nobody can have the server fetch and resize one.
  images: { unoptimized: true },
  // These load WebAssembly, worker threads, native parts or each other by path, so the bundler must leave them alone.
  serverExternalPackages: [
    '@electric-sql/pglite',
    'pg',
    'pino',
    'kysely',
    'next-auth',
    'openid-client',
    '@microsoft/signalr',
    'ws',
  ],
  experimental: {
    // A bank statement of 5 MB and what a form adds to it. Next keeps that much of a body in memory; every handler has
    // its own bound, which is at most 64 kB for all others.
    proxyClientMaxBodySize: '6mb',
    // A page that reads again while the console restarts waits for it. Without this it gives way to the browser's error page.
    // It would also send Server Actions again; there are none.
    useOffline: true,
    // Writing the cache takes a quarter of a first build, and only later builds gain from it.
    turbopackFileSystemCacheForBuild: process.env.BUILD_CACHE !== 'off',
  },
  // While a page gives way to another it has no icon for a moment, and browsers ask for this one.
  rewrites: async () => [{ source: '/favicon.ico', destination: '/icon.svg' }],
  // `npm test` checks types for the whole repository in a step of its own.
  typescript: { ignoreBuildErrors: true },
}

export default nextConfig
