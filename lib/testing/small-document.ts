import { act, type ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { vi } from 'vitest'

type Listener = (event: object) => void

/** What React needs of an element, for tests of effects and events without a browser. */
export class SmallElement {
  readonly nodeType = 1
  readonly namespaceURI = 'http://www.w3.org/1999/xhtml'
  readonly style = { setProperty: () => {} }
  readonly ownerDocument: SmallDocument
  readonly nodeName: string
  readonly attributes = new Map<string, string>()
  readonly listeners: (readonly [type: string, listener: Listener, isCapture: boolean])[] = []
  childNodes: SmallElement[] = []
  parentNode: SmallElement | null = null
  value = ''
  text = ''

  constructor(nodeName: string, ownerDocument: SmallDocument) {
    this.nodeName = nodeName
    this.ownerDocument = ownerDocument
  }
  get tagName() {
    return this.nodeName
  }
  get textContent(): string {
    return this.text + this.childNodes.map((child) => child.textContent).join('')
  }
  set textContent(text: string) {
    this.childNodes = []
    this.text = text
  }
  set nodeValue(text: string) {
    this.text = text
  }
  setAttribute(name: string, value: unknown) {
    this.attributes.set(name, String(value))
  }
  removeAttribute(name: string) {
    this.attributes.delete(name)
  }
  addEventListener(type: string, listener: Listener, isCapture = false) {
    this.listeners.push([type, listener, isCapture])
  }
  appendChild(child: SmallElement) {
    this.insertBefore(child, null)
  }
  insertBefore(child: SmallElement, next: SmallElement | null) {
    child.parentNode?.removeChild(child)
    child.parentNode = this
    this.childNodes.splice(next === null ? this.childNodes.length : this.childNodes.indexOf(next), 0, child)
  }
  removeChild(child: SmallElement) {
    this.childNodes = this.childNodes.filter((one) => one !== child)
    child.parentNode = null
  }
  closest(tags: string): SmallElement | null {
    return tags.split(', ').includes(this.nodeName) ? this : (this.parentNode?.closest(tags) ?? null)
  }
  focus() {
    this.ownerDocument.activeElement = this
  }
  all(): SmallElement[] {
    return this.childNodes.flatMap((child) => [child, ...child.all()])
  }
}

class SmallDocument {
  readonly nodeType = 9
  readonly defaultView = { HTMLIFrameElement: class {} }
  readonly body = new SmallElement('body', this)
  activeElement = this.body
  createElement(name: string) {
    return new SmallElement(name, this)
  }
  createElementNS(_space: string, name: string) {
    return new SmallElement(name, this)
  }
  createTextNode(text: string) {
    const node = new SmallElement('#text', this)
    node.text = text
    return node
  }
  addEventListener() {}
  removeEventListener() {}
}

let open: { readonly root: Root; readonly body: SmallElement } | null = null

/** Renders with effects. The test calls {@link closePage} in the end. */
export async function renderPage(node: ReactNode): Promise<SmallElement> {
  if (open === null) {
    const page = new SmallDocument()
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
    vi.stubGlobal('document', page)
    vi.stubGlobal('window', Object.assign(new EventTarget(), { document: page }))
    open = { root: createRoot(page.body as unknown as Element), body: page.body }
  }
  const { root, body } = open
  await act(async () => root.render(node))
  return body
}

export async function closePage(): Promise<void> {
  await act(async () => open?.root.unmount())
  open = null
  vi.unstubAllGlobals()
}

/** As the browser does, through React's listeners at the root. */
export async function fire(target: SmallElement | undefined, type: string): Promise<void> {
  const event = { type, target, bubbles: true, defaultPrevented: false, timeStamp: 0, preventDefault: () => {} }
  await act(async () => {
    for (const [of, listener] of open?.body.listeners ?? []) if (of === type) listener(event)
  })
}
