/** Some browsers take the file a little after the click. */
const FILE_KEPT_MS = 60_000

/** Hands a file to the browser, as if it had been downloaded. */
export function saveFile(fileName: string, parts: readonly string[]): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(
    new Blob([...parts], { type: fileName.endsWith('.json') ? 'application/json' : 'text/csv;charset=utf-8' }),
  )
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), FILE_KEPT_MS)
}
