/** The order matters: most browsers also name others in their User-Agent. */
const browsers: readonly (readonly [mark: RegExp, word: string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera)\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|Chromium|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/.* Safari\//, 'Safari'],
]

const systems: readonly (readonly [mark: RegExp, word: string])[] = [
  [/\biPhone\b/, 'an iPhone'],
  [/\biPad\b/, 'an iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
]

const wordOf = (words: typeof browsers, userAgent: string): string | null =>
  words.find(([mark]) => mark.test(userAgent))?.[1] ?? null

export function browserWords(userAgent: string): string {
  const [browser, system] = [wordOf(browsers, userAgent), wordOf(systems, userAgent)]
  if (browser === null && system === null) return 'Unknown browser'
  return `${browser ?? 'A browser'} on ${system ?? 'an unknown system'}`
}
