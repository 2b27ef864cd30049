/** The browser cannot reach the console, so nothing is known about the service. */
export const consoleUnreachable = {
  title: 'The console cannot be reached',
  advice: 'Check the connection, then try again.',
} as const

export const CONSOLE_UNREACHABLE = `${consoleUnreachable.title}. ${consoleUnreachable.advice}`
