/** A session as the server sees it, for the page to tell when it is about to end. */
export type SessionState =
  | { readonly signedIn: false }
  | {
      readonly signedIn: true
      /** Whose session it is, so that a page notices when somebody else has signed in. */
      readonly actor: string
      /** Milliseconds until it ends if nothing happens: the clocks of browser and server may differ. */
      readonly msLeft: number
      readonly endsBy: 'idle' | 'absolute'
    }
